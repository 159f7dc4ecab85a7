// How the sphere tree of a mesh is to be built, as part of what a shape is: a few numbers that are
// stored with it, from which the same tree follows every time.
#pragma once

#include <cstdint>

#include "fovea/base/result.h"

namespace fovea {

enum class SphereMethod {
    octree,  ///< a sphere around every occupied cube (O'Sullivan 4.2.2); the quickest
    grid,    ///< box cells fitted to the shape, spheres fitted to what they hold; quick
    hubbard, ///< medial balls merged pair by pair (Hubbard 1996)
    medial,  ///< adaptive medial balls; best of merge, burst and expand (Bradshaw, O'Sullivan 2004)
    best,    ///< medial start, then fitted to the measured error; tightest
};
constexpr int k_sphere_methods = 5;

/// The defaults take a tenth of a second for 5,000 triangles, and leave spheres that stand out by
/// 2 to 4 % of the body's size on the mean. `best` takes four seconds and leaves 0.2 to 1.2 %.
struct SphereRecipe {
    SphereMethod method = SphereMethod::grid;
    std::int32_t levels = 4;    ///< the root's among them
    std::int32_t branching = 8; ///< children of a node at most; 2 to 64

    constexpr bool operator==(const SphereRecipe&) const = default;
};

/// The last level may have this many spheres, so branching^(levels - 1) stays within it: more is
/// slower than the triangles, and what a few bytes from outside ask for must stay small.
constexpr std::int64_t k_recipe_spheres = 4096;

/// Refuses numbers out of range.
Result<void> check_recipe(const SphereRecipe& recipe);

} // namespace fovea
