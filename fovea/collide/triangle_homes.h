// Where in a volume tree the triangles of a mesh belong.
//
//        .---.
//       / leaf \___          A triangle that no leaf holds whole is cut in two, and those again,
//      |  /\    |  \         until each piece lies in a leaf and in all ancestors of it: the piece
//      | /  \---|-. |        has a path. It is listed below each of these leaves with a ball around
//       \'---'-/-'  |        the pieces that it has there, so a long triangle is not in the way of
//         '---'\___/         everything along it.
//
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/collide/ladder.h"
#include "fovea/volume/level_structure.h"
#include "fovea/volume/triangle_tree.h"

namespace fovea {

class TriangleHomes {
  public:
    struct Home {
        std::uint32_t leaf; ///< node of the tree
        BoundingBall ball;
    };

    TriangleHomes(const LevelStructure& structure, std::span<const NodeVolume> nodes);

    /// Leaves that hold the triangle between them. None if a part of it lies outside the tree.
    std::span<const Home> find(const std::array<Vec3, 3>& triangle);

  private:
    struct Share {
        std::uint32_t leaf;
        std::vector<Vec3d> corners; ///< of the pieces
    };

    bool node_holds(std::uint32_t node, const Triangle3d& piece) const;
    bool path_holds(std::uint32_t leaf, const Triangle3d& piece) const;
    void cover(const Triangle3d& piece, int depth);
    void find_whole(const Triangle3d& piece, std::uint32_t node,
                    std::optional<std::uint32_t>& best);
    bool find_reached(const Triangle3d& piece, const NodeVolumed& flat, std::uint32_t node);
    void add(std::uint32_t leaf, const Triangle3d& piece);

    const LevelStructure& structure_;
    std::vector<NodeVolumed> nodes_;
    std::vector<Share> shares_;
    std::vector<Home> homes_;
    double best_depth_ = 0;
    bool outside_ = false;
};

} // namespace fovea
