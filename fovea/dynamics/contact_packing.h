// Between contact patches, one after the other, and groups of eight, side by side.
#pragma once

#include <cstdint>
#include <span>

#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/contact_group.h"
#include "fovea/dynamics/softness.h"

namespace fovea {

struct PackingContext {
    const Bodies& bodies;
    std::span<const ContactPatch> patches;
    std::span<const std::uint32_t> row_of; ///< per body slot
    std::span<const SolverMass> masses;    ///< per row
    float turn;                            ///< of contacts, per sub-step, see make_soft()
    float damping;                         ///< their damping ratio
    float h;                               ///< sub-step, s
};

/// Fills the lanes of `group` with the given patches, at most eight, and empties the others.
/// Effective masses are left to finish_groups.
void pack_group(ContactGroup& group, std::span<const std::uint32_t> patches,
                const PackingContext& context);

/// Writes the impulses of all lanes back to their patches.
void unpack_impulses(const ContactGroup& group, std::span<ContactPatch> patches);

} // namespace fovea
