// Whole steps of Fovea beside Bullet's, on the same scenes in the same run.
//
// The engines take turns, step by step, so that whatever else the machine does meets both alike.
// Times are CPU time of the step call, all threads together, and wall-clock time beside it;
// sleeping is off. Memory is what the engine holds on the heap at the end, shapes and all.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include <malloc.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/command_line.h"
#include "bench/json_report.h"
#include "engine_subject.h"
#include "fovea/base/clock.h"

namespace {

using namespace fovea;
using namespace fovea::bench;

struct Outcome {
    std::vector<double> cpu_ms, wall_ms;
    double energy_ratio = 0; ///< kinetic, of translation: end over start
    double mean_height = 0;  ///< at the end
    float top = 0;           ///< of the highest body at the end
    std::size_t contacts = 0;
    std::int64_t bytes = 0; ///< taken from the heap for the world and its steps
    PhaseTimes phases;      ///< sums, ms

    double mean(const std::vector<double>& ms) const {
        double sum = 0;
        for (const double t : ms) sum += t;
        return sum / double(ms.size());
    }
    double percentile(double share) const {
        std::vector<double> sorted = cpu_ms;
        std::ranges::sort(sorted);
        return sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))];
    }
};

/// Of all allocations that have not been freed.
std::int64_t heap_bytes() {
    const auto info = mallinfo2();
    return std::int64_t(info.uordblks + info.hblkhd);
}

double energy(const EngineSubject& subject, std::size_t bodies) {
    double sum = 0;
    for (std::size_t i = 0; i < bodies; ++i) sum += double(length_squared(subject.velocity(i)));
    return sum;
}

using Maker = std::function<std::unique_ptr<EngineSubject>()>;

struct Comparison {
    std::vector<std::unique_ptr<EngineSubject>> subjects;
    std::vector<Outcome> outcomes;
};

void add(PhaseTimes& sum, const PhaseTimes& ms) {
    sum.broad += ms.broad;
    sum.narrow += ms.narrow;
    sum.islands += ms.islands;
    sum.response += ms.response;
    sum.fast += ms.fast;
    sum.events += ms.events;
}

/// Measures `frames` steps after `skipped` that are not.
Comparison compare(const EngineScene& scene, const std::vector<Maker>& makers, int skipped,
                   int frames) {
    const std::size_t bodies = scene.bodies.size();
    Comparison all;
    for (const Maker& make : makers) {
        const std::int64_t before = heap_bytes();
        auto subject = make();
        if (!subject) continue;
        all.outcomes.emplace_back().bytes = heap_bytes() - before;
        all.outcomes.back().energy_ratio = energy(*subject, bodies);
        all.subjects.push_back(std::move(subject));
    }
    for (int frame = -skipped; frame < frames; ++frame) {
        for (std::size_t k = 0; k < all.subjects.size(); ++k) {
            const std::int64_t bytes = heap_bytes();
            const double cpu = process_cpu_seconds(), wall = wall_seconds();
            all.subjects[k]->step(1.0f / 60);
            if (frame < 0) continue;
            if (const PhaseTimes* ms = all.subjects[k]->phases()) add(all.outcomes[k].phases, *ms);
            all.outcomes[k].wall_ms.push_back((wall_seconds() - wall) * 1e3);
            all.outcomes[k].cpu_ms.push_back((process_cpu_seconds() - cpu) * 1e3);
            all.outcomes[k].bytes += heap_bytes() - bytes;
        }
    }
    for (std::size_t k = 0; k < all.subjects.size(); ++k) {
        const EngineSubject& subject = *all.subjects[k];
        Outcome& outcome = all.outcomes[k];
        const double start = outcome.energy_ratio;
        outcome.energy_ratio = start > 0 ? energy(subject, bodies) / start : 0;
        outcome.contacts = subject.contacts();
        for (std::size_t i = 0; i < bodies; ++i) {
            const float height = subject.position(i).y;
            outcome.mean_height += double(height) / double(bodies);
            outcome.top = i == 0 ? height : std::max(outcome.top, height);
        }
    }
    return all;
}

