#include "fovea/geometry/core_proximity.h"
#include "fovea/geometry/witness_points.h"

namespace fovea {

namespace {

/// Far more than curved solids were seen to need.
constexpr int k_max_iterations = 128;

/// Nearer than this, relative to the smaller solid, the cores count as touching: the direction
/// between the closest points drowns in rounding and EPA's face normals serve better.
constexpr double k_touching = 1e-8;

bool contains(const Simplex& simplex, const Vec3d& w) {
    for (int i = 0; i < simplex.count; ++i)
        if (simplex.vertices[i].w == w) return true;
    return false;
}

/// The closest points, which lie `v` apart. Of a vertex or an edge of B - A they are exact, but the
/// weights of a thin triangle are not.
LocalProximity at_nearest(const CorePair& pair, Simplex& simplex, const Vec3d& v, double distance) {
    const Vec3d normal = v / distance;
    const bool triangle = simplex.count == 3;
    if (triangle) {
        const auto& s = simplex.vertices;
        const auto weights = nearest_on_thin_triangle(s[0].w - v, s[1].w - v, s[2].w - v);
        for (int i = 0; i < 3; ++i) simplex.weights[i] = weights[i];
    }
    Vec3d a = simplex.nearest_a(), b = simplex.nearest_b();
    if (triangle) face_each_other(pair, normal, a, b);
    const Vec3d middle = (a + b) * 0.5;
    return {middle - v * 0.5, middle + v * 0.5, normal, distance};
}

} // namespace

GjkResult gjk(const CorePair& pair) {
    const double size = std::min(pair.a.size, pair.b.size);
    const double touching_squared = (k_touching * size) * (k_touching * size);
    GjkResult result{.apart = false, .proximity = {}, .simplex = {}};
    Simplex& simplex = result.simplex;

    Vec3d v = length_squared(pair.position) > 0 ? pair.position : Vec3d(1, 0, 0);
    double squared = std::numeric_limits<double>::infinity();
    for (int i = 0; i < k_max_iterations; ++i) {
        const MinkowskiVertex next = minkowski_support(pair, -v);
        if (simplex.count > 0) {
            // v.w / |v| bounds the distance from below, |v| from above.
            const double gap = squared - dot(v, next.w);
            const double distance = std::sqrt(squared);
            if (gap <= k_convergence * (size + distance) * distance) break;
            if (contains(simplex, next.w)) break;
        }
        const Simplex before = simplex;
        simplex.vertices[simplex.count++] = next;
        const Vec3d nearer = reduce_to_nearest(simplex);
        const double nearer_squared = length_squared(nearer);
        if (simplex.count == 4 || nearer_squared <= touching_squared) return result;
        if (!(nearer_squared < squared)) { // rounding has the last word; also ends NaN
            simplex = before;
            break;
        }
        v = nearer;
        squared = nearer_squared;
    }

    result.apart = true;
    result.proximity = at_nearest(pair, simplex, v, std::sqrt(squared));
    return result;
}

LocalProximity rounded(const CorePair& pair, LocalProximity p) {
    p.point_a += p.normal * pair.a.rounding;
    p.point_b -= p.normal * pair.b.rounding;
    p.separation -= pair.a.rounding + pair.b.rounding;
    return p;
}

LocalProximity core_proximity(const CorePair& pair) {
    const GjkResult found = gjk(pair);
    return rounded(pair, found.apart ? found.proximity : epa(pair, found.simplex));
}

} // namespace fovea
