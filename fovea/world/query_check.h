// Checks of requests that come from outside. Each names what is wrong and its value.
#pragma once

#include "fovea/base/result.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/world/query.h"

namespace fovea {

/// What a request may refer to.
struct QueryContext {
    const IdPool<struct BodyTag>& body_ids;
    const IdPool<struct ShapeTag>& shape_ids;
    std::span<const CollisionShape> shapes;
};

Result<void> check_query(const RayCast& request, const QueryContext& context);
Result<void> check_query(const SphereCast& request, const QueryContext& context);
Result<void> check_query(const ShapeCast& request, const QueryContext& context);
Result<void> check_query(const ShapeOverlap& request, const QueryContext& context);
Result<void> check_query(const ClosestPoint& request, const QueryContext& context);

} // namespace fovea
