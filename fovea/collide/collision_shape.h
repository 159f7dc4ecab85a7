// Shapes made ready for collision, and all the places where two of them meet.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/aabb.h"
#include "fovea/geometry/proximity.h"

namespace fovea {

class BoxTree;
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
    /// Around a surface or compound, in its frame; else empty.
    Aabb extent{};
    /// Coarse to fine.
    std::shared_ptr<const Ladder> ladder{};
};

/// A surface or compound, not a solid or half-space alone.
inline bool has_parts(const CollisionShape& shape) {
    return !shape.extent.empty();
}

/// The surface, or nothing for any other shape.
inline const TriangleMesh* mesh_of(const CollisionShape& shape) {
    const auto* surface = std::get_if<MeshSurface>(&shape.shape);
    return surface ? surface->data.get() : nullptr;
}

inline const HeightField* height_field_of(const CollisionShape& shape) {
    const auto* surface = std::get_if<HeightSurface>(&shape.shape);
    return surface ? surface->data.get() : nullptr;
}

inline const Compound* compound_of(const CollisionShape& shape) {
    const auto* compound = std::get_if<CompoundShape>(&shape.shape);
    return compound ? compound->data.get() : nullptr;
}

/// Refuses what check_shape() refuses.
Result<CollisionShape> make_collision_shape(const Shape& shape);

/// One meeting of two parts (a part is the shape itself, a child of a compound or a triangle).
/// `feature` tells the meetings of a pair apart and stays the same from step to step.
struct PartMeeting {
    Proximity proximity;
    std::uint32_t feature;
};

/// Appends every meeting of parts that intersect, in an order that depends on the shapes alone.
/// A triangle pushes either way, whichever is nearer: a surface is not a solid. Surfaces and
/// half-spaces among themselves never meet: both are immovable.
void find_contacts(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
                   const Transform& at_b, std::vector<PartMeeting>& contacts);

} // namespace fovea
