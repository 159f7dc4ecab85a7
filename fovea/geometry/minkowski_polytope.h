// A convex polytope of triangles, inscribed in B - A, that grows one vertex at a time.
//
//         *  new vertex             All faces that see the new vertex go; around the hole they
//         leave
//        / \                        runs the horizon, and a fan from it to the vertex closes the
//    ---/---\---                    surface again. Every edge joins two faces, each of which knows
//   /  hole  \  \                   the other, so the faces to go are found by walking outwards
//  *----------*--*                  from one of them.
//
// Vertices carry an error of rounding, and with it the planes of faces: the thinner a face, the
// less is its normal known. A vertex no higher above a face than this fuzz counts as in its plane.
#pragma once

#include <optional>

#include "fovea/base/inplace_vector.h"
#include "fovea/geometry/simplex.h"

namespace fovea {

class MinkowskiPolytope {
  public:
    static constexpr int k_max_vertices = 192;
    static constexpr int k_max_faces = 2 * k_max_vertices; ///< Euler: 2 V - 4
    using Triangle = std::array<MinkowskiVertex, 3>;

    struct Face {
        std::array<std::int16_t, 3> corners;    ///< counter-clockwise from outside
        std::array<std::int16_t, 3> neighbours; ///< across the edge corners[i] -> corners[i + 1]
        bool removed;
        Vec3d normal;    ///< unit, outwards; zero for a face without area
        double distance; ///< of its plane from the origin; infinite for a face without area
        double fuzz;     ///< by how much rounding may have turned the normal, in radians
    };

    /// The tetrahedron must have a volume.
    explicit MinkowskiPolytope(const std::array<MinkowskiVertex, 4>& tetrahedron);

    int vertex_count() const { return int(vertices_.size()); }
    const Face& face(int i) const { return faces_[i]; }

    /// Index of the nearest face whose normal is within the cone about `axis`, -1 if none is.
    int nearest_face(const Vec3d& axis, double least_cosine) const;

    /// Of the faces about in the plane with this unit normal and distance from the origin, the one
    /// that comes nearest to the foot of the origin: a flat or little curved side of B - A consists
    /// of several triangles. Nothing if there are none.
    std::optional<Triangle> foot_holder(const Vec3d& normal, double distance) const;

    /// True if `w` does not lie beyond the face, but for `tolerance` and the rounding of vertices.
    bool reaches(int f, const Vec3d& w, double tolerance) const;

    /// True if the face is so thin that it cannot tell whether `w` lies beyond it.
    bool too_thin_for(int f, const Vec3d& w) const;

    /// Takes the face out of the search for the nearest; it stays part of the surface.
    void retire(int f) { distances_[f] = k_infinity; }

    /// Takes in `vertex`, which lies beyond `seen`. If rounding or lack of room forbids, the
    /// surface stays as it is and the result is false.
    bool grow(int seen, const MinkowskiVertex& vertex);

  private:
    static constexpr double k_rounding = 1e-15; ///< of a vertex, relative to the size of B - A
    static constexpr double k_infinity = std::numeric_limits<double>::infinity();

    struct HorizonEdge {
        std::int16_t from, to, outer; ///< along the removed face; the face that stays
    };

    void add_vertex(const MinkowskiVertex& v) {
        vertices_.push_back(v);
        const double squared = length_squared(v.w);
        if (!(squared > extent_)) return;
        extent_ = squared;
        slack_ = k_rounding * std::sqrt(squared);
    }
    void remove(int f) {
        faces_[f].removed = true;
        distances_[f] = k_infinity;
        free_.push_back(std::int16_t(f));
    }
    int new_slot() {
        if (!free_.empty()) {
            const int slot = free_[free_.size() - 1];
            free_.pop_back();
            return slot;
        }
        faces_.push_back({});
        distances_.push_back(k_infinity);
        return int(faces_.size()) - 1;
    }
    void set_face(int slot, std::array<std::int16_t, 3> corners,
                  std::array<std::int16_t, 3> neighbours);
    double height_above(const Face& f, const Vec3d& w) const {
        return dot(f.normal, w - vertices_[f.corners[0]].w);
    }
    double fuzz_at(const Face& f, const Vec3d& w) const {
        return 4 * (slack_ + f.fuzz * length(w - vertices_[f.corners[0]].w));
    }
    /// Removes the faces that see `w`, of which `seen` is one, and collects the rim of their union.
    /// False if that is no closed loop or its fan has no room.
    bool find_horizon(int seen, const Vec3d& w);
    /// Depth-first over the faces that see `w`, collecting the rim of their union in order.
    bool walk(int from, int edge, const Vec3d& w);

    InplaceVector<MinkowskiVertex, k_max_vertices> vertices_;
    InplaceVector<Face, k_max_faces> faces_;
    InplaceVector<double, k_max_faces> distances_; ///< of the faces; infinite for removed ones
    InplaceVector<std::int16_t, k_max_faces> free_;
    InplaceVector<HorizonEdge, k_max_faces> horizon_;
    double extent_ = 0; ///< squared distance of the farthest vertex
    double slack_ = 0;  ///< rounding of a vertex, metres
};

} // namespace fovea
