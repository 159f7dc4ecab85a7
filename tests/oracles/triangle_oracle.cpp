#include "tests/oracles/triangle_oracle.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>

namespace {

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;

Exact::Point_3 exact(const fovea::Vec3& p) {
    return {p.x, p.y, p.z};
}

Exact::Triangle_3 exact(const fovea::TriangleCorners& t) {
    return {exact(t[0]), exact(t[1]), exact(t[2])};
}

} // namespace

bool oracle_triangles_overlap(const fovea::TriangleCorners& a, const fovea::TriangleCorners& b) {
    return CGAL::do_intersect(exact(a), exact(b));
}

bool oracle_collinear(const fovea::TriangleCorners& t) {
    return CGAL::collinear(exact(t[0]), exact(t[1]), exact(t[2]));
}
