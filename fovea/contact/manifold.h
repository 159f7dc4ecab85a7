// Contact manifolds: up to four points that stand for the whole area in which two shapes meet.
//
//            .------------.              normal, from A to B
//            |     B      |                  ^
//       .----1------------2----.             |       each point lies midway between the two
//       |          A           |                     surfaces; its separation is measured along
//       '----------------------'                     the normal, negative where they overlap
//
// A Manifold is kept from step to step in the frame of A. While the bodies hardly move against
// each other it stays as it is (recycle.h) and only its WorldManifold, which a solver reads, is
// made anew. Manifold and PairCache together fill two cache lines.
#pragma once

#include <array>
#include <cstdint>

#include "fovea/base/transform.h"

namespace fovea {

constexpr int k_manifold_points = 4;

struct ManifoldPoint {
    Vec3 point;            ///< in the frame of A
    float separation;      ///< metres; positive: still apart, found because of the margin
    std::uint32_t feature; ///< tells the points of a pair apart, steady from step to step
};

struct Manifold {
    Vec3 normal; ///< unit, from A to B, in the frame of A
    std::int32_t count = 0;
    std::array<ManifoldPoint, k_manifold_points> points;
};

/// What a pair remembers between steps, plain data. A new pair starts with a default one.
struct PairCache {
    enum class State : std::uint32_t { nothing, apart, touching };

    /// apart: an axis, in the frame of A, along which the shapes were farther than the margin.
    /// touching: the position of B in the frame of A when the manifold was made.
    Vec3 vector;
    Vec3 rotation; ///< touching: vector part of B's orientation in the frame of A, scalar part >= 0
    State state = State::nothing;
    std::uint32_t axis = 0; ///< touching: the separating axis that was chosen
};

static_assert(sizeof(PairCache) == 32);
static_assert(sizeof(Manifold) + sizeof(PairCache) == 128);

/// A point as solvers want it: from the origin of each body, in world axes.
struct WorldPoint {
    Vec3 anchor_a, anchor_b; ///< the same place in space, seen from A and from B
    float separation;
    std::uint32_t feature;
};

struct WorldManifold {
    Vec3 normal; ///< unit, from A to B, in world axes
    std::int32_t count = 0;
    std::array<WorldPoint, k_manifold_points> points;
};

} // namespace fovea
