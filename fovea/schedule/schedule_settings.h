// How a step that is short of time chooses what to refine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fovea/base/result.h"

namespace fovea {

/// In which order undecided pairs climb their ladders (O'Sullivan 5, Dingliana 3.3 and 5.1): all to
/// their leaves, then those that touch there to their triangles. The top is first the one, then the
/// other.
enum class SchedulePolicy : std::uint8_t {
    round_robin,        ///< a rung for every pair, then the next rung; no priorities
    sequential,         ///< pair after pair to the top, as they come
    sorted,             ///< likewise, by priority
    two_queues,         ///< the foremost in turns until they are done, then all others in turns
    several_queues,     ///< likewise with more queues
    sorted_inner_queue, ///< the foremost by priority, each to its top; then the others in turns
    random,             ///< in turns, in an order drawn anew each step: a control
    depth_first, ///< pair after pair to the top, in such an order: a few good, many untouched
};
constexpr std::uint32_t k_schedule_policies = 8;

std::string_view name_of(SchedulePolicy policy);
std::vector<std::string_view> schedule_policy_names();
/// The policy of that name; an unknown one is refused with the list of known ones.
Result<SchedulePolicy> schedule_policy(std::string_view name);

struct ScheduleSettings {
    SchedulePolicy policy = SchedulePolicy::sorted;
    /// Part of the pairs that the first queue gets, 0 to 1, where there are two.
    float inner_share = 0.25f;
    /// Of several_queues, 2 to 64.
    int queues = 4;
    std::uint64_t seed = 1; ///< of random orders and spins

    /// Keep the time of the response to all that was found (Dingliana 3.9). Off, detection takes
    /// all there is, and steps overrun: for the experiment that shows it.
    bool reserve_response = true;
    /// 0: one schedule for detection and response. Else detection gets this part of the time left
    /// after the floor, and the response the rest, whatever either needs: the design that Dingliana
    /// 3.3.1 rejects.
    float detection_share = 0;
    /// Answer undecided pairs as apart instead of touching.
    bool drop_undecided = false;
    /// Climb to exact geometry. Off, the leaves of moving meshes are fine enough.
    bool exact = true;
    /// Share of the energy lost in a blow that bounding spheres answered which becomes spin about a
    /// random axis, 0 to 1: hides how coarse the answer was (Dingliana 6.2.2).
    float random_spin = 0;
    /// Open no ladder whose largest nodes of the next level are smaller than the way that points of
    /// the two bodies go against each other in a step, by moving and turning (Dingliana 5.3.1).
    /// Where neither is opened, the rung is final: drop_undecided does not drop it. Saves work;
    /// off, because margins that grow with the way and swept tests already keep fast bodies from
    /// passing through.
    bool recursion_cap = false;
    /// A pair that its exact rung found apart, but nearer than spheres can tell, may come closer by
    /// this part of its leaves' radius before coarse rungs repel it again: an error that the leaves
    /// have as well. Leaves that overlap by no more than that stop an approach, but do not push
    /// until the exact rung was climbed. 0: pairs are repelled as soon as they can touch, and pop
    /// where time runs short.
    float tolerance = 0.5f;
    /// Pairs that reached their top in the last step count as this much more important, so that
    /// pairs at a threshold do not change sides every step.
    float hysteresis = 1.5f;
};

/// Refuses shares and counts out of range.
Result<void> check_settings(const ScheduleSettings& settings);

} // namespace fovea
