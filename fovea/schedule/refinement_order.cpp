#include "fovea/schedule/refinement_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/random.h"

namespace fovea {

namespace {
constexpr std::uint32_t k_first_piece = 32; ///< to be sorted; each piece is twice the last
}

bool RefinementOrder::foremost(std::uint32_t a, std::uint32_t b) const {
    return priorities_[a] != priorities_[b] ? priorities_[a] > priorities_[b] : a < b;
}

/// The foremost of [begin, end) to before `middle`; both parts stay in the order of their numbers.
void RefinementOrder::split(std::uint32_t begin, std::uint32_t end, std::uint32_t middle) {
    if (middle == begin || middle == end) return;
    parted_.assign(list_.begin() + begin, list_.begin() + end);
    const auto pivot = parted_.begin() + (middle - begin);
    std::nth_element(parted_.begin(), pivot, parted_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return foremost(a, b); });
    const std::uint32_t first_behind = *pivot;
    parted_.assign(list_.begin() + begin, list_.begin() + end);
    std::uint32_t before = begin, behind = middle;
    for (const std::uint32_t candidate : parted_)
        list_[foremost(candidate, first_behind) ? before++ : behind++] = candidate;
}

void RefinementOrder::start(const ScheduleSettings& settings, std::span<const float> priorities,
                            std::uint64_t seed) {
    const auto count = std::uint32_t(priorities.size());
    priorities_.assign(priorities.begin(), priorities.end());
    // What is no number cannot be sorted.
    for (float& priority : priorities_)
        if (std::isnan(priority)) priority = 0;
    list_.resize(count);
    std::iota(list_.begin(), list_.end(), 0u);
    queues_.clear();
    using enum SchedulePolicy;
    switch (settings.policy) {
    case round_robin:
        queues_.push_back({count, true, false});
        break;
    case sequential:
        queues_.push_back({count, false, false});
        break;
    case sorted:
        queues_.push_back({count, false, true});
        break;
    case two_queues:
    case sorted_inner_queue: {
        const auto inner = std::uint32_t(settings.inner_share * float(count));
        split(0, count, inner);
        const bool sorted_inner = settings.policy == sorted_inner_queue;
        queues_.push_back({inner, !sorted_inner, sorted_inner});
        queues_.push_back({count, true, false});
        break;
    }
    case several_queues:
        for (std::uint32_t i = 1, begin = 0; i <= std::uint32_t(settings.queues); ++i) {
            const auto end =
                std::uint32_t(std::uint64_t(count) * i / std::uint32_t(settings.queues));
            split(begin, count, end);
            queues_.push_back({end, true, false});
            begin = end;
        }
        break;
    case random:
    case depth_first: {
        Random draw(seed);
        for (std::uint32_t i = count; i > 1; --i) std::swap(list_[i - 1], list_[draw.below(i)]);
        queues_.push_back({count, settings.policy == random, false});
        break;
    }
    }
    queue_ = 0;
    end_ = 0;
    enter_queue();
}

void RefinementOrder::enter_queue() {
    begin_ = next_ = sorted_to_ = queue_ == 0 ? 0 : queues_[queue_ - 1].end;
    end_ = queues_[queue_].end;
    piece_ = k_first_piece;
}

void RefinementOrder::sort_up_to(std::uint32_t place) {
    const auto less = [&](std::uint32_t a, std::uint32_t b) { return foremost(a, b); };
    while (sorted_to_ <= place) {
        const auto end = std::uint32_t(std::min<std::uint64_t>(sorted_to_ + piece_, end_));
        const auto from = list_.begin() + sorted_to_, to = list_.begin() + end;
        if (end < end_) std::nth_element(from, to, list_.begin() + end_, less);
        std::sort(from, to, less);
        sorted_to_ = end;
        piece_ *= 2;
    }
}

bool RefinementOrder::take(std::uint32_t& candidate) {
    if (next_ == end_) return false;
    if (queues_[queue_].sorted) sort_up_to(next_);
    candidate = list_[next_++];
    return true;
}

void RefinementOrder::untake() {
    --next_;
}

bool RefinementOrder::end_batch(std::span<const std::uint8_t> done) {
    if (queues_[queue_].in_turns) {
        if (next_ < end_) return true;
        // The turn is over: those that are left close ranks.
        const auto first = list_.begin() + begin_;
        end_ = std::uint32_t(std::remove_if(first, list_.begin() + end_,
                                            [&](std::uint32_t c) { return done[c] != 0; }) -
                             list_.begin());
        next_ = begin_;
    } else {
        // Those of the batch that are left move up to those behind it, and come first again.
        std::uint32_t to = next_;
        for (std::uint32_t from = next_; from > begin_; --from)
            if (!done[list_[from - 1]]) list_[--to] = list_[from - 1];
        begin_ = next_ = to;
    }
    while (begin_ == end_ && queue_ + 1 < queues_.size()) {
        ++queue_;
        enter_queue();
    }
    return begin_ < end_;
}

} // namespace fovea
