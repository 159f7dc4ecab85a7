#include "fovea/dynamics/contact_packing.h"

#include <algorithm>
#include <cmath>

namespace fovea {

namespace {

void set(ContactGroup::Lanes* lanes, int lane, const Vec3& v) {
    lanes[0][lane] = v.x, lanes[1][lane] = v.y, lanes[2][lane] = v.z;
}

Vec3 get(const ContactGroup::Lanes* lanes, int lane) {
    return {lanes[0][lane], lanes[1][lane], lanes[2][lane]};
}

void set_mass(ContactGroup::Lanes& inverse_mass, ContactGroup::Lanes* inertia, int lane,
              const SolverMass& mass) {
    inverse_mass[lane] = mass.inverse_mass;
    for (int i = 0; i < 6; ++i) inertia[i][lane] = mass.inverse_inertia[i];
}

float load_of(const ContactPatch& patch) {
    float load = 0;
    for (int i = 0; i < patch.count; ++i) load += patch.points[i].impulse;
    return load;
}

/// Soft columns buckle under heavy loads. A contact whose load would give its bodies a great
/// acceleration (m/s^2) is therefore made stiffer, as far as it can be without trembling.
float loaded_turn(float turn, float acceleration) {
    constexpr float k_heavy = 800, k_most = 1.2f;
    return std::max(turn, std::min(std::sqrt(acceleration / k_heavy), k_most));
}

void pack_lane(ContactGroup& g, int lane, const ContactPatch& patch, const PackingContext& c) {
    static constexpr SolverMass k_no_mass{};
    const std::uint32_t a = c.row_of[patch.a], b = c.row_of[patch.b];
    const Vec3 n = patch.normal, t = perpendicular(n), u = cross(n, t);
    const Vec3 at_a = c.bodies.position[patch.a];
    const Vec3 apart = at_a - c.bodies.position[patch.b];
    g.a[lane] = a, g.b[lane] = b;
    set(g.normal, lane, n);
    set(g.tangent, lane, t);
    set(g.apart, lane, apart);
    set(g.offset, lane, cross(apart, n));
    set_mass(g.inverse_mass_a, g.inertia_a, lane, a == k_immovable ? k_no_mass : c.masses[a]);
    set_mass(g.inverse_mass_b, g.inertia_b, lane, b == k_immovable ? k_no_mass : c.masses[b]);
    const float inverse_mass = g.inverse_mass_a[lane] + g.inverse_mass_b[lane];
    const bool both_move = g.inverse_mass_a[lane] > 0 && g.inverse_mass_b[lane] > 0;
    const float turn = loaded_turn(c.turn, load_of(patch) * inverse_mass / c.h);
    const Softness soft = make_soft(both_move ? turn : 2 * turn, c.damping, c.h);
    g.bias_rate[lane] = soft.bias_rate;
    g.mass_scale[lane] = soft.mass_scale;
    g.impulse_scale[lane] = soft.impulse_scale;

    Vec3 centre;
    for (int i = 0; i < patch.count; ++i) centre += patch.points[i].point;
    centre = centre / float(patch.count);
    set(g.centre, lane, centre - at_a);
    for (int i = 0; i < patch.count; ++i) {
        const ContactPatch::Point& from = patch.points[i];
        ContactGroup::Point& p = g.points[i];
        set(p.arm, lane, cross(from.point - at_a, n));
        p.separation[lane] = from.separation;
        p.mass[lane] = 1; // there is a point: finish_groups makes this its effective mass
        p.impulse[lane] = from.impulse;
        p.lever[lane] = length(from.point - centre);
    }
    g.support[lane] = patch.support;
    g.share[lane] = 1 / float(patch.count);
    g.friction[lane] = patch.friction;
    g.restitution[lane] = patch.restitution;
    g.rolling[lane] = patch.rolling;
    g.tangent_impulse[0][lane] = dot(patch.friction_impulse, t);
    g.tangent_impulse[1][lane] = dot(patch.friction_impulse, u);
    g.tangent_speed[0][lane] = dot(patch.surface_velocity, t);
    g.tangent_speed[1][lane] = dot(patch.surface_velocity, u);
    g.twist_impulse[lane] = patch.twist_impulse;
    set(g.rolling_impulse, lane, patch.rolling_impulse);
    g.max_points = std::max(g.max_points, patch.count);
    g.any_rolling |= patch.rolling > 0;
    g.any_restitution |= patch.restitution > 0;
}

} // namespace

void pack_group(ContactGroup& group, std::span<const std::uint32_t> patches,
                const PackingContext& context) {
    group = {};
    std::fill(std::begin(group.a), std::end(group.a), k_immovable);
    std::fill(std::begin(group.b), std::end(group.b), k_immovable);
    std::fill(std::begin(group.patch), std::end(group.patch), k_empty_lane);
    for (int lane = 0; lane < int(patches.size()); ++lane) {
        group.patch[lane] = patches[lane];
        pack_lane(group, lane, context.patches[patches[lane]], context);
    }
}

void unpack_impulses(const ContactGroup& g, std::span<ContactPatch> patches) {
    for (int lane = 0; lane < k_lanes; ++lane) {
        if (g.patch[lane] == k_empty_lane) continue;
        ContactPatch& patch = patches[g.patch[lane]];
        for (int i = 0; i < patch.count; ++i) patch.points[i].impulse = g.points[i].impulse[lane];
        const Vec3 n = get(g.normal, lane), t = get(g.tangent, lane), u = cross(n, t);
        patch.friction_impulse = t * g.tangent_impulse[0][lane] + u * g.tangent_impulse[1][lane];
        patch.support = g.support[lane];
        patch.twist_impulse = g.twist_impulse[lane];
        patch.rolling_impulse = get(g.rolling_impulse, lane);
    }
}

} // namespace fovea
