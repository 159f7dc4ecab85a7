// fovea generate: prints a scene made by one of the generators.
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "exit_code.h"
#include "fovea/scene/generate.h"
#include "output_file.h"
#include "simulation_options.h"

namespace fovea::app {

namespace {

struct GenerateOptions {
    std::string name;
    std::string output = "/dev/stdout";
    GenerateSettings settings;
};

int generate(const GenerateOptions& options) {
    const auto text = generate_scene(options.name, options.settings);
    if (!text) {
        complain(text.error().message);
        return k_wrong_usage;
    }
    if (const auto written = write_file(options.output, *text); !written) {
        complain(written.error().message);
        return k_failed;
    }
    return k_fine;
}

} // namespace

void add_generate(CLI::App& app, Command& chosen) {
    auto options = std::make_shared<GenerateOptions>();
    CLI::App* command = app.add_subcommand("generate", "Print a scene made by a generator");
    command->add_option("name", options->name, "Generator")->required()->type_name("NAME");
    command->add_option("-n", options->settings.count, "How many: see the list below");
    command->add_option("--seed", options->settings.seed, "Seed of its random numbers")
        ->check(k_whole_number)
        ->capture_default_str();
    command->add_flag("--original", options->settings.source_language,
                      "Only the original scene language: no camera");
    command
        ->add_option("--triangles", options->settings.triangles,
                     "concave, flock, lshapes, plates: of each mesh, about")
        ->capture_default_str();
    command->add_flag("--fixed-box", options->settings.constant_box,
                      "brownian: the same box however many particles");
    command->add_option("-o", options->output, "File to write instead of standard output");
    std::string list = "Generators:\n";
    for (const GeneratorInfo& g : scene_generators())
        list += fmt::format("  {:<18} {} (-n: {}, {})\n", g.name, g.description, g.counts,
                            g.default_count);
    command->footer(list);
    command->callback([options, &chosen] { chosen = [options] { return generate(*options); }; });
}

} // namespace fovea::app
