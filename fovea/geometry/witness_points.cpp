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

LocalProximity on_supporting_planes(const CorePair& pair, const Exit& exit, Vec3d a, Vec3d b) {
    const Vec3d& outward = exit.normal;
    face_each_other(pair, -outward, a, b);
    a += outward * dot(outward, exit.extreme.a - a);
    const double depth = dot(outward, exit.extreme.w);
    return {a, a + outward * depth, -outward, -depth};
}

LocalProximity on_face(const CorePair& pair, const Exit& exit,
                       const std::array<MinkowskiVertex, 3>& corners) {
    const Vec3d foot = exit.normal * dot(exit.normal, corners[0].w);
    const auto weights =
        nearest_on_thin_triangle(corners[0].w - foot, corners[1].w - foot, corners[2].w - foot);
    Vec3d a, b;
    for (int i = 0; i < 3; ++i) {
        a += corners[i].a * weights[i];
        b += corners[i].b * weights[i];
    }
    return on_supporting_planes(pair, exit, a, b);
}

LocalProximity on_smaller(const CorePair& pair, const Exit& exit) {
    const Vec3d a = support_middle(pair.a, -exit.normal);
    const Vec3d b =
        pair.rotation * support_middle(pair.b, transposed_times(pair.rotation, exit.normal)) +
        pair.position;
    const bool a_smaller = length_squared(exit.extreme.a - a) < length_squared(exit.extreme.b - b);
    const Vec3d point = a_smaller ? a : b;
    return on_supporting_planes(pair, exit, point, point);
}

} // namespace fovea
