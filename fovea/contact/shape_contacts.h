// Contacts of two shapes of any kind, part by part, with memory of the step before.
//
//   shape A             shape B                 a part is the shape itself, a child of a compound
//   parts 0 1 2    x    part 0                  or, of a surface, triangles around the other part
//        |
//        +--> PartContact (0,0)  manifold and cache: kept for the next step
//             PartContact (2,0)  .............  the one that touches has a ContactPatch
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/collide/collision_shape.h"
#include "fovea/contact/contact_patch.h"
#include "fovea/contact/manifold.h"
#include "fovea/contact/recycle.h"
#include "fovea/geometry/surface_triangle.h"

namespace fovea {

class TriangleSurface;

constexpr std::uint32_t k_no_patch = 0xffffffffu;

struct PartContact {
    std::uint32_t part_a, part_b; ///< of a surface: a running number of manifolds with the part
    std::uint32_t patch;          ///< of the same step, or k_no_patch where the parts are apart
    Manifold manifold;            ///< in the frame of the part of A
    PairCache cache;
};

struct ContactSettings {
    /// Points still so far apart are contacts already, m: the solver then stops bodies in time.
    float margin = 0.02f;
    RecycleLimits recycle{};
    /// Triangles of surfaces stop bodies from behind too.
    bool two_sided = true;
};

/// The contacts of one pair of bodies after a step.
struct PairMemory {
    std::span<const PartContact> parts;
    std::span<const ContactPatch> patches; ///< what the parts' numbers refer to
};

/// Finds the contacts of one pair after the other and appends them to its lists.
class ContactFinder {
  public:
    std::vector<PartContact> parts;
    std::vector<ContactPatch> patches;
    std::uint64_t recycled = 0; ///< manifolds that were carried along instead of made anew

    void clear();
    /// Appends what the placed shapes have in common. Patches hold geometry, features and the
    /// impulses of `before`; bodies and material are left to the caller.
    void find(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
              const Transform& at_b, const ContactSettings& settings, const PairMemory& before);
    /// Appends what was there before, as it was.
    void carry(const PairMemory& before);
    /// Appends the manifolds of before where the bodies are now, if all of them are still good.
    /// False, with nothing appended, if one is not or there are none.
    bool reuse(const Transform& at_a, const Transform& at_b, const ContactSettings& settings,
               const PairMemory& before);
    /// Appends manifolds that were just made of whole shapes, in the frame of A. `lasting`: they
    /// may be carried along while the pair hardly moves.
    void take(std::span<const Manifold> manifolds, const Transform& at_a, const Transform& at_b,
              bool lasting, const PairMemory& before);

  private:
    struct Part {
        const Shape& shape;
        Transform at;
        std::uint32_t number;
    };
    void solids(const Part& a, const Part& b, const ContactSettings& settings,
                const PairMemory& before);
    /// `surface_first`: the surface is body A.
    void surface(const Part& solid, const TriangleSurface& ground, const Transform& at_ground,
                 bool surface_first, const ContactSettings& settings, const PairMemory& before);
    /// Carries along those of the manifolds that `chosen(part)`, or none of them.
    template <class Chosen>
    bool reuse_of(const Transform& at_a, const Transform& at_b, const ContactSettings& settings,
                  const PairMemory& before, const Chosen& chosen);
    /// Appends a manifold that was just made; it inherits from the one that looked most nearly the
    /// same way, of those that `chosen(part)`: such manifolds have no lasting numbers.
    template <class Chosen>
    void add_new(const PartContact& contact, const Transform& at_a, const Transform& at_b,
                 const PairMemory& before, const Chosen& chosen);
    void add(const PartContact& contact, const WorldManifold& world, const Vec3& origin_a);
    void warm(ContactPatch& patch, const PartContact& old, const PairMemory& before) const;

    std::vector<SurfaceTriangle> triangles_; ///< near the solid at hand
};

} // namespace fovea
