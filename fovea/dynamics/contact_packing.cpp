#include "fovea/dynamics/contact_packing.h"

#include <algorithm>
#include <cmath>

namespace fovea {

namespace {

/// An impulse is a blow's if what stopped the approach is more than a third of it: a rebound
/// doubles that, and friction adds some.
constexpr float k_blow = 3;

void set(ContactGroup::Lanes* lanes, int lane, const Vec3& v) {
    lanes[0][lane] = v.x, lanes[1][lane] = v.y, lanes[2][lane] = v.z;
}

Vec3 get(const ContactGroup::Lanes* lanes, int lane) {
    return {lanes[0][lane], lanes[1][lane], lanes[2][lane]};
}

void pack_lane(ContactGroup& g, int lane, std::uint32_t number, const PackingContext& c) {
    const ContactPatch& patch = c.patches[number];
    const Vec3 n = patch.normal, t = perpendicular(n), u = cross(n, t);
    const Vec3 at_a = c.bodies.position[patch.a];
    g.a[lane] = c.ends[number].a, g.b[lane] = c.ends[number].b;
    set(g.normal, lane, n);
    set(g.tangent, lane, t);
    set(g.apart, lane, at_a - c.bodies.position[patch.b]);
    for (int i = 0; i < patch.count; ++i) {
        const ContactPatch::Point& from = patch.points[i];
        ContactGroup::Point& p = g.points[i];
        set(p.arm, lane, from.point - at_a);
        p.separation[lane] = from.separation;
        p.mass[lane] = 1;
        p.impulse[lane] = from.impulse;
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
        pack_lane(group, lane, patches[lane], context);
    }
}

void unpack_impulses(const ContactGroup& g, std::span<ContactPatch> patches) {
    for (int lane = 0; lane < k_lanes; ++lane) {
        if (g.patch[lane] == k_empty_lane) continue;
        ContactPatch& patch = patches[g.patch[lane]];
        float found = 0, blow = 0;
        for (int i = 0; i < patch.count; ++i) {
            const ContactGroup::Point& p = g.points[i];
            patch.points[i].impulse = p.impulse[lane];
            found += p.impulse[lane];
            blow += p.mass[lane] * std::max(-p.approach[lane], 0.0f);
        }
        patch.lasting = found > k_blow * blow;
        const Vec3 n = get(g.normal, lane), t = get(g.tangent, lane), u = cross(n, t);
        patch.friction_impulse = t * g.tangent_impulse[0][lane] + u * g.tangent_impulse[1][lane];
        patch.support = g.support[lane];
        patch.twist_impulse = g.twist_impulse[lane];
        patch.rolling_impulse = get(g.rolling_impulse, lane);
    }
}

} // namespace fovea
