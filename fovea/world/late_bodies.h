// Bodies that there was no time to follow, and whatever hangs together with them.
//
//     o===o===O - - ->       O is fast and late: it goes only the part of its way that needs no
//     joints or springs      test, and so do all that joints and springs hold to it
//
// Joints that some bodies ran away from would pull, and make energy. So would joints and springs
// that pull for a whole step at bodies that hardly move. Therefore time goes slower for what hangs
// together, and for all that touches it: of its motions and of the changes of its velocities it
// gets the same part, so that it has no more energy than at the start of the step or at its end,
// and what its bodies give each other stays among them, so that momentum is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/disjoint_sets.h"
#include "fovea/contact/contact.h"
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
        /// What touches, by either response.
        std::span<const ContactPatch> patches;
        std::span<const Contact> contacts;
    };

    /// Before anything changes a velocity; nobody is late yet. `hang_together`: there are joints or
    /// springs.
    void begin(const Bodies& bodies, bool hang_together);
    /// This body goes `part` of its way.
    void note(std::uint32_t slot, float part) { late_[slot] = 1, part_[slot] = part; }
    /// After all were noted.
    void find_groups(const Scene& scene);
    /// The body was stopped by force: what it had before is gone.
    void forget(std::uint32_t slot);

    /// Whether it is late itself, not by what it hangs together with.
    bool is_late(std::uint32_t slot) const { return late_[slot] != 0; }
    /// Of its way.
    float part(std::uint32_t slot) const { return part_[slot]; }
    /// Whether time goes slower for it; else velocities stay as the step left them.
    bool slowed(std::uint32_t slot) const { return slowed_[slot] != 0; }
    bool any_slowed() const { return any_slowed_; }
    /// Gives the body, which is slowed, its part of the changes of its velocities.
    void slow(Bodies& bodies, std::uint32_t slot) const;
    /// Velocities are as they should be: the next call of slow() takes its part of what follows.
    void mark(const Bodies& bodies);

  private:
    /// The least part of each group, for its lowest slot.
    void find_least();

    std::vector<std::uint8_t> late_;   ///< per slot: flags
    std::vector<float> part_;          ///< per slot
    std::vector<std::uint8_t> slowed_; ///< per slot: flags
    bool any_slowed_ = false;
    DisjointSets groups_;                             ///< of slots
    std::vector<float> least_;                        ///< per lowest slot of a group
    std::vector<Vec3> velocity_before_, spin_before_; ///< per slot, if anything hangs together
};

} // namespace fovea
