#include "fovea/geometry/ring_normals.h"

namespace fovea {

namespace {

/// Tries the normals of both ends and, at first coarsely, those around the side. `depth_along`
/// takes a normal in the solid's frame.
template <class DepthAlong>
void search_ring(const ConvexCore& core, DepthAlong depth_along) {
    if (core.kind != ConvexCore::Kind::cylinder && core.kind != ConvexCore::Kind::cone) return;
    depth_along(Vec3d(0, 1, 0));
    depth_along(Vec3d(0, -1, 0));
    const double rise = core.kind == ConvexCore::Kind::cone ? core.half.x / (2 * core.half.y) : 0;
    const auto on_ring = [&](const Vec3d& outward) {
        return depth_along(normalized(outward + Vec3d(0, rise, 0)));
    };
    constexpr int k_samples = 64;
    constexpr double k_cosine = 0.99518472667219693; // of a 64th of a turn
    constexpr double k_sine = 0.098017140329560604;
    Vec3d outward(1, 0, 0), best = outward;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < k_samples; ++i) {
        const double depth = on_ring(outward);
        if (depth < least) least = depth, best = outward;
        outward = {outward.x * k_cosine - outward.z * k_sine, 0,
                   outward.x * k_sine + outward.z * k_cosine};
    }
    for (double step = k_sine / 2; step > 1e-7; step /= 2)
        for (double side : {step, -step}) {
            const Vec3d there = normalized(best + Vec3d(-best.z, 0, best.x) * side);
            const double depth = on_ring(there);
            if (depth < least) least = depth, best = there;
        }
}

} // namespace

Exit nearest_exit_of_rings(const CorePair& pair) {
    Exit best;
    const auto consider = [&](const Vec3d& outward) {
        const MinkowskiVertex extreme = minkowski_support(pair, outward);
        const double depth = dot(extreme.w, outward);
        if (depth < best.depth) best = {depth, outward, extreme};
        return depth;
    };
    search_ring(pair.a, [&](const Vec3d& n) { return consider(-n); });
    search_ring(pair.b, [&](const Vec3d& n) { return consider(pair.rotation * n); });
    return best;
}

} // namespace fovea
