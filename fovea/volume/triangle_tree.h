// A tree of boxes over the triangles of a mesh, in double precision, for two questions: how far is
// the surface, and how often does it wind around a point.
//
// Triangles are sorted along a Morton curve and the sequence is halved again and again: quick to
// build for millions of triangles, and every subtree is a run of the sorted sequence. Nodes lie
// depth first: the left child follows its parent.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/base/vec3.h"

namespace fovea {

using Triangle3d = std::array<Vec3d, 3>;

/// The point of a triangle closest to `p`; the triangle may be degenerate.
Vec3d closest_point(const Triangle3d& triangle, const Vec3d& p);

/// Weights of the corners that give the point `p` of the triangle (Ericson, "Real-Time Collision
/// Detection", 3.4); those of the first edge if it has no area.
Vec3d corner_weights(const Triangle3d& triangle, const Vec3d& p);

double longest_edge(const Triangle3d& triangle);

/// The two halves across the middle of the longest edge. Halving again and again keeps the pieces
/// of any triangle as round as it allows (Rivara 1984), and those of a needle few.
std::array<Triangle3d, 2> halves(const Triangle3d& triangle);

/// The signed solid angle that a triangle fills seen from `p`, in units of the whole sphere (van
/// Oosterom and Strackee 1983).
double solid_angle(const Triangle3d& triangle, const Vec3d& p);

class TriangleTree {
  public:
    struct Nearest {
        double squared_distance;
        Vec3d point;
        std::uint32_t triangle; ///< in the tree's order; see triangle()
    };

    TriangleTree() = default;
    explicit TriangleTree(std::span<const Triangle3d> triangles, const Jobs& jobs);

    std::size_t size() const { return triangles_.size(); }
    const Triangle3d& triangle(std::uint32_t i) const { return triangles_[i]; }
    /// Where triangle `i` of the tree stood in the list given.
    std::uint32_t source(std::uint32_t i) const { return source_[i]; }

    /// The point of the surface nearest to `p`. `guess`, a triangle likely to be near, saves time;
    /// so does a `slack` above 0: then a point up to (1 + slack) times as far may be returned,
    /// which spares a search through all of a sphere for the point nearest to its centre.
    Nearest nearest(const Vec3d& p, std::uint32_t guess = 0, double slack = 0) const;

    /// The point nearest to `p` among those nearer than `distance`, if there are any. Quick where
    /// there are none. With a slack, none may be found if none is nearer than distance / (1 +
    /// slack).
    std::optional<Nearest> nearest_within(const Vec3d& p, double distance, double slack = 0) const;

    /// True if some point of the surface is nearer to `p` than `distance`: the first one found will
    /// do. `guess` is looked at before all others.
    bool any_within(const Vec3d& p, double distance, std::uint32_t guess = 0) const;

    /// How often the surface winds around `p`; distant parts are taken as dipoles (Barill et al.,
    /// "Fast Winding Numbers for Soups and Clouds", 2018), within a few hundredths.
    double winding_number(const Vec3d& p) const;

    std::size_t memory_bytes() const;

  private:
    /// What searches read: boxes rounded outwards, 32 bytes a node.
    struct Node {
        float low[3], high[3];
        std::uint32_t next;  ///< first triangle of a leaf; right child of an inner node
        std::uint32_t count; ///< of triangles; 0 marks an inner node
    };
    /// What the winding number reads.
    struct Dipole {
        Vec3d middle; ///< mean of the centroids, weighted by area in leaves
        Vec3d moment; ///< sum of area times normal
        double reach; ///< from `middle` to the farthest corner
    };

    struct Box {
        Vec3d low, high;
    };

    static double box_distance_squared(const Node& node, const Vec3d& p);
    /// Improves `best`, passing over what is not nearer by more than the factor `stretch`, squared.
    void search(const Vec3d& p, double stretch, Nearest& best) const;
    Box build(std::uint32_t node, std::uint32_t first, std::uint32_t count);
    static std::uint32_t nodes_of(std::uint32_t count);

    std::vector<Triangle3d> triangles_;
    std::vector<std::uint32_t> source_;
    std::vector<Node> nodes_;
    std::vector<Dipole> dipoles_;
};

} // namespace fovea
