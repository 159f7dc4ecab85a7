#include "bench/ladder/world_steps.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "fovea/scene/generate.h"
#include "fovea/scene/parse.h"
#include "fovea/scene/populate.h"

namespace fovea {

namespace {

struct Steps {
    std::vector<double> cpu_ms; ///< by step, sorted
    double pairs = 0, contacts = 0;

    double mean() const {
        double sum = 0;
        for (const double ms : cpu_ms) sum += ms;
        return sum / double(cpu_ms.size());
    }
    double percentile(double part) const {
        return cpu_ms[std::min(cpu_ms.size() - 1, std::size_t(part * double(cpu_ms.size())))];
    }
};

Result<Steps> take_steps(const Scene& scene, bool exact, int frames) {
    WorldSettings settings;
    settings.schedule.exact = exact;
    auto populated = populate(scene, settings);
    if (!populated) return failure(populated.error().message);
    Steps steps;
    const int warm_up = frames / 10;
    for (int i = -warm_up; i < frames; ++i) {
        const StepReport report =
            populated->world.step(1.0f / 60, Budget::work(std::uint64_t(1) << 50));
        if (i < 0) continue;
        steps.cpu_ms.push_back(report.cpu_ms);
        steps.pairs += double(report.pairs) / frames;
        steps.contacts += double(report.contacts) / frames;
    }
    std::ranges::sort(steps.cpu_ms);
    return steps;
}

} // namespace

Result<nlohmann::json> measure_worlds(std::span<const int> counts, int frames) {
    fmt::print("\nthe scene concave, 5,000 triangles a body: whole steps, one thread, CPU ms, {} "
               "steps\n",
               frames);
    fmt::print("  {:<8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9} {:>11}\n", "bodies",
               "pairs", "contacts", "to leaves", "p50", "p99", "max", "us/pair", "exponent",
               "to triangles");
    nlohmann::json rows = nlohmann::json::array();
    double pairs_before = 0, ms_before = 0;
    for (const int count : counts) {
        const auto text = generate_scene("concave", {.count = count});
        if (!text) return failure(text.error().message);
        const ParsedScene parsed = parse_scene(*text);
        const auto leaves = take_steps(parsed.scene, false, frames);
        if (!leaves) return failure(leaves.error().message);
        const auto exact = take_steps(parsed.scene, true, frames);
        if (!exact) return failure(exact.error().message);
        // Of the growth since the row above: cost goes as pairs to this power.
        const double exponent = ms_before > 0 ? std::log(leaves->mean() / ms_before) /
                                                    std::log(leaves->pairs / pairs_before)
                                              : 0;
        fmt::print("  {:<8} {:>8.0f} {:>9.0f} {:>9.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.2f} "
                   "{:>9.2f} {:>11.3f}\n",
                   count, leaves->pairs, leaves->contacts, leaves->mean(), leaves->percentile(0.5),
                   leaves->percentile(0.99), leaves->percentile(1),
                   1e3 * leaves->mean() / leaves->pairs, exponent, exact->mean());
        rows.push_back({{"bodies", count},
                        {"pairs", leaves->pairs},
                        {"contacts", leaves->contacts},
                        {"leaves_mean_ms", leaves->mean()},
                        {"leaves_p50_ms", leaves->percentile(0.5)},
                        {"leaves_p99_ms", leaves->percentile(0.99)},
                        {"leaves_max_ms", leaves->percentile(1)},
                        {"exact_mean_ms", exact->mean()}});
        pairs_before = leaves->pairs, ms_before = leaves->mean();
    }
    return rows;
}

} // namespace fovea
