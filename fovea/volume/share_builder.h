// Sphere trees from the top down: every node has a share of the shape, and its children divide the
// share among them.
//
//   root: everything -> reduced to <= branching balls -> each ball's elements reduced again -> ...
//
// hubbard merges evenly sampled medial balls; medial takes the best of three reductions of
// adaptively sampled ones; best starts like medial and then fits each level as a whole
// (sphere_fitting.h).
#pragma once

#include "fovea/volume/sphere_draft.h"

namespace fovea {

SphereDraft draft_from_shares(const ContentModel& content, SphereMethod method,
                              const DraftPlan& plan, const Jobs& jobs, BuildWatch& watch,
                              std::size_t& memory_bytes);

} // namespace fovea
