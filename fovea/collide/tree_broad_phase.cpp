#include "fovea/collide/tree_broad_phase.h"

#include <algorithm>

namespace fovea {

namespace {

/// Width of a fat box's rim in sizes of the box: wider rims last for more steps but give more
/// candidates.
constexpr float k_rim = 0.3f;

float rim_of(const Aabb& box) {
    const Vec3 e = box.high - box.low;
    return k_rim * std::max({e.x, e.y, e.z});
}

} // namespace

void TreeBroadPhase::touch(std::uint32_t proxy) {
    if (touched_[proxy]) return;
    touched_[proxy] = 1;
    changed_.push_back(proxy);
}

void TreeBroadPhase::add(std::uint32_t proxy, const Aabb& box, bool fixed) {
    table_.add(proxy, box, fixed);
    leaves_.resize(table_.size(), DynamicTree::k_none);
    touched_.resize(table_.size(), 0);
    leaves_[proxy] = fixed ? fixed_tree_.insert(box, proxy)
                           : movable_tree_.insert(expanded(box, rim_of(box)), proxy);
    touch(proxy);
}

void TreeBroadPhase::add_half_space(std::uint32_t proxy, const HalfSpace& plane) {
    table_.add_half_space(proxy, plane);
    leaves_.resize(table_.size(), DynamicTree::k_none);
    touched_.resize(table_.size(), 0);
}

void TreeBroadPhase::remove(std::uint32_t proxy) {
    if (table_.kind(proxy) == ProxyKind::movable) movable_tree_.remove(leaves_[proxy]);
    if (table_.kind(proxy) == ProxyKind::fixed) fixed_tree_.remove(leaves_[proxy]);
    table_.remove(proxy);
    touch(proxy);
}

void TreeBroadPhase::take_boxes(std::span<const Aabb> boxes) {
    for (const std::uint32_t i : table_.movable()) {
        table_.set_box(i, boxes[i]);
        const Aabb& fat = movable_tree_.box(leaves_[i]);
        const float rim = rim_of(boxes[i]);
        // A box that shrank leaves its fat box too, lest it gather candidates in vain.
        if (contains(fat, boxes[i]) && contains(expanded(boxes[i], 4 * rim), fat)) continue;
        movable_tree_.move(leaves_[i], expanded(boxes[i], rim));
        touch(i);
    }
}

/// Replaces all candidates of the touched proxies.
void TreeBroadPhase::find_candidates() {
    found_.clear();
    for (const std::uint32_t a : changed_) {
        const ProxyKind kind = table_.kind(a);
        const auto pair_up = [&](std::uint32_t b) {
            // Two that are touched find each other twice.
            if (b == a || (touched_[b] && table_.kind(b) == kind && b < a)) return;
            // A touched fixed proxy is found by the touched movable one.
            if (kind == ProxyKind::fixed && touched_[b]) return;
            found_.push_back(a < b ? ProxyPair{a, b} : ProxyPair{b, a});
        };
        if (kind == ProxyKind::movable) {
            const Aabb fat = movable_tree_.box(leaves_[a]);
            counters_.tests += movable_tree_.query(fat, pair_up) + fixed_tree_.query(fat, pair_up);
        } else if (kind == ProxyKind::fixed) {
            counters_.tests += movable_tree_.query(fixed_tree_.box(leaves_[a]), pair_up);
        }
    }
    std::sort(found_.begin(), found_.end());
    std::erase_if(candidates_, [&](const ProxyPair& p) { return touched_[p.a] || touched_[p.b]; });
    scratch_.resize(candidates_.size() + found_.size());
    std::merge(candidates_.begin(), candidates_.end(), found_.begin(), found_.end(),
               scratch_.begin());
    candidates_.swap(scratch_);
    for (const std::uint32_t i : changed_) touched_[i] = 0;
    changed_.clear();
}

void TreeBroadPhase::update(std::span<const Aabb> boxes, const Jobs&) {
    counters_ = {};
    take_boxes(boxes);
    if (!changed_.empty()) find_candidates();

    runs_.clear();
    const auto tight = table_.boxes();
    for (const ProxyPair& pair : candidates_)
        if (overlap(tight[pair.a], tight[pair.b])) runs_.append(pair);
    runs_.end_run();
    counters_.tests += candidates_.size();
    counters_.half_space_tests = table_.half_spaces().append_pairs(tight, table_.movable(), runs_);
    runs_.merge();
}

} // namespace fovea
