#include "fovea/collide/figure_bounds.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "fovea/base/assert.h"
#include "fovea/volume/core_gap.h"

namespace fovea {

namespace {

/// Node `node` of `level` has the places from here to where the next one begins.
std::uint32_t first_place(std::uint32_t count, int level, std::uint32_t node) {
    return std::uint32_t((std::uint64_t(count) * node) >> level);
}

FigureBounds::Ball around(std::span<const std::uint32_t> members,
                          std::span<const NodeVolumed> segments) {
    if (members.empty()) return {};
    Vec3d low = segments[members[0]].centre, high = low;
    const auto for_ends = [&](auto&& visit) {
        for (const std::uint32_t i : members)
            for (const double end : {-1.0, 1.0})
                visit(segments[i].centre + segments[i].u * end, segments[i].radius);
    };
    for_ends([&](const Vec3d& p, double radius) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis] - radius);
            high[axis] = std::max(high[axis], p[axis] + radius);
        }
    });
    FigureBounds::Ball ball{(low + high) * 0.5, 0};
    for_ends([&](const Vec3d& p, double radius) {
        ball.radius = std::max(ball.radius, length(p - ball.centre) + radius);
    });
    return ball;
}

bool touch(const FigureBounds::Ball& a, const FigureBounds::Ball& b) {
    if (a.radius < 0 || b.radius < 0) return false;
    const double reach = a.radius + b.radius;
    return length_squared(b.centre - a.centre) <= reach * reach;
}

bool touch(const NodeVolumed& a, const NodeVolumed& b) {
    const double reach = a.radius + b.radius;
    return core_gap(a, b).squared <= reach * reach;
}

/// Takes two figures down. `wanted(a, b)` says which segments count.
template <class Wanted>
void descend(const FigureBounds& a, const FigureBounds& b, bool with_itself, const Wanted& wanted,
             WorkMeter& work, FigureMeeting& meeting) {
    meeting.pairs.clear();
    work.charge(1);
    meeting.level = 0;
    meeting.outcome = Outcome::open;
    if (touch(a.ball(0, 0), b.ball(0, 0))) meeting.pairs.push_back({0, 0});

    // One figure may be deeper than the other: it goes on alone.
    const auto level_of = [&](const FigureBounds& figure) {
        return std::min(meeting.level, figure.levels() - 1);
    };
    const int levels = std::max(a.levels(), b.levels());
    std::vector<BonePair>& next = meeting.building;
    while (meeting.level < levels && !meeting.pairs.empty()) {
        next.clear();
        const bool to_segments = meeting.level + 1 == levels;
        const bool a_opens = meeting.level + 1 < a.levels();
        const bool b_opens = meeting.level + 1 < b.levels();
        const auto test = [&](std::uint32_t i, std::uint32_t j) {
            if (work.exhausted()) return false;
            if (to_segments) {
                for (const std::uint32_t p : a.members(level_of(a), i))
                    for (const std::uint32_t q : b.members(level_of(b), j)) {
                        if (!wanted(p, q)) continue;
                        if (work.exhausted()) return false;
                        work.charge(k_volume_test_units);
                        if (touch(a.segment(p), b.segment(q))) next.push_back({p, q});
                    }
                return true;
            }
            work.charge(1);
            const int level_a = std::min(meeting.level + 1, a.levels() - 1);
            const int level_b = std::min(meeting.level + 1, b.levels() - 1);
            if (touch(a.ball(level_a, i), b.ball(level_b, j))) next.push_back({i, j});
            return true;
        };
        for (const auto [i, j] : meeting.pairs) {
            bool complete = true;
            if (to_segments) {
                complete = test(i, j);
            } else {
                for (std::uint32_t p = 0; p < (a_opens ? 2u : 1u) && complete; ++p)
                    for (std::uint32_t q = 0; q < (b_opens ? 2u : 1u) && complete; ++q) {
                        const std::uint32_t below_i = a_opens ? 2 * i + p : i;
                        const std::uint32_t below_j = b_opens ? 2 * j + q : j;
                        // (i, i) holds (p, q) and (q, p): once is enough.
                        if (with_itself && below_i > below_j) continue;
                        complete = test(below_i, below_j);
                    }
            }
            if (complete) continue;
            meeting.outcome = Outcome::interrupted;
            return;
        }
        meeting.pairs.swap(next);
        ++meeting.level;
    }
    meeting.outcome = meeting.pairs.empty() ? Outcome::apart : Outcome::colliding;
}

} // namespace

FigureBounds::FigureBounds(std::span<const NodeVolumed> segments)
    : levels_(1 + int(std::bit_width(segments.size() - 1)))
    , order_(segments.size())
    , segments_(segments.begin(), segments.end())
    , balls_((std::size_t(1) << levels_) - 1) {
    FOVEA_ASSERT(!segments.empty());
    std::iota(order_.begin(), order_.end(), 0u);
    arrange(0, 0);
    refit(segments);
}

std::span<const std::uint32_t> FigureBounds::members(int level, std::uint32_t node) const {
    const std::uint32_t begin = first_place(size(), level, node);
    return std::span(order_).subspan(begin, first_place(size(), level, node + 1) - begin);
}

/// Orders the places of a node so that its two halves lie apart, along its longest side.
void FigureBounds::arrange(int level, std::uint32_t node) {
    const std::uint32_t begin = first_place(size(), level, node);
    const std::uint32_t end = first_place(size(), level, node + 1);
    if (level + 1 >= levels_ || end - begin < 2) return;
    Vec3d low = segments_[order_[begin]].centre, high = low;
    for (std::uint32_t i = begin; i < end; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], segments_[order_[i]].centre[axis]);
            high[axis] = std::max(high[axis], segments_[order_[i]].centre[axis]);
        }
    const Vec3d extent = high - low;
    int axis = extent.x >= extent.y ? 0 : 1;
    if (extent.z > extent[axis]) axis = 2;
    std::sort(order_.begin() + begin, order_.begin() + end, [&](std::uint32_t p, std::uint32_t q) {
        const double at_p = segments_[p].centre[axis], at_q = segments_[q].centre[axis];
        return at_p != at_q ? at_p < at_q : p < q;
    });
    arrange(level + 1, 2 * node);
    arrange(level + 1, 2 * node + 1);
}

void FigureBounds::refit(std::span<const NodeVolumed> segments) {
    FOVEA_ASSERT(segments.size() == segments_.size());
    std::ranges::copy(segments, segments_.begin());
    for (int level = 0; level < levels_; ++level)
        for (std::uint32_t node = 0; node < 1u << level; ++node)
            balls_[(std::size_t(1) << level) - 1 + node] = around(members(level, node), segments_);
}

void collide_figures(const FigureBounds& a, const FigureBounds& b, WorkMeter& work,
                     FigureMeeting& meeting) {
    descend(
        a, b, false, [](std::uint32_t, std::uint32_t) { return true; }, work, meeting);
}

void collide_figure_with_itself(const FigureBounds& figure, std::span<const std::uint32_t> parent,
                                WorkMeter& work, FigureMeeting& meeting) {
    FOVEA_ASSERT(parent.size() == figure.size());
    const auto wanted = [&](std::uint32_t p, std::uint32_t q) {
        return p != q && parent[p] != q && parent[q] != p;
    };
    descend(figure, figure, true, wanted, work, meeting);
    if (meeting.level < figure.levels()) return;
    for (BonePair& pair : meeting.pairs)
        if (pair.a > pair.b) std::swap(pair.a, pair.b);
    std::ranges::sort(meeting.pairs);
}

} // namespace fovea
