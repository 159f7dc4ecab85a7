#include "fovea/world/ball_inside.h"

#include "fovea/collide/shape_query.h"

namespace fovea {

std::optional<BoundingBall> ball_inside(const CollisionShape& shape, const Vec3& centre) {
    const bool mesh = type_of(shape.shape) == ShapeType::solid_mesh;
    if (mesh && !(shape.inner.radius > 0)) return std::nullopt;
    if (mesh) return BoundingBall{shape.inner.centre, 0.5f * shape.inner.radius};
    const auto surface = closest_point(centre, 0, shape, Transform());
    if (!surface || !(surface->measure < 0)) return std::nullopt;
    return BoundingBall{centre, -0.5f * surface->measure};
}

} // namespace fovea
