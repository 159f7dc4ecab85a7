// The inside of closed meshes.
//
//        .-------------.
//        |    p--------|-->    a ray from an inner point leaves the mesh where it first meets it:
//        '-------------'       through the back of a triangle
//
// Three rays vote, because one may run along an edge. How the triangles in a ray's way are found is
// left to whoever asks.
#pragma once

#include <array>

#include "fovea/geometry/ray_cast.h"

namespace fovea {

/// The nearest of the triangles that a ray is shown.
struct FirstCrossing {
    explicit FirstCrossing(const LocalRay& way)
        : ray(way)
        , distance(way.length) {}

    void meet(const std::array<Vec3, 3>& triangle) {
        const auto hit = cast_ray(ray, triangle);
        if (!hit || hit->distance >= distance) return;
        const Vec3d a(triangle[0]), face = cross(Vec3d(triangle[1]) - a, Vec3d(triangle[2]) - a);
        distance = hit->distance;
        outward = dot(face, ray.direction) > 0;
    }

    LocalRay ray;
    double distance;      ///< the ray's length if it meets none
    bool outward = false; ///< through the back of the triangle
};

/// Whether a closed mesh encloses the point. `search(FirstCrossing&)` shows each triangle in the
/// way of the ray, and others as it likes. `way_out`: longer than any way out of the mesh.
template <class Search>
bool encloses(const Vec3d& point, double way_out, Search&& search) {
    // Unit vectors in no particular direction.
    constexpr Vec3d k_ways[] = {{0.36, 0.48, 0.8}, {-0.6, 0.64, 0.48}, {0.48, -0.6, 0.64}};
    int votes = 0;
    for (int i = 0; i < 3; ++i) {
        FirstCrossing first({point, k_ways[i], way_out});
        search(first);
        votes += first.outward;
        if (i == 1 && votes != 1) break; // the third cannot turn it
    }
    return votes >= 2;
}

} // namespace fovea
