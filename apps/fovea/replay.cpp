// fovea replay: runs a recording again and says where it comes out differently.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "exit_code.h"
#include "fovea/world/replay.h"
#include "output_file.h"
#include "run_log.h"
#include "simulation_options.h"

namespace fovea::app {

namespace {

struct ReplayOptions {
    std::string file, stats;
    int threads = 1;
};

int replay(const ReplayOptions& options) {
    const auto bad = [&](const std::string& message) {
        complain(fmt::format("{}: {}", options.file, message));
        return int(k_bad_input);
    };
    const auto failed = [](const Error& error) {
        complain(error.message);
        return int(k_failed);
    };
    const std::filesystem::path files[] = {options.file, options.stats};
    if (!named_twice(files).empty()) {
        complain(options.stats + " is the recording, and --stats would replace it");
        return k_wrong_usage;
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(options.file, ignored)) return bad("is a directory");
    std::ifstream file(options.file, std::ios::binary);
    const std::vector<char> text(std::istreambuf_iterator<char>(file), {});
    if (!file) return bad("cannot be read");
    auto opened = Replay::open(std::as_bytes(std::span(text)), options.threads);
    if (!opened) return bad(opened.error().message);
    RunLog log;
    if (!options.stats.empty())
        if (const auto started = log.open_stats(options.stats); !started)
            return failed(started.error());
    std::uint64_t steps = 0;
    for (; opened->advance() == Replay::Outcome::same; ++steps) {
        if (options.stats.empty()) continue;
        const World& world = opened->world();
        log.add({opened->report(), world.energy(), world.hash(), 0, {}});
    }
    if (const auto written = log.finish_stats(); !written) return failed(written.error());
    switch (opened->advance()) {
    case Replay::Outcome::different:
        complain(fmt::format("{}: {}", options.file, opened->message()));
        return k_failed;
    case Replay::Outcome::damaged:
        return bad(opened->message());
    default:
        fmt::print("{} bodies, {} steps, all as recorded\n", opened->world().body_count(), steps);
        return k_fine;
    }
}

} // namespace

void add_replay(CLI::App& app, Command& chosen) {
    auto options = std::make_shared<ReplayOptions>();
    CLI::App* command =
        app.add_subcommand("replay", "Run a recording again and compare every state");
    command->add_option("file", options->file, "Made by fovea run --record")
        ->required()
        ->type_name("FILE");
    command->add_option("--threads", options->threads, "Threads; 0: one per core")
        ->check(CLI::Range(0, 256))
        ->capture_default_str();
    command->add_option("--stats", options->stats, "Write a CSV row per step, as fovea run does")
        ->type_name("FILE");
    command->callback([options, &chosen] { chosen = [options] { return replay(*options); }; });
}

} // namespace fovea::app
