#include "fovea/world/surface_motion.h"

#include <cmath>

#include "fovea/base/mat3.h"

namespace fovea {

namespace {

/// Of the trace: what points on a line do not tell of the spin about it counts as none.
constexpr double k_regular = 1e-6;

} // namespace

Vec3 surface_velocity(const PlacedSurface& placed, const Vec3& point, float distance) {
    const Vec3 way = placed.surface.way_near(to_local(placed.at, point), distance);
    return rotate(placed.at.orientation, way) / placed.h;
}

SurfaceMotion surface_motion(const PlacedSurface& placed, const ContactPatch& patch,
                             const Vec3& origin, float margin) {
    Vec3d velocities[k_manifold_points], centre, mean;
    for (int i = 0; i < patch.count; ++i) {
        const ContactPatch::Point& p = patch.points[i];
        velocities[i] = Vec3d(surface_velocity(placed, p.point, std::abs(p.separation) + margin));
        mean += velocities[i] / double(patch.count);
        centre += Vec3d(p.point) / double(patch.count);
    }
    Mat3d spread{};
    Vec3d moment;
    for (int i = 0; i < patch.count; ++i) {
        const Vec3d d = Vec3d(patch.points[i].point) - centre;
        const double squared = length_squared(d);
        spread.x += Vec3d(squared, 0, 0) - d * d.x;
        spread.y += Vec3d(0, squared, 0) - d * d.y;
        spread.z += Vec3d(0, 0, squared) - d * d.z;
        moment += cross(d, velocities[i] - mean);
    }
    const double trace = spread.x.x + spread.y.y + spread.z.z;
    Vec3d spin;
    if (trace > 0) {
        const double more = k_regular * trace;
        spread.x.x += more, spread.y.y += more, spread.z.z += more;
        spin = inverse(spread) * moment;
    }
    return {0, true, Vec3(mean + cross(spin, Vec3d(origin) - centre)), Vec3(spin)};
}

} // namespace fovea
