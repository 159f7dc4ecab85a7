// Between contact patches, one after the other, and groups of eight, side by side.
#pragma once

#include <cstdint>
#include <span>

#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/contact_group.h"
#include "fovea/dynamics/graph_colouring.h"

namespace fovea {

struct PackingContext {
    const Bodies& bodies;
    std::span<const ContactPatch> patches;
    std::span<const ConstraintEnds> ends; ///< solver rows of each patch
};

/// Fills the lanes of `group` with the given patches, at most eight, and empties the others.
/// finish_groups does the rest.
void pack_group(ContactGroup& group, std::span<const std::uint32_t> patches,
                const PackingContext& context);

/// Writes the impulses of all lanes back to their patches.
void unpack_impulses(const ContactGroup& group, std::span<ContactPatch> patches);

} // namespace fovea
