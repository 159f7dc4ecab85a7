#include "fovea/volume/node_content.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/random.h"
#include "fovea/volume/mesh_sides.h"

namespace fovea {

namespace {

constexpr int k_samples = 128;
constexpr std::size_t k_group_stride = 5; ///< samples whose patch of surface is looked up

/// Points spread evenly through the unit ball.
std::vector<Vec3d> ball_samples() {
    std::vector<Vec3d> samples;
    Random random(1);
    while (samples.size() < k_samples) {
        const Vec3d p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        if (length_squared(p) > 1) continue;
        // In pairs about the centre, so that a full ball has no gradient.
        samples.push_back(p);
        samples.push_back(-p);
    }
    return samples;
}

} // namespace

std::vector<std::uint32_t> surface_groups(const PreparedMesh& mesh) {
    constexpr double k_cosine = 0.8660254037844387; // of 30 degrees
    std::vector<Vec3d> normals(mesh.triangles.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto [a, b, c] = mesh.corners(i);
        normals[i] = normalized_or(cross(b - a, c - a), Vec3d());
    }
    const std::vector<MeshSide> sides = sorted_sides(mesh.triangles, mesh.vertices.size());
    std::vector<std::uint32_t> leader(mesh.triangles.size());
    std::iota(leader.begin(), leader.end(), 0u);
    const auto find = [&](std::uint32_t i) {
        while (leader[i] != i) i = leader[i] = leader[leader[i]];
        return i;
    };
    for (std::size_t i = 1; i < sides.size(); ++i) {
        const MeshSide &s = sides[i], &t = sides[i - 1];
        if (!s.same_edge(t)) continue;
        if (dot(normals[s.triangle], normals[t.triangle]) < k_cosine) continue;
        const std::uint32_t a = find(s.triangle), b = find(t.triangle);
        leader[std::max(a, b)] = std::min(a, b);
    }
    // Numbered in the order of their first triangles.
    std::vector<std::uint32_t> group(mesh.triangles.size());
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < group.size(); ++i) {
        const std::uint32_t first = find(i);
        group[i] = first == i ? count++ : group[first];
    }
    return group;
}

void fill_content(SphereTree& tree, const ContentModel& content, const Jobs& jobs) {
    const std::vector<Vec3d> samples = ball_samples();
    const std::vector<std::uint32_t> groups = surface_groups(content.mesh);
    const PreparedMesh& mesh = content.mesh;
    const bool single = *std::max_element(groups.begin(), groups.end()) == 0;
    jobs.for_blocks(tree.size(), 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t node = begin; node < end; ++node) {
            const Ball ball{mesh.to_units(tree.centre(std::uint32_t(node))),
                            tree.radius(std::uint32_t(node)) / mesh.scale};
            NodeContent found;
            Vec3d gradient;
            std::uint32_t first_group = NodeContent::k_no_group;
            bool several = false;
            int filled = 0;
            std::uint32_t guess = 0;
            if (single && mesh.tree.any_within(ball.centre, ball.radius)) first_group = 0;
            for (std::size_t i = 0; i < samples.size(); ++i) {
                const Vec3d& s = samples[i];
                const Vec3d p = ball.centre + s * ball.radius;
                const double d = content.grid.distance(p);
                if (mesh.closed && d < 0) {
                    ++filled;
                    gradient += s;
                }
                if (single || several || i % k_group_stride != 0) continue;
                if (std::abs(d) > ball.radius) continue;
                // The surface about nearest to a sample, as long as it lies in the ball.
                const auto nearest = mesh.tree.nearest(p, guess, 0.25);
                guess = nearest.triangle;
                if (length(nearest.point - ball.centre) > ball.radius) continue;
                const std::uint32_t group = groups[mesh.tree.source(nearest.triangle)];
                several = first_group != NodeContent::k_no_group && group != first_group;
                first_group = group;
            }
            found.occupancy = float(filled) / k_samples;
            found.group = several ? NodeContent::k_no_group : first_group;
            // A centre deep inside has no use for its distance, which is slow to find there.
            if (!content.inside(ball.centre)) {
                const auto nearest = mesh.tree.nearest(ball.centre, guess);
                found.distance = float(std::sqrt(nearest.squared_distance) * mesh.scale);
                if (!mesh.closed) gradient = nearest.point - ball.centre;
            }
            found.normal = Vec3(normalized_or(gradient, Vec3d()));
            tree.set_content(std::uint32_t(node), found);
        }
    });
}

} // namespace fovea
