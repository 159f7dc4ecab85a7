#include "fovea/dynamics/integrate.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "fovea/base/stream.h"
#include "fovea/geometry/within_limit.h"

namespace fovea {

namespace {

constexpr std::size_t k_block = 512; ///< bodies per job

/// Just inside the limit.
constexpr Vec3 k_farthest(0.999f * k_motion_limit, 0.999f * k_motion_limit,
                          0.999f * k_motion_limit);

std::span<float> flat(std::vector<Vec3>& v) {
    return {reinterpret_cast<float*>(v.data()), 3 * v.size()};
}

/// Whether all components are finite and below k_motion_limit, which is a power of two.
template <class T>
bool within_limit(const std::vector<T>& values) {
    // Comparing exponent bits as integers lets the loop vectorise; infinity and NaN have the
    // largest exponent of all.
    std::uint32_t largest = 0;
    const auto* components = reinterpret_cast<const float*>(values.data());
    for (std::size_t i = 0; i < sizeof(T) / sizeof(float) * values.size(); ++i) {
        const std::uint32_t exponent = std::bit_cast<std::uint32_t>(components[i]) & 0x7f800000u;
        largest = exponent > largest ? exponent : largest;
    }
    return largest < std::bit_cast<std::uint32_t>(k_motion_limit);
}

} // namespace

void integrate_velocities(Bodies& bodies, const MotionSettings& settings, float h,
                          const Jobs& jobs) {
    jobs.for_blocks(bodies.size(), k_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3 force = std::exchange(bodies.force[i], {});
            const Vec3 torque = std::exchange(bodies.torque[i], {});
            if (bodies.inverse_mass[i] == 0) continue;
            const FreeMotion& motion = bodies.motion[i];
            bodies.velocity[i] +=
                (settings.gravity * motion.gravity_scale + force * bodies.inverse_mass[i]) * h;
            const Quat q = bodies.orientation[i];
            const Mat3& inverse_inertia = bodies.inverse_inertia[i];
            Vec3& spin = bodies.angular_velocity[i];
            if (torque != Vec3()) spin += rotate(q, inverse_inertia * rotate_back(q, torque)) * h;
            if (settings.gyroscopic && spin != Vec3()) spin = tumbled(spin, q, inverse_inertia, h);
            bodies.velocity[i] *= FreeMotion::left(motion.linear_damping, h);
            spin *= FreeMotion::left(motion.angular_damping, h);
        }
    });
}

// The implicit midpoint rule I (w' - w) + h m x I m = 0 with m = (w + w') / 2, in body axes. It
// keeps energy and the length of the angular momentum, both quadratic in w, to the accuracy of the
// Newton steps that solve it (Hairer, Lubich and Wanner, "Geometric Numerical Integration", IV.2).
Vec3 tumbled(const Vec3& spin, const Quat& orientation, const Mat3& inverse_inertia, float h) {
    const Vec3 w = rotate_back(orientation, spin);
    const Mat3 inertia = inverse(inverse_inertia);
    const auto cross_matrix = [](const Vec3& v) {
        return Mat3{{0, v.z, -v.y}, {-v.z, 0, v.x}, {v.y, -v.x, 0}};
    };
    Vec3 next = w;
    for (int newton = 0; newton < 2; ++newton) {
        const Vec3 middle = (w + next) * 0.5f;
        const Vec3 momentum = inertia * middle;
        const Vec3 error = inertia * (next - w) + cross(middle, momentum) * h;
        const Mat3 jacobian =
            inertia + (cross_matrix(middle) * inertia - cross_matrix(momentum)) * (0.5f * h);
        next -= inverse(jacobian) * error;
    }
    return rotate(orientation, next);
}

void advance_poses(Bodies& bodies, float h) {
    add_scaled(flat(bodies.position), flat(bodies.velocity), h);
    turn(bodies.orientation, bodies.angular_velocity, h);
}

void refresh_inertia(Bodies& bodies, const Jobs& jobs) {
    jobs.for_blocks(bodies.size(), k_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Mat3 r = to_matrix(bodies.orientation[i]);
            bodies.inverse_inertia_world[i] = r * (bodies.inverse_inertia[i] * transposed(r));
        }
    });
}

void stop_runaways(Bodies& bodies, std::vector<std::uint32_t>& stopped) {
    stopped.clear();
    // A turn whose square is beyond all numbers is made none at all as it is brought to unit
    // length.
    const auto is_turn = [](const Quat& q) { return norm_squared(q) > 0.5f && is_finite(q); };
    if (within_limit(bodies.position) && within_limit(bodies.velocity) &&
        within_limit(bodies.angular_velocity) && within_limit(bodies.orientation) &&
        std::ranges::all_of(bodies.orientation, is_turn))
        return;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        Vec3 &position = bodies.position[i], &velocity = bodies.velocity[i],
             &spin = bodies.angular_velocity[i];
        Quat& orientation = bodies.orientation[i];
        if (within_limit(position) && within_limit(velocity) && within_limit(spin) &&
            is_turn(orientation))
            continue;
        velocity = spin = {};
        position = is_finite(position) ? max(min(position, k_farthest), -k_farthest) : Vec3();
        if (!is_turn(orientation)) orientation = {};
        stopped.push_back(i);
    }
}

} // namespace fovea
