// Adding, removing and changing what is in the world, with every number checked.
#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/base/assert.h"
#include "fovea/collide/deforming_surface.h"
#include "fovea/geometry/mass.h"
#include "fovea/geometry/number_text.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/geometry/shape_bytes.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/world/checks.h"
#include "fovea/world/fields.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

Result<void> check_not_negative(const char* what, float value) {
    if (value >= 0 && std::isfinite(value)) return {};
    return failure(std::string(what) + " must be finite and not negative, but is " +
                   number_text(double(value)));
}

Result<void> check_material(const Material& material) {
    return first_failure(check_not_negative("the elasticity", material.elastic),
                         check_not_negative("the friction", material.friction),
                         check_not_negative("the rolling resistance", material.rolling),
                         check_finite("the surface velocity", material.surface_velocity));
}

Result<void> check_motion(const FreeMotion& motion) {
    return first_failure(check_finite("the gravity scale", Vec3(motion.gravity_scale, 0, 0)),
                         check_not_negative("the linear damping", motion.linear_damping),
                         check_not_negative("the angular damping", motion.angular_damping));
}

/// Of the shape's box in its own frame; infinite for half-spaces. Meshes may be thinner than their
/// box: volume over area is half the thickness of a sheet, a quarter of that of a rod.
float least_half_width(const Shape& shape) {
    const Aabb box = bounds(shape, Transform());
    const Vec3 half = (box.high - box.low) * 0.5f;
    const float width = std::min({half.x, half.y, half.z});
    const auto* solid = std::get_if<SolidMesh>(&shape);
    if (!solid) return width;
    return std::min(width,
                    float(std::abs(signed_volume(*solid->data)) / surface_area(*solid->data)));
}

} // namespace

void World::keep_shape(std::uint32_t slot, CollisionShape shape) {
    shape_half_width_[slot] = least_half_width(shape.shape);
    shape_moments_[slot].reset();
    shapes_[slot] = std::move(shape);
    const auto give_ladder = [](CollisionShape& kept) {
        if (!height_field_of(kept)) return;
        [[maybe_unused]] const auto added = add_ladder(kept);
        FOVEA_ASSERT(added.has_value()); // the shape was checked
    };
    if (meshes_move_) return give_ladder(shapes_[slot]);
    meshes_move_ = type_of(shapes_[slot].shape) == ShapeType::solid_mesh;
    if (meshes_move_) std::ranges::for_each(shapes_, give_ladder);
}

Result<ShapeId> World::add_shape(const Shape& shape) {
    auto made = make_collision_shape(shape);
    if (!made) return tl::unexpected(made.error());
    const ShapeId id = shape_ids_.acquire();
    shapes_.resize(shape_ids_.slots());
    shape_users_.resize(shape_ids_.slots());
    shape_half_width_.resize(shape_ids_.slots());
    shape_moments_.resize(shape_ids_.slots());
    keep_shape(id.slot, std::move(*made));
    recorder_.note(RecordedCall::add_shape, shape, id);
    return id;
}

Result<void> World::remove_shape(ShapeId shape) {
    if (!shape_ids_.contains(shape)) return unknown("shape");
    if (shape_users_[shape.slot] > 0)
        return failure("the shape is still used by " + std::to_string(shape_users_[shape.slot]) +
                       " bodies");
    shapes_[shape.slot] = {};
    shape_ids_.release(shape);
    recorder_.note(RecordedCall::remove_shape, shape);
    return {};
}

