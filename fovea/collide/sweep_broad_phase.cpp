#include "fovea/collide/sweep_broad_phase.h"

#include <algorithm>

namespace fovea {

namespace {

constexpr float k_medians_per_cell = 4;       ///< cell size in median box sizes
constexpr float k_oversized_cells = 3;        ///< a box larger than so many cells is oversized
constexpr std::size_t k_oversized_quota = 32; ///< about so many may be, before cells grow
constexpr std::size_t k_few_boxes = 32;       ///< these do not need cells
constexpr double k_boxes_per_cell = 8;        ///< at least, for boxes spread evenly

float size_of(const Aabb& box) {
    const Vec3 e = box.high - box.low;
    return std::max({e.x, e.y, e.z});
}

/// The value that a given fraction of all are below. Reorders them.
float quantile(std::vector<float>& values, double fraction) {
    const auto at = values.begin() + std::ptrdiff_t(fraction * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

} // namespace

SweepBroadPhase::SweepBroadPhase(const SweepSettings& settings)
    : settings_(settings) {}

void SweepBroadPhase::add(std::uint32_t proxy, const Aabb& box, bool fixed) {
    table_.add(proxy, box, fixed);
    homes_.resize(table_.size(), Home::nowhere);
    ranges_.resize(table_.size());
    moved_.resize(table_.size());
    newcomers_.push_back(proxy);
}

void SweepBroadPhase::add_half_space(std::uint32_t proxy, const HalfSpace& plane) {
    table_.add_half_space(proxy, plane);
    homes_.resize(table_.size(), Home::nowhere);
    ranges_.resize(table_.size());
    moved_.resize(table_.size());
}

void SweepBroadPhase::remove(std::uint32_t proxy) {
    table_.remove(proxy);
    withdraw(proxy);
}

void SweepBroadPhase::place(std::uint32_t proxy) {
    const Aabb& box = table_.boxes()[proxy];
    if (grid_.cell_size() > 0 && size_of(box) > k_oversized_cells * grid_.cell_size()) {
        homes_[proxy] = Home::oversized;
        oversized_.push_back(proxy);
    } else {
        homes_[proxy] = Home::grid;
        ranges_[proxy] = grid_.range_of(box);
        grid_.enter(proxy, table_.fixed(proxy), ranges_[proxy]);
    }
}

void SweepBroadPhase::withdraw(std::uint32_t proxy) {
    if (homes_[proxy] == Home::grid) grid_.leave(proxy, ranges_[proxy]);
    if (homes_[proxy] == Home::oversized) std::erase(oversized_, proxy);
    homes_[proxy] = Home::nowhere;
}

void SweepBroadPhase::take_boxes(std::span<const Aabb> boxes) {
    for (const std::uint32_t i : table_.movable()) {
        moved_[i] = boxes[i] != table_.boxes()[i];
        if (!moved_[i]) continue;
        table_.set_box(i, boxes[i]);
        if (homes_[i] == Home::nowhere) continue;
        const bool oversized =
            grid_.cell_size() > 0 && size_of(boxes[i]) > k_oversized_cells * grid_.cell_size();
        if (oversized != (homes_[i] == Home::oversized)) {
            withdraw(i);
            place(i);
        } else if (!oversized) {
            const CellRange range = grid_.range_of(boxes[i]);
            if (range == ranges_[i]) continue;
            grid_.move(i, false, ranges_[i], range);
            ranges_[i] = range;
        }
    }
}

bool SweepBroadPhase::out_of_proportion() const {
    const std::size_t oversized = oversized_.size(), memberships = grid_.memberships();
    return oversized > 2 * chosen_for_.oversized + k_oversized_quota ||
           memberships > 2 * chosen_for_.memberships + 8 * k_few_boxes;
}

void SweepBroadPhase::choose_cells() {
    const auto bounded = table_.bounded();
    const bool count_changed = bounded.size() > 2 * chosen_for_.bounded + k_few_boxes ||
                               2 * bounded.size() + k_few_boxes < chosen_for_.bounded;
    if (!settings_.regions || (!count_changed && !out_of_proportion())) return;

    const auto boxes = table_.boxes();
    float cell = 0;
    if (bounded.size() > k_few_boxes) {
        double volume = 1, extent = 0;
        for (int axis = 0; axis < 3; ++axis) {
            sizes_.clear();
            for (const std::uint32_t i : bounded) sizes_.push_back(boxes[i].low[axis]);
            // Strays do not count: 0.8 of all boxes lie between these two.
            const double width = double(quantile(sizes_, 0.9)) - quantile(sizes_, 0.1);
            volume *= width / 0.8;
            extent = std::max(extent, width);
        }
        sizes_.clear();
        for (const std::uint32_t i : bounded) sizes_.push_back(size_of(boxes[i]));
        const double largest =
            quantile(sizes_, 1 - double(k_oversized_quota) / double(sizes_.size()));
        double size = std::max({double(k_medians_per_cell * quantile(sizes_, 0.5)),
                                largest / k_oversized_cells, extent * 1e-3});
        const double least = k_boxes_per_cell * volume / double(bounded.size());
        while (size > 0 && size * size * size < least) size *= 1.25;
        cell = std::isfinite(float(size)) ? float(size) : 0;
    }
    chosen_for_ = {bounded.size(), grid_.memberships(), oversized_.size()};
    const float now = grid_.cell_size();
    if (cell == now || (now > 0 && cell < 1.5f * now && now < 1.5f * cell)) return;

    grid_.reset(cell);
    ledger_.clear();
    oversized_.clear();
    std::fill(homes_.begin(), homes_.end(), Home::nowhere);
    newcomers_.assign(bounded.begin(), bounded.end());
}

void SweepBroadPhase::settle_newcomers() {
    for (const std::uint32_t i : newcomers_) {
        const ProxyKind kind = table_.kind(i);
        const bool has_box = kind == ProxyKind::movable || kind == ProxyKind::fixed;
        if (has_box && homes_[i] == Home::nowhere) place(i);
    }
    newcomers_.clear();
}

/// Each oversized box against all others; of two oversized ones, the first tests the second.
void SweepBroadPhase::append_oversized_pairs() {
    const auto boxes = table_.boxes();
    const auto bounded = table_.bounded();
    for (const std::uint32_t a : oversized_) {
        const Aabb box = boxes[a];
        const bool fixed = table_.fixed(a);
        ProxyPair* out = runs_.extend(bounded.size());
        for (const std::uint32_t b : bounded) {
            *out = a < b ? ProxyPair{a, b} : ProxyPair{b, a};
            const bool apart = (fixed && table_.fixed(b)) || a == b ||
                               (homes_[b] == Home::oversized && b < a) || !overlap(box, boxes[b]);
            out += !apart;
        }
        runs_.shrink_to(out);
        runs_.end_run();
        counters_.tests += bounded.size() - 1;
    }
}

void SweepBroadPhase::update(std::span<const Aabb> boxes, const Jobs& jobs) {
    counters_ = {};
    take_boxes(boxes);
    choose_cells();
    settle_newcomers();
    grid_.sort(table_.boxes(), moved_, settings_.presort, jobs, ledger_, counters_);
    ledger_.settle();

    runs_.clear();
    ledger_.append_to(runs_);
    append_oversized_pairs();
    counters_.half_space_tests =
        table_.half_spaces().append_pairs(table_.boxes(), table_.movable(), runs_);
    runs_.merge();
}

} // namespace fovea
