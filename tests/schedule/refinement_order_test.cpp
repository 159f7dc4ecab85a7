// Who climbs next, policy by policy.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "fovea/base/random.h"
#include "fovea/schedule/refinement_order.h"

using namespace fovea;

namespace {

/// Serves candidates that need `rungs[i]` rungs each, in batches; the order in which they were.
std::vector<std::uint32_t> served(const ScheduleSettings& settings,
                                  const std::vector<float>& priorities,
                                  const std::vector<int>& rungs, std::size_t batch) {
    RefinementOrder order;
    order.start(settings, priorities, 7);
    std::vector<int> left = rungs;
    std::vector<std::uint8_t> done(rungs.size(), 0);
    std::vector<std::uint32_t> all;
    bool more = !rungs.empty();
    while (more) {
        std::vector<std::uint32_t> taken;
        std::uint32_t candidate = 0;
        while (taken.size() < batch && order.take(candidate)) taken.push_back(candidate);
        REQUIRE_FALSE(taken.empty());
        for (const std::uint32_t c : taken) {
            CHECK(std::ranges::count(taken, c) == 1);
            REQUIRE(left[c] > 0);
            done[c] = --left[c] == 0;
            all.push_back(c);
        }
        more = order.end_batch(done);
    }
    CHECK(std::ranges::count(left, 0) == std::ptrdiff_t(left.size()));
    return all;
}

using List = std::vector<std::uint32_t>;
const std::vector<float> k_priorities{0.1f, 0.9f, 0.5f, 0.7f};
const std::vector<int> k_rungs{2, 3, 1, 2};

List order_of(SchedulePolicy policy, std::size_t batch = 1) {
    return served({.policy = policy, .inner_share = 0.5f, .queues = 2}, k_priorities, k_rungs,
                  batch);
}

} // namespace

TEST_CASE("each policy serves in its order") {
    using enum SchedulePolicy;
    CHECK(order_of(round_robin) == List{0, 1, 2, 3, 0, 1, 3, 1});
    CHECK(order_of(sequential) == List{0, 0, 1, 1, 1, 2, 3, 3});
    CHECK(order_of(sorted) == List{1, 1, 1, 3, 3, 2, 0, 0});
    CHECK(order_of(two_queues) == List{1, 3, 1, 3, 1, 0, 2, 0});
    CHECK(order_of(several_queues) == List{1, 3, 1, 3, 1, 0, 2, 0});
    CHECK(order_of(sorted_inner_queue) == List{1, 1, 1, 3, 3, 0, 2, 0});
}

TEST_CASE("batches keep to the foremost that are not done") {
    using enum SchedulePolicy;
    CHECK(order_of(sorted, 2) == List{1, 3, 1, 3, 1, 2, 0, 0});
    CHECK(order_of(round_robin, 3) == List{0, 1, 2, 3, 0, 1, 3, 1});
}

TEST_CASE("depth first goes to the top one by one, random in turns, each seed its own way") {
    const List deep = order_of(SchedulePolicy::depth_first);
    CHECK(std::ranges::adjacent_find(deep) != deep.end());
    for (std::size_t i = 1; i < deep.size(); ++i)
        if (deep[i] != deep[i - 1])
            CHECK(std::find(deep.begin() + std::ptrdiff_t(i), deep.end(), deep[i - 1]) ==
                  deep.end());
    const List drawn = order_of(SchedulePolicy::random);
    CHECK(std::ranges::is_permutation(List(drawn.begin(), drawn.begin() + 4), List{0, 1, 2, 3}));
}

TEST_CASE("many candidates: all are served, sorted ones by falling priority") {
    Random random(3);
    std::vector<float> priorities;
    std::vector<int> rungs;
    for (int i = 0; i < 3000; ++i) {
        priorities.push_back(float(random.below(500)));
        rungs.push_back(1 + int(random.below(5)));
    }
    for (std::uint32_t policy = 0; policy < k_schedule_policies; ++policy)
        served({.policy = SchedulePolicy(policy)}, priorities, rungs, 64);
    const List sorted =
        served({.policy = SchedulePolicy::sorted}, priorities, std::vector<int>(3000, 1), 64);
    CHECK(std::ranges::is_sorted(sorted, [&](std::uint32_t a, std::uint32_t b) {
        return priorities[a] != priorities[b] ? priorities[a] > priorities[b] : a < b;
    }));
    // The inner queue holds those of the greatest priorities.
    const List inner =
        served({.policy = SchedulePolicy::two_queues}, priorities, std::vector<int>(3000, 1), 64);
    const auto least_inner =
        *std::min_element(inner.begin(), inner.begin() + 750,
                          [&](auto a, auto b) { return priorities[a] < priorities[b]; });
    for (std::size_t i = 750; i < 3000; ++i) CHECK(priorities[inner[i]] <= priorities[least_inner]);
}

TEST_CASE("a priority that is no number counts as 0") {
    Random random(3);
    std::vector<float> some(2000), none(2000);
    for (std::size_t i = 0; i < some.size(); ++i) {
        const bool number = random.below(3) > 0;
        none[i] = number ? float(random.uniform(-1, 1)) : 0;
        some[i] = number ? none[i] : std::numeric_limits<float>::quiet_NaN();
    }
    const std::vector<int> rungs(some.size(), 1);
    for (const SchedulePolicy policy : {SchedulePolicy::sorted, SchedulePolicy::several_queues})
        CHECK(served({.policy = policy}, some, rungs, 32) ==
              served({.policy = policy}, none, rungs, 32));
}

TEST_CASE("a candidate that is put back comes again") {
    RefinementOrder order;
    order.start({.policy = SchedulePolicy::sorted}, k_priorities, 0);
    std::uint32_t candidate = 0;
    REQUIRE(order.take(candidate));
    CHECK(candidate == 1);
    REQUIRE(order.take(candidate));
    CHECK(candidate == 3);
    order.untake();
    REQUIRE(order.take(candidate));
    CHECK(candidate == 3);
}

TEST_CASE("policies have names, and settings limits") {
    for (const std::string_view name : schedule_policy_names())
        CHECK(name_of(*schedule_policy(name)) == name);
    CHECK(schedule_policy("soon").error().message.find("two-queues") != std::string::npos);
    CHECK(check_settings(ScheduleSettings{}));
    CHECK_FALSE(check_settings(ScheduleSettings{.policy = SchedulePolicy(99)}));
    CHECK_FALSE(check_settings(ScheduleSettings{.inner_share = 2}));
    CHECK_FALSE(check_settings(ScheduleSettings{.queues = 1}));
    CHECK_FALSE(check_settings(ScheduleSettings{.detection_share = -1}));
    CHECK_FALSE(check_settings(ScheduleSettings{.hysteresis = 0}));
}