Result<BodyId> World::add_body(const BodyDefinition& d) {
    if (!shape_ids_.contains(d.shape)) return unknown("shape");
    const Result<void> valid = first_failure(
        check_finite("the position", d.position), check_orientation(d.orientation),
        check_finite("the velocity", d.velocity),
        check_finite("the angular velocity", d.angular_velocity),
        check_not_negative("the mass", d.mass), check_material(d.material), check_motion(d.motion));
    if (!valid) return tl::unexpected(valid.error());

    const Shape& shape = shapes_[d.shape.slot].shape;
    if (d.kinematic && d.mass > 0)
        return failure("a kinematic body has no mass, but this one has " +
                       number_text(double(d.mass)) + " kg");
    if (shapes_[d.shape.slot].deforming && shape_users_[d.shape.slot] > 0)
        return failure("a deforming mesh is the shape of one body, and it has one already: add the "
                       "shape once more for another");
    if (d.kinematic && type_of(shape) == ShapeType::half_space)
        return failure("a half-space cannot move: it is everywhere");
    BodyState state;
    Vec3 centre;
    if (d.mass > 0) {
        if (is_surface(type_of(shape)))
            return failure(std::string(type_of(shape) == ShapeType::mesh ? "a triangle mesh"
                                       : type_of(shape) == ShapeType::deforming_mesh
                                           ? "a deforming mesh"
                                           : "a height field") +
                           " is a surface and cannot move: give the body no mass, or a SolidMesh, "
                           "hull or compound as its shape");
        std::optional<Moments>& moments = shape_moments_[d.shape.slot];
        if (!moments) {
            const auto found = moments_of(shape);
            if (!found) return tl::unexpected(found.error());
            moments = *found;
        }
        const auto properties = mass_properties_of_mass(shape, *moments, d.mass);
        if (!properties) return tl::unexpected(properties.error());
        centre = properties->centre;
        state.inertia = properties->inertia;
        const Mat3 inverse_inertia = inverse(state.inertia);
        if (!std::isfinite(1 / d.mass) || !is_finite(inverse_inertia.x) ||
            !is_finite(inverse_inertia.y) || !is_finite(inverse_inertia.z))
            return failure("a mass of " + number_text(double(d.mass)) +
                           " kg and its inertia in a shape of this size cannot be computed with");
    }
    const Transform placement(d.position, normalized(d.orientation));
    state.pose = {placement * centre, placement.orientation};
    state.mass = d.mass;
    state.material = d.material;
    state.motion = d.motion;
    state.kinematic = d.kinematic;
    if (d.mass > 0 || d.kinematic)
        state.velocity = d.velocity, state.angular_velocity = d.angular_velocity;

    const BodyId id = body_ids_.acquire();
    bodies_.set(id.slot, state);
    body_shape_.resize(body_ids_.slots());
    body_centre_.resize(body_ids_.slots());
    placement_.resize(body_ids_.slots());
    boxes_.resize(body_ids_.slots());
    filters_.resize(body_ids_.slots());
    sensors_.resize(body_ids_.slots());
    fast_flags_.resize(body_ids_.slots());
    fast_flags_[id.slot] = d.fast;
    filters_[id.slot] = d.filter;
    sensors_[id.slot] = d.sensor;
    islands_.add(id.slot, d.mass > 0 ? bounding_radius(shape) + length(centre) : 0);
    body_shape_[id.slot] = d.shape.slot;
    body_centre_[id.slot] = centre;
    choosy_ += choosy(id.slot);
    if (DeformingSurface* surface = surface_of(id.slot)) {
        surface->reset(*std::get<DeformingMesh>(shape).data);
        shapes_[d.shape.slot].extent = surface->extent();
        deforming_.insert(std::ranges::lower_bound(deforming_, id.slot), id.slot);
    }
    ++shape_users_[d.shape.slot];
    place(id.slot);
    history_.forget(id.slot);
    enter_broad_phase(id.slot);
    query_index_->add(id.slot, mobility(id.slot));
    recorder_.note(RecordedCall::add_body, d, id);
    return id;
}

void World::place(std::uint32_t slot) {
    placement_[slot] = shape_placement(slot);
    boxes_[slot] = box_of(slot);
}

void World::enter_broad_phase(std::uint32_t slot) {
    const Shape& shape = shapes_[body_shape_[slot]].shape;
    if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
        const Vec3 normal = rotate(placement_[slot].orientation, plane->normal);
        broad_->add_half_space(slot,
                               {normal, plane->offset + dot(normal, placement_[slot].position)});
    } else {
        broad_->add(slot, boxes_[slot], !bodies_.moves(slot) && !surface_of(slot));
    }
}

void World::leave_broad_phase(std::uint32_t slot) {
    broad_->remove(slot);
    cut_.limited = false; // the answers of the last step are of pairs that are no more
}

Result<void> World::remove_body(BodyId body) {
    if (!contains(body)) return unknown("body");
    for (std::size_t i = springs_.size(); i-- > 0;)
        if (springs_[i].a == body.slot || springs_[i].b == body.slot) erase_spring(i);
    wake_leaning_on(body.slot);
    joints_.remove_at(body.slot);
    choosy_ -= choosy(body.slot);
    leave_broad_phase(body.slot);
    contacts_.forget(body.slot);
    history_.forget(body.slot);
    query_index_->remove(body.slot);
    std::erase(deforming_, body.slot);
    --shape_users_[body_shape_[body.slot]];
    bodies_.clear(body.slot);
    body_ids_.release(body);
    recorder_.note(RecordedCall::remove_body, body);
    return {};
}

Result<SpringId> World::add_spring(const SpringDefinition& d) {
    if (!contains(d.a) || !contains(d.b)) return unknown("body");
    if (d.a == d.b) return failure("a spring must join two different bodies");
    const Result<void> valid =
        first_failure(check_finite("the spring's first anchor", d.anchor_a),
                      check_finite("the spring's second anchor", d.anchor_b),
                      check_not_negative("the spring's stiffness", d.stiffness),
                      check_not_negative("the spring's damping", d.damping),
                      check_not_negative("the spring's length", d.length));
    if (!valid) return tl::unexpected(valid.error());
    springs_.push_back({d.a.slot, d.b.slot, d.anchor_a - body_centre_[d.a.slot],
                        d.anchor_b - body_centre_[d.b.slot], d.stiffness, d.damping, d.length});
    for (const BodyId end : {d.a, d.b}) islands_.wake(end.slot);
    spring_of_.push_back(spring_ids_.acquire());
    recorder_.note(RecordedCall::add_spring, d, spring_of_.back());
    return spring_of_.back();
}

