// Bodies that there was no time to follow, and whatever hangs together with them.
//
//     o===o===O - - ->       O is fast and late: it goes only the part of its way that needs no
//     joints or springs      test, and so do all that joints and springs hold to it
//
// Joints that some bodies ran away from would pull, and make energy. So would joints and springs
// that pull for a whole step at bodies that hardly move. Therefore time goes slower for what hangs
// together: of its motions and of the changes of its velocities it gets the same part, so that it
// has no more energy than at the start of the step or at its end. What is slowed and pushes each
// other is slowed together. Not so where it pushes a body that is not: that one got the whole push,
// and momentum is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/disjoint_sets.h"
#include "fovea/contact/contact_patch.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/joint.h"
#include "fovea/dynamics/springs.h"

namespace fovea {

class LateBodies {
  public:
    struct Scene {
        const Bodies& bodies;
        std::span<const Joint> joints;
        std::span<const Spring> springs;
        std::span<const ContactPatch> patches; ///< with the impulses of the step
        float h;                               ///< of the step, s
    };

    /// Before the response; nobody is late yet.
    void begin(const Bodies& bodies, bool hang_together);
    /// This body goes `part` of its way.
    void note(std::uint32_t slot, float part) { late_[slot] = 1, part_[slot] = part; }
    /// After all were noted.
    void find_groups(const Scene& scene);

    /// Whether it is late itself, not by what it hangs together with.
    bool is_late(std::uint32_t slot) const { return late_[slot] != 0; }
    /// Of its way.
    float part(std::uint32_t slot) { return part_[groups_.lowest(slot)]; }
    /// Whether time goes slower for it; else velocities stay as the step left them.
    bool slowed(std::uint32_t slot) { return slowed_[groups_.lowest(slot)] != 0; }
    /// Gives the body, which is slowed, its part of the changes of its velocities.
    void slow(Bodies& bodies, std::uint32_t slot);

  private:
    bool pushes(const Scene& scene, const ContactPatch& patch) const;
    /// The least part of a group counts for all of it.
    void share_part();

    std::vector<std::uint8_t> late_; ///< per slot: flags
    DisjointSets groups_;            ///< of slots
    std::vector<float> part_;        ///< per slot; that of a group is its lowest slot's
    std::vector<std::uint8_t> slowed_;
    std::vector<Vec3> velocity_before_, spin_before_; ///< per slot, if anything hangs together
};

} // namespace fovea
