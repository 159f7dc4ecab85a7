// The moving scenes on which hierarchies for deforming meshes are measured, after the experiments
// of Larsson (A1 to A3, B1, B2). Shapes and paths are formulas, the same on every machine.
//
//   A1, A2   two bumpy spheres slowly run into each other: 200 steps, calibrated at 20,480
//            triangles to first touch at step 60 and to end with about 3,760 pairs
//   A3       27 bodies on a 3 x 3 x 3 grid drawn to its middle, turning and deforming, 200 steps;
//            the source's collision response is replaced by the script
//   B1       two morphing bodies pass through each other in 400 steps, touching in 41 to 364
//   B2       12 swimming bodies of 564 x 4^k triangles that morph between three poses, 400 steps
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/base/transform.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// A sphere whose surface ripples: the vertex in direction (x, y, z) lies at distance
/// 1 + height sin(f x + t) sin(f y + 1.3 t) sin(f z + 0.7 t).
struct Ripples {
    float height, frequency;
};

/// The bumpy sphere's vertices at phase t, placed in the world. `directions` are unit vectors.
void ripple(std::span<const Vec3> directions, const Ripples& ripples, float phase,
            const Transform& placement, std::vector<Vec3>& world);

/// A sphere of unit radius with exactly `triangles` = 20, 8 or 4 times a power of 4 of them, from
/// a subdivided icosahedron, octahedron or tetrahedron. Other numbers are refused.
Result<TriangleMesh> make_subdivided_sphere(int triangles);

/// Bumpy spheres on scripted paths; all bodies share one mesh of directions.
struct RipplingScene {
    std::string name;
    Ripples ripples;
    int bodies = 2;
    int steps = 200;

    Transform placement(int body, int step) const;
    float phase(int body, int step) const;
    void world_vertices(std::span<const Vec3> directions, int body, int step,
                        std::vector<Vec3>& world) const {
        ripple(directions, ripples, phase(body, step), placement(body, step), world);
    }
};

RipplingScene scene_a1();
/// `armed` bodies have a few long arms instead of many bumps.
RipplingScene scene_a3(bool armed);

/// Bodies that morph between reference shapes on scripted paths; all share the references.
struct MorphingScene {
    std::string name;
    std::vector<TriangleMesh> references;
    int bodies = 2;
    int steps = 400;

    Transform placement(int body, int step) const;
    /// At most two neighbouring references are active.
    std::vector<float> weights(int body, int step) const;
};

/// A square sheet in the plane of x and z, about the origin and facing up: `cells` by `cells`
/// squares of two triangles.
TriangleMesh make_sheet(float width, int cells);

/// Lifts the points of a sheet by height sin(2 pi t / period) cos(2 pi x / length)
/// cos(2 pi z / length).
struct StandingWave {
    float height, length; ///< m
    float period;         ///< s

    void vertices(std::span<const Vec3> sheet, double time, std::vector<Vec3>& lifted) const;
};

MorphingScene scene_b1(int triangles = 20480);
/// 564 * 4^level triangles per body.
MorphingScene scene_b2(int level);

} // namespace fovea