Result<void> World::remove_spring(SpringId spring) {
    if (!spring_ids_.contains(spring)) return unknown("spring");
    erase_spring(std::size_t(std::ranges::find(spring_of_, spring) - spring_of_.begin()));
    recorder_.note(RecordedCall::remove_spring, spring);
    return {};
}

void World::erase_spring(std::size_t index) {
    for (const std::uint32_t end : {springs_[index].a, springs_[index].b}) islands_.wake(end);
    spring_ids_.release(spring_of_[index]);
    springs_.erase(springs_.begin() + std::ptrdiff_t(index));
    spring_of_.erase(spring_of_.begin() + std::ptrdiff_t(index));
}

Transform World::shape_placement(std::uint32_t slot) const {
    return bodies_.frame(slot, body_centre_[slot]);
}

Result<void> World::set_transform(BodyId body, const Transform& transform) {
    if (!contains(body)) return unknown("body");
    const Result<void> valid = first_failure(check_finite("the position", transform.position),
                                             check_orientation(transform.orientation));
    if (!valid) return valid;
    const Transform placement(transform.position, normalized(transform.orientation));
    bodies_.position[body.slot] = placement * body_centre_[body.slot];
    bodies_.orientation[body.slot] = placement.orientation;
    query_index_->change(body.slot);
    islands_.wake(body.slot);
    if (!bodies_.moves(body.slot)) {
        wake_leaning_on(body.slot);
        history_.forget(body.slot);
        leave_broad_phase(body.slot);
        place(body.slot);
        enter_broad_phase(body.slot);
    }
    recorder_.note(RecordedCall::set_transform, body, transform);
    return {};
}

void World::wake_leaning_on(std::uint32_t slot) {
    for (const ContactPatch& patch : contacts_.patches()) {
        if (patch.a == slot) islands_.wake(patch.b);
        if (patch.b == slot) islands_.wake(patch.a);
    }
    for (const Joint& joint : joints_.all())
        if (joint.a == slot || joint.b == slot) wake_ends(joint);
}

Result<void> World::wake(BodyId body) {
    if (!contains(body)) return unknown("body");
    islands_.wake(body.slot);
    recorder_.note(RecordedCall::wake, body);
    return {};
}

QueryIndex::Mobility World::mobility(std::uint32_t slot) const {
    if (bodies_.movable(slot)) return QueryIndex::Mobility::movable;
    return bodies_.moves(slot) ? QueryIndex::Mobility::driven : QueryIndex::Mobility::fixed;
}

std::uint32_t World::choosy(std::uint32_t slot) const {
    return filters_[slot] != CollisionFilter{} || sensors_[slot] || bodies_.kinematic[slot] ||
           surface_of(slot);
}

Result<void> World::set_velocity(BodyId body, const Vec3& velocity, const Vec3& angular_velocity) {
    if (!contains(body)) return unknown("body");
    const Result<void> valid =
        first_failure(check_finite("the velocity", velocity),
                      check_finite("the angular velocity", angular_velocity));
    if (!valid) return valid;
    if (!bodies_.moves(body.slot)) return failure("an immovable body cannot have a velocity");
    islands_.wake(body.slot);
    bodies_.velocity[body.slot] = velocity;
    bodies_.angular_velocity[body.slot] = angular_velocity;
    recorder_.note(RecordedCall::set_velocity, body, velocity, angular_velocity);
    return {};
}

Result<void> World::set_material(BodyId body, const Material& material) {
    if (!contains(body)) return unknown("body");
    if (Result<void> valid = check_material(material); !valid) return valid;
    bodies_.material[body.slot] = material;
    islands_.wake(body.slot);
    wake_leaning_on(body.slot);
    recorder_.note(RecordedCall::set_material, body, material);
    return {};
}

Result<void> World::apply_force(BodyId body, const Vec3& force, const Vec3& point) {
    if (!contains(body)) return unknown("body");
    const Result<void> valid =
        first_failure(check_finite("the force", force), check_finite("its point", point));
    if (!valid) return valid;
    islands_.wake(body.slot);
    bodies_.force[body.slot] += force;
    bodies_.torque[body.slot] += cross(point - bodies_.position[body.slot], force);
    recorder_.note(RecordedCall::apply_force, body, force, point);
    return {};
}

} // namespace fovea
