#include "fovea/contact/solid_nodes.h"

#include <algorithm>

#include "fovea/collide/node_shapes.h"
#include "fovea/geometry/convex_core.h"

namespace fovea {

namespace {

bool has_solids(const Ladder& ladder) {
    return ladder.top == LadderTop::solids;
}

const Ladder::Solid& solid_of(const PlacedNode& node) {
    return node.ladder.solids[node.ladder.first_element_below(node.slot)];
}

Transform placement(const PlacedNode& node, const Ladder::Solid& solid) {
    return Transform(node.pose * Transformd(solid.placement));
}

NodeContact made(const Vec3& point, const Vec3& normal, float depth, float radius) {
    return {point, normal, depth, std::clamp(depth / (2 * std::max(radius, 1e-30f)), 0.0f, 1.0f)};
}

/// A ball whose centre is inside leaves the solid soonest on a side on which the body may never
/// have been. If its body's middle is outside, on the other side, it is to leave there.
NodeContact turned_back(const NearSolid& near, const BoundingBall& ball, NodeContact contact) {
    const Vec3 out = -contact.normal;
    const Transform& at = near.solid->placement;
    const Vec3d direction(rotate_back(at.orientation, out));
    const ConvexCore core = make_core(near.solid->shape);
    const double extent = dot(support(core, direction), direction) + core.rounding;
    const double way = extent - dot(direction, Vec3d(to_local(at, ball.centre)));
    contact.normal = out;
    contact.point = ball.centre + out * float(way);
    contact.depth = float(way) + ball.radius;
    return contact;
}

} // namespace

SolidSides solid_sides(const Ladder& a, int level_a, const Ladder& b, int level_b) {
    if (a.is_half_space() || b.is_half_space() || a.fixed_surface || b.fixed_surface) return {};
    const SolidSides opened{has_solids(a) && level_a > 0, has_solids(b) && level_b > 0};
    if (opened.a || opened.b) return opened;
    if (has_solids(a) && (!has_solids(b) || a.overhang() >= b.overhang())) return {true, false};
    return {false, has_solids(b)};
}

NearSolid nearest_solid(const Ladder& solids, const BoundingBall& ball) {
    const Sphere sphere{ball.radius};
    const Transform at(ball.centre);
    const auto test = [&](const Ladder::Solid& solid) {
        return NearSolid{&solid, proximity(solid.shape, solid.placement, sphere, at)};
    };
    if (solids.solids.size() == 1) return test(solids.solids.front());

    // The one whose sphere is nearest, then those that may be nearer yet.
    const auto [first_block, count] = solids.children[k_root_slot];
    const std::uint32_t first = first_block * LadderBlock::k_width;
    const auto bound = [&](std::uint32_t slot) {
        const BoundingBall around = solids.ball(slot);
        return length(around.centre - ball.centre) - around.radius - ball.radius;
    };
    std::uint32_t foremost = first;
    float least = bound(first);
    for (std::uint32_t slot = first + 1; slot < first + count; ++slot)
        if (const float other = bound(slot); other < least) foremost = slot, least = other;
    NearSolid best = test(solids.solids[solids.first_element_below(foremost)]);
    for (std::uint32_t slot = first; slot < first + count; ++slot) {
        if (slot == foremost || bound(slot) >= best.proximity.separation) continue;
        const NearSolid other = test(solids.solids[solids.first_element_below(slot)]);
        if (other.proximity.separation < best.proximity.separation) best = other;
    }
    return best;
}

NodeContact solid_contact(const PlacedNode& solid, const PlacedNode& other) {
    // In the frame of the solid's ladder.
    const auto carried = [&](const BoundingBall& ball) {
        const Vec3d centre = other.pose * Vec3d(ball.centre);
        return BoundingBall{Vec3(to_local(solid.pose, centre)), ball.radius};
    };
    const auto near_to = [&](const BoundingBall& ball) {
        if (solid.level == 0) return nearest_solid(solid.ladder, ball);
        const Ladder::Solid& itself = solid_of(solid);
        return NearSolid{&itself, proximity(itself.shape, itself.placement, Sphere{ball.radius},
                                            Transform(ball.centre))};
    };
    const auto to_pair = [&](NodeContact contact) {
        contact.point = Vec3(solid.pose * Vec3d(contact.point));
        contact.normal = Vec3(rotate(solid.pose.orientation, Vec3d(contact.normal)));
        return contact;
    };
    const BoundingBall ball = carried(other.ladder.ball(other.slot));
    if (other.level == 0 && other.centre) {
        const BoundingBall mass = carried({*other.centre, 0});
        const Proximity near = near_to(mass).proximity;
        const auto height = [&](const BoundingBall& of) {
            return dot(near.normal, of.centre - near.point_a) - of.radius;
        };
        NodeContact contact = made(mass.centre, near.normal, -height(ball), ball.radius);
        contact.depth = std::min(contact.depth, 0.0f);
        // All of the solid lies below the plane of the contact.
        const BoundingBall inner = carried(other.ladder.inner);
        if (inner.radius > 0 && height(inner) < 0) {
            const Proximity inside = near_to(inner).proximity;
            if (inside.separation < 0) {
                contact.normal = inside.normal;
                contact.depth = -inside.separation;
            }
        }
        return to_pair(contact);
    }
    const NearSolid near = near_to(ball);
    if (other.ladder.kinds[std::size_t(other.level)] == LevelKind::volumes) {
        const PlacedShape node = node_shape(other.ladder, other.level, other.slot, other.pose);
        const Proximity exact =
            proximity(near.solid->shape, placement(solid, *near.solid), node.shape, node.at);
        const float depth = -exact.separation;
        NodeContact contact = made(exact.point_a, exact.normal, depth, ball.radius);
        if (!other.real) contact.depth = std::min(depth, 0.0f);
        return contact;
    }
    NodeContact contact = made(near.proximity.point_a, near.proximity.normal,
                               -near.proximity.separation, ball.radius);
    if (contact.depth > ball.radius) {
        const BoundingBall middle = carried(other.ladder.ball(k_root_slot));
        const Proximity of_body = near_to(middle).proximity;
        if (of_body.separation > -middle.radius && dot(of_body.normal, contact.normal) < 0)
            contact = turned_back(near, ball, contact);
    }
    if (!other.real && contact.depth <= ball.radius) contact.point = ball.centre;
    if (!other.real) contact.depth = std::min(contact.depth, 0.0f);
    return to_pair(contact);
}

NodeContact contact_of_solids(const PlacedNode& a, const PlacedNode& b) {
    const Ladder::Solid &of_a = solid_of(a), &of_b = solid_of(b);
    const Proximity near =
        proximity(of_a.shape, placement(a, of_a), of_b.shape, placement(b, of_b));
    return made((near.point_a + near.point_b) * 0.5f, near.normal, -near.separation,
                std::min(a.ladder.ball(a.slot).radius, b.ladder.ball(b.slot).radius));
}

} // namespace fovea
