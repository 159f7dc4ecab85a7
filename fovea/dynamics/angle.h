// Angles from directions, with the same bits on every platform: the C library's functions differ in
// their last bits from one to the next, square roots do not.
#pragma once

#include <cmath>

namespace fovea {

/// The angle of the vector (x, y) from the x axis, in (-pi, pi]; 0 for the zero vector. Good to
/// 1e-10.
inline double angle_of(double y, double x) {
    constexpr double k_half_pi = 1.57079632679489661923;
    const double ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    if (!(ax > 0) && !(ay > 0)) return 0;
    const bool steep = ay > ax;
    double t = steep ? ax / ay : ay / ax;
    // atan t = 2 atan(t / (1 + sqrt(1 + t^2))): twice, so that the series needs few terms.
    for (int halving = 0; halving < 2; ++halving) t = t / (1 + std::sqrt(1 + t * t));
    const double s = t * t;
    const double series =
        t * (1 - s * (1.0 / 3 -
                      s * (1.0 / 5 - s * (1.0 / 7 - s * (1.0 / 9 - s * (1.0 / 11 - s / 13))))));
    double angle = 4 * series;
    if (steep) angle = k_half_pi - angle;
    if (x < 0) angle = 2 * k_half_pi - angle;
    return y < 0 ? -angle : angle;
}

} // namespace fovea
