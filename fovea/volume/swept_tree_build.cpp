#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/geometry/number_text.h"
#include "fovea/geometry/rounding.h"
#include "fovea/volume/prepared_mesh.h"
#include "fovea/volume/swept_fit.h"
#include "fovea/volume/volume_tree.h"

namespace fovea {

namespace {

Result<void> check(const SweptTreeSettings& settings) {
    if (settings.levels < 1 || settings.levels > 8) {
        return failure("levels is " + std::to_string(settings.levels) + "; it must be 1 to 8");
    }
    if (settings.branching < 2 || settings.branching > 64) {
        return failure("branching is " + std::to_string(settings.branching) +
                       "; it must be 2 to 64");
    }
    if (!(settings.worth >= 0 && settings.worth <= 1)) {
        return failure("worth is " + number_text(settings.worth) + "; it must be 0 to 1");
    }
    if (!settings.points && !settings.segments && !settings.rectangles) {
        return failure("no type of volume is allowed");
    }
    return {};
}

/// The surface in pieces no larger than a leaf: volumes are convex, so one that holds a piece's
/// corners holds the piece.
std::vector<Triangle3d> pieces_of(const PreparedMesh& mesh, const SweptTreeSettings& settings) {
    const double leaves = std::pow(settings.branching, settings.levels - 1);
    const double longest = std::clamp(1 / std::sqrt(leaves), 0.01, 1.0);
    std::vector<Triangle3d> pieces, open;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        open = {mesh.corners(i)};
        while (!open.empty()) {
            const Triangle3d t = open.back();
            open.pop_back();
            if (longest_edge(t) <= longest) {
                pieces.push_back(t);
                continue;
            }
            for (const Triangle3d& half : halves(t)) open.push_back(half);
        }
    }
    return pieces;
}

Vec3d centroid(const Triangle3d& t) {
    return (t[0] + t[1] + t[2]) * (1.0 / 3);
}

using Ids = std::vector<std::uint32_t>;

class SweptBuilder {
  public:
    SweptBuilder(const PreparedMesh& mesh, const SweptTreeSettings& settings)
        : mesh_(mesh)
        , settings_(settings)
        , pieces_(pieces_of(mesh, settings)) {}

    Ids root() const {
        Ids all(pieces_.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
        return all;
    }

    /// Halves the widest part until there are as many as a node may have children.
    std::vector<Ids> split(const Ids& node) const {
        std::vector<Part> parts = {part_of(node)};
        while (int(parts.size()) < settings_.branching) {
            const auto widest =
                std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
                    return a.width() < b.width();
                });
            if (!(widest->width() > 0)) break;
            auto [low, high] = halved(*widest);
            *widest = part_of(std::move(low));
            parts.push_back(part_of(std::move(high)));
        }
        std::vector<Ids> children;
        for (Part& part : parts) children.push_back(std::move(part.pieces));
        return children;
    }

    NodeVolume volume(const Ids& node) const {
        std::vector<Vec3d> points;
        for (const std::uint32_t i : node) {
            points.insert(points.end(), pieces_[i].begin(), pieces_[i].end());
        }
        const NodeVolumed fitted = fitted_volume(points, settings_);
        NodeVolume rounded{fitted.type, Vec3(mesh_.to_metres(fitted.centre)),
                           Vec3(fitted.u * mesh_.scale), Vec3(fitted.v * mesh_.scale), 0};
        // About the rounded core, so that rounding lets nothing out.
        const NodeVolumed core = placed(rounded, {});
        double radius = 0;
        for (const Vec3d& p : points) {
            radius = std::max(radius, core_distance(core, mesh_.to_metres(p)));
        }
        // Volumes are convex: with its corners they hold a triangle, also where it was before
        // welding.
        rounded.radius = rounded_up(radius * (1 + 1e-9) + 1e-12 * mesh_.scale + mesh_.moved);
        return rounded;
    }

  private:
    struct Part {
        Ids pieces;
        Vec3d low, high; ///< of the pieces' centroids
        double width() const {
            const Vec3d extent = high - low;
            return std::max({extent.x, extent.y, extent.z});
        }
    };

    Part part_of(Ids pieces) const {
        Part part{std::move(pieces), {}, {}};
        part.low = part.high = centroid(pieces_[part.pieces[0]]);
        for (const std::uint32_t i : part.pieces) {
            part.low = min(part.low, centroid(pieces_[i]));
            part.high = max(part.high, centroid(pieces_[i]));
        }
        return part;
    }

    /// Across the middle of the widest axis, where both sides have something.
    std::pair<Ids, Ids> halved(const Part& part) const {
        const Vec3d extent = part.high - part.low;
        int axis = extent.x >= extent.y ? 0 : 1;
        if (extent.z > extent[axis]) axis = 2;
        const double middle = 0.5 * (part.low[axis] + part.high[axis]);
        std::pair<Ids, Ids> sides;
        for (const std::uint32_t i : part.pieces) {
            (centroid(pieces_[i])[axis] <= middle ? sides.first : sides.second).push_back(i);
        }
        return sides;
    }

    const PreparedMesh& mesh_;
    const SweptTreeSettings& settings_;
    std::vector<Triangle3d> pieces_;
};

} // namespace

Result<VolumeTree> VolumeTree::build_swept(const TriangleMesh& mesh,
                                           const SweptTreeSettings& settings) {
    if (auto checked = check(settings); !checked) return tl::unexpected(checked.error());
    const Jobs jobs(settings.threads);
    const auto prepared = prepare(mesh, jobs);
    if (!prepared) return tl::unexpected(prepared.error());
    const SweptBuilder builder(*prepared, settings);

    LevelStructure structure;
    std::vector<NodeVolume> nodes;
    std::vector<Ids> level = {builder.root()};
    Ids parents = {0};
    for (int l = 0; l < settings.levels; ++l) {
        if (l > 0) {
            std::vector<std::vector<Ids>> below(level.size());
            jobs.for_blocks(level.size(), 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) below[i] = builder.split(level[i]);
            });
            level.clear();
            parents.clear();
            for (std::uint32_t i = 0; i < below.size(); ++i) {
                for (Ids& child : below[i]) {
                    level.push_back(std::move(child));
                    parents.push_back(i);
                }
            }
        }
        if (auto added = structure.add_level(parents); !added) {
            return tl::unexpected(added.error());
        }
        const std::size_t base = nodes.size();
        nodes.resize(base + level.size());
        jobs.for_blocks(level.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) nodes[base + i] = builder.volume(level[i]);
        });
    }
    return VolumeTree(std::move(structure), std::move(nodes));
}

} // namespace fovea