void print_head() {
    fmt::print(
        "| scene | engine | mean ms | p50 | p99 | max | wall ms | CPU: / fovea | wall: / fovea "
        "| kinetic energy, end / start | mean height | top | contacts | bytes per body | bytes "
        "per contact |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print(const EngineScene& scene, const Comparison& all) {
    const Outcome& first = all.outcomes[0];
    for (std::size_t k = 0; k < all.subjects.size(); ++k) {
        const Outcome& o = all.outcomes[k];
        const auto ratio = [&](double other, double own) {
            return k > 0 ? fmt::format("{:.2f}", other / own) : std::string();
        };
        fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {} | {:.3f} | "
                   "{:.2f} | {:.2f} | {} | {} | {} |\n",
                   scene.name, all.subjects[k]->name(), o.mean(o.cpu_ms), o.percentile(0.5),
                   o.percentile(0.99), o.percentile(1), o.mean(o.wall_ms),
                   ratio(o.mean(o.cpu_ms), first.mean(first.cpu_ms)),
                   ratio(o.mean(o.wall_ms), first.mean(first.wall_ms)), o.energy_ratio,
                   o.mean_height, double(o.top), o.contacts,
                   o.bytes / std::int64_t(scene.bodies.size()),
                   o.contacts > 0 ? o.bytes / std::int64_t(o.contacts) : 0);
    }
    std::fflush(stdout);
}

nlohmann::json to_json(const EngineScene& scene, const Comparison& all) {
    nlohmann::json rows = nlohmann::json::array();
    for (std::size_t k = 0; k < all.subjects.size(); ++k) {
        const Outcome& o = all.outcomes[k];
        rows.push_back({{"scene", scene.name},
                        {"bodies", scene.bodies.size()},
                        {"engine", all.subjects[k]->name()},
                        {"mean_ms", o.mean(o.cpu_ms)},
                        {"p50_ms", o.percentile(0.5)},
                        {"p99_ms", o.percentile(0.99)},
                        {"p99.9_ms", o.percentile(0.999)},
                        {"max_ms", o.percentile(1)},
                        {"wall_ms", o.mean(o.wall_ms)},
                        {"energy_ratio", o.energy_ratio},
                        {"mean_height", o.mean_height},
                        {"top", o.top},
                        {"contacts", o.contacts},
                        {"bytes", o.bytes}});
    }
    return rows;
}

void print_phases(const EngineScene& scene, const Comparison& all) {
    for (std::size_t k = 0; k < all.subjects.size(); ++k) {
        if (!all.subjects[k]->phases()) continue;
        const auto steps = double(all.outcomes[k].wall_ms.size());
        const PhaseTimes& sum = all.outcomes[k].phases;
        fmt::print("{}, {}, wall ms: broad {:.2f}, narrow {:.2f}, islands {:.2f}, response {:.2f}, "
                   "fast {:.2f}, events {:.2f}\n",
                   scene.name, all.subjects[k]->name(), sum.broad / steps, sum.narrow / steps,
                   sum.islands / steps, sum.response / steps, sum.fast / steps, sum.events / steps);
    }
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Steps of Fovea beside Bullet's");
    std::vector<std::string> scenes = {"spheres", "boxes", "hulls", "compounds", "gas", "pyramid"};
    std::vector<int> sizes = {500, 2000, 5000};
    std::vector<int> rows = {30, 100};
    std::vector<int> threads = {1};
    int frames = 600, skipped = 0, sub_steps = 8;
    bool phases = false;
    std::string json_path;
    app.add_option("--scenes", scenes)->delimiter(',')->capture_default_str();
    app.add_option("--sizes", sizes, "Bodies")
        ->delimiter(',')
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--rows", rows, "Of pyramids")
        ->delimiter(',')
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--frames", frames)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--skip", skipped, "Frames before those, not measured: until piles lie")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--phases", phases, "Says where Fovea's time goes");
    app.add_option("--threads", threads, "Of Fovea, one run for each")
        ->delimiter(',')
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--sub-steps", sub_steps)->check(CLI::Range(1, 64))->capture_default_str();
    app.add_option("--json", json_path, "Writes what is printed to this file");
    if (const auto code = fovea::bench::read_command_line(app, argc, argv)) return *code;

    nlohmann::json report = nlohmann::json::array();
    if (!has_bullet())
        fmt::print(stderr, "fovea bench engine: built without Bullet, which is left out\n");
    print_head();
    for (const std::string& name : scenes) {
        for (const int size : name == "pyramid" ? rows : sizes) {
            const auto scene = make_engine_scene(name, size);
            if (!scene) {
                fmt::print(stderr, "fovea bench engine: {}\n", scene.error().message);
                return 2;
            }
            std::vector<Maker> makers;
            for (const int count : threads)
                makers.push_back([&, count] { return make_fovea(*scene, count, sub_steps); });
            makers.push_back([&] { return make_bullet(*scene); });
            const Comparison all = compare(*scene, makers, skipped, frames);
            print(*scene, all);
            if (phases) print_phases(*scene, all);
            for (const auto& row : to_json(*scene, all)) report.push_back(row);
        }
    }
    return write_report(argv[0], json_path, report);
}
