// From the completed rung of a descent to contact manifolds, whatever rung it is.
//
//   node pairs        a contact each (node_contact.h, solid_nodes.h), then reduced
//                     (contact_reduction.h)
//   triangle pairs    the contour in which two surfaces cross (triangle_contacts.h), likewise; of
//                     closed meshes as deep as they are along the way out (overlap_depth.h)
//   solids            the manifolds of the ordinary narrow phase
//
// Spheres of coarse rungs overlap deeply while the bodies are still apart, so their depth must not
// push: on rungs above the leaves contacts have separation 0, and a response stops the approach and
// no more. Where spheres are still a margin apart, so are the bodies: that gap is real. Leaves
// count as the shape itself: their depth is real.
//
// Manifolds go to soft_step by to_world() of recycle.h, to impulse by world_contact().
//
// A surface that does not move knows which way it faces; its nodes push along their mean normal,
// not along the line of centres, which would depend on where the groups of triangles happen to end.
#pragma once

#include <limits>
#include <optional>

#include "fovea/collide/overlap_depth.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/contact/contact.h"
#include "fovea/contact/contact_reduction.h"
#include "fovea/contact/node_contact.h"
#include "fovea/contact/surface_contacts.h"

namespace fovea {

struct TreeContactSettings {
    ReductionSettings reduce;
    PointFormula point = PointFormula::ratio;
    /// Node pairs looked at, at most; of more, every n-th, spread over the list. Bounds the time
    /// that deeply overlapping bodies take, whose contacts are too many to matter one by one.
    std::uint32_t most_hits = 128;
    /// The same of the exact rung; by default all, for each is a piece of where surfaces cross.
    std::uint32_t most_exact_hits = std::numeric_limits<std::uint32_t>::max();
    /// Metres; the same as the descent's.
    float margin = 0;
    /// Metres by which leaves may overlap though the bodies do not: so much depth counts as none.
    float doubt = 0;
    /// Triangles of fixed surfaces stop bodies from behind too.
    bool two_sided = true;
    /// Velocity of B relative to A in world space: the direction of last resort, where centres
    /// coincide. Zero if unknown.
    Vec3 approach;
    /// Centres of mass in the frames of A and B, if they are known: see solid_nodes.h.
    std::optional<Vec3> centre_a{}, centre_b{};
};

/// Work units of modelling a pair, linear in the hits looked at: reserved before the response
/// (Dingliana 3.9). On the exact rung a hit takes several times as long, and there is the depth.
constexpr std::uint64_t k_pair_units = 256;
constexpr std::uint64_t k_hit_units = 12;
constexpr std::uint64_t k_exact_hit_units = 200;
/// Of `count` hits every n-th is looked at, so that there are at most `most`: n, and how many that
/// are.
constexpr std::uint32_t hit_stride(std::uint32_t count, std::uint32_t most) {
    return count <= most ? 1 : (count - 1) / most + 1;
}
constexpr std::uint32_t hits_looked_at(std::uint32_t count, std::uint32_t most) {
    return count == 0 ? 0 : (count - 1) / hit_stride(count, most) + 1;
}
constexpr std::uint64_t contact_units(const PairDescent& pair, std::uint32_t most_hits,
                                      std::uint64_t hit_units = k_hit_units) {
    if (pair.exact) return k_pair_units + k_depth_units + k_exact_hit_units * pair.count;
    return k_pair_units + hit_units * (pair.count < most_hits ? pair.count : most_hits);
}
/// Of a hit of nodes: where one of them is a solid, that is tested itself.
std::uint64_t node_hit_units(const Ladder& a, const Ladder& b);

/// A point of a manifold as the `impulse` response takes it; `a` and `b` are the bodies' slots.
inline Contact world_contact(const Manifold& manifold, int point, const Transform& at_a,
                             std::uint32_t a, std::uint32_t b) {
    const ManifoldPoint& p = manifold.points[std::size_t(point)];
    const Vec3 normal = rotate(at_a.orientation, manifold.normal), middle = at_a * p.point;
    const Vec3 half = normal * (0.5f * p.separation);
    return {a, b, p.feature, middle - half, middle + half, normal, p.separation};
}

/// Models one pair after the other; keeps its memory. One for each worker.
class TreeContacts {
  public:
    TreeContacts();
    /// The manifolds of the pair, in the frame of A with normals from A to B. None if it is apart.
    void model(const PlacedLadder& a, const PlacedLadder& b, const PairDescent& pair,
               const TreeContactSettings& settings, PairManifolds& manifolds);

    /// What the last call of model() reduced; empty where solids took part.
    std::span<const ContactHit> hits() const { return hits_; }

  private:
    struct Frame;
    /// At most so many of the hits, one at least.
    PairDescent thinned(const PairDescent& pair, std::uint32_t most);
    void add_nodes(const Frame& frame, const PairDescent& pair,
                   const TreeContactSettings& settings);
    void weigh(const Frame& frame, Reduction reduction);
    void add_solids(const Frame& frame, const PairDescent& pair, float margin,
                    PairManifolds& manifolds) const;
    void add_enclosed(const Frame& frame, const PairDescent& pair);
    void add_triangles(const Frame& frame, const PairDescent& pair, float margin);
    void deepen(const Frame& frame);
    struct Facing {
        bool surface_first;
        std::uint32_t feature;
    };
    bool faces(const SurfaceTriangle& triangle, const Transformd& at_surface, const Shape& solid,
               const Transform& at_solid, const Facing& facing);
    void add_surface(const Frame& frame, const PairDescent& pair,
                     const TreeContactSettings& settings, PairManifolds& manifolds);

    struct Slots {
        std::uint32_t a, b;
    };
    std::vector<ContactHit> hits_;
    std::vector<Slots> slots_; ///< of the nodes that made them
    std::vector<std::uint32_t> thin_a_, thin_b_;
    std::vector<std::uint32_t> open_; ///< nodes to be looked into
    std::vector<SurfaceTriangle> triangles_;
    ContactReducer reducer_;
};

} // namespace fovea
