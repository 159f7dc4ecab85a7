// How deep two closed meshes lie in each other where their surfaces cross.
//
//        .-----.              Triangles that cross know no more than their own corners; of fine
//       /   A   \             meshes these are all near the contour c. A line through its middle
//    .-c----+----c-.          enters B and leaves A: what is between is in both, and that is how
//   /   \   |   /   \         far they are to be moved along the line.
//  |  B  '-----'     |
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/collide/ladder.h"

namespace fovea {

/// Work units that overlap_depth() is given: three times what it mostly takes.
constexpr std::uint64_t k_depth_units = 1024;

/// Metres along the line through `middle` with unit direction `a_to_b`, in the frame of A. None
/// where no part of the line that begins or ends beside `middle` is in both, or the budget ended
/// it. `open` is its memory.
std::optional<double> overlap_depth(const Ladder& a, const Ladder& b, const Transformd& b_in_a,
                                    const Vec3d& middle, const Vec3d& a_to_b,
                                    std::vector<std::uint32_t>& open, WorkMeter& work);

} // namespace fovea
