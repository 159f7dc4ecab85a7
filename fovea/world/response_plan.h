// The response that a step can afford: all contacts, sub-steps and iterations, or fewer.
//
// What does not fit is reduced in a fixed order: contacts per pair from four to one, then
// sub-steps, then iterations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/contact/contact.h"
#include "fovea/contact/contact_patch.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/schedule/step_ledger.h"

namespace fovea {

struct ResponsePlan {
    int contacts = 0; ///< per pair at most; 0: all
    int sub_steps = 1;
    int iterations = 1; ///< restitution passes of soft_step, velocity visits of impulse

    bool operator==(const ResponsePlan&) const = default;
};

/// What the response has to deal with.
struct ResponseLoad {
    std::uint64_t bodies = 0, joints = 0, springs = 0;
    std::uint64_t patches = 0;
    std::uint64_t points = 0; ///< of all patches
    std::uint64_t pairs = 0;  ///< that have a patch

    ResponseLoad& operator+=(const ResponseLoad& more) {
        bodies += more.bodies, joints += more.joints, springs += more.springs;
        patches += more.patches, points += more.points, pairs += more.pairs;
        return *this;
    }
};

/// Work units of the soft_step response.
std::uint64_t response_units(const ResponseLoad& load, const ResponsePlan& plan);
/// Of the impulse response.
std::uint64_t blow_units(const ResponseLoad& load, const ResponsePlan& plan);

/// Of the last sub-step of soft_step and what follows it: what a step needs to end.
std::uint64_t last_units(const ResponseLoad& load, const ResponsePlan& plan);

using ResponseUnits = std::uint64_t (*)(const ResponseLoad&, const ResponsePlan&);

/// The least that is ever done.
ResponsePlan least_plan(const ResponsePlan& full);

/// The first of the reductions of `full` that takes no more than `units`, or the least.
ResponsePlan affordable_plan(const ResponseLoad& load, const ResponsePlan& full, double units,
                             ResponseUnits units_of);

/// Contacts thinned out to the deepest of each pair, a lone one under the middle of the body, and
/// their impulses handed back.
class ThinnedContacts {
  public:
    /// At most `contacts` points per pair, of patches sorted by pair.
    std::span<ContactPatch> thin(const Bodies& bodies, std::span<const ContactPatch> patches,
                                 int contacts);
    /// The impulses found go to the patches they came from; points left out bear nothing.
    void hand_back(std::span<ContactPatch> patches) const;

  private:
    struct Origin {
        std::uint32_t patch;
        std::uint8_t points[k_manifold_points];
    };
    std::vector<ContactPatch> patches_;
    std::vector<Origin> origins_;
    std::vector<std::uint8_t> kept_; ///< of the points of the pair at hand
};

/// The same for contacts of the impulse response, in place. Returns how many are left.
std::size_t thin_contacts(std::span<Contact> contacts, int per_pair);

} // namespace fovea
