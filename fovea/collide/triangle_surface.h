// Surfaces made of triangles, whatever holds them: a mesh below its tree, one that deforms below
// its own, or a height field, which needs none. What collides with surfaces asks for triangles here
// and does not care.
#pragma once

#include "fovea/collide/collision_shape.h"
#include "fovea/collide/deforming_surface.h"
#include "fovea/geometry/height_search.h"
#include "fovea/volume/box_tree.h"

namespace fovea {

/// Refers to the shape, which must outlive it. Triangles come as `visit(number, corners)` in the
/// frame of the surface, in an order fixed by the surface.
class TriangleSurface {
  public:
    /// False if the shape is not made of triangles.
    explicit TriangleSurface(const CollisionShape& shape)
        : shape_(shape)
        , mesh_(mesh_of(shape))
        , field_(height_field_of(shape)) {}

    explicit operator bool() const { return mesh_ || field_ || shape_.deforming; }

    /// The triangles whose bounds overlap `box`.
    template <class Visit>
    void query(const Aabb& box, Visit&& visit) const {
        if (field_) return query_triangles(*field_, box, visit);
        if (shape_.deforming)
            return shape_.deforming->search([&](const Aabb& other) { return overlap(other, box); },
                                            visit);
        shape_.parts->query(box, [&](std::uint32_t i) { visit(i, corners(*mesh_, i)); });
    }

    /// The triangles whose bounds `meets` accepts, where the surface can tell those near `from`
    /// first. A box around several that it refuses is passed over.
    template <class Meets, class Visit>
    void search(const Vec3d& from, Meets&& meets, Visit&& visit) const {
        if (field_) {
            const CellRange all{0, field_->columns - 1, 0, field_->rows - 1};
            return search_triangles(*field_, shape_.extent, all, from, meets, visit);
        }
        if (shape_.deforming) return shape_.deforming->search(meets, visit);
        shape_.parts->search(meets, [&](std::uint32_t i) { visit(i, corners(*mesh_, i)); });
    }

    /// Appends the triangles whose bounds overlap `box`, with their neighbours.
    void gather(const Aabb& box, std::vector<SurfaceTriangle>& triangles) const {
        if (field_) return gather_triangles(*field_, box, triangles);
        if (shape_.deforming) return shape_.deforming->gather(box, triangles);
        shape_.parts->query(box, [&](std::uint32_t i) {
            triangles.push_back(surface_triangle(*mesh_, *shape_.neighbours, i));
        });
    }

  private:
    const CollisionShape& shape_;
    const TriangleMesh* mesh_;
    const HeightField* field_;
};

} // namespace fovea
