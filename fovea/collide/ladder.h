// Ladders: a shape described coarse to fine, from its bounding sphere to its exact geometry.
//
//   level 0         one bounding sphere                          } node levels: every one of them
//   level 1 ...     the levels of a volume tree                  } bounds the whole shape
//   groups          up to eight elements each, below the leaves    } the exact shape, a sphere
//   elements        triangles, or convex solids                    } around each
//
// A sphere or a box has a short ladder: bounding sphere, the solid itself as a node, the solid as
// an element. A half-space has no nodes at all; everything is tested against its plane.
//
// All nodes and elements have a bounding sphere, and the spheres of siblings lie side by side in
// blocks of eight lanes, so that a sphere of another ladder is tested against eight children in one
// sweep of SIMD over two cache lines. A node is named by its slot, 8 * block + lane:
//
//   block     0          1                 2                 3
//   slot      0 . . .    8 9 10 11 12 . .  16 17 18 . . . .  24 25 26 ...
//             root       children of 0     children of 8     children of 9
//
// Unused lanes hold spheres too far away to touch anything. All leaves are on the last node level:
// a branch that ends sooner goes on as a chain of single children. So the pairs of one rung of a
// descent all have the same two levels, and nothing is asked node by node.
//
// A sphere tree may split a triangle among several leaves. A triangle is cut into pieces until each
// lies in some leaf and in all of that leaf's ancestors, and is listed below all these leaves, most
// often a single one. So two triangles that intersect in a point p are found: p lies in a leaf that
// lists the triangle, for each of the two, and in all ancestors of both.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/collide/bounding_ball.h"
#include "fovea/geometry/shape.h"
#include "fovea/geometry/surface_triangle.h"
#include "fovea/volume/node_volume.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

class VolumeTree;

constexpr std::uint32_t k_root_slot = 0;

struct alignas(64) LadderBlock {
    static constexpr std::uint32_t k_width = 8;
    /// Coordinate of unused lanes: its square is finite and greater than any sum of radii squared.
    static constexpr float k_nowhere = 1e18f;

    float x[k_width], y[k_width], z[k_width], radius[k_width];
};

/// What the nodes of a level are beside the spheres around them.
enum class LevelKind : std::uint8_t { spheres, volumes, solids };

/// What the exact geometry is made of.
enum class LadderTop : std::uint8_t {
    none, ///< the last node level is the finest there is
    triangles,
    solids,
    half_space,
};

struct Ladder {
    struct Children {
        std::uint32_t first_block = 0, count = 0;
    };
    /// A convex solid placed in the ladder's frame.
    struct Solid {
        Shape shape;
        Transform placement;
    };

    LadderTop top = LadderTop::none;
    /// A surface that does not move: a descent opens it first, down to nodes of the other's size.
    bool fixed_surface = false;
    /// Some triangle is listed below several leaves.
    bool repeats_elements = false;
    /// The triangles are the surface of a solid, closed and seen from outside.
    bool encloses_space = false;

    std::vector<LadderBlock> blocks;
    std::vector<Children> children;         ///< by slot; of a leaf: its groups
    std::vector<std::uint32_t> level_block; ///< first of each level, groups, elements, and the end
    std::vector<LevelKind> kinds;           ///< of each node level
    std::vector<float> largest_radius;      ///< of each node level
    std::vector<NodeVolume> volumes;        ///< by slot; empty where all nodes are spheres
    std::vector<NodeContent> content;       ///< by slot of the node levels; may be empty
    std::vector<std::uint32_t> elements;    ///< by slot, from the first of the element level on

    std::vector<SurfaceTriangle> triangles; ///< LadderTop::triangles: by element number
    std::vector<Solid> solids;              ///< LadderTop::solids: by element number
    HalfSpace plane{};                      ///< LadderTop::half_space
    float reach = 0;                        ///< of the root's sphere, from the frame's origin
    /// Inside the shape, in its frame. A radius of 0: none is known.
    BoundingBall inner{};

    bool is_half_space() const { return top == LadderTop::half_space; }
    /// Node levels, the root's among them; 0 of a half-space.
    int levels() const { return int(kinds.size()); }
    std::uint32_t first_element_slot() const {
        return level_block[level_block.size() - 2] * LadderBlock::k_width;
    }
    /// The triangle or solid that an element slot stands for.
    std::uint32_t element(std::uint32_t slot) const {
        return elements[slot - first_element_slot()];
    }
    BoundingBall ball(std::uint32_t slot) const {
        const LadderBlock& block = blocks[slot / LadderBlock::k_width];
        const std::uint32_t lane = slot % LadderBlock::k_width;
        return {{block.x[lane], block.y[lane], block.z[lane]}, block.radius[lane]};
    }
    /// Number of the first triangle or solid below a leaf that has any. A leaf of a level of solids
    /// has just one: itself.
    std::uint32_t first_element_below(std::uint32_t leaf) const {
        const std::uint32_t group = children[leaf].first_block * LadderBlock::k_width;
        return element(children[group].first_block * LadderBlock::k_width);
    }
    /// By how much the root's sphere is larger than one inside, m: how little it says of the shape.
    float overhang() const { return ball(k_root_slot).radius - inner.radius; }
    std::size_t memory_bytes() const;
};

/// The ladder of a body that has a sphere tree: its levels, then the triangles of `mesh`. Refused
/// if the mesh is broken or if the tree does not enclose it.
Result<Ladder> make_ladder(const SphereTree& tree, const TriangleMesh& mesh);

/// The same of a tree of volumes of any type.
Result<Ladder> make_ladder(const VolumeTree& tree, const TriangleMesh& mesh);

/// The levels alone: leaf spheres are the finest description there is.
Ladder make_ladder(const SphereTree& tree);
Ladder make_ladder(const VolumeTree& tree);

/// The ladder of a surface that does not move, of any size: groups of triangles, eight of eight of
/// eight, each in its bounding sphere; every triangle is in one leaf. Refuses broken meshes.
Result<Ladder> make_surface_ladder(const TriangleMesh& mesh);

/// The short ladder of a convex solid, a compound or a half-space; of a surface as above; of a
/// solid mesh that of the tree its recipe gives. Refuses what check_shape() refuses, and meshes
/// that no tree can enclose.
Result<Ladder> make_ladder(const Shape& shape);

} // namespace fovea
