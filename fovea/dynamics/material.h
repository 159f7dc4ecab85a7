// What a body's surface is made of, and what becomes of two when they meet.
#pragma once

#include <algorithm>
#include <cmath>

#include "fovea/base/vec3.h"

namespace fovea {

/// How the coefficients of two surfaces combine. Where the two disagree, the later one holds.
enum class CombineRule { geometric_mean, average, minimum, product, maximum };
constexpr int k_combine_rules = 5;

struct Material {
    float friction = 0.5f; ///< Coulomb coefficient, >= 0
    float elastic = 0;     ///< rebound speed over approach speed, >= 0; 1 loses nothing
    float rolling = 0;     ///< resistance to rolling: lever arm, m, >= 0
    /// Of the surface against the body, body axes, m/s: a conveyor belt's.
    Vec3 surface_velocity{};
    CombineRule friction_rule = CombineRule::geometric_mean;
    CombineRule elastic_rule = CombineRule::maximum;
};

inline float combined(CombineRule rule_a, float a, CombineRule rule_b, float b) {
    switch (std::max(rule_a, rule_b)) {
    case CombineRule::geometric_mean:
        return std::sqrt(a * b);
    case CombineRule::average:
        return 0.5f * (a + b);
    case CombineRule::minimum:
        return std::min(a, b);
    case CombineRule::product:
        return a * b;
    case CombineRule::maximum:
        return std::max(a, b);
    }
    return 0;
}

} // namespace fovea
