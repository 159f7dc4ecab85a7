// Derivative-free search for a better point: compass steps that shrink when none helps (Hooke and
// Jeeves 1961).
#pragma once

#include <limits>
#include <type_traits>

#include "fovea/base/vec3.h"

namespace fovea {

/// Improves `start` for as long as a step of at least `smallest` times the first one helps. A cost
/// that takes a second argument is told what it has to be below, and may return anything above as
/// soon as it knows that it is not.
template <class Cost>
Vec3d pattern_search(Vec3d start, double step, double smallest, Cost&& cost) {
    constexpr Vec3d k_directions[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                       {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    const auto cost_below = [&](const Vec3d& p, [[maybe_unused]] double limit) -> double {
        if constexpr (std::is_invocable_v<Cost, const Vec3d&, double>) {
            return cost(p, limit);
        } else {
            return cost(p);
        }
    };
    const double end = step * smallest;
    double least = cost_below(start, std::numeric_limits<double>::infinity());
    int last = 0;
    while (step > end) {
        bool better = false;
        for (int i = 0; i < 6 && !better; ++i) {
            // The direction that helped last is tried first.
            const int direction = (last + i) % 6;
            const Vec3d trial = start + k_directions[direction] * step;
            const double value = cost_below(trial, least);
            if (value < least) {
                least = value;
                start = trial;
                last = direction;
                better = true;
            }
        }
        if (!better) step *= 0.5;
    }
    return start;
}

} // namespace fovea
