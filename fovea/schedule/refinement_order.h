// Who climbs next: the policies of schedule_settings.h over numbers 0 to n - 1 with priorities.
//
//   order.start(settings, priorities, seed)
//   while (order.take(candidate)) batch.push_back(candidate)      never the same twice in a batch
//   ... climb ...
//   order.end_batch(done)                                         flags per candidate
//
// Whatever the policy, candidates lie in one list, cut into queues that are served one after the
// other. A queue goes in turns, or keeps to its foremost until they are done:
//
//   queue     [ 4 1 7 ]  [ 0 2 3 5 6 8 9 ]
//   in turns  4 1 7, 4 1 7, ...                  sequential  4 4 4, then 1 1, ...; of a batch that
//                                                is wider than one: 4 1 7, 4 1 7, 1 0 2, ...
//
// Queues need no more than to know which candidates are in them; only those that are served in the
// order of priority are sorted, a piece at a time as far as it is needed: a step that has time for
// few does not wait for the order of all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/schedule/schedule_settings.h"

namespace fovea {

class RefinementOrder {
  public:
    /// Priorities are copied; of equal ones the lower number comes first.
    void start(const ScheduleSettings& settings, std::span<const float> priorities,
               std::uint64_t seed);

    /// The next candidate of the batch. False if the batch cannot grow.
    bool take(std::uint32_t& candidate);
    /// The last candidate taken does not go into the batch after all.
    void untake();
    /// Those taken since the last call have been served; a flag for each candidate tells which have
    /// nothing more to do. False if all are done.
    bool end_batch(std::span<const std::uint8_t> done);

  private:
    struct Queue {
        std::uint32_t end; ///< in list_
        bool in_turns;
        bool sorted;
    };
    bool foremost(std::uint32_t a, std::uint32_t b) const;
    void split(std::uint32_t begin, std::uint32_t end, std::uint32_t middle);
    void sort_up_to(std::uint32_t place);
    void enter_queue();

    std::vector<float> priorities_;
    std::vector<std::uint32_t> list_, parted_;
    std::vector<Queue> queues_;
    std::size_t queue_ = 0;       ///< being served
    std::uint32_t begin_ = 0;     ///< of those of the queue that are not done
    std::uint32_t end_ = 0;       ///< likewise
    std::uint32_t next_ = 0;      ///< to be taken
    std::uint32_t sorted_to_ = 0; ///< the queue's list is sorted up to here
    std::uint64_t piece_ = 0;     ///< to be sorted next
};

} // namespace fovea
