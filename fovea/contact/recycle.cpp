#include "fovea/contact/recycle.h"

#include "fovea/contact/pair_pose.h"

namespace fovea {

namespace {

/// Orientation from its vector part; the scalar part is positive and makes up the length.
Quat restored(const Vec3& vector) {
    const float rest = 1 - length_squared(vector);
    return {rest > 0 ? std::sqrt(rest) : 0.0f, vector};
}

WorldPoint placed(const Vec3& midway, float separation, std::uint32_t feature, const Mat3& axes,
                  const Vec3& between) {
    const Vec3 from_a = axes * midway;
    return {from_a, from_a - between, separation, feature};
}

} // namespace

void remember_placement(const Transform& relative, PairCache& cache) {
    const Quat& q = relative.orientation;
    cache.state = PairCache::State::touching;
    cache.vector = relative.position;
    cache.rotation = q.w < 0 ? -q.vector() : q.vector();
}

bool recycle(const Manifold& manifold, const PairCache& cache, const Transform& at_a,
             const Transform& at_b, const RecycleLimits& limits, WorldManifold& world) {
    if (cache.state != PairCache::State::touching) return false;
    const Transform now = relative(at_a, at_b);
    // The turn of B since then, in the frame of A.
    const Quat turn = now.orientation * conjugate(restored(cache.rotation));
    const float limit = 0.5f * limits.angle;
    if (!(length_squared(turn.vector()) < limit * limit)) return false;

    const Mat3 rotation = rotation_of(turn);
    const Vec3 shift = now.position - rotation * cache.vector;
    const Mat3 axes = rotation_of(at_a.orientation);
    const Vec3 between = at_b.position - at_a.position;
    const float most_squared = limits.distance * limits.distance;
    world.normal = axes * manifold.normal;
    world.count = manifold.count;
    for (int i = 0; i < manifold.count; ++i) {
        const ManifoldPoint& p = manifold.points[i];
        const Vec3 on_b = p.point + manifold.normal * (0.5f * p.separation);
        const Vec3 moved = rotation * on_b + shift - on_b;
        if (!(length_squared(moved) < most_squared)) return false;
        world.points[i] = placed(p.point + moved * 0.5f, p.separation + dot(moved, manifold.normal),
                                 p.feature, axes, between);
    }
    return true;
}

WorldManifold to_world(const Manifold& manifold, const Transform& at_a, const Transform& at_b) {
    const Mat3 axes = rotation_of(at_a.orientation);
    const Vec3 between = at_b.position - at_a.position;
    WorldManifold world;
    world.normal = axes * manifold.normal;
    world.count = manifold.count;
    for (int i = 0; i < manifold.count; ++i) {
        const ManifoldPoint& p = manifold.points[i];
        world.points[i] = placed(p.point, p.separation, p.feature, axes, between);
    }
    return world;
}

} // namespace fovea
