// Bodies and solids whose descents are tested, and a descent from end to end.
#pragma once

#include <doctest/doctest.h>

#include "tests/collide/ladder_cases.h"

namespace fovea::test {

#ifdef FOVEA_SANITIZED
constexpr int k_share = 8; ///< sanitizers make everything some ten times slower
#else
constexpr int k_share = 1;
#endif

inline const std::vector<LadderBody>& bodies() {
    static const std::vector<LadderBody> all = [] {
        std::vector<LadderBody> list;
        list.push_back(
            sphere_body("lshape", 1, SphereMethod::octree, 4, 8, Nesting::inside_parent));
        list.push_back(sphere_body("gear", 1, SphereMethod::grid, 3, 12, Nesting::inside_parent));
        list.push_back(sphere_body("folded", 1, SphereMethod::grid, 5, 4, Nesting::cover_share));
        list.push_back(
            sphere_body("torusknot", 2, SphereMethod::medial, 3, 8, Nesting::cover_share));
        list.push_back(sphere_body("spiky", 1, SphereMethod::octree, 1, 8, Nesting::inside_parent));
        list.push_back(cube_body("lshape", 4, 2));
        list.push_back(cube_body("gear", 3, 3));
        list.push_back(swept_body("torusknot", 4));
        list.push_back(surface_body("folded"));
        return list;
    }();
    return all;
}

inline const std::vector<LadderBody>& solids() {
    static const std::vector<LadderBody> all = [] {
        std::vector<LadderBody> list;
        list.push_back(solid_body("sphere", Sphere{0.4f}));
        list.push_back(solid_body("box", Box{{0.5f, 0.1f, 0.3f}}));
        list.push_back(solid_body("capsule", Capsule{0.1f, 0.4f}));
        list.push_back(solid_body("cone", Cone{0.3f, 0.4f}));
        list.push_back(solid_body("compound", compound_shape()));
        return list;
    }();
    return all;
}

struct Run {
    PairDescent pair;
    Arena arena;
    DescentScratch scratch;

    Run(const Ladder& a, const Transform& at_a, const Ladder& b, const Transform& at_b,
        const DescentSettings& settings) {
        WorkMeter work;
        LadderDescent descent({a, at_a}, {b, at_b}, settings, scratch);
        descent.open(work, arena, pair);
        descent.finish(work, arena, pair);
        CHECK(work.spent() > 0);
    }
};

constexpr DescentPolicy k_policies[] = {DescentPolicy::staircase, DescentPolicy::together};

} // namespace fovea::test
