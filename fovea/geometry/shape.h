// Collision shapes, described in their own frame.
//
// Shapes are plain values. Those with bulky data (hull, mesh, heights, compound) share it
// immutably, so a Shape is cheap to copy. Axes of symmetry lie along local +y. Lengths are metres.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/base/transform.h"
#include "fovea/geometry/sphere_recipe.h"

namespace fovea {

/// Sizes and coordinates of shapes stay below this, m: far beyond any use, and small enough that
/// their squares are still finite in single precision.
constexpr float k_length_limit = 0x1p50f;

struct ConvexHull;
struct TriangleMesh;
struct HeightField;
struct Compound;
struct MorphTargets;

struct Sphere {
    float radius;
};

/// All points x with dot(normal, x) <= offset: material lies on the side opposite the normal.
struct HalfSpace {
    Vec3 normal; ///< unit length
    float offset;
};

struct Box {
    Vec3 half_extents;
};

struct Cylinder {
    float radius;
    float half_height; ///< centre to cap
};

/// All points within `radius` of the segment of half length `half_height`.
struct Capsule {
    float radius;
    float half_height; ///< centre to the centre of either end's sphere
};

/// Base disc at y = -half_height, tip at y = +half_height.
struct Cone {
    float radius;
    float half_height;
};

struct Hull {
    std::shared_ptr<const ConvexHull> data;
};

/// An immovable triangle surface, with nothing inside. See SolidMesh for one that moves.
struct MeshSurface {
    std::shared_ptr<const TriangleMesh> data;
};

/// Several shapes rigidly joined.
struct CompoundShape {
    std::shared_ptr<const Compound> data;
};

/// Immovable ground given by heights on a grid: a surface like a mesh, without its bulk.
struct HeightSurface {
    std::shared_ptr<const HeightField> data;
};

/// A triangle mesh that may move, concave or not: it collides by the spheres of its tree, coarse to
/// fine, and in the end by its triangles. Must be closed to have a mass.
struct SolidMesh {
    std::shared_ptr<const TriangleMesh> data;
    SphereRecipe spheres{};
};

/// A triangle surface whose vertices the host moves, as MeshSurface otherwise. A shape for a single
/// body.
struct DeformingMesh {
    std::shared_ptr<const TriangleMesh> data; ///< as it is at first
    /// Of a mesh that morphs, whose weights the host sets instead of its vertices. Else absent.
    std::shared_ptr<const MorphTargets> targets{};
};

using Shape = std::variant<Sphere, HalfSpace, Box, Cylinder, Capsule, Cone, Hull, MeshSurface,
                           CompoundShape, HeightSurface, SolidMesh, DeformingMesh>;

/// Indices into Shape, for dispatch tables.
enum class ShapeType {
    sphere,
    half_space,
    box,
    cylinder,
    capsule,
    cone,
    hull,
    mesh,
    compound,
    height_field,
    solid_mesh,
    deforming_mesh
};
constexpr int k_shape_types = std::variant_size_v<Shape>;

inline ShapeType type_of(const Shape& shape) {
    return ShapeType(shape.index());
}

/// The word used for the type in messages and in the scene language.
const char* name_of(ShapeType type);

/// Made of triangles, with nothing inside: no force moves it.
constexpr bool is_surface(ShapeType type) {
    return type == ShapeType::mesh || type == ShapeType::height_field ||
           type == ShapeType::deforming_mesh;
}

/// Made of triangles, whether it may move or not.
constexpr bool has_triangles(ShapeType type) {
    return is_surface(type) || type == ShapeType::solid_mesh;
}

/// Sphere, box, cylinder, capsule, cone or hull: bounded, convex, with a support function.
constexpr bool is_convex_solid(ShapeType type) {
    return type != ShapeType::half_space && type != ShapeType::compound && !has_triangles(type);
}

struct Compound {
    struct Part {
        Shape shape; ///< a convex solid
        Transform placement;
    };
    std::vector<Part> parts;
};

/// Refuses sizes that are not positive and below k_length_limit, coordinates beyond it, normals
/// that are not unit length, missing or broken data, recipes out of range, and compounds of
/// anything but convex solids.
Result<void> check_shape(const Shape& shape);

} // namespace fovea
