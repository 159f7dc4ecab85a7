#include "fovea/dynamics/rebound_limit.h"

#include <algorithm>
#include <cmath>

namespace fovea {

namespace {

/// Rounding of the velocities, in float.
constexpr double k_rounding = 1e-6;

} // namespace

void ReboundLimit::begin(std::span<const SolverBody> rows) {
    before_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) before_[i] = {rows[i].velocity, rows[i].spin};
}

bool ReboundLimit::rebounded(std::uint32_t row, std::span<const SolverBody> rows) const {
    return row != k_immovable &&
           (rows[row].velocity != before_[row].velocity || rows[row].spin != before_[row].spin);
}

float ReboundLimit::Sum::part() const {
    const double limit = std::max(most, energy);
    if (energy + linear + square <= limit * (1 + k_rounding)) return 1;
    if (!(square > 0)) return 0;
    const double left = linear * linear + 4 * square * (limit - energy);
    return float(std::clamp((std::sqrt(left) - linear) / (2 * square), 0.0, 1.0));
}

void ReboundLimit::end(const Rows& all, const MotionSettings& motion, float dt,
                       std::span<SolverBody> rows) {
    touching_.reset(rows.size());
    for (const auto& [a, b] : all.contacts)
        if (rebounded(a, rows) && rebounded(b, rows)) touching_.join(a, b);
    sums_.assign(rows.size(), {});
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        const std::uint32_t slot = all.slots[row];
        if (!rebounded(row, rows) || !all.bodies.movable(slot)) continue;
        const double mass = 1 / double(all.bodies.inverse_mass[slot]);
        const Mat3& m = all.bodies.inverse_inertia[slot];
        const Mat3d inertia = inverse(Mat3d{Vec3d(m.x), Vec3d(m.y), Vec3d(m.z)});
        const auto in_body = [](const Quat& q, const Vec3d& w) {
            return rotate_back(normalized(Quatd(q)), w);
        };
        const Vec3d v(before_[row].velocity), change = Vec3d(rows[row].velocity) - v;
        const Vec3d spin = in_body(all.orientations[row], Vec3d(before_[row].spin));
        const Vec3d turn =
            in_body(all.orientations[row], Vec3d(rows[row].spin) - Vec3d(before_[row].spin));
        const Vec3d came(all.bodies.velocity[slot]);
        const Vec3d forced =
            came +
            (Vec3d(motion.gravity) * double(all.bodies.motion[slot].gravity_scale) +
             Vec3d(all.bodies.force[slot]) / mass) *
                double(dt) +
            (all.pulled.empty() ? Vec3d() : Vec3d(all.pulled[row]));
        const Vec3d came_spin =
            in_body(all.bodies.orientation[slot], Vec3d(all.bodies.angular_velocity[slot]));
        Sum& sum = sums_[touching_.lowest(row)];
        sum.energy += 0.5 * (mass * dot(v, v) + dot(spin, inertia * spin));
        sum.linear += mass * dot(v, change) + dot(spin, inertia * turn);
        sum.square += 0.5 * (mass * dot(change, change) + dot(turn, inertia * turn));
        sum.most += 0.5 * (mass * std::max(dot(came, came), dot(forced, forced)) +
                           dot(came_spin, inertia * came_spin));
    }
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        if (!rebounded(row, rows)) continue;
        const float part = sums_[touching_.lowest(row)].part();
        if (part == 1) continue;
        const auto& [velocity, spin] = before_[row];
        rows[row].velocity = velocity + (rows[row].velocity - velocity) * part;
        rows[row].spin = spin + (rows[row].spin - spin) * part;
    }
}

} // namespace fovea
