#include "fovea/geometry/witness_points.h"

namespace fovea {

namespace {

/// How far a point of the solid's surface with normal `outward` sticks out after a move `aside`,
/// seen along the bisector of both: positive at a corner, negative where the surface goes on.
/// `support` and `rounding` are those of its core.
template <class Support>
double overshoot(const Support& support, double rounding, const Vec3d& point, const Vec3d& outward,
                 const Vec3d& aside) {
    const Vec3d bisector = normalized(outward + normalized(aside));
    return dot(bisector, point + aside - support(bisector)) +
           rounding * (dot(bisector, outward) - 1);
}

} // namespace

void face_each_other(const CorePair& pair, const Vec3d& normal, Vec3d& a, Vec3d& b) {
    const Vec3d miss = b - a;
    const Vec3d aside = miss - normal * dot(normal, miss);
    // Less does not show in the result, which is in floats: it is halved without looking.
    constexpr double k_unseen = 1e-8;
    const double smaller = std::min(pair.a.size, pair.b.size);
    double share_of_a = 0.5;
    if (length_squared(aside) > k_unseen * k_unseen * smaller * smaller) {
        const double over_a = overshoot([&](const Vec3d& d) { return pair.support_a(d); },
                                        pair.a.rounding, a, normal, aside);
        const double over_b = overshoot([&](const Vec3d& d) { return pair.support_b(d); },
                                        pair.b.rounding, b, -normal, -aside);
        share_of_a = over_a <= over_b ? 1 : 0;
    }
    a += aside * share_of_a;
    b -= aside * (1 - share_of_a);
}

} // namespace fovea
