// Spikes on a sphere. Vertices move along their own radius only: seen from the centre the mesh
// stays as it was, so it cannot run into itself.
//
//            A  tip, radius + spike height
//           / \       the angle from the axis to the foot B is the same for all
//     __--B     B--__   a straight cone from the tip to the sphere
//
#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/base/assert.h"
#include "fovea/geometry/mesh_building.h"

namespace fovea {

namespace {

/// Points evenly spread over the unit sphere: equal steps in height, golden angle in between
/// (Swinbank and Purser, "Fibonacci grids", QJRMS 2006).
Vec3d spread_direction(int index, int count) {
    const double y = 1 - (2.0 * index + 1) / count;
    const double ring = std::sqrt(1 - y * y);
    const double angle = index * std::numbers::pi * (3 - std::sqrt(5.0));
    return {ring * std::cos(angle), y, ring * std::sin(angle)};
}

/// The vertex nearest to a direction, so that every spike has a tip however coarse the sphere.
Vec3d nearest_vertex_direction(const std::vector<Vec3d>& directions, const Vec3d& wanted) {
    Vec3d best = directions[0];
    for (const Vec3d& d : directions) {
        if (dot(d, wanted) > dot(best, wanted)) best = d;
    }
    return best;
}

} // namespace

TriangleMesh with_spikes(TriangleMesh sphere, double radius, double spike_height, int spikes) {
    FOVEA_ASSERT(spikes >= 1);
    std::vector<Vec3d> directions;
    for (const Vec3& vertex : sphere.vertices) directions.push_back(normalized(Vec3d(vertex)));

    // The sphere's share of a spike is a cap of solid angle 4 pi / spikes; its angular radius is
    // about 2 / sqrt(spikes). Leaving a margin between neighbouring feet shows the sphere.
    const double foot = 0.75 * 2 / std::sqrt(double(spikes));
    const double tip = radius + spike_height;
    const double foot_along = radius * std::cos(foot), foot_across = radius * std::sin(foot);

    std::vector<double> lengths(directions.size(), radius);
    for (int i = 0; i < spikes; ++i) {
        const Vec3d axis = nearest_vertex_direction(directions, spread_direction(i, spikes));
        for (std::size_t v = 0; v < directions.size(); ++v) {
            const double cosine = dot(axis, directions[v]);
            if (cosine <= std::cos(foot)) continue;
            // Where the ray of this vertex meets the line from the tip to the foot.
            const double sine = length(cross(axis, directions[v]));
            const double on_cone =
                tip * foot_across / (cosine * foot_across + sine * (tip - foot_along));
            lengths[v] = std::max(lengths[v], on_cone);
        }
    }
    for (std::size_t v = 0; v < directions.size(); ++v) {
        sphere.vertices[v] = Vec3(directions[v] * lengths[v]);
    }
    return sphere;
}

} // namespace fovea
