// Islands: bodies that touch or are joined, directly or through others. They fall asleep and wake
// as one.
//
//   [a]--[b]--[c]      floor, walls       [d]--[e]          two islands: immovable and kinematic
//    '-----'          =============                         bodies join nothing
//
// Found anew each step from the contacts; the root of an island is its lowest slot.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fovea/base/disjoint_sets.h"
#include "fovea/contact/contact_patch.h"
#include "fovea/dynamics/bodies.h"

namespace fovea {

struct SleepSettings {
    bool enabled = true;
    /// An island sleeps when all its bodies have been slower than this for so long. Spin counts
    /// with the speed it gives to the body's surface.
    float speed = 0.05f;  ///< m/s
    float seconds = 0.5f; ///< s
};

class Islands {
  public:
    /// The slot has a new body, awake.
    void add(std::uint32_t slot, float radius);
    bool awake(std::uint32_t slot) const { return awake_[slot] != 0; }
    float radius(std::uint32_t slot) const { return radius_[slot]; }
    /// Bodies that touch it wake with it in the next step.
    void wake(std::uint32_t slot) { awake_[slot] = 1, rest_[slot] = 0; }

    /// Starts a step: every body is an island of its own.
    void clear();
    /// Two bodies belong together; immovable ones are ignored. What belongs to a driven body wakes,
    /// and so never comes to rest.
    void join(const Bodies& bodies, std::uint32_t a, std::uint32_t b);
    /// All that touch.
    void join(const Bodies& bodies, std::span<const ContactPatch> patches);
    /// Wakes all bodies of islands in which one is awake; these are appended to `woken`.
    void wake_neighbours(const Bodies& bodies, std::vector<std::uint32_t>& woken);

    /// Islands of bodies that are awake.
    std::uint64_t count(const Bodies& bodies);

    /// Ends a step of `h` seconds: puts islands at rest to sleep; their bodies, which are stopped,
    /// are appended to `asleep`.
    void settle(Bodies& bodies, std::span<const ContactPatch> patches, float h,
                const SleepSettings& settings, std::vector<std::uint32_t>& asleep);

    /// For base/bytes.h.
    template <class Bytes>
    friend void fields(Bytes& bytes, Islands& islands) {
        bytes(islands.awake_, islands.rest_, islands.radius_);
    }
    /// Whether all lists have this length; for what was read from outside.
    bool has_slots(std::size_t count) const {
        return awake_.size() == count && rest_.size() == count && radius_.size() == count;
    }

  private:
    struct Island {
        float rest = std::numeric_limits<float>::max(); ///< least of its bodies
        float load = 0;                                 ///< of all its contacts
        float learnt = 0;                               ///< of that, what they support
    };

    std::vector<std::uint8_t> awake_; ///< per slot
    std::vector<float> rest_;         ///< per slot: seconds at rest so far
    std::vector<float> radius_;       ///< per slot: of the shape about the centre of mass
    DisjointSets sets_;
    std::vector<Island> islands_;         ///< per root
    std::vector<std::uint8_t> any_awake_; ///< per root
};

} // namespace fovea
