#include "fovea/volume/sphere_neighbours.h"

#include <numeric>

namespace fovea {

std::vector<std::vector<std::uint32_t>> overlapping(std::span<const Ball> balls, double slack,
                                                    const Jobs& jobs) {
    // Balls sorted by their lower end along x; a ball's neighbours begin no later than its upper
    // end, and no earlier than its lower end less the largest diameter.
    std::vector<std::uint32_t> order(balls.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto low = [&](std::uint32_t i) { return balls[i].centre.x - balls[i].radius; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return low(a) < low(b) || (low(a) == low(b) && a < b);
    });
    double widest = 0;
    for (const Ball& ball : balls) widest = std::max(widest, 2 * ball.radius);

    std::vector<std::vector<std::uint32_t>> near(balls.size());
    jobs.for_blocks(balls.size(), 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Ball& ball = balls[i];
            const double from = ball.centre.x - ball.radius - widest - slack;
            const double to = ball.centre.x + ball.radius + slack;
            auto at = std::lower_bound(order.begin(), order.end(), from,
                                       [&](std::uint32_t b, double x) { return low(b) < x; });
            for (; at != order.end() && low(*at) <= to; ++at) {
                const double reach = ball.radius + balls[*at].radius + slack;
                if (*at != i && length_squared(balls[*at].centre - ball.centre) <= reach * reach) {
                    near[i].push_back(*at);
                }
            }
            std::sort(near[i].begin(), near[i].end());
        }
    });
    return near;
}

void update_overlapping(std::span<const Ball> balls, std::uint32_t first, std::uint32_t end,
                        double slack, std::vector<std::vector<std::uint32_t>>& near) {
    for (std::uint32_t i = first; i < end; ++i) near[i].clear();
    for (std::uint32_t k = 0; k < balls.size(); ++k) {
        const bool moved = k >= first && k < end;
        auto& list = near[k];
        const auto low = std::lower_bound(list.begin(), list.end(), first);
        auto at = list.erase(low, std::lower_bound(low, list.end(), end));
        for (std::uint32_t i = first; i < end; ++i) {
            const double reach = balls[i].radius + balls[k].radius + slack;
            if (i == k || length_squared(balls[i].centre - balls[k].centre) > reach * reach)
                continue;
            at = list.insert(at, i) + 1;
            if (!moved) near[i].push_back(k);
        }
    }
}

} // namespace fovea
