#include "fovea/contact/tree_contacts.h"

#include <algorithm>

#include "fovea/collide/node_shapes.h"
#include "fovea/contact/collide_convex.h"
#include "fovea/contact/solid_nodes.h"
#include "fovea/contact/triangle_contacts.h"
#include "fovea/geometry/convex_core.h"
#include "fovea/geometry/point_distance.h"
#include "fovea/geometry/proximity.h"

namespace fovea {

namespace {

/// Steady from step to step, as long as the same two meet.
std::uint32_t feature_of(std::uint32_t a, std::uint32_t b) {
    return a * 0x9e3779b1u ^ (b * 0x85ebca6bu + 0x27d4eb2fu);
}

/// A level on which depth is real: the leaves.
bool real_depth(const Ladder& ladder, int level) {
    return ladder.is_half_space() || level + 1 == ladder.levels();
}

NodeContact flipped(NodeContact contact) {
    contact.normal = -contact.normal;
    return contact;
}

/// Half-space of `ladder` seen from where `pose` takes it.
struct Plane {
    Vec3d up;
    double offset;

    Plane(const HalfSpace& plane, const Transformd& pose)
        : up(rotate(pose.orientation, Vec3d(plane.normal)))
        , offset(plane.offset + dot(up, pose.position)) {}
};

/// A node of a fixed surface as a plane through its centre; zero if it faces no particular way.
struct FacingNode {
    Vec3d up; ///< out of the material
    Vec3d centre;

    FacingNode(const Ladder& ladder, std::uint32_t slot, const Transformd& pose)
        : up(rotate(pose.orientation, Vec3d(-ladder.content[slot].normal)))
        , centre(pose * Vec3d(ladder.ball(slot).centre)) {}
    bool faces() const { return length_squared(up) > 0.5; }
    /// Where the surface has two sides, the body's middle decides: parts of it may be through.
    void turn_towards(const Vec3d& seen_from, bool two_sided) {
        if (two_sided && dot(up, seen_from - centre) < 0) up = -up;
    }
};

} // namespace

std::uint64_t node_hit_units(const Ladder& a, const Ladder& b) {
    const SolidSides solid = solid_sides(a, 0, b, 0);
    return k_hit_units + (solid.a ? near_solid_units(a) : 0) + (solid.b ? near_solid_units(b) : 0);
}

struct TreeContacts::Frame {
    const Ladder &a, &b;
    Transformd b_in_a;
    Mat3 turn;     ///< the rotation of it
    Vec3 fallback; ///< normal where centres coincide

