// From double to float without losing to rounding what a bound must hold.
#pragma once

#include <cmath>
#include <limits>

namespace fovea {

/// The least float not below `value`.
inline float rounded_up(double value) {
    const auto nearest = float(value);
    if (double(nearest) >= value) return nearest;
    return std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

/// The greatest float not above `value`.
inline float rounded_down(double value) {
    return -rounded_up(-value);
}

} // namespace fovea
