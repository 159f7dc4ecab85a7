#include "fovea/volume/surface_proof.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/volume/triangle_tree.h"

namespace fovea {

namespace {

/// A piece this much smaller than the sphere that fails to hold it is not cut further.
constexpr double k_smallest_piece = 1.0 / 48;
constexpr int k_deepest_cut = 48;

struct Piece {
    Triangle3d corners;
    int depth;
};

/// The tree in double precision, with room for rounding taken off every radius.
class Spheres {
  public:
    Spheres(std::span<SphereLevel> levels, double largest_coordinate)
        // A corner is the mean of mesh vertices after at most k_deepest_cut halvings; squares and
        // sums add a few roundings more. All of it stays below 64 units in the last place.
        : rounding_(64 * std::numeric_limits<double>::epsilon() * largest_coordinate) {
        std::uint32_t base = 0;
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const SphereLevel& level = levels[l];
            level_first_.push_back(base);
            for (std::size_t i = 0; i < level.centres.size(); ++i) {
                centres_.push_back(Vec3d(level.centres[i]));
                radii_.push_back(level.radii[i]);
                const std::uint32_t parent = l > 0 ? level_first_[l - 1] + level.parents[i] : 0;
                while (l > 0 && child_first_.size() <= parent) {
                    child_first_.push_back(base + std::uint32_t(i));
                }
            }
            base += std::uint32_t(level.centres.size());
        }
        level_first_.push_back(base);
        child_first_.resize(base + 1, base);
        safe_.resize(base);
        for (std::uint32_t i = 0; i < base; ++i) update(i);
    }

    bool holds(std::uint32_t node, const Triangle3d& t) const {
        const Vec3d& c = centres_[node];
        return length_squared(t[0] - c) <= safe_[node] && length_squared(t[1] - c) <= safe_[node] &&
               length_squared(t[2] - c) <= safe_[node];
    }

    /// True if there is a path from the root to a leaf through spheres that hold the piece.
    /// Otherwise `widest` is the largest radius among the spheres where such paths end: the first
    /// that would have to grow.
    bool covers(const Triangle3d& t, double& widest) const {
        widest = 0;
        return has_path(0, t, widest);
    }

    double missing(std::uint32_t node, const Triangle3d& t) const {
        const Vec3d& c = centres_[node];
        const double far = std::sqrt(std::max(
            {length_squared(t[0] - c), length_squared(t[1] - c), length_squared(t[2] - c)}));
        return std::max(0.0, far - (radii_[node] - rounding_));
    }

    /// The path whose spheres grow least in sum; sets the smallest radius among those that grow.
    std::vector<std::uint32_t> cheapest_path(const Triangle3d& t, double& smallest) const {
        std::vector<std::uint32_t> path, best;
        double least = std::numeric_limits<double>::infinity();
        search_path(0, 0, t, path, best, least);
        smallest = std::numeric_limits<double>::infinity();
        for (const std::uint32_t node : best) {
            if (missing(node, t) > 0) smallest = std::min(smallest, radii_[node]);
        }
        return best;
    }

    /// Grows the sphere to hold the piece; true if it had to.
    bool grow(std::uint32_t node, const Triangle3d& t) {
        if (holds(node, t)) return false;
        const double wanted = (radii_[node] + missing(node, t)) * (1 + 1e-7) + 2 * rounding_;
        float radius = float(wanted);
        while (radius < wanted) {
            radius = std::nextafter(radius, std::numeric_limits<float>::infinity());
        }
        radii_[node] = radius;
        update(node);
        return true;
    }

    void write_back(std::span<SphereLevel> levels) const {
        std::size_t node = 0;
        for (SphereLevel& level : levels) {
            for (float& radius : level.radii) radius = float(radii_[node++]);
        }
    }

  private:
    bool has_path(std::uint32_t node, const Triangle3d& t, double& widest) const {
        if (!holds(node, t)) {
            widest = std::max(widest, radii_[node]);
            return false;
        }
        const std::uint32_t end = child_first_[node + 1];
        if (child_first_[node] == end) return true;
        for (std::uint32_t child = child_first_[node]; child < end; ++child) {
            if (has_path(child, t, widest)) return true;
        }
        return false;
    }

