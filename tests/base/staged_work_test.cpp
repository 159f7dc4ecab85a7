// Stages of work: every block once, never before the stage before is done, whoever takes part.
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "fovea/base/jobs.h"

using namespace fovea;

namespace {

/// Counts what was done, and notes if a stage began too early.
struct Watch {
    std::vector<WorkStage> stages;
    std::vector<std::atomic<std::size_t>> items;
    std::atomic<bool> too_early = false;

    explicit Watch(std::vector<WorkStage> wanted)
        : stages(std::move(wanted))
        , items(stages.size()) {}

    void work(std::size_t stage, std::size_t begin, std::size_t end) {
        for (std::size_t before = 0; before < stage; ++before)
            if (items[before] != stages[before].count) too_early = true;
        items[stage] += end - begin;
    }
    static void call(void* watch, std::size_t stage, std::size_t begin, std::size_t end) {
        static_cast<Watch*>(watch)->work(stage, begin, end);
    }
    void check() const {
        CHECK(!too_early);
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            CHECK(items[stage] == stages[stage].count);
    }
};

/// Short and long ones, empty ones, blocks that do not come out even.
std::vector<WorkStage> mixed_stages() {
    std::vector<WorkStage> stages = {{0, 4}};
    for (std::size_t i = 0; i < 300; ++i) stages.push_back({i * 7 % 41, 1 + i % 5});
    stages.push_back({0, 1});
    return stages;
}

} // namespace

TEST_CASE("stages follow each other on any number of threads") {
    for (const int threads : {1, 2, 3, 4, 100}) {
        const Jobs jobs(threads);
        for (int round = 0; round < (threads > 4 ? 1 : 5); ++round) {
            Watch watch(mixed_stages());
            jobs.for_stages(watch.stages, [&](std::size_t stage, std::size_t begin,
                                              std::size_t end) { watch.work(stage, begin, end); });
            watch.check();
        }
    }
}

TEST_CASE("stages of a block or two never get stuck, however fast they follow") {
    std::vector<WorkStage> stages;
    for (std::size_t i = 0; i < 20000; ++i) stages.push_back({1 + i % 3, 1 + i % 2});
    const Jobs jobs(6); // more than there are processors: any may have to stop anywhere
#ifdef FOVEA_SANITIZED
    constexpr int k_rounds = 20;
#else
    constexpr int k_rounds = 300;
#endif
    for (int round = 0; round < k_rounds; ++round) {
        std::atomic<std::size_t> items = 0;
        jobs.for_stages(stages, [&](std::size_t, std::size_t begin, std::size_t end) {
            items.fetch_add(end - begin, std::memory_order_relaxed);
        });
        std::size_t expected = 0;
        for (const WorkStage& stage : stages) expected += stage.count;
        CHECK(items == expected);
    }
}

TEST_CASE("those who come late, or not at all, are not waited for") {
    for (int helpers = 0; helpers < 4; ++helpers) {
        Watch watch(mixed_stages());
        {
            StagedWork work(watch.stages, 4, {Watch::call, nullptr, &watch});
            std::vector<std::thread> others;
            for (int i = 0; i < helpers; ++i)
                others.emplace_back([&work, i] { work.take_part(3 - i); });
            work.take_part(0);
            for (std::thread& other : others) other.join();
            work.take_part(1); // there is nothing left to do
        }
        watch.check();
    }
}

TEST_CASE("stages that are called off are not begun, nor any after them") {
    for (const int threads : {1, 2, 4}) {
        const Jobs jobs(threads);
        for (std::size_t last : {1u, 2u, 150u, 299u, 1000u}) {
            Watch watch(mixed_stages());
            std::size_t asked = 0;
            std::vector<std::size_t> order;
            jobs.for_stages_while(
                watch.stages,
                [&](std::size_t stage, std::size_t begin, std::size_t end) {
                    watch.work(stage, begin, end);
                },
                [&](std::size_t stage) {
                    ++asked;
                    order.push_back(stage);
                    return stage < last;
                });
            std::size_t expected = 0;
            for (std::size_t stage = 0; stage < watch.stages.size(); ++stage) {
                const bool done = stage < last;
                CHECK(watch.items[stage] == (done ? watch.stages[stage].count : 0));
                if (watch.stages[stage].count > 0 && stage < last) ++expected;
            }
            CHECK(!watch.too_early);
            CHECK(std::ranges::is_sorted(order));
            // Once each, and once where it said no.
            CHECK(asked == expected + (last < watch.stages.size() - 1 ? 1 : 0));
        }
    }
}

TEST_CASE("without stages there is nothing to wait for") {
    const Jobs jobs(2);
    bool called = false;
    jobs.for_stages({}, [&](std::size_t, std::size_t, std::size_t) { called = true; });
    jobs.for_blocks(0, 8, [&](std::size_t, std::size_t) { called = true; });
    CHECK(!called);
}

TEST_CASE("jobs within jobs, and from several threads at once") {
    const Jobs jobs(3);
    std::atomic<int> items = 0;
    const auto nested = [&] {
        jobs.for_blocks(40, 3, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                jobs.for_blocks(5, 1, [&](std::size_t, std::size_t) { ++items; });
        });
    };
    std::thread other(nested);
    nested();
    other.join();
    CHECK(items == 2 * 40 * 5);
}

TEST_CASE("jobs come to an end however soon they are dropped") {
    for (int round = 0; round < 100; ++round) {
        const Jobs jobs(4);
        std::atomic<int> items = 0;
        if (round % 2) jobs.for_blocks(8, 1, [&](std::size_t, std::size_t) { ++items; });
        CHECK(items == (round % 2 ? 8 : 0));
    }
}
