// fovea run: steps a scene without a window and says what it cost.
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "exit_code.h"
#include "fovea/base/clock.h"
#include "frame_pictures.h"
#include "output_file.h"
#include "run_log.h"
#include "simulation_options.h"

namespace fovea::app {

namespace {

struct RunOptions {
    SimulationOptions simulation;
    std::uint64_t frames = 600;
    std::uint64_t inaccuracy = 0; ///< measured every so many frames; 0: never
    bool pace = false;
    bool quiet = false;
    std::string stats, report, record;
    PictureOptions pictures;
};

std::atomic<bool> interrupted = false;

/// Shows how far the run has got, on a terminal only.
class Progress {
  public:
    explicit Progress(std::uint64_t frames)
        : frames_(frames)
        , shown_(isatty(STDERR_FILENO) != 0) {}
    ~Progress() {
        if (shown_) fmt::print(stderr, "\r\033[K");
    }
    void show(std::uint64_t frame) {
        const double now = wall_seconds();
        if (!shown_ || now < next_) return;
        fmt::print(stderr, "\rframe {} of {}", frame, frames_);
        next_ = now + 0.1;
    }

  private:
    std::uint64_t frames_;
    bool shown_;
    double next_ = 0;
};

/// Sleeps until the wall clock has caught up with simulated time.
void wait_until(double start, double simulated) {
    const double ahead = start + simulated - wall_seconds();
    if (ahead > 0) std::this_thread::sleep_for(std::chrono::duration<double>(ahead));
}

nlohmann::ordered_json report_of(const RunOptions& options, const World& world, const RunLog& log,
                                 double run_ms) {
    nlohmann::ordered_json json{{"program", "fovea " FOVEA_VERSION},
                                {"scene", options.simulation.scene},
                                {"bodies", world.body_count()},
                                {"dt", options.simulation.dt},
                                {"threads", options.simulation.world.threads}};
    json.update(log.report());
    json["totals"]["run_ms"] = run_ms;
    return json;
}

int run(const RunOptions& options) {
    const double start = wall_seconds();
    const std::filesystem::path files[] = {options.simulation.scene, options.stats, options.report,
                                           options.record};
    if (const auto path = named_twice(files); !path.empty()) {
        complain(path.string() + " is named by two of the scene, --stats, --report and --record");
        return k_wrong_usage;
    }
    auto simulation = start_simulation(options.simulation);
    if (!simulation) return simulation.error();
    World& world = simulation->populated.world;

    const auto failed = [](const Error& error) {
        complain(error.message);
        return int(k_failed);
    };
    RunLog log;
    if (!options.stats.empty())
        if (const auto opened = log.open_stats(options.stats); !opened)
            return failed(opened.error());
    std::optional<OutputFile> report_file;
    if (!options.report.empty()) {
        auto created = OutputFile::create(options.report);
        if (!created) return failed(created.error());
        report_file.emplace(std::move(*created));
    }
    std::optional<OutputFile> recording;
    if (!options.record.empty()) {
        auto created = OutputFile::create(options.record);
        if (!created) return failed(created.error());
        recording.emplace(std::move(*created));
        world.record_to([&](std::span<const std::byte> bytes) {
            recording->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        });
    }
    auto pictures = FramePictures::create(options.pictures, simulation->scene);
    if (!pictures) return failed(pictures.error());

    std::signal(SIGINT, [](int) { interrupted = true; });
    {
        Progress progress(options.frames);
        const double loop_start = wall_seconds();
        for (std::uint64_t frame = 0; frame < options.frames && !interrupted; ++frame) {
            FrameRow row{
                simulation->populated.step(options.simulation.dt, options.simulation.budget()),
                world.energy(),
                world.hash(),
                0,
                {}};
            if (options.inaccuracy > 0 && frame % options.inaccuracy == 0)
                row.inaccuracy = world.inaccuracy();
            Stopwatch watch;
            if (const auto drawn = pictures->draw(frame, simulation->populated); !drawn)
                return failed(drawn.error());
            row.render_ms = watch.lap_ms();
            log.add(row);
            progress.show(frame);
            if (options.pace) wait_until(loop_start, row.step.time);
        }
    }

    const double run_ms = (wall_seconds() - start) * 1e3;
    if (recording) {
        world.record_to({});
        if (const auto finished = recording->finish(); !finished) return failed(finished.error());
    }
    if (const auto finished = log.finish_stats(); !finished) return failed(finished.error());
    if (report_file) {
        report_file->write(report_of(options, world, log, run_ms).dump(2) + "\n");
        if (const auto finished = report_file->finish(); !finished) return failed(finished.error());
    }
    if (!options.quiet)
        fmt::print("{} bodies, {} frames of {} s\n{}", world.body_count(), log.frames(),
                   options.simulation.dt, log.table());
    return k_fine;
}

} // namespace

void add_run(CLI::App& app, Command& chosen) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Run a scene and say what it cost");
    add_simulation_options(*command, options->simulation);
    add_budget_options(*command, options->simulation);
    command->add_option("-n", options->frames, "Number of frames")
        ->check(k_whole_number)
        ->capture_default_str();
    options->simulation.of_budget.push_back(
        command
            ->add_option("--inaccuracy", options->inaccuracy,
                         "Measure how wrong the answers are against exact geometry, every N "
                         "frames, outside of the budget; for --stats and --report")
            ->check(k_count)
            ->type_name("N"));
    command
        ->add_option("--stats", options->stats,
                     "Write a line per frame (CSV); - for standard output, as in all outputs")
        ->type_name("FILE");
    command->add_option("--report", options->report, "Write totals and percentiles (JSON)")
        ->type_name("FILE");
    command->add_option("--record", options->record, "Write a recording for fovea replay")
        ->type_name("FILE");
    command->add_flag("--pace", options->pace, "Keep simulated time from overtaking the clock");
    command->add_flag("-q,--quiet", options->quiet, "Print no table");
    add_picture_options(*command, options->pictures);
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

} // namespace fovea::app
