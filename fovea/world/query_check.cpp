#include "fovea/world/query_check.h"

#include "fovea/world/checks.h"

namespace fovea {

namespace {

Result<void> check_direction(const Vec3& v) {
    if (is_finite(v) && !(v == Vec3())) return {};
    return failure("the direction must be finite and not zero, but is " + vector_text(v));
}

Result<void> check_positive(const char* what, float value) {
    if (value > 0 && value < k_motion_limit) return {};
    return failure(std::string(what) + " must be positive and below 2^50, but is " +
                   number_text(double(value)));
}

/// Shorter ways would round to nothing.
Result<void> check_length(float value) {
    constexpr float k_shortest = 1e-12f;
    if (value >= k_shortest && value < k_motion_limit) return {};
    return failure("the length must be at least 1e-12 and below 2^50, but is " +
                   number_text(double(value)));
}

Result<void> check_shape_id(ShapeId shape, const QueryContext& context) {
    if (!context.shape_ids.contains(shape))
        return failure("there is no such shape: it was removed, or never added");
    const ShapeType type = type_of(context.shapes[shape.slot].shape);
    if (!has_triangles(type) && type != ShapeType::half_space) return {};
    return failure(std::string("a shape of type ") + name_of(type) +
                   " cannot be used to search: take a convex solid or a compound");
}

Result<void> check_filter(const QueryFilter& filter, const QueryContext& context) {
    if (!filter.ignore || context.body_ids.contains(filter.ignore)) return {};
    return failure("the body to ignore does not exist: it was removed, or never added");
}

} // namespace

Result<void> check_query(const RayCast& r, const QueryContext& context) {
    return first_failure(check_finite("the origin", r.origin), check_direction(r.direction),
                         check_length(r.length), check_filter(r.filter, context));
}

Result<void> check_query(const SphereCast& r, const QueryContext& context) {
    return first_failure(check_finite("the centre", r.centre),
                         check_positive("the radius", r.radius), check_direction(r.direction),
                         check_length(r.length), check_filter(r.filter, context));
}

Result<void> check_query(const ShapeCast& r, const QueryContext& context) {
    return first_failure(check_shape_id(r.shape, context),
                         check_finite("the start", r.start.position),
                         check_orientation(r.start.orientation), check_direction(r.direction),
                         check_length(r.length), check_filter(r.filter, context));
}

Result<void> check_query(const ShapeOverlap& r, const QueryContext& context) {
    return first_failure(check_shape_id(r.shape, context),
                         check_finite("the position", r.at.position),
                         check_orientation(r.at.orientation), check_filter(r.filter, context));
}

Result<void> check_query(const ClosestPoint& r, const QueryContext& context) {
    const Result<void> distance =
        r.distance == 0 ? Result<void>() : check_positive("the distance", r.distance);
    return first_failure(check_finite("the point", r.point), distance,
                         check_filter(r.filter, context));
}

} // namespace fovea