    Frame(const PlacedLadder& placed_a, const PlacedLadder& placed_b, const Vec3& approach)
        : a(placed_a.ladder)
        , b(placed_b.ladder)
        , b_in_a(relative(Transformd(placed_a.at), Transformd(placed_b.at)))
        , turn(rotation_of(Quat(b_in_a.orientation))) {
        const auto middle = [](const Ladder& ladder) {
            return ladder.is_half_space() ? Vec3d() : Vec3d(ladder.ball(k_root_slot).centre);
        };
        // The line between the bodies, else against the approach, else a fixed axis.
        const Vec3d between = b_in_a * middle(b) - middle(a);
        const Vec3d against = -rotate_back(Quatd(placed_a.at.orientation), Vec3d(approach));
        fallback = Vec3(length(between) > 1e-6 * (a.reach + b.reach)
                            ? normalized(between)
                            : normalized_or(against, Vec3d(0, 1, 0)));
    }
};

void TreeContacts::add_nodes(const Frame& frame, const PairDescent& pair,
                             const TreeContactSettings& settings) {
    const Ladder &a = frame.a, &b = frame.b;
    const int level_a = pair.level_a, level_b = pair.level_b;
    const bool real = real_depth(a, level_a) && real_depth(b, level_b);
    const auto kind = [](const Ladder& ladder, int level) {
        return ladder.is_half_space() ? LevelKind::spheres : ladder.kinds[std::size_t(level)];
    };
    const bool spheres = kind(a, level_a) != LevelKind::volumes &&
                         kind(b, level_b) != LevelKind::volumes && !a.is_half_space() &&
                         !b.is_half_space();
    const Mat3& turn = frame.turn;
    const Vec3 offset(frame.b_in_a.position);

    // With a plane a solid makes contact as the sphere around it; its top rung does better.
    const auto volume_of = [&](const Ladder& ladder, int level, std::uint32_t slot,
                               const Transformd& pose) {
        if (kind(ladder, level) != LevelKind::solids) return node_volume(ladder, level, slot, pose);
        const BoundingBall ball = ladder.ball(slot);
        return NodeVolumed{
            VolumeType::point, pose * Vec3d(ball.centre), {}, {}, double(ball.radius)};
    };
    const bool surface = a.fixed_surface != b.fixed_surface;
    const SolidSides solid = solid_sides(a, level_a, b, level_b);
    // A root on a plane: see solid_nodes.h for why it is the centre of mass that is stopped, and
    // the ball inside that pushes. What turns must not go round them, bit by bit.
    bool pushes = false;
    const auto on_plane = [&](const Ladder& ladder, int level, std::uint32_t slot,
                              const Transformd& pose, const std::optional<Vec3>& centre,
                              const Vec3d& up, double plane_offset) {
        NodeContact contact = plane_contact(volume_of(ladder, level, slot, pose), up, plane_offset);
        if (level > 0 || real || !centre) return contact;
        contact.point = Vec3(pose * Vec3d(*centre));
        const BoundingBall& inner = ladder.inner;
        const double height = dot(up, pose * Vec3d(inner.centre)) - inner.radius - plane_offset;
        pushes = inner.radius > 0 && height < 0;
        if (pushes) contact.depth = float(-height);
        return contact;
    };
    const auto middle_of = [&](const Ladder& ladder, const std::optional<Vec3>& centre) {
        return Vec3d(centre ? *centre : ladder.ball(k_root_slot).centre);
    };
    const auto contact_of = [&](std::uint32_t slot_a, std::uint32_t slot_b) {
        pushes = false;
        if (solid.a || solid.b) {
            const PlacedNode node_a{a, level_a, slot_a, Transformd(), settings.centre_a, real};
            const PlacedNode node_b{b, level_b, slot_b, frame.b_in_a, settings.centre_b, real};
            if (solid.a && solid.b) return contact_of_solids(node_a, node_b);
            return solid.a ? solid_contact(node_a, node_b) : flipped(solid_contact(node_b, node_a));
        }
        if (spheres && !surface) {
            const BoundingBall ball_a = a.ball(slot_a), ball_b = b.ball(slot_b);
            return sphere_contact(ball_a.centre, ball_a.radius, turn * ball_b.centre + offset,
                                  ball_b.radius, settings.point, frame.fallback);
        }
        if (b.is_half_space()) {
            const Plane plane(b.plane, frame.b_in_a);
            return on_plane(a, level_a, slot_a, Transformd(), settings.centre_a, plane.up,
                            plane.offset);
        }
        if (a.is_half_space()) {
            const Plane plane(a.plane, Transformd());
            return flipped(on_plane(b, level_b, slot_b, frame.b_in_a, settings.centre_b, plane.up,
                                    plane.offset));
        }
        if (b.fixed_surface && !a.fixed_surface) {
            FacingNode node(b, slot_b, frame.b_in_a);
            if (node.faces()) {
                node.turn_towards(middle_of(a, settings.centre_a), settings.two_sided);
                return on_plane(a, level_a, slot_a, Transformd(), settings.centre_a, node.up,
                                dot(node.up, node.centre));
            }
        }
        if (a.fixed_surface && !b.fixed_surface) {
            FacingNode node(a, slot_a, Transformd());
            if (node.faces()) {
                node.turn_towards(frame.b_in_a * middle_of(b, settings.centre_b),
                                  settings.two_sided);
                return flipped(on_plane(b, level_b, slot_b, frame.b_in_a, settings.centre_b,
                                        node.up, dot(node.up, node.centre)));
            }
        }
        return volume_contact(volume_of(a, level_a, slot_a, Transformd()),
                              volume_of(b, level_b, slot_b, frame.b_in_a), settings.point,
                              frame.fallback);
    };
    for (std::uint32_t i = 0; i < pair.count; ++i) {
        const std::uint32_t slot_a = pair.a[i], slot_b = pair.b[i];
        const NodeContact contact = contact_of(slot_a, slot_b);
        float gap = -contact.depth;
        if (gap < 0 && !solid.a && !solid.b && !pushes)
            gap = real ? std::min(gap + settings.doubt, 0.0f) : 0;
        hits_.push_back({contact.point, contact.normal, gap, contact.closeness, 1, 0,
                         feature_of(slot_a, slot_b)});
        slots_.push_back({slot_a, slot_b});
    }
    weigh(frame, settings.reduce.reduction);
}

/// What the reduction wants to know of the nodes' contents.
void TreeContacts::weigh(const Frame& frame, Reduction reduction) {
    const bool by_patch = reduction == Reduction::grouped || reduction == Reduction::probability;
    if (!by_patch && reduction != Reduction::gradient) return;
    static const NodeContent k_unknown{1, NodeContent::k_no_group, {}, 0};
    const auto content_of = [](const Ladder& ladder, std::uint32_t slot) -> const NodeContent& {
        return ladder.content.empty() ? k_unknown : ladder.content[slot];
    };
    float total = 0;
    for (std::size_t i = 0; i < hits_.size(); ++i) {
        ContactHit& hit = hits_[i];
        const NodeContent& of_a = content_of(frame.a, slots_[i].a);
        const NodeContent& of_b = content_of(frame.b, slots_[i].b);
        if (reduction == Reduction::gradient) {
            // Gradients point into the bodies, so this runs from A to B (Dingliana 4.10). What has
            // no density has no say, nor has a gradient that leads back into the body it came from.
            if (of_a.normal == Vec3() || of_b.normal == Vec3() || frame.a.fixed_surface ||
                frame.b.fixed_surface)
                continue;
            const Vec3 along = frame.turn * of_b.normal - of_a.normal;
            if (dot(along, hit.normal) > 0) hit.normal = normalized_or(along, hit.normal);
            continue;
        }
        hit.patch = feature_of(of_a.group, of_b.group);
        if (reduction == Reduction::probability)
            total += hit.weight = hit.closeness * of_a.occupancy * of_b.occupancy;
    }
    // Nodes that hold no part of the solid, as of open meshes, count alike.
    if (reduction == Reduction::probability && !(total > 0))
        for (ContactHit& hit : hits_) hit.weight = 1;
}

/// Convex solids among themselves or with a half-space.
void TreeContacts::add_solids(const Frame& frame, const PairDescent& pair, float margin,
                              PairManifolds& manifolds) const {
    const auto part = [](const Ladder& ladder, std::uint32_t number) {
        return ladder.is_half_space() ? Ladder::Solid{ladder.plane, Transform()}
                                      : ladder.solids[number];
    };
    for (std::uint32_t i = 0; i < pair.count && !manifolds.full(); ++i) {
        const Ladder::Solid a = part(frame.a, pair.a[i]), b = part(frame.b, pair.b[i]);
        PairCache cache;
        Manifold manifold =
            collide_convex(a.shape, a.placement, b.shape,
                           Transform(frame.b_in_a * Transformd(b.placement)), margin, cache);
        if (manifold.count == 0) continue;
        manifold.normal = rotate(a.placement.orientation, manifold.normal);
        for (int k = 0; k < manifold.count; ++k) {
            manifold.points[k].point = a.placement * manifold.points[k].point;
            manifold.points[k].feature ^= feature_of(pair.a[i], pair.b[i]);
        }
        manifolds.push_back(manifold);
    }
}

/// Whether a triangle of a closed mesh faces the solid that it touches. If it runs along the way
/// out instead, as the sides of a tip do that pokes into the solid, its own plane says nothing of
/// how deep it is in: it gives the single contact by which it leaves the solid soonest. Triangles
/// of the far side are no contacts.
bool TreeContacts::faces(const SurfaceTriangle& triangle, const Transformd& at_surface,
                         const Shape& solid, const Transform& at_solid, const Facing& facing) {
    constexpr float k_side = -0.2f;
    TriangleCorners corners = triangle.corners;
    for (Vec3& corner : corners) corner = Vec3(at_surface * Vec3d(corner));
    const Proximity near = proximity(solid, at_solid, corners);
    const float towards = fovea::facing(near, corners);
    if (towards >= k_face_to_face) return true;
    if (towards < k_side) return false;
    hits_.push_back({.point = (near.point_a + near.point_b) * 0.5f,
                     .normal = facing.surface_first ? -near.normal : near.normal,
                     .separation = near.separation,
                     .closeness = 1,
                     .weight = 1,
                     .patch = 0,
                     .feature = facing.feature});
    return false;
}

/// Triangles of one ladder with the solids of the other, solid by solid.
void TreeContacts::add_surface(const Frame& frame, const PairDescent& pair,
                               const TreeContactSettings& settings, PairManifolds& manifolds) {
    const bool surface_first = frame.a.top == LadderTop::triangles;
    const Ladder& surface = surface_first ? frame.a : frame.b;
    const Ladder& solids = surface_first ? frame.b : frame.a;
    const std::uint32_t* triangle_list = surface_first ? pair.a : pair.b;
    const std::uint32_t* solid_list = surface_first ? pair.b : pair.a;
    const Transformd at_surface = surface_first ? Transformd() : frame.b_in_a;
    const Transformd at_solids = surface_first ? frame.b_in_a : Transformd();
    for (std::uint32_t number = 0; number < solids.solids.size(); ++number) {
        const Ladder::Solid& solid = solids.solids[number];
        const Transform at_solid(at_solids * Transformd(solid.placement));
        triangles_.clear();
        for (std::uint32_t i = 0; i < pair.count; ++i) {
            if (solid_list[i] != number) continue;
            const SurfaceTriangle& triangle = surface.triangles[triangle_list[i]];
            if (surface.fixed_surface ||
                faces(triangle, at_surface, solid.shape, at_solid,
                      {surface_first, feature_of(number, triangle_list[i])}))
                triangles_.push_back(triangle);
        }
        if (triangles_.empty()) continue;
        SurfaceManifolds found;
        collide_surface(solid.shape, at_solid, triangles_, Transform(at_surface),
                        {.margin = settings.margin,
                         .two_sided = surface.fixed_surface && settings.two_sided,
                         .solid_faces = !surface.fixed_surface},
                        found);
        for (const Manifold& of_solid : found) {
            if (manifolds.full()) return;
            // From the frame of the solid, with normals from it to the surface, into that of A.
            Manifold manifold = of_solid;
            manifold.normal = rotate(at_solid.orientation, manifold.normal);
            if (surface_first) manifold.normal = -manifold.normal;
            for (int k = 0; k < manifold.count; ++k) {
                manifold.points[k].point = at_solid * manifold.points[k].point;
                manifold.points[k].feature ^= feature_of(number, 0);
            }
            manifolds.push_back(manifold);
        }
    }
}

/// One body inside the other's mesh leaves it through the triangle nearest to it: a solid wholly, a
/// mesh by as much as brings their surfaces together, which then say how to go on.
void TreeContacts::add_enclosed(const Frame& frame, const PairDescent& pair) {
    const bool a_inside = pair.enclosed == Enclosed::a;
    const Ladder& body = a_inside ? frame.a : frame.b;
    const Ladder& mesh = a_inside ? frame.b : frame.a;
    const std::uint32_t element = a_inside ? pair.a[0] : pair.b[0];
    const SurfaceTriangle& exit = mesh.triangles[a_inside ? pair.b[0] : pair.a[0]];
    const Transformd at_body = a_inside ? Transformd() : frame.b_in_a;
    const Transformd at_mesh = a_inside ? frame.b_in_a : Transformd();

    std::array<Vec3d, 3> corners;
    for (int i = 0; i < 3; ++i) corners[i] = at_mesh * Vec3d(exit.corners[i]);
    Vec3d inner = at_body * point_of_element(body, element);
    const Vec3d outer = point_to_triangle(corners, inner).surface;
    const Vec3d face = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const Vec3d way = normalized_or(outer - inner, normalized_or(face, Vec3d(frame.fallback)));
    if (body.top == LadderTop::solids) {
        const Ladder::Solid& solid = body.solids[element];
        const ConvexCore core = make_core(solid.shape);
        const Transformd at_solid = at_body * Transformd(solid.placement);
        inner =
            at_solid * support(core, rotate_back(at_solid.orientation, -way)) - way * core.rounding;
    }
    hits_.push_back({.point = Vec3((inner + outer) * 0.5),
                     .normal = Vec3(a_inside ? -way : way),
                     .separation = float(-dot(outer - inner, way)),
                     .closeness = 1,
                     .weight = 1,
                     .patch = 0,
                     .feature = feature_of(pair.a[0], pair.b[0])});
}

void TreeContacts::add_triangles(const Frame& frame, const PairDescent& pair, float margin) {
    for (std::uint32_t i = 0; i < pair.count; ++i) {
        TriangleCorners of_b = frame.b.triangles[pair.b[i]].corners;
        for (Vec3& corner : of_b) corner = Vec3(frame.b_in_a * Vec3d(corner));
        add_triangle_contact(frame.a.triangles[pair.a[i]].corners, of_b,
                             feature_of(pair.a[i], pair.b[i]), margin, hits_);
    }
    if (frame.a.encloses_space && frame.b.encloses_space) deepen(frame);
}

/// Contours of closed meshes are as deep as the bodies are where the middle of them all is. Where
/// directions disagree, as around a plate that goes right through, none is the way out.
void TreeContacts::deepen(const Frame& frame) {
    constexpr double k_agreed = 0.5;
    Vec3d way, middle;
    double total = 0;
    for (const ContactHit& hit : hits_) {
        if (hit.separation > 0) continue;
        const double weight = hit.weight;
        way += Vec3d(hit.normal) * weight;
        middle += Vec3d(hit.point) * weight;
        total += weight;
    }
    const double agreed = length(way);
    if (!(agreed > k_agreed * total)) return;
    way = way / agreed;
    WorkMeter work(Budget::work(k_depth_units));
    const auto depth =
        overlap_depth(frame.a, frame.b, frame.b_in_a, middle / total, way, open_, work);
    if (!depth) return;
    for (ContactHit& hit : hits_) {
        if (hit.separation > 0) continue;
        hit.separation = std::min(hit.separation, float(-*depth * dot(Vec3d(hit.normal), way)));
    }
}

TreeContacts::TreeContacts() {
    thin_a_.reserve(TreeContactSettings().most_hits);
    thin_b_.reserve(TreeContactSettings().most_hits);
}

PairDescent TreeContacts::thinned(const PairDescent& pair, std::uint32_t most) {
    most = std::max(most, 1u);
    if (pair.count <= most) return pair;
    const std::uint32_t stride = hit_stride(pair.count, most);
    thin_a_.clear(), thin_b_.clear();
    for (std::uint32_t i = 0; i < pair.count; i += stride) {
        thin_a_.push_back(pair.a[i]);
        thin_b_.push_back(pair.b[i]);
    }
    PairDescent thin = pair;
    thin.a = thin_a_.data(), thin.b = thin_b_.data();
    thin.count = std::uint32_t(thin_a_.size());
    return thin;
}

void TreeContacts::model(const PlacedLadder& a, const PlacedLadder& b, const PairDescent& all,
                         const TreeContactSettings& settings, PairManifolds& manifolds) {
    hits_.clear();
    slots_.clear();
    if (all.count == 0) return;
    const PairDescent pair =
        thinned(all, all.exact ? settings.most_exact_hits : settings.most_hits);
    const Frame frame(a, b, settings.approach);
    const auto is = [&](LadderTop top_a, LadderTop top_b) {
        return frame.a.top == top_a && frame.b.top == top_b;
    };
    if (!pair.exact) {
        add_nodes(frame, pair, settings);
    } else if (pair.enclosed != Enclosed::none) {
        add_enclosed(frame, pair);
    } else if (is(LadderTop::triangles, LadderTop::triangles)) {
        add_triangles(frame, pair, settings.margin);
    } else if (is(LadderTop::triangles, LadderTop::half_space) ||
               is(LadderTop::half_space, LadderTop::triangles)) {
        const bool plane_first = frame.a.is_half_space();
        const Plane plane(plane_first ? frame.a.plane : frame.b.plane,
                          plane_first ? Transformd() : frame.b_in_a);
        for (std::uint32_t i = 0; i < pair.count; ++i) {
            const std::uint32_t number = plane_first ? pair.b[i] : pair.a[i];
            const Ladder& mesh = plane_first ? frame.b : frame.a;
            TriangleCorners corners = mesh.triangles[number].corners;
            if (plane_first)
                for (Vec3& corner : corners) corner = Vec3(frame.b_in_a * Vec3d(corner));
            add_corners_below(corners, Vec3(plane.up), float(plane.offset), settings.margin, number,
                              hits_);
        }
        if (plane_first)
            for (ContactHit& hit : hits_) hit.normal = -hit.normal;
    } else if (frame.a.top == LadderTop::triangles || frame.b.top == LadderTop::triangles) {
        add_surface(frame, pair, settings, manifolds);
    } else {
        add_solids(frame, pair, settings.margin, manifolds);
    }
    reducer_.reduce(hits_, settings.reduce, manifolds);
}

} // namespace fovea
