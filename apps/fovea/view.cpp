// fovea view: a window onto a running scene.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "exit_code.h"
#include "fovea/render/viewer.h"
#include "simulation_options.h"

namespace fovea::app {

namespace {

struct ViewOptions {
    SimulationOptions simulation;
    ViewerSettings window;
    bool pace = false;
};

int view_scene(const ViewOptions& options) {
    auto simulation = start_simulation(options.simulation);
    if (!simulation) return simulation.error();
    PopulatedWorld& populated = simulation->populated;
    StepReport report;
    std::vector<Transform> placements;
    populated.read_placements(placements);

    const ViewerHost host{
        .advance = [&]() -> Result<void> {
            report = populated.step(options.simulation.dt, options.simulation.budget());
            populated.read_placements(placements);
            return {};
        },
        .poses = [&] { return std::span<const Transform>(placements); },
        .status =
            [&] {
                return ViewerStatus{long(populated.world.frame()),
                                    report.time,
                                    report.pairs,
                                    report.contacts,
                                    report.wall_ms,
                                    options.simulation.budget_ms,
                                    report.budget.limited,
                                    report.budget.pairs_cut};
            },
        .reshape =
            [&](Renderer& renderer) {
                for (const auto& each : populated.deforming) {
                    const std::size_t body = each.motion.body;
                    renderer.reshape(body, populated.world.vertices(populated.bodies[body]));
                }
            },
        .drawn = {}};
    ViewerSettings window = options.window;
    window.title = fmt::format("{} - Fovea", options.simulation.scene);
    if (options.pace) window.paced_step = double(options.simulation.dt);
    if (const auto shown = view(simulation->scene, host, window); !shown) {
        complain(shown.error().message);
        return k_failed;
    }
    return k_fine;
}

} // namespace

void add_view(CLI::App& app, Command& chosen) {
    auto options = std::make_shared<ViewOptions>();
    CLI::App* command = app.add_subcommand("view", "Open a window on a scene");
    add_simulation_options(*command, options->simulation);
    add_budget_options(*command, options->simulation);
    command->add_option("-n", options->window.pictures, "End after this many pictures")
        ->check(k_count);
    command->add_flag("--pause", options->window.paused, "Start paused");
    command->add_flag("--pace", options->pace, "Keep simulated time at the pace of the clock");
    command->footer("Drag to look around, wheel to zoom, right drag to pan, R resets the camera,\n"
                    "space pauses, full stop or right arrow steps once, Escape ends.");
    command->callback([options, &chosen] { chosen = [options] { return view_scene(*options); }; });
}

} // namespace fovea::app
