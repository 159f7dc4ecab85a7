#include "fovea/scene/scatter.h"

#include <cmath>

namespace fovea {

std::uint64_t Scatter::key(std::int64_t x, std::int64_t y, std::int64_t z) {
    constexpr std::uint64_t k_mask = (std::uint64_t(1) << 21) - 1;
    return (std::uint64_t(x) & k_mask) << 42 | (std::uint64_t(y) & k_mask) << 21 |
           (std::uint64_t(z) & k_mask);
}

bool Scatter::try_add(const Vec3d& centre, double radius) {
    const auto cell = [&](double x) { return std::int64_t(std::floor(x / cell_)); };
    const std::int64_t x = cell(centre.x), y = cell(centre.y), z = cell(centre.z);
    for (std::int64_t i = x - 1; i <= x + 1; ++i)
        for (std::int64_t j = y - 1; j <= y + 1; ++j)
            for (std::int64_t k = z - 1; k <= z + 1; ++k) {
                const auto found = cells_.find(key(i, j, k));
                if (found == cells_.end()) continue;
                for (const Placed& other : found->second) {
                    const double apart = radius + other.radius + clearance_;
                    if (length_squared(centre - other.centre) < apart * apart) return false;
                }
            }
    cells_[key(x, y, z)].push_back({centre, radius});
    return true;
}

} // namespace fovea
