#include "fovea/geometry/spanning_tetrahedron.h"

namespace fovea {

bool span_volume(const CorePair& pair, Simplex& simplex, Vec3d& flat_normal) {
    constexpr double k_flat = 1e-10; // relative thickness
    auto& v = simplex.vertices;
    const auto farthest = [&](const Vec3d& direction, auto measure) {
        const MinkowskiVertex there = minkowski_support(pair, direction);
        const MinkowskiVertex back = minkowski_support(pair, -direction);
        return measure(there.w) >= measure(back.w) ? there : back;
    };
    if (simplex.count == 4) {
        const Vec3d normal = cross(v[1].w - v[0].w, v[2].w - v[0].w);
        const double area = length(normal);
        const double height = std::abs(dot(normal, v[3].w - v[0].w));
        if (height > k_flat * area * std::sqrt(area)) return true;
        simplex.count = 3;
    }
    if (simplex.count == 3) {
        const Vec3d ab = v[1].w - v[0].w, ac = v[2].w - v[0].w;
        const double longest = std::max(length_squared(ab), length_squared(ac));
        if (!(length(cross(ab, ac)) > k_flat * longest)) {
            if (length_squared(ac) > length_squared(ab)) std::swap(v[1], v[2]);
            simplex.count = 2;
        }
    }
    if (simplex.count == 2 && v[0].w == v[1].w) simplex.count = 1;
    if (simplex.count == 1) {
        const auto away = [&](const Vec3d& w) { return length_squared(w - v[0].w); };
        v[1] = farthest({1, 0, 0}, away);
        for (const Vec3d& axis : {Vec3d(0, 1, 0), Vec3d(0, 0, 1)}) {
            const MinkowskiVertex other = farthest(axis, away);
            if (away(other.w) > away(v[1].w)) v[1] = other;
        }
        simplex.count = 2;
    }
    if (simplex.count == 2) {
        const Vec3d edge = v[1].w - v[0].w;
        const double squared = length_squared(edge);
        const Vec3d along = normalized_or(edge, Vec3d(0, 1, 0));
        const auto away = [&](const Vec3d& w) { return length_squared(cross(w - v[0].w, along)); };
        const Vec3d side = perpendicular(along);
        v[2] = farthest(side, away);
        const MinkowskiVertex other = farthest(cross(along, side), away);
        if (away(other.w) > away(v[2].w)) v[2] = other;
        if (!(away(v[2].w) > k_flat * k_flat * squared)) {
            flat_normal = side;
            return false;
        }
        simplex.count = 3;
    }
    const Vec3d normal = cross(v[1].w - v[0].w, v[2].w - v[0].w);
    const Vec3d unit = normalized_or(normal, Vec3d(0, 1, 0));
    const auto away = [&](const Vec3d& w) { return std::abs(dot(w - v[0].w, unit)); };
    v[3] = farthest(unit, away);
    simplex.count = 4;
    flat_normal = unit;
    return away(v[3].w) > k_flat * std::sqrt(length(normal));
}

} // namespace fovea
