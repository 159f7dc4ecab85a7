// Ways to cut the triangles of a hierarchy's node into the parts of its children.
//
//   midpoint      cells of a grid through the node's box: cut across the longest axis (2 parts),
//                 the two longest (4) or all three (8), at the box centre or at the mean of the
//                 triangles' midpoints; triangles go by their midpoint (Larsson 2.2)
//   median        cut at the median midpoint along each axis in turn: balanced, always succeeds
//   connectivity  connected patches of equal size, geometry ignored: grown over shared edges from
//                 seeds far apart
//   surface_area  the cut with the least sum of (surface area x triangles), tried at bin borders,
//                 repeated on the worst part until there are enough (Wald, "On fast Construction
//                 of SAH-based Bounding Volume Hierarchies", 2007)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

enum class Partition { midpoint_centre, midpoint_mean, median, connectivity, surface_area };

/// For each triangle those that share an edge with it, in one flat list.
struct FaceNeighbours {
    std::vector<std::uint32_t> begin; ///< per triangle, and one past the last
    std::vector<std::uint32_t> faces;

    std::span<const std::uint32_t> of(std::uint32_t face) const {
        return {faces.data() + begin[face], begin[face + 1] - begin[face]};
    }
};

FaceNeighbours face_neighbours(std::span<const TriangleMesh::Triangle> triangles);

class MeshPartitioner {
  public:
    MeshPartitioner(std::span<const TriangleMesh::Triangle> triangles,
                    std::span<const Vec3> vertices, Partition method, int branching);

    /// Reorders `faces` so that parts lie one after another and writes where each ends. At least
    /// two parts, none empty, at most `branching`; needs two faces or more.
    void split(std::span<std::uint32_t> faces, int depth, std::vector<std::uint32_t>& ends);

  private:
    void split_midpoint(std::span<std::uint32_t> faces, std::vector<std::uint32_t>& ends);
    void split_median(std::span<std::uint32_t> faces, std::vector<std::uint32_t>& ends);
    void split_area(std::span<std::uint32_t> faces, std::vector<std::uint32_t>& ends);
    void split_patches(std::span<std::uint32_t> faces, std::vector<std::uint32_t>& ends);
    void split_components(std::span<std::uint32_t> faces, std::uint32_t components,
                          std::vector<std::uint32_t>& ends);
    std::size_t best_area_cut(std::span<std::uint32_t> faces);
    std::uint32_t flood(std::uint32_t seed, std::uint32_t inside, std::uint32_t mark);
    void order_by_part(std::span<std::uint32_t> faces, std::vector<std::uint32_t>& ends);

    Partition method_;
    int branching_;
    std::vector<Vec3> midpoints_;
    std::vector<Aabb> boxes_;
    FaceNeighbours neighbours_;       ///< of connectivity alone
    std::vector<std::uint32_t> mark_; ///< per face: which set or flood it belongs to
    std::vector<std::uint32_t> part_; ///< per face: its part of the current split
    std::uint32_t next_mark_ = 1;     ///< greater than every value in mark_
    std::vector<std::uint32_t> queue_, scratch_;
};

} // namespace fovea
