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
    std::array<Vec3d, k_samples> directions;
    std::array<double, k_samples> depths;
    Vec3d outward(1, 0, 0);
    for (int i = 0; i < k_samples; ++i) {
        directions[i] = outward;
        depths[i] = on_ring(outward);
        outward = {outward.x * k_cosine - outward.z * k_sine, 0,
                   outward.x * k_sine + outward.z * k_cosine};
    }

    // Between samples the depth may have kinks, so the least sample need not be next to the least
    // depth: every valley is followed down that may end lower than the others, judging by the
    // steepest slope there is.
    double least = depths[0], steepest = 0;
    for (int i = 0; i < k_samples; ++i) {
        least = std::min(least, depths[i]);
        steepest = std::max(steepest, std::abs(depths[i] - depths[(i + 1) % k_samples]));
    }
    for (int i = 0; i < k_samples; ++i) {
        const double before = depths[(i + k_samples - 1) % k_samples];
        const double after = depths[(i + 1) % k_samples];
        if (depths[i] > before || depths[i] > after || depths[i] - steepest > least) continue;
        Vec3d best = directions[i];
        double lowest = depths[i];
        for (double step = k_sine / 2; step > 1e-7; step /= 2)
            for (double side : {step, -step}) {
                const Vec3d there = normalized(best + Vec3d(-best.z, 0, best.x) * side);
                const double depth = on_ring(there);
                if (depth < lowest) lowest = depth, best = there;
            }
        least = std::min(least, lowest);
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
