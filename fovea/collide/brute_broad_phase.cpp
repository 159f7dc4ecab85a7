#include "fovea/collide/brute_broad_phase.h"

namespace fovea {

void BruteBroadPhase::add(std::uint32_t proxy, const Aabb& box, bool fixed) {
    table_.add(proxy, box, fixed);
}

void BruteBroadPhase::add_half_space(std::uint32_t proxy, const HalfSpace& plane) {
    table_.add_half_space(proxy, plane);
}

void BruteBroadPhase::remove(std::uint32_t proxy) {
    table_.remove(proxy);
}

void BruteBroadPhase::update(std::span<const Aabb> boxes, const Jobs&) {
    for (const std::uint32_t i : table_.movable()) table_.set_box(i, boxes[i]);
    const auto numbers = table_.bounded();
    counters_ = {};
    runs_.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint32_t a = numbers[i];
        const Aabb box = table_.boxes()[a];
        for (const std::uint32_t b : numbers.subspan(i + 1))
            if (overlap(box, table_.boxes()[b]) && !(table_.fixed(a) && table_.fixed(b)))
                runs_.append({a, b});
        counters_.tests += numbers.size() - i - 1;
    }
    runs_.end_run();
    counters_.half_space_tests =
        table_.half_spaces().append_pairs(table_.boxes(), table_.movable(), runs_);
    runs_.merge();
}

} // namespace fovea
