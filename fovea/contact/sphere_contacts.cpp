// Spheres against all else: one point, in closed form but for hulls near an edge.
#include "fovea/contact/candidates.h"
#include "fovea/contact/pair_contacts.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/point_distance.h"

namespace fovea {

namespace {

void meet(const PointDistance& centre, float radius, const PairWork& work) {
    const double separation = centre.distance - radius;
    const Vec3 normal(centre.normal);
    if (!(separation < work.margin)) return work.found_apart(normal);
    work.found_point(normal, Vec3(centre.surface + centre.normal * (separation * 0.5)),
                     float(separation), spot_feature(0, 0));
}

/// True if `p`, a point in the plane of the face, lies within its sides.
bool within(const ConvexHull& hull, const ConvexHull::Face& face, const Vec3& p) {
    const std::uint32_t* corners = hull.face_vertices.data() + face.first;
    Vec3 from = hull.vertices[corners[face.count - 1]];
    for (std::uint32_t i = 0; i < face.count; ++i) {
        const Vec3 to = hull.vertices[corners[i]];
        if (dot(cross(to - from, p - from), face.normal) < 0) return false;
        from = to;
    }
    return true;
}

} // namespace

void collide_spheres(const Sphere& a, const Sphere& b, const PairWork& work) {
    const Vec3 offset = work.pose.position;
    const float distance = length(offset);
    const float separation = distance - a.radius - b.radius;
    const Vec3 normal = distance > 0 ? offset * (1 / distance) : Vec3(0, 1, 0);
    if (!(separation < work.margin)) return work.found_apart(normal);
    work.found_point(normal, normal * (a.radius + 0.5f * separation), separation,
                     spot_feature(0, 0));
}

void collide_box_sphere(const Box& a, const Sphere& b, const PairWork& work) {
    meet(point_to_box(Vec3d(a.half_extents), Vec3d(work.pose.position)), b.radius, work);
}

void collide_cylinder_sphere(const Cylinder& a, const Sphere& b, const PairWork& work) {
    meet(point_to_cylinder(a.radius, a.half_height, Vec3d(work.pose.position)), b.radius, work);
}

void collide_capsule_sphere(const Capsule& a, const Sphere& b, const PairWork& work) {
    meet(point_to_capsule(a.radius, a.half_height, Vec3d(work.pose.position)), b.radius, work);
}

void collide_cone_sphere(const Cone& a, const Sphere& b, const PairWork& work) {
    meet(point_to_cone(a.radius, a.half_height, Vec3d(work.pose.position)), b.radius, work);
}

void collide_triangle_sphere(const std::array<Vec3, 3>& a, const Sphere& b, const PairWork& work) {
    meet(point_to_triangle({Vec3d(a[0]), Vec3d(a[1]), Vec3d(a[2])}, Vec3d(work.pose.position)),
         b.radius, work);
}

void collide_hull_sphere(const Shape& a, const Shape& b, const PairWork& work) {
    const ConvexHull& hull = *std::get<Hull>(a).data;
    const float radius = std::get<Sphere>(b).radius;
    const Vec3 centre = work.pose.position;
    const ConvexHull::Face* nearest = hull.faces.data();
    float height = dot(nearest->normal, centre) - nearest->offset;
    for (const ConvexHull::Face& face : hull.faces) {
        const float h = dot(face.normal, centre) - face.offset;
        if (h > height) {
            height = h;
            nearest = &face;
        }
    }
    const float separation = height - radius;
    if (!(separation < work.margin)) return work.found_apart(nearest->normal);
    // Above an edge or a vertex the nearest point is not in the plane of any face.
    if (height > 0 && !within(hull, *nearest, centre - nearest->normal * height))
        return collide_solids(a, b, work);
    work.found_point(nearest->normal, centre - nearest->normal * (radius + 0.5f * separation),
                     separation, spot_feature(std::uint32_t(nearest - hull.faces.data()), 0));
}

} // namespace fovea
