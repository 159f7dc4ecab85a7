#include "fovea/world/ball_inside.h"

#include <algorithm>

#include "fovea/collide/shape_query.h"

namespace fovea {

std::optional<BoundingBall> ball_inside(const CollisionShape& shape, const Vec3& centre) {
    const bool mesh = type_of(shape.shape) == ShapeType::solid_mesh;
    if (mesh && !(shape.inner.radius > 0)) return std::nullopt;
    if (mesh) return BoundingBall{shape.inner.centre, 0.5f * shape.inner.radius};
    const auto ball_about = [&](const Vec3& point) {
        const auto surface = closest_point(point, 0, shape, Transform());
        return BoundingBall{point, surface ? std::max(-0.5f * surface->measure, 0.0f) : 0};
    };
    BoundingBall ball = ball_about(centre);
    if (const Compound* compound = compound_of(shape); compound && !(ball.radius > 0))
        for (const auto& part : compound->parts) {
            const BoundingBall of_part = ball_about(part.placement.position);
            if (of_part.radius > ball.radius) ball = of_part;
        }
    return ball.radius > 0 ? std::optional(ball) : std::nullopt;
}

} // namespace fovea
