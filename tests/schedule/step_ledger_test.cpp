// Accounts in units and in time; prices that err upward.
#include <doctest/doctest.h>

#include "fovea/base/clock.h"
#include "fovea/schedule/step_accounts.h"

using namespace fovea;

TEST_CASE("units: what is spent and set aside adds up") {
    StepLedger ledger;
    ledger.begin(Budget::work(1000), CostModel(), 0);
    ledger.spend(Work::open, 200);
    ledger.set_aside(Work::model, 300);
    ledger.set_aside(Work::respond, 100);
    ledger.release(Work::model, 50);
    ledger.look();
    CHECK(ledger.limit() == 1000);
    CHECK(ledger.used() == 200);
    CHECK(ledger.reserved() == 350);
    ledger.open(Work::model);
    CHECK(ledger.reserved() == 100);
    CHECK(ledger.spent_units(Work::open) == 200);
    CHECK(ledger.spent_units(Work::climb) == 0);
}

TEST_CASE("time: the clock says what is used, prices what is set aside") {
    CostModel costs;
    for (int i = 0; i < 10; ++i) costs.note(Work::model, 1000, 5e-6); // 5 ns a unit
    StepLedger ledger;
    const double start = wall_seconds();
    ledger.begin(Budget::milliseconds(2), costs, start - 1e-3);
    ledger.set_aside(Work::model, 2000);
    ledger.look();
    CHECK(ledger.limit() < 2e6); // a little is left for what nobody foresees
    CHECK(ledger.limit() > 1.9e6);
    CHECK(ledger.reserved() == doctest::Approx(10000).epsilon(1e-5));
    CHECK(ledger.used() >= 1e6); // a millisecond has passed
    ledger.spend(Work::climb, 1u << 30);
    CHECK(ledger.used() < 1e9); // units are no time
}

TEST_CASE("a price is what all but a few of the last steps took at most") {
    CostModel costs;
    for (int i = 1; i <= 60; ++i) costs.note(Work::respond, 1000, i * 1e-6); // 1 to 60 ns a unit
    CHECK(costs.nanoseconds(Work::respond) >= 57);
    CHECK(costs.nanoseconds(Work::respond) <= 60);
    for (int i = 0; i < 200; ++i) costs.note(Work::respond, 1000, 4e-6);
    CHECK(costs.nanoseconds(Work::respond) == doctest::Approx(4).epsilon(1e-5));
    // A single slow step is no reason.
    costs.note(Work::respond, 1000, 1);
    CHECK(costs.nanoseconds(Work::respond) == doctest::Approx(4).epsilon(1e-5));
    // Nor are two of the last five, but three are.
    for (int i = 0; i < 5; ++i) costs.note(Work::respond, 1000, 4e-6);
    costs.note(Work::respond, 1000, 40e-6);
    costs.note(Work::respond, 1000, 40e-6);
    CHECK(costs.nanoseconds(Work::respond) <= 10.01);
    costs.note(Work::respond, 1000, 40e-6);
    CHECK(costs.nanoseconds(Work::respond) == doctest::Approx(40).epsilon(1e-5));
    const double before = costs.nanoseconds(Work::climb);
    costs.note(Work::climb, 3, 1); // too little to be timed
    CHECK(costs.nanoseconds(Work::climb) == before);
}
