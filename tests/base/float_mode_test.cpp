// The floating-point mode of steps: no numbers below the normal ones, the host's mode afterwards.
#include <atomic>
#include <cfenv>
#include <limits>

#include <doctest/doctest.h>

#include "fovea/base/float_mode.h"
#include "fovea/base/jobs.h"

using namespace fovea;

namespace {

/// At run time, by the processor.
float halved(float value) {
    volatile float half = 0.5f, of = value;
    return half * of;
}
float third() {
    volatile float one = 1, three = 3;
    return one / three;
}
constexpr float k_least = std::numeric_limits<float>::min();

} // namespace

TEST_CASE("in the mode of steps what is below the normal numbers is zero") {
    CHECK(halved(k_least) > 0);
    {
        const FloatModeScope scope(FloatMode::of_steps());
        CHECK(halved(k_least) == 0);
        CHECK(halved(halved(4 * k_least)) == k_least);
    }
    CHECK(halved(k_least) > 0);
}

TEST_CASE("steps round to nearest, and the host's mode comes back") {
    const float nearest = third();
    std::fesetround(FE_DOWNWARD);
    const float down = third();
    {
        const FloatModeScope scope(FloatMode::of_steps());
        CHECK(third() == nearest);
    }
    CHECK(third() == down);
    std::fesetround(FE_TONEAREST);
    CHECK(down < nearest);
}

TEST_CASE("jobs are done in the mode of whoever gives them") {
    const Jobs jobs(4);
    for (const bool flushed : {true, false, true}) {
        const FloatModeScope scope(flushed ? FloatMode::of_steps() : FloatMode::of_this_thread());
        std::atomic<int> zeros = 0;
        jobs.for_blocks(2000, 1, [&](std::size_t, std::size_t) { zeros += halved(k_least) == 0; });
        CHECK(zeros == (flushed ? 2000 : 0));
    }
}
