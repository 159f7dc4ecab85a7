#include "fovea/volume/cover_elements.h"

#include <cmath>

namespace fovea {

namespace {

Vec3d normal_of(const Triangle3d& t) {
    return normalized_or(cross(t[1] - t[0], t[2] - t[0]), Vec3d());
}

Vec3d centroid(const Triangle3d& t) {
    return (t[0] + t[1] + t[2]) * (1.0 / 3);
}

/// The points that lie farthest along the axes and diagonals: nearly the convex hull.
std::vector<Vec3d> extreme_points(std::span<const Vec3d> points) {
    constexpr Vec3d k_axes[13] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0},
                                  {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1},
                                  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
    std::vector<std::size_t> chosen;
    for (const Vec3d& axis : k_axes) {
        std::size_t low = 0, high = 0;
        for (std::size_t i = 1; i < points.size(); ++i) {
            if (dot(points[i], axis) < dot(points[low], axis)) low = i;
            if (dot(points[i], axis) > dot(points[high], axis)) high = i;
        }
        chosen.push_back(low);
        chosen.push_back(high);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::vector<Vec3d> extremes;
    for (const std::size_t i : chosen) {
        if (std::find(extremes.begin(), extremes.end(), points[i]) == extremes.end()) {
            extremes.push_back(points[i]);
        }
    }
    return extremes;
}

} // namespace

CoverElements::CoverElements(const ContentModel& content, std::size_t spheres, double effort) {
    const PreparedMesh& mesh = content.mesh;
    const auto wanted =
        std::size_t(effort * double(std::clamp<std::size_t>(40 * spheres, 2500, 16000)));
    double edges = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) edges += longest_edge(mesh.corners(i));
    // Cutting to this length leaves about `wanted` pieces of a coarse mesh; the second term does it
    // for needles, which have length but no area.
    const double count = double(wanted);
    const double longest =
        std::max(1.5 * std::sqrt(mesh.area / count), std::min(0.02, 4 * edges / count));
    if (mesh.triangles.size() <= 2 * wanted) {
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            add_pieces(mesh.corners(i), longest);
        }
    } else {
        add_patches(mesh, wanted, longest);
    }
    surface_ = size();
    if (!content.solid) return;
    for (int stride = 1;; ++stride) {
        const std::vector<Vec3d> inner = content.grid.inner_samples(stride);
        if (inner.size() > wanted) continue;
        for (const Vec3d& p : inner) add({&p, 1}, p, Vec3d());
        return;
    }
}

void CoverElements::add(std::span<const Vec3d> points, const Vec3d& middle, const Vec3d& normal) {
    points_.insert(points_.end(), points.begin(), points.end());
    first_.push_back(std::uint32_t(points_.size()));
    middles_.push_back(middle);
    normals_.push_back(normal);
}

void CoverElements::add_pieces(const Triangle3d& triangle, double longest) {
    const Vec3d normal = normal_of(triangle);
    std::vector<Triangle3d> open = {triangle};
    while (!open.empty()) {
        const Triangle3d t = open.back();
        open.pop_back();
        if (longest_edge(t) <= longest) {
            add(t, centroid(t), normal);
            continue;
        }
        for (const Triangle3d& half : halves(t)) open.push_back(half);
    }
}

void CoverElements::add_patches(const PreparedMesh& mesh, std::size_t count, double longest) {
    // Runs of the tree's order are near each other in space; a run that jumps is cut there.
    const std::size_t most = (mesh.tree.size() + count - 1) / count;
    std::vector<Vec3d> run;
    std::vector<std::uint32_t> members;
    Vec3d low, high;
    const auto close = [&] {
        if (members.empty()) return;
        const Triangle3d& t = mesh.tree.triangle(members[members.size() / 2]);
        add(extreme_points(run), centroid(t), normal_of(t));
        run.clear();
        members.clear();
    };
    for (std::uint32_t i = 0; i < mesh.tree.size(); ++i) {
        const Triangle3d& t = mesh.tree.triangle(i);
        if (longest_edge(t) > longest) {
            add_pieces(t, longest);
            continue;
        }
        const Vec3d t_low = min(min(t[0], t[1]), t[2]), t_high = max(max(t[0], t[1]), t[2]);
        const Vec3d new_low = members.empty() ? t_low : min(low, t_low);
        const Vec3d new_high = members.empty() ? t_high : max(high, t_high);
        if (members.size() == most || length(new_high - new_low) > 2 * longest) {
            close();
            low = t_low, high = t_high;
        } else {
            low = new_low, high = new_high;
        }
        members.push_back(i);
        run.insert(run.end(), t.begin(), t.end());
    }
    close();
}

} // namespace fovea
