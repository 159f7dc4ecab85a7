// Options that every command which simulates a scene shares.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "fovea/base/result.h"
#include "fovea/scene/parse.h"
#include "fovea/scene/populate.h"

namespace fovea::app {

/// Of 64 bits, without a sign.
extern const CLI::Validator k_whole_number;
/// The same, and not 0.
extern const CLI::Validator k_count;

struct SimulationOptions {
    std::string scene = "-";    ///< a file, or "-" for standard input
    float dt = 0.01f;           ///< seconds
    bool strict = false;        ///< refuse scenes with rejected declarations
    bool original = false;      ///< only the original scene language
    std::vector<float> gravity; ///< three components, or none to keep the scene's
    WorldSettings world;
    double budget_ms = 0;         ///< of a step; 0: none
    std::uint64_t work_units = 0; ///< likewise, counted
    bool counted = false;         ///< work_units counts, even if it is 0

    Budget budget() const;
    /// Options that only one response knows: given with the other, they are a mistake.
    std::vector<std::pair<Response, const CLI::Option*>> of_response;
    /// Likewise options of steps that have a budget, given without one.
    std::vector<const CLI::Option*> of_budget;
    /// Likewise options of some schedules, given with another.
    std::vector<std::pair<std::vector<SchedulePolicy>, const CLI::Option*>> of_policies;
};

/// Options of steps that have a budget.
void add_budget_options(CLI::App& command, SimulationOptions& options);

void add_simulation_options(CLI::App& command, SimulationOptions& options);

struct Simulation {
    Scene scene;
    PopulatedWorld populated;
};

/// Loads the scene, printing what is wrong with it to standard error, and makes the world of it.
/// On failure the exit code, all having been said.
tl::expected<Simulation, int> start_simulation(const SimulationOptions& options);

/// "fovea: " and the message, to standard error.
void complain(const std::string& message);

} // namespace fovea::app
