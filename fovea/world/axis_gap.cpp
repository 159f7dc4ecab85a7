#include "fovea/world/axis_gap.h"

#include <cmath>

#include "fovea/geometry/convex_core.h"

namespace fovea {

namespace {

/// Of what went into a distance, in units of its size: a few roundings of single precision.
constexpr float k_rounding = 1e-6f;

/// How far a placed shape extends along a direction, and its size.
struct Extension {
    double height, size;
};

Extension extension(const CollisionShape& shape, const Transform& at, const Vec3d& direction) {
    const Vec3d local = rotate_back(Quatd(at.orientation), direction);
    const double height = dot(direction, Vec3d(at.position));
    if (has_parts(shape)) {
        const Vec3d middle(shape.extent.centre()), half = Vec3d(shape.extent.high) - middle;
        const double reach =
            std::abs(local.x) * half.x + std::abs(local.y) * half.y + std::abs(local.z) * half.z;
        return {height + dot(local, middle) + reach, length(middle) + length(half)};
    }
    const ConvexCore core = make_core(shape.shape);
    const double reach = dot(support(core, local), local) + core.rounding;
    return {height + reach, std::abs(reach) + core.size};
}

} // namespace

AxisGap gap_of_boxes(const Aabb& a, const Aabb& b, float rim, const Vec3& way) {
    const Vec3 above = b.low - a.high, below = a.low - b.high;
    const Vec3 size = max(max(abs(a.low), abs(a.high)), max(abs(b.low), abs(b.high)));
    AxisGap best;
    float most = 0;
    const auto offer = [&](float between, float largest, const Vec3& axis) {
        const AxisGap along{axis, between + rim - k_rounding * (largest + rim)};
        if (!(along.gap > 0) || (best.gap > 0 && along.left(way) <= most)) return;
        best = along, most = along.left(way);
    };
    offer(above.x, size.x, {1, 0, 0});
    offer(below.x, size.x, {-1, 0, 0});
    offer(above.y, size.y, {0, 1, 0});
    offer(below.y, size.y, {0, -1, 0});
    offer(above.z, size.z, {0, 0, 1});
    offer(below.z, size.z, {0, 0, -1});
    return best;
}

AxisGap gap_of_shapes(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
                      const Transform& at_b, const Vec3& way) {
    const auto unbounded = [](const CollisionShape& shape) {
        return type_of(shape.shape) == ShapeType::half_space;
    };
    if (unbounded(a) || unbounded(b)) return {};
    AxisGap best;
    const auto offer = [&](const Vec3d& axis) {
        const Extension of_a = extension(a, at_a, axis), of_b = extension(b, at_b, -axis);
        const double size =
            length(Vec3d(at_a.position)) + length(Vec3d(at_b.position)) + of_a.size + of_b.size;
        const auto gap = float(-of_b.height - of_a.height - k_rounding * size);
        const AxisGap along{Vec3(axis), gap};
        if (gap > 0 && (best.gap <= 0 || along.left(way) > best.left(way))) best = along;
    };
    const Vec3d between = Vec3d(at_b.position) - Vec3d(at_a.position);
    for (const Transform* at : {&at_a, &at_b}) {
        const Mat3d own = rotation_of(Quatd(at->orientation));
        for (const Vec3d& axis : {own.x, own.y, own.z})
            offer(dot(axis, between) < 0 ? -axis : axis);
    }
    const Vec3d direction = normalized_or(Vec3d(way), Vec3d());
    offer(normalized_or(between - direction * dot(between, direction), Vec3d(0, 1, 0)));
    return best;
}

} // namespace fovea
