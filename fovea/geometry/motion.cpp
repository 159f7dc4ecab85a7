#include "fovea/geometry/motion.h"

namespace fovea {

Quatd rotation_by(const Vec3d& turn) {
    // exp(turn / 2) = exp(turn / 2^(k+1))^(2^k), with the first factor from its series.
    Vec3d half = turn * 0.5;
    int doublings = 0;
    while (length_squared(half) > 1e-4 && doublings < 64) half = half * 0.5, ++doublings;
    const double x = length_squared(half);
    const double cosine = 1 - x / 2 * (1 - x / 12 * (1 - x / 30));
    const double sine = 1 - x / 6 * (1 - x / 20 * (1 - x / 42)); // over the angle
    Quatd q(cosine, half * sine);
    for (int i = 0; i < doublings; ++i) q = normalized(q * q);
    return q;
}

Vec3d rotation_vector(const Quatd& rotation) {
    Quatd q = rotation.w < 0 ? -rotation : rotation;
    // Each half of the angle is the mean with the identity. Nine halvings leave less than 0.0031.
    constexpr int k_halvings = 9;
    for (int i = 0; i < k_halvings; ++i) q = normalized(Quatd(q.w + 1, q.vector()));
    const double x = length_squared(q.vector());
    const double arcsine = 1 + x / 6 * (1 + x * 9 / 20); // over the sine
    return q.vector() * (arcsine * 2 * double(1 << k_halvings));
}

Motion motion_between(const Transform& start, const Transform& end, const Vec3& centre,
                      float duration) {
    const Transformd from(start), to(end);
    const Quatd turn = normalized(to.orientation * conjugate(from.orientation));
    const double h = duration;
    return {start, centre, Vec3((to * Vec3d(centre) - from * Vec3d(centre)) / h),
            Vec3(rotation_vector(turn) / h)};
}

Transformd pose_at(const Motion& motion, double time) {
    const Transformd start(motion.start);
    const Vec3d centre(motion.centre);
    const Quatd orientation =
        rotation_by(Vec3d(motion.angular_velocity) * time) * normalized(start.orientation);
    const Vec3d at = start.position + rotate(normalized(start.orientation), centre) +
                     Vec3d(motion.velocity) * time;
    return {at - rotate(orientation, centre), orientation};
}

} // namespace fovea
