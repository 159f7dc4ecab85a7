// The collision hierarchy of figures against brute force over all segments, cut anywhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "fovea/base/random.h"
#include "fovea/collide/figure_bounds.h"
#include "fovea/volume/core_gap.h"

using namespace fovea;

namespace {

/// Segments strewn about `centre`; some are points.
std::vector<NodeVolumed> random_figure(Random& random, std::uint32_t count, const Vec3d& centre) {
    std::vector<NodeVolumed> segments;
    for (std::uint32_t i = 0; i < count; ++i) {
        NodeVolumed segment{VolumeType::segment,
                            centre + random.direction() * random.uniform(0, 1),
                            random.direction() * random.uniform(0.05, 0.3),
                            {},
                            random.uniform(0.02, 0.1)};
        if (i % 5 == 4) segment.type = VolumeType::point, segment.u = {};
        segments.push_back(segment);
    }
    return segments;
}

bool touch(const NodeVolumed& a, const NodeVolumed& b) {
    const double reach = a.radius + b.radius;
    return core_gap(a, b).squared <= reach * reach;
}

std::set<BonePair> as_set(const FigureMeeting& meeting) {
    return {meeting.pairs.begin(), meeting.pairs.end()};
}

/// A chain: everyone hangs on the one before.
std::vector<std::uint32_t> chain(std::uint32_t count) {
    std::vector<std::uint32_t> parents = {0xffffffffu};
    for (std::uint32_t i = 1; i < count; ++i) parents.push_back(i - 1);
    return parents;
}

} // namespace

TEST_CASE("figures touch where their segments do, and nowhere else") {
    Random random(5);
    int touching = 0, apart = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::uint32_t size_a = 1 + random.below(20), size_b = 1 + random.below(20);
        auto a = random_figure(random, size_a, {}), b = random_figure(random, size_b, {});
        FigureBounds bounds_a(a), bounds_b(b);
        // Elsewhere and otherwise than at rest.
        a = random_figure(random, size_a, {});
        b = random_figure(random, size_b, random.direction() * random.uniform(0, 2.5));
        bounds_a.refit(a), bounds_b.refit(b);
        std::set<BonePair> expected;
        for (std::uint32_t i = 0; i < size_a; ++i)
            for (std::uint32_t k = 0; k < size_b; ++k)
                if (touch(a[i], b[k])) expected.insert({i, k});
        WorkMeter work;
        FigureMeeting meeting;
        collide_figures(bounds_a, bounds_b, work, meeting);
        REQUIRE(as_set(meeting) == expected);
        REQUIRE(meeting.pairs.size() == expected.size());
        REQUIRE(meeting.outcome == (expected.empty() ? Outcome::apart : Outcome::colliding));
        (expected.empty() ? apart : touching)++;
    }
    CHECK(touching > 300);
    CHECK(apart > 300);
}

TEST_CASE("a figure touches itself anywhere but at its joints") {
    Random random(6);
    std::size_t found = 0;
    for (int round = 0; round < 1000; ++round) {
        const std::uint32_t size = 1 + random.below(24);
        const auto segments = random_figure(random, size, {});
        const auto parents = chain(size);
        std::set<BonePair> expected;
        for (std::uint32_t i = 0; i < size; ++i)
            for (std::uint32_t k = i + 2; k < size; ++k)
                if (touch(segments[i], segments[k])) expected.insert({i, k});
        WorkMeter work;
        FigureMeeting meeting;
        collide_figure_with_itself(FigureBounds(segments), parents, work, meeting);
        REQUIRE(as_set(meeting) == expected);
        REQUIRE(meeting.pairs.size() == expected.size());
        found += expected.size();
    }
    CHECK(found > 1000);
}

TEST_CASE("cut before any test, figures are answered from the last level completed") {
    Random random(7);
    for (int round = 0; round < 20; ++round) {
        const FigureBounds a(random_figure(random, 11, {}));
        const FigureBounds b(random_figure(random, 6, random.direction() * 0.8));
        WorkMeter all;
        FigureMeeting whole;
        collide_figures(a, b, all, whole);
        std::vector<std::set<BonePair>> level_of; // what each level was found to hold
        for (std::uint64_t units = 0; units <= all.spent(); ++units) {
            WorkMeter work(Budget::work(units));
            FigureMeeting meeting;
            collide_figures(a, b, work, meeting);
            REQUIRE(meeting.level >= 0); // the roots at least
            if (meeting.outcome != Outcome::interrupted) {
                REQUIRE(as_set(meeting) == as_set(whole));
                continue;
            }
            if (std::size_t(meeting.level) == level_of.size()) level_of.push_back(as_set(meeting));
            REQUIRE(std::size_t(meeting.level) + 1 == level_of.size());
            REQUIRE(as_set(meeting) == level_of.back());
            // A node holds all that the finer levels find.
            for (const auto [i, k] : whole.pairs) {
                bool held = whole.level < std::max(a.levels(), b.levels());
                for (const auto [p, q] : meeting.pairs) {
                    const auto in_a = a.members(std::min(meeting.level, a.levels() - 1), p);
                    const auto in_b = b.members(std::min(meeting.level, b.levels() - 1), q);
                    held |= std::ranges::count(in_a, i) > 0 && std::ranges::count(in_b, k) > 0;
                }
                REQUIRE(held);
            }
        }
    }
}
