// Ids, arena, jobs, random numbers, hash, instruction sets.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "fovea/base/arena.h"
#include "fovea/base/hash.h"
#include "fovea/base/ids.h"
#include "fovea/base/jobs.h"
#include "fovea/base/random.h"
#include "fovea/base/simd.h"
#include "fovea/base/stream.h"

using namespace fovea;

TEST_CASE("a released id stays dead when its slot is used again") {
    IdPool<struct BodyTag> pool;
    const BodyId a = pool.acquire(), b = pool.acquire();
    CHECK(pool.contains(a));
    pool.release(a);
    CHECK_FALSE(pool.contains(a));
    CHECK_FALSE(pool.slot_in_use(a.slot));
    const BodyId c = pool.acquire();
    CHECK(c.slot == a.slot);
    CHECK(c != a);
    CHECK(pool.contains(c));
    CHECK_FALSE(pool.contains(a));
    CHECK(pool.contains(b));
    CHECK(pool.alive() == 2);
    CHECK(pool.slots() == 2);
    CHECK_FALSE(pool.contains(BodyId{}));
}

TEST_CASE("an arena settles on one block and aligns what it gives") {
    Arena arena(128);
    for (int round = 0; round < 3; ++round) {
        std::vector<std::span<int>> spans;
        for (int i = 1; i < 50; ++i) {
            spans.push_back(arena.allocate<int>(i));
            CHECK(reinterpret_cast<std::uintptr_t>(spans.back().data()) % 64 == 0);
            for (int& value : spans.back()) value = i;
        }
        for (int i = 1; i < 50; ++i)
            for (int value : spans[i - 1]) CHECK(value == i);
        arena.reset();
    }
    const std::size_t settled = arena.bytes_reserved();
    for (int i = 1; i < 50; ++i) arena.allocate<int>(i);
    CHECK(arena.bytes_reserved() == settled);
}

TEST_CASE("jobs cover a range once, in the same blocks for any number of threads") {
    for (int threads : {1, 2, 4}) {
        const Jobs jobs(threads);
        CHECK(jobs.threads() == threads);
        std::vector<int> visits(1003); // plain: blocks do not overlap, and the caller reads later
        std::atomic<int> odd_blocks = 0;
        jobs.for_blocks(visits.size(), 64, [&](std::size_t begin, std::size_t end) {
            if (begin % 64 != 0 || (end - begin != 64 && end != visits.size())) ++odd_blocks;
            for (std::size_t i = begin; i < end; ++i) ++visits[i];
        });
        CHECK(odd_blocks == 0);
        for (const int count : visits) CHECK(count == 1);
        jobs.for_blocks(0, 64, [&](std::size_t, std::size_t) { ++odd_blocks; });
        CHECK(odd_blocks == 0);
    }
}

TEST_CASE("jobs start as many threads as they are told, more than there are cores too") {
    const int threads = int(std::thread::hardware_concurrency()) + 2;
    const Jobs jobs(threads);
    // Every block waits for all the others, so each needs a thread of its own.
    std::atomic<int> arrived = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    jobs.for_blocks(std::size_t(threads), 1, [&](std::size_t, std::size_t) {
        ++arrived;
        while (arrived < threads && std::chrono::steady_clock::now() < deadline)
            std::this_thread::yield();
    });
    CHECK(std::chrono::steady_clock::now() < deadline);
}

TEST_CASE("random numbers are reproducible and have the promised moments") {
    Random a(7), b(7), c(8);
    CHECK(a.bits() == b.bits());
    CHECK(a.bits() != c.bits());
    // First output of SplitMix64 for seed 0, from the published reference implementation.
    CHECK(Random(0).bits() == 0xe220a8397b1dcdafu);
    const int n = 100000;
    double sum = 0, squares = 0, uniform_sum = 0;
    for (int i = 0; i < n; ++i) {
        const double g = a.gaussian(2, 3);
        sum += g, squares += (g - 2) * (g - 2);
        const double u = a.uniform(-1, 3);
        CHECK_UNARY(u >= -1 && u < 3);
        uniform_sum += u;
        CHECK_UNARY(a.below(5) < 5);
    }
    // Five standard errors of the mean (3/sqrt n) and of the variance (9 sqrt(2/n)).
    CHECK(std::abs(sum / n - 2) < 5 * 3 / std::sqrt(n));
    CHECK(std::abs(squares / n - 9) < 5 * 9 * std::sqrt(2.0 / n));
    CHECK(std::abs(uniform_sum / n - 1) < 5 * 4 / std::sqrt(12.0 * n));
}

TEST_CASE("a hash depends on values, order and sign of zero") {
    const auto hash = [](auto... values) {
        Hasher hasher;
        (hasher.add(values), ...);
        return hasher.value();
    };
    CHECK(hash(1.0f, 2.0f) == hash(1.0f, 2.0f));
    CHECK(hash(1.0f, 2.0f) != hash(2.0f, 1.0f));
    CHECK(hash(0.0f) != hash(-0.0f));
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < 10000; ++i) seen.insert(hash(i));
    CHECK(seen.size() == 10000);
}

TEST_CASE("every instruction set gives the same bits") {
    Random random(9);
    const std::size_t n = 1003; // not a multiple of any vector width
    std::vector<float> y(3 * n), x(3 * n);
    std::vector<Quat> q(n);
    std::vector<Vec3> w(n);
    for (float& v : y) v = float(random.gaussian());
    for (float& v : x) v = float(random.gaussian());
    for (Vec3& v : w) v = Vec3(random.direction() * random.uniform(0, 10));

    const auto run = [&] {
        auto y_copy = y;
        auto q_copy = q;
        for (int i = 0; i < 100; ++i) add_scaled(y_copy, x, 0.01f), turn(q_copy, w, 0.01f);
        Hasher hasher;
        for (float v : y_copy) hasher.add(v);
        for (const Quat& v : q_copy) hasher.add(v);
        return hasher.value();
    };

    const auto targets = simd_targets();
    REQUIRE(!targets.empty());
    std::set<std::uint64_t> hashes{run()};
    for (const SimdTarget& target : targets) {
        use_simd_target(target);
        hashes.insert(run());
    }
    use_best_simd_target();
    CHECK(hashes.size() == 1);
    MESSAGE("instruction sets compared: ", targets.size());
}

TEST_CASE("turn follows q' = w q / 2 and keeps unit length") {
    std::vector<Quat> q(5);
    const std::vector<Vec3> w(5, Vec3(0, 0, 2));
    const int steps = 1000;
    const float h = 0.001f;
    for (int i = 0; i < steps; ++i) turn(q, w, h);
    const Quatd expected = from_axis_angle(Vec3d(0, 0, 1), 2.0 * steps * h);
    for (const Quat& value : q) {
        // The angle's error is O(h^2 t) = 1e-6 plus a thousand roundings of 6e-8.
        CHECK(norm(Quatd(value) - expected) < 2e-5);
        CHECK(std::abs(norm(value) - 1) < 2e-7f);
    }
}
