// Checks of shapes that come from outside: files, generators, callers.
#include "fovea/geometry/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>

#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/number_text.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/geometry/within_limit.h"

namespace fovea {

namespace {

/// How far the length of a normal or of a quaternion may be from 1: what single precision
/// arithmetic or a few printed digits leave.
constexpr double k_unit_tolerance = 1e-4;

struct Size {
    const char* name;
    float value;
};

Result<void> check_sizes(ShapeType type, std::initializer_list<Size> sizes) {
    for (const Size& size : sizes) {
        if (size.value > 0 && size.value < k_length_limit) continue;
        return failure(std::string(name_of(type)) + " " + size.name + " is " +
                       number_text(size.value) + "; it must be positive and below 2^50");
    }
    return {};
}

bool is_unit(double length) {
    return std::abs(length - 1) <= k_unit_tolerance;
}

Result<void> check(const Sphere& sphere) {
    return check_sizes(ShapeType::sphere, {{"radius", sphere.radius}});
}

Result<void> check(const HalfSpace& half_space) {
    const std::string name = name_of(ShapeType::half_space);
    if (!is_finite(half_space.normal) || !is_unit(length(Vec3d(half_space.normal)))) {
        return failure(name + " normal is " + vector_text(half_space.normal) +
                       "; it must have length 1");
    }
    if (!(std::abs(half_space.offset) < k_length_limit)) {
        return failure(name + " offset is " + number_text(half_space.offset) +
                       "; it must be finite and below 2^50");
    }
    return {};
}

Result<void> check(const Box& box) {
    return check_sizes(ShapeType::box, {{"half extent along x", box.half_extents.x},
                                        {"half extent along y", box.half_extents.y},
                                        {"half extent along z", box.half_extents.z}});
}

Result<void> check(const Cylinder& cylinder) {
    return check_sizes(ShapeType::cylinder,
                       {{"radius", cylinder.radius}, {"half height", cylinder.half_height}});
}

Result<void> check(const Capsule& capsule) {
    return check_sizes(ShapeType::capsule,
                       {{"radius", capsule.radius}, {"half height", capsule.half_height}});
}

Result<void> check(const Cone& cone) {
    return check_sizes(ShapeType::cone,
                       {{"radius", cone.radius}, {"half height", cone.half_height}});
}

Result<void> check(const Hull& hull) {
    if (!hull.data) return failure("hull has no data");
    const ConvexHull& data = *hull.data;
    if (data.vertices.size() < 4 || data.faces.size() < 4) {
        return failure("hull has " + std::to_string(data.vertices.size()) + " vertices and " +
                       std::to_string(data.faces.size()) + " faces; a solid needs four of each");
    }
    for (const Vec3& vertex : data.vertices) {
        if (!within_limit(vertex)) {
            return failure("hull vertex is " + vector_text(vertex) +
                           ", which is not finite or not below 2^50");
        }
    }
    for (std::size_t i = 0; i < data.faces.size(); ++i) {
        const ConvexHull::Face& face = data.faces[i];
        const std::string name = "hull face " + std::to_string(i);
        if (!is_finite(face.normal) || !is_unit(length(Vec3d(face.normal))) ||
            !std::isfinite(face.offset)) {
            return failure(name + " has normal " + vector_text(face.normal) + " and offset " +
                           number_text(face.offset) +
                           "; the normal must have length 1 and the offset be finite");
        }
        if (face.count < 3 || std::uint64_t(face.first) + face.count > data.face_vertices.size()) {
            return failure(name + " has corners missing");
        }
    }
    for (const std::uint32_t vertex : data.face_vertices) {
        if (vertex >= data.vertices.size()) {
            return failure("hull face uses vertex " + std::to_string(vertex) +
                           ", but the hull has only " + std::to_string(data.vertices.size()));
        }
    }
    for (const ConvexHull::Edge& edge : data.edges) {
        if (std::max(edge.from, edge.to) >= data.vertices.size() ||
            std::max(edge.left, edge.right) >= data.faces.size()) {
            return failure("hull edge uses a vertex or a face that the hull does not have");
        }
    }
    // Euler's formula: anything else has holes or loose faces.
    if (data.vertices.size() + data.faces.size() != data.edges.size() + 2) {
        return failure("hull is not closed: " + std::to_string(data.vertices.size()) +
                       " vertices, " + std::to_string(data.edges.size()) + " edges, " +
                       std::to_string(data.faces.size()) + " faces");
    }
    return {};
}

Result<void> check_triangles(const TriangleMesh* mesh) {
    if (!mesh) return failure("mesh has no data");
    for (const Vec3& vertex : mesh->vertices) {
        if (!within_limit(vertex)) {
            return failure("mesh vertex is " + vector_text(vertex) +
                           ", which is not finite or not below 2^50");
        }
    }
    return check_mesh(*mesh);
}

Result<void> check(const MeshSurface& surface) {
    return check_triangles(surface.data.get());
}

Result<void> check(const SolidMesh& mesh) {
    if (auto checked = check_recipe(mesh.spheres); !checked) return checked;
    return check_triangles(mesh.data.get());
}

Result<void> check(const DeformingMesh& mesh) {
    if (auto checked = check_triangles(mesh.data.get()); !checked || !mesh.targets) return checked;
    if (mesh.targets->vertices.empty()) return failure("a mesh that morphs has no targets");
    for (std::size_t i = 0; i < mesh.targets->vertices.size(); ++i) {
        const std::string name = "reference shape " + std::to_string(i + 1);
        const std::vector<Vec3>& target = mesh.targets->vertices[i];
        if (target.size() != mesh.data->vertices.size()) {
            return failure(name + " has " + std::to_string(target.size()) +
                           " vertices, but the mesh has " +
                           std::to_string(mesh.data->vertices.size()));
        }
        for (const Vec3& vertex : target) {
            if (!within_limit(vertex)) {
                return failure(name + " has a vertex " + vector_text(vertex) +
                               ", which is not finite or not below 2^50");
            }
        }
    }
    return {};
}

Result<void> check(const HeightSurface& surface) {
    if (!surface.data) return failure("height field has no data");
    const HeightField& field = *surface.data;
    if (auto checked = check_height_field(field); !checked) return checked;
    const Vec3 far_corner = field.vertex(field.columns - 1, field.rows - 1);
    const float width = std::max(far_corner.x, far_corner.z);
    if (!(width < k_length_limit)) {
        return failure("height field is " + number_text(width) +
                       " m wide; it must stay below 2^50");
    }
    for (std::size_t i = 0; i < field.heights.size(); ++i) {
        if (!(std::abs(field.heights[i]) < k_length_limit)) {
            return failure("height field: height " + std::to_string(i) + " is " +
                           number_text(field.heights[i]) + ", which is not below 2^50");
        }
    }
    return {};
}

Result<void> check(const CompoundShape& compound) {
    if (!compound.data || compound.data->parts.empty()) return failure("compound has no parts");
    const auto& parts = compound.data->parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string name = "compound part " + std::to_string(i);
        if (!is_convex_solid(type_of(parts[i].shape))) {
            return failure(name + " is a " + name_of(type_of(parts[i].shape)) +
                           "; only bounded convex shapes can be joined");
        }
        if (!within_limit(parts[i].placement.position)) {
            return failure(name + " is at " + vector_text(parts[i].placement.position) +
                           ", which is not finite or not below 2^50");
        }
        const Quat& q = parts[i].placement.orientation;
        if (!is_finite(q) || !is_unit(norm(Quatd(q)))) {
            return failure(name + " has the orientation " + number_text(q.w) + " + " +
                           vector_text(q.vector()) + ", which is not a unit quaternion");
        }
        const Result<void> checked = check_shape(parts[i].shape);
        if (!checked) return failure(name + ": " + checked.error().message);
    }
    return {};
}

} // namespace

