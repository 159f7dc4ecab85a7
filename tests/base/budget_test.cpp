// Budgets and the meter that tells when they are spent.
#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>

#include "fovea/base/budget.h"
#include "fovea/base/clock.h"

using namespace fovea;

namespace {

constexpr double k_never = std::numeric_limits<double>::infinity();

/// Units charged one by one until the meter says stop.
std::uint64_t run(WorkMeter work) {
    while (!work.exhausted()) work.charge(1);
    return work.spent();
}

} // namespace

TEST_CASE("a counted budget is spent exactly") {
    for (const std::uint64_t units : {0u, 1u, 255u, 256u, 257u, 10000u}) {
        CHECK(run(WorkMeter(Budget::work(units))) == units);
        CHECK(run(WorkMeter(units, k_never)) == units);
        // A deadline that is far away changes nothing.
        CHECK(run(WorkMeter(units, wall_seconds() + 1000)) == units);
    }
}

TEST_CASE("a deadline cuts before the units are spent, and says so") {
    WorkMeter work(1u << 30, wall_seconds() - 1);
    CHECK_FALSE(work.late());
    CHECK(work.exhausted());
    CHECK(work.late());
    work.charge(1000);
    CHECK(work.exhausted());

    const double end = wall_seconds() + 0.002;
    CHECK(run(WorkMeter(std::uint64_t(1) << 60, end)) > 0);
    CHECK(wall_seconds() >= end);

    WorkMeter counted(10, wall_seconds() + 1000);
    counted.charge(10);
    CHECK(counted.exhausted());
    CHECK_FALSE(counted.late());
}

TEST_CASE("what is found has to be answered within the budget too") {
    WorkMeter counted(100, k_never, 1e6);
    counted.charge(60);
    CHECK(counted.affords(40));
    CHECK_FALSE(counted.affords(41));
    CHECK_FALSE(counted.late());

    // A thousand seconds for a thousand units, of which there is not a tenth.
    WorkMeter timed(1u << 30, wall_seconds() + 100, 1);
    CHECK(timed.affords(10));
    CHECK_FALSE(timed.late());
    CHECK_FALSE(timed.exhausted());
    CHECK_FALSE(timed.affords(1000));
    CHECK(timed.late());
    CHECK(timed.exhausted());
    CHECK(timed.affords(0)); // nothing is to be done

    CHECK(WorkMeter().affords(1ull << 60));
}

TEST_CASE("what is left of units and of none") {
    WorkMeter work(Budget::work(10));
    CHECK(work.left() == 10);
    work.charge(7);
    CHECK(work.left() == 3);
    work.charge(7);
    CHECK(work.left() == 0);
    CHECK(WorkMeter().left() > 1ull << 60);
}

TEST_CASE("a time that is none is no time, not all of it") {
    for (const double ms : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(Budget::milliseconds(ms).is_timed());
        CHECK(Budget::milliseconds(ms).milliseconds() == 0);
        CHECK(run(WorkMeter(Budget::milliseconds(ms))) == 0);
    }
    CHECK(Budget::milliseconds(k_never).is_unlimited());
}