    /// Depth first, the cheapest child first, leaving branches that cost as much as the best path
    /// found.
    void search_path(std::uint32_t node, double cost, const Triangle3d& t,
                     std::vector<std::uint32_t>& path, std::vector<std::uint32_t>& best,
                     double& least) const {
        cost += missing(node, t);
        if (cost >= least) return;
        path.push_back(node);
        std::vector<std::pair<double, std::uint32_t>> children;
        for (std::uint32_t child = child_first_[node]; child < child_first_[node + 1]; ++child) {
            children.emplace_back(missing(child, t), child);
        }
        if (children.empty()) {
            least = cost;
            best = path;
        }
        std::sort(children.begin(), children.end());
        for (const auto& [more, child] : children) {
            if (cost + more >= least) break;
            search_path(child, cost, t, path, best, least);
        }
        path.pop_back();
    }

    void update(std::uint32_t node) {
        const double radius = std::max(0.0, radii_[node] - rounding_);
        safe_[node] = radius * radius * (1 - 8 * std::numeric_limits<double>::epsilon());
    }

    double rounding_;
    std::vector<Vec3d> centres_;
    std::vector<double> radii_;
    std::vector<double> safe_; ///< squared radius, less the rounding
    std::vector<std::uint32_t> child_first_, level_first_;
};

/// Goes through the pieces of one triangle; those without a path that are too small to cut are
/// appended to `failed`. Returns the number of pieces looked at.
std::uint64_t go_through(const Triangle3d& triangle, const Spheres& spheres,
                         std::vector<Triangle3d>& failed) {
    std::vector<Piece> open = {{triangle, 0}};
    std::uint64_t pieces = 0;
    while (!open.empty()) {
        const Piece piece = open.back();
        open.pop_back();
        ++pieces;
        double smallest; // radius that would have to grow; a bound that costs nothing comes first
        if (spheres.covers(piece.corners, smallest)) continue;
        const double edge = longest_edge(piece.corners);
        if (edge <= smallest * k_smallest_piece) spheres.cheapest_path(piece.corners, smallest);
        if (edge <= smallest * k_smallest_piece || piece.depth == k_deepest_cut) {
            failed.push_back(piece.corners);
            continue;
        }
        for (const Triangle3d& half : halves(piece.corners)) {
            open.push_back({half, piece.depth + 1});
        }
    }
    return pieces;
}

struct Pass {
    std::uint64_t pieces = 0;
    std::vector<Triangle3d> failed;
};

Pass go_through(const TriangleMesh& mesh, const Spheres& spheres, const Jobs& jobs) {
    constexpr std::size_t k_block = 1024;
    std::vector<Pass> blocks((mesh.triangles.size() + k_block - 1) / k_block);
    jobs.for_blocks(mesh.triangles.size(), k_block, [&](std::size_t begin, std::size_t end) {
        Pass& pass = blocks[begin / k_block];
        for (std::size_t i = begin; i < end; ++i) {
            const auto t = corners(mesh, i);
            pass.pieces +=
                go_through({Vec3d(t[0]), Vec3d(t[1]), Vec3d(t[2])}, spheres, pass.failed);
        }
    });
    Pass all;
    for (const Pass& pass : blocks) {
        all.pieces += pass.pieces;
        all.failed.insert(all.failed.end(), pass.failed.begin(), pass.failed.end());
    }
    return all;
}

double largest_coordinate(const TriangleMesh& mesh) {
    double largest = 0;
    for (const Vec3& v : mesh.vertices) {
        largest = std::max(
            {largest, std::abs(double(v.x)), std::abs(double(v.y)), std::abs(double(v.z))});
    }
    return largest;
}

} // namespace

SurfaceProof prove_surface(const TriangleMesh& mesh, std::span<SphereLevel> levels,
                           const Jobs& jobs) {
    // Growing covers every piece that failed, so a second pass finds next to none; the limit is
    // there for the case of a defect, which must not become an endless loop.
    constexpr int k_most_passes = 16;
    Spheres spheres(levels, largest_coordinate(mesh));
    SurfaceProof proof;
    for (int pass = 0; pass < k_most_passes && !proof.holds; ++pass) {
        const Pass found = go_through(mesh, spheres, jobs);
        proof.pieces = found.pieces;
        proof.holds = found.failed.empty();
        for (const Triangle3d& piece : found.failed) {
            double smallest;
            if (spheres.covers(piece, smallest)) continue;
            for (const std::uint32_t node : spheres.cheapest_path(piece, smallest)) {
                if (spheres.grow(node, piece)) ++proof.grown;
            }
        }
    }
    spheres.write_back(levels);
    return proof;
}

SurfaceProof check_surface(const TriangleMesh& mesh, const SphereTree& tree, const Jobs& jobs) {
    std::vector<SphereLevel> levels = to_levels(tree);
    const Spheres spheres(levels, largest_coordinate(mesh));
    const Pass found = go_through(mesh, spheres, jobs);
    return {found.failed.empty(), found.pieces, 0};
}

} // namespace fovea
