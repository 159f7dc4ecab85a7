// EPA: a polytope inscribed in B - A, refined where it is nearest to the origin.
//
//        .---*---.           Each round takes the face nearest to the origin, asks for the support
//       /  next   \          point beyond it, and replaces all faces that see this point by a fan
//      *-----------*         around it. A face's distance bounds the depth from below, the
//      |     o     |         support beyond it from above; the search ends where both meet.
//      '-----------'
//
// Distances are signed, so an origin that rounding has put slightly outside does no harm.
#include "fovea/geometry/core_proximity.h"
#include "fovea/geometry/minkowski_polytope.h"
#include "fovea/geometry/ring_normals.h"
#include "fovea/geometry/spanning_tetrahedron.h"
#include "fovea/geometry/witness_points.h"

namespace fovea {

namespace {

/// Where to look for the next face, given the number of vertices so far: at first everywhere. If
/// curved sides are about equally near all around (a small solid on the axis of a large cylinder),
/// refining them all would never end, so the view narrows upon the best direction known.
double view_cosine(int vertices) {
    constexpr std::array k_cosines{-2.0, -2.0, 0.98, 0.999, 0.99998, 0.9999996};
    constexpr int k_stage = MinkowskiPolytope::k_max_vertices / int(k_cosines.size());
    return k_cosines[std::min(vertices / k_stage, int(k_cosines.size()) - 1)];
}

/// How far the foot of the origin on the face's plane lies outside the face.
double foot_miss(const MinkowskiPolytope::Triangle& corners, const Vec3d& outward) {
    const Vec3d foot = outward * dot(outward, corners[0].w);
    const Vec3d a = corners[0].w - foot, b = corners[1].w - foot, c = corners[2].w - foot;
    const auto weights = nearest_on_thin_triangle(a, b, c);
    return length(a * weights[0] + b * weights[1] + c * weights[2]);
}

} // namespace

LocalProximity epa(const CorePair& pair, const Simplex& start) {
    Simplex simplex = start;
    Vec3d flat_normal;
    if (!span_volume(pair, simplex, flat_normal)) {
        const MinkowskiVertex extreme = minkowski_support(pair, flat_normal);
        return on_supporting_planes(pair, {0, flat_normal, extreme}, start.nearest_a(),
                                    start.nearest_b());
    }

    const double tolerance = k_convergence * std::min(pair.a.size, pair.b.size);
    MinkowskiPolytope polytope(simplex.vertices);
    Exit best;
    bool on_a_face = false; // the best normal is that of a face
    bool seeded = false;
    for (;;) {
        const double view = view_cosine(polytope.vertex_count());
        if (view > -1 && !seeded) {
            seeded = true;
            const Exit likely = nearest_exit_of_rings(pair);
            if (likely.depth < best.depth) best = likely, on_a_face = false;
        }
        const int f = polytope.nearest_face(best.normal, view);
        if (f < 0) break;
        const Vec3d normal = polytope.face(f).normal;
        const MinkowskiVertex extreme = minkowski_support(pair, normal);
        const double depth = dot(extreme.w, normal);
        const double enough = tolerance + k_convergence * std::abs(depth);
        const bool converged = polytope.reaches(f, extreme.w, enough);
        if (depth < best.depth || (converged && depth < best.depth + enough))
            best = {depth, normal, extreme}, on_a_face = true;
        if (converged || polytope.face(f).distance > best.depth + enough) break;
        if (polytope.too_thin_for(f, extreme.w)) {
            // As good as converged, provided that its plane's foot lies on it.
            const auto holder = polytope.foot_holder(normal, polytope.face(f).distance);
            if (holder && foot_miss(*holder, normal) < 1e-7 * (pair.a.size + pair.b.size)) {
                if (depth < best.depth + enough) best = {depth, normal, extreme}, on_a_face = true;
                break;
            }
            polytope.retire(f);
        } else if (!polytope.grow(f, extreme)) {
            break;
        }
    }
    // The face that gave the best normal may be gone by now, replaced by finer ones.
    const auto holder = on_a_face ? polytope.foot_holder(best.normal, best.depth) : std::nullopt;
    return holder ? on_face(pair, best, *holder) : on_smaller(pair, best);
}

} // namespace fovea
