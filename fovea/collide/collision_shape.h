// Shapes made ready for collision, and all the places where two of them meet.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/collide/bounding_ball.h"
#include "fovea/geometry/aabb.h"
#include "fovea/geometry/proximity.h"

namespace fovea {

class BoxTree;
class DeformingSurface;
struct Ladder;
struct MeshNeighbours;

/// A checked shape together with the search structure it needs.
struct CollisionShape {
    Shape shape;
    /// Over a mesh's triangles or a compound's parts, in the shape's frame; else absent. A height
    /// field needs none: its grid is one.
    std::shared_ptr<const BoxTree> parts;
    /// Of a mesh: what lies across the edges of its triangles.
    std::shared_ptr<const MeshNeighbours> neighbours;
    /// Around a surface, mesh or compound, in its frame; else empty.
    Aabb extent{};
    /// Absent from height fields until add_ladder(): it takes a hundred times their memory, and
    /// only meshes that move need it.
    std::shared_ptr<const Ladder> ladder = nullptr;
    /// A large ball inside a solid mesh, in its frame. A radius of 0: the mesh is open and has no
    /// inside, or it is none.
    BoundingBall inner{};
    /// Of a deforming mesh, all of the above but `extent`, which whoever changes it keeps up to
    /// date. Copies of the shape share it.
    std::shared_ptr<DeformingSurface> deforming = nullptr;
};

/// A surface, mesh or compound, not a convex solid or half-space alone.
inline bool has_parts(const CollisionShape& shape) {
    return !shape.extent.empty();
}

/// The triangles of a mesh that keeps its form, movable or not, or nothing for any other shape.
inline const TriangleMesh* mesh_of(const CollisionShape& shape) {
    if (const auto* surface = std::get_if<MeshSurface>(&shape.shape)) return surface->data.get();
    const auto* solid = std::get_if<SolidMesh>(&shape.shape);
    return solid ? solid->data.get() : nullptr;
}

inline const HeightField* height_field_of(const CollisionShape& shape) {
    const auto* surface = std::get_if<HeightSurface>(&shape.shape);
    return surface ? surface->data.get() : nullptr;
}

inline const Compound* compound_of(const CollisionShape& shape) {
    const auto* compound = std::get_if<CompoundShape>(&shape.shape);
    return compound ? compound->data.get() : nullptr;
}

/// Refuses what check_shape() refuses, and solid meshes that no sphere tree can enclose.
Result<CollisionShape> make_collision_shape(const Shape& shape);

/// Gives the shape its ladder, if it has none yet.
Result<void> add_ladder(CollisionShape& shape);

/// A box around the placed shape: as tight as bounds(Shape, Transform), but of a solid mesh from a
/// few spheres of its tree, because that is asked for every step.
Aabb bounds(const CollisionShape& shape, const Transform& at);

/// One meeting of two parts (a part is the shape itself, a child of a compound or a triangle).
/// `feature` tells the meetings of a pair apart and stays the same from step to step.
struct PartMeeting {
    Proximity proximity;
    std::uint32_t feature;
};

/// Appends every meeting of parts that intersect, in an order that depends on the shapes alone.
/// A triangle pushes either way, whichever is nearer: a surface is not a solid. Surfaces and
/// half-spaces among themselves never meet: both are immovable. Two shapes of triangles do not meet
/// here, but through their ladders.
void find_contacts(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
                   const Transform& at_b, std::vector<PartMeeting>& contacts);

} // namespace fovea
