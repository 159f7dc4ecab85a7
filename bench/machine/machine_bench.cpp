// How quiet is this machine? Other figures are as good as that.
//
//   fovea bench machine [--seconds N] [--json FILE]
//
// A loop does nothing but read the clock. Where two readings lie further apart than that takes, the
// thread was held up: by an interrupt, the scheduler, or the host of a virtual machine. Only what
// is counted as the thread's own CPU time is of interest here. "Cuts" is the share of moments that
// lie in a hold-up which goes on for 20 microseconds more: so often, at most, work that stops at a
// given moment stops that much too late, however often it looks at the clock.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "bench/command_line.h"
#include "bench/json_report.h"
#include "fovea/base/clock.h"

using namespace fovea;

int main(int argc, char** argv) {
    CLI::App app("How often and for how long the machine holds up a thread");
    double seconds = 10;
    std::string json_path;
    app.add_option("--seconds", seconds, "how long to look")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    app.add_option("--json", json_path, "write the figures to this file");
    if (const auto code = bench::read_command_line(app, argc, argv)) return *code;

    constexpr std::array k_longer = {5e-6, 20e-6, 100e-6, 1e-3};
    constexpr double k_cut = 20e-6;
    std::array<std::uint64_t, k_longer.size()> counts{};
    double lost = 0, late = 0, longest = 0;
    const double start = wall_seconds();
    double last = start, awake = start, awake_cpu = thread_cpu_seconds();
    while (last - start < seconds) {
        const double now = wall_seconds(), gap = now - last;
        last = now;
        if (gap < k_longer[0]) continue;
        // Others had the processor for what CPU time lags behind the clock since the last hold-up.
        const double cpu = thread_cpu_seconds();
        const double own = gap - std::max((now - awake) - (cpu - awake_cpu), 0.0);
        for (std::size_t i = 0; i < k_longer.size(); ++i) counts[i] += own >= k_longer[i];
        lost += std::max(own, 0.0);
        late += std::max(own - k_cut, 0.0);
        longest = std::max(longest, own);
        awake = last = wall_seconds();
        awake_cpu = thread_cpu_seconds();
    }
    const double took = last - start;
    const auto rate = [&](std::size_t i) { return double(counts[i]) / took; };
    fmt::print(
        "held up, a second: {:.1f} times for 5 us or longer, {:.1f} for 20 us, {:.2f} for 100 us, "
        "{:.3f} for 1 ms; longest {:.2f} ms; {:.2f} % of the time; cuts 20 us too late: {:.2f} %\n",
        rate(0), rate(1), rate(2), rate(3), longest * 1e3, 100 * lost / took, 100 * late / took);
    return bench::write_report(argv[0], json_path,
                               nlohmann::json{{"seconds", took},
                                              {"over_5us", counts[0]},
                                              {"over_20us", counts[1]},
                                              {"over_100us", counts[2]},
                                              {"over_1ms", counts[3]},
                                              {"longest_ms", longest * 1e3},
                                              {"lost", lost / took},
                                              {"cuts_20us_late", late / took}});
}
