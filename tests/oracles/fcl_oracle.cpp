#include "tests/oracles/fcl_oracle.h"

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <exception>

#include "fovea/geometry/convex_hull.h"

namespace fovea {

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry make_geometry(const Sphere& s) {
    return std::make_shared<fcl::Sphered>(s.radius);
}
Geometry make_geometry(const Box& s) {
    const Vec3d full = Vec3d(s.half_extents) * 2.0;
    return std::make_shared<fcl::Boxd>(full.x, full.y, full.z);
}
Geometry make_geometry(const Cylinder& s) {
    return std::make_shared<fcl::Cylinderd>(s.radius, 2.0 * s.half_height);
}
Geometry make_geometry(const Capsule& s) {
    return std::make_shared<fcl::Capsuled>(s.radius, 2.0 * s.half_height);
}
Geometry make_geometry(const Cone& s) {
    return std::make_shared<fcl::Coned>(s.radius, 2.0 * s.half_height);
}
Geometry make_geometry(const Hull& s) {
    // FCL searches the vertices; of the faces it wants to know for hulls of many.
    const ConvexHull hull = *make_convex_hull(s.data->vertices);
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Vec3& v : hull.vertices) vertices->emplace_back(v.x, v.y, v.z);
    auto faces = std::make_shared<std::vector<int>>();
    for (const ConvexHull::Face& face : hull.faces) {
        faces->push_back(int(face.count));
        for (std::uint32_t i = 0; i < face.count; ++i)
            faces->push_back(int(hull.face_vertices[face.first + i]));
    }
    return std::make_shared<fcl::Convexd>(vertices, int(hull.faces.size()), faces);
}
template <class Other>
Geometry make_geometry(const Other&) {
    return nullptr;
}

/// FCL's axes of symmetry lie along z, ours along y.
bool is_round(const Shape& shape) {
    const ShapeType type = type_of(shape);
    return type == ShapeType::cylinder || type == ShapeType::capsule || type == ShapeType::cone;
}

struct Object {
    Geometry geometry;
    fcl::Transform3d at;

    Object(const Shape& shape, const Transform& placed)
        : geometry(std::visit([](const auto& s) { return make_geometry(s); }, shape))
        , at(fcl::Transform3d::Identity()) {
        const auto& q = placed.orientation;
        at.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
        if (is_round(shape)) {
            fcl::Matrix3d z_to_y;
            z_to_y << 1, 0, 0, 0, 0, 1, 0, -1, 0;
            at.linear() = at.linear() * z_to_y;
        }
        at.translation() = fcl::Vector3d(placed.position.x, placed.position.y, placed.position.z);
    }
};

template <class Ask>
auto unless_it_throws(const Ask& ask) -> std::optional<decltype(ask())> {
    try {
        return ask();
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

Vec3d from_fcl(const fcl::Vector3d& v) {
    return {v.x(), v.y(), v.z()};
}

std::optional<FclAnswer::Overlap> overlap(const Object& a, const Object& b,
                                          fcl::GJKSolverType solver) {
    return unless_it_throws([&] {
        fcl::CollisionRequestd request(1, true);
        request.gjk_solver_type = solver;
        fcl::CollisionResultd result;
        fcl::collide(a.geometry.get(), a.at, b.geometry.get(), b.at, request, result);
        if (result.numContacts() == 0) return FclAnswer::Overlap{false, 0, {}};
        const auto& contact = result.getContact(0);
        // Its own solver gives depth as a negative distance.
        return FclAnswer::Overlap{true, std::abs(contact.penetration_depth),
                                  from_fcl(contact.normal)};
    });
}

} // namespace

FclAnswer ask_fcl(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
    const Object first(a, at_a), second(b, at_b);
    FclAnswer answer;
    answer.distance = unless_it_throws([&] {
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        fcl::distance(first.geometry.get(), first.at, second.geometry.get(), second.at, request,
                      result);
        const auto& [p, q] = result.nearest_points;
        return FclAnswer::Distance{result.min_distance, {from_fcl(p), from_fcl(q)}};
    });
    answer.by_libccd = overlap(first, second, fcl::GST_LIBCCD);
    answer.by_own_solver = overlap(first, second, fcl::GST_INDEP);
    return answer;
}

} // namespace fovea
