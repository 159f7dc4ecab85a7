// Whole steps of Fovea beside Bullet's, on the same scenes in the same run.
//
// The engines take turns, step by step, so that whatever else the machine does meets both alike.
// Times are CPU time of the step call; sleeping is off.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "bench/command_line.h"
#include "engine_subject.h"
#include "fovea/base/clock.h"

namespace {

using namespace fovea;
using namespace fovea::bench;

struct Outcome {
    std::vector<double> ms;
    double energy_ratio = 0; ///< kinetic, of translation: end over start
    double mean_height = 0;  ///< at the end
    float top = 0;           ///< of the highest body at the end

    double mean() const {
        double sum = 0;
        for (const double t : ms) sum += t;
        return sum / double(ms.size());
    }
    double percentile(double share) const {
        std::vector<double> sorted = ms;
        std::ranges::sort(sorted);
        return sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))];
    }
};

double energy(const EngineSubject& subject, std::size_t bodies) {
    double sum = 0;
    for (std::size_t i = 0; i < bodies; ++i) sum += double(length_squared(subject.velocity(i)));
    return sum;
}

std::vector<Outcome> run(const EngineScene& scene,
                         const std::vector<std::unique_ptr<EngineSubject>>& subjects, int frames) {
    const std::size_t bodies = scene.bodies.size();
    std::vector<Outcome> outcomes(subjects.size());
    std::vector<double> start;
    for (const auto& subject : subjects) start.push_back(energy(*subject, bodies));
    for (int frame = 0; frame < frames; ++frame) {
        for (std::size_t k = 0; k < subjects.size(); ++k) {
            const double before = process_cpu_seconds();
            subjects[k]->step(1.0f / 60);
            outcomes[k].ms.push_back((process_cpu_seconds() - before) * 1e3);
        }
    }
    for (std::size_t k = 0; k < subjects.size(); ++k) {
        if (start[k] > 0) outcomes[k].energy_ratio = energy(*subjects[k], bodies) / start[k];
        for (std::size_t i = 0; i < bodies; ++i) {
            const float height = subjects[k]->position(i).y;
            outcomes[k].mean_height += double(height) / double(bodies);
            outcomes[k].top = i == 0 ? height : std::max(outcomes[k].top, height);
        }
    }
    return outcomes;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Steps of Fovea beside Bullet's");
    std::vector<std::string> scenes = {"spheres", "boxes", "hulls", "compounds", "gas", "pyramid"};
    std::vector<int> sizes = {500, 2000, 5000};
    std::vector<int> rows = {30, 100};
    int frames = 600, sub_steps = 8;
    app.add_option("--scenes", scenes)->delimiter(',')->capture_default_str();
    app.add_option("--sizes", sizes, "Bodies")->delimiter(',')->capture_default_str();
    app.add_option("--rows", rows, "Of pyramids")->delimiter(',')->capture_default_str();
    app.add_option("--frames", frames)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--sub-steps", sub_steps)->check(CLI::Range(1, 64))->capture_default_str();
    if (const auto code = fovea::bench::read_command_line(app, argc, argv)) return *code;

    fmt::print(
        "| scene | engine | mean ms | p50 | p99 | max | Bullet / Fovea | kinetic energy, end / "
        "start | mean height | top |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (const std::string& name : scenes) {
        for (const int size : name == "pyramid" ? rows : sizes) {
            const auto scene = make_engine_scene(name, size);
            if (!scene) {
                fmt::print(stderr, "fovea bench engine: {}\n", scene.error().message);
                return 2;
            }
            std::vector<std::unique_ptr<EngineSubject>> subjects;
            subjects.push_back(make_fovea(*scene, 1, sub_steps));
            if (auto bullet = make_bullet(*scene)) subjects.push_back(std::move(bullet));
            const auto outcomes = run(*scene, subjects, frames);
            for (std::size_t k = 0; k < subjects.size(); ++k) {
                const Outcome& o = outcomes[k];
                fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {:.3f} | {:.2f} | "
                           "{:.2f} |\n",
                           scene->name, subjects[k]->name(), o.mean(), o.percentile(0.5),
                           o.percentile(0.99), o.percentile(1),
                           k > 0 ? fmt::format("{:.2f}", o.mean() / outcomes[0].mean()) : "",
                           o.energy_ratio, o.mean_height, double(o.top));
            }
            std::fflush(stdout);
        }
    }
}