Result<void> check_recipe(const SphereRecipe& recipe) {
    if (recipe.branching < 2 || recipe.branching > 64) {
        return failure("a mesh's sphere tree has a branching of " +
                       std::to_string(recipe.branching) + "; it must be 2 to 64");
    }
    std::int64_t spheres = 1, levels = 1;
    for (; levels < recipe.levels && spheres <= k_recipe_spheres; ++levels)
        spheres *= recipe.branching;
    if (recipe.levels < 1 || spheres > k_recipe_spheres) {
        return failure("a mesh's sphere tree of " + std::to_string(recipe.levels) +
                       " levels and a branching of " + std::to_string(recipe.branching) +
                       " cannot be built; there must be a level, and at most " +
                       std::to_string(k_recipe_spheres) + " spheres on the last");
    }
    const int method = int(recipe.method);
    if (method < 0 || method >= k_sphere_methods)
        return failure("there is no method number " + std::to_string(method) +
                       " to build sphere trees");
    return {};
}

const char* name_of(ShapeType type) {
    constexpr std::array<const char*, k_shape_types> names = {
        "sphere", "wall", "box",      "cylinder", "capsule",    "cone",
        "hull",   "mesh", "compound", "heights",  "solid mesh", "deforming mesh"};
    return names[std::size_t(type)];
}

Result<void> check_shape(const Shape& shape) {
    return std::visit([](const auto& s) { return check(s); }, shape);
}

} // namespace fovea
