#include "simulation_options.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>
#include <map>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_code.h"

namespace fovea::app {

namespace {

template <class Enum>
using Names = std::map<std::string, Enum>;

const Names<BroadPhaseMethod> k_broad_names{{"brute", BroadPhaseMethod::brute},
                                            {"sweep", BroadPhaseMethod::sweep},
                                            {"plain-sweep", BroadPhaseMethod::plain_sweep},
                                            {"tree", BroadPhaseMethod::tree}};
const Names<Integrator> k_integrator_names{{"explicit", Integrator::explicit_euler},
                                           {"semi-implicit", Integrator::semi_implicit_euler}};
const Names<RestitutionRule> k_rule_names{{"standard", RestitutionRule::standard},
                                          {"literal", RestitutionRule::literal}};

const Names<Response> k_response_names{{"soft-step", Response::soft_step},
                                       {"impulse", Response::impulse}};
const Names<DisplacementRule> k_displacement_names{{"by-mass", DisplacementRule::by_mass},
                                                   {"halves", DisplacementRule::halves}};

const Names<SchedulePolicy> k_policy_names = [] {
    Names<SchedulePolicy> names;
    for (const std::string_view name : schedule_policy_names())
        names.emplace(name, *schedule_policy(name));
    return names;
}();

const Names<Reduction> k_reduction_names{{"deepest", Reduction::deepest},
                                         {"average", Reduction::average},
                                         {"grouped", Reduction::grouped},
                                         {"gradient", Reduction::gradient},
                                         {"probability", Reduction::probability}};
const Names<PointFormula> k_point_names{{"ratio", PointFormula::ratio},
                                        {"plane", PointFormula::plane},
                                        {"middle", PointFormula::middle}};
const Names<DescentPolicy> k_descent_names{{"staircase", DescentPolicy::staircase},
                                           {"together", DescentPolicy::together}};
const Names<NodePlacing> k_node_names{{"carried", NodePlacing::carried},
                                      {"turned", NodePlacing::turned}};

/// An option whose value is one of a few names.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, Enum& value,
                        const Names<Enum>& names, const std::string& description) {
    std::string list, default_name;
    for (const auto& [name, meaning] : names) {
        list += (list.empty() ? "" : "|") + name;
        if (meaning == value) default_name = name;
    }
    return command
        .add_option_function<std::string>(
            flag, [&value, &names](const std::string& name) { value = names.at(name); },
            description)
        ->check(CLI::IsMember(names).description(""))
        ->type_name(list)
        ->default_str(default_name);
}

/// CLI::Range takes what is no number for one within any range.
CLI::Validator within(double low, double high) {
    return {[low, high](std::string& text) -> std::string {
                double value = 0;
                if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high)
                    return {};
                return fmt::format("must be a number of {} to {}, but is {}", low, high, text);
            },
            ""};
}
std::string range_text(double low, double high) {
    return fmt::format("{}..{}", low, high);
}

const CLI::Validator k_finite(
    [](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && std::isfinite(value)) return {};
        return "must be a finite number, but is " + text;
    },
    "");

/// Positive and finite.
const CLI::Validator k_positive(
    [](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value > 0 && std::isfinite(value)) return {};
        return "must be a positive, finite number, but is " + text;
    },
    "");

} // namespace

namespace {

constexpr std::uint64_t k_largest = std::numeric_limits<std::uint64_t>::max();

CLI::Validator whole_number_from(std::uint64_t least, std::uint64_t most = k_largest) {
    return {[least, most](std::string& text) -> std::string {
                std::uint64_t value = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), value);
                if (error == std::errc() && end == text.data() + text.size() && value >= least &&
                    value <= most)
                    return {};
                return fmt::format("must be a whole number of {} to {}, but is {}", least, most,
                                   text);
            },
            ""};
}

} // namespace

const CLI::Validator k_whole_number = whole_number_from(0);
const CLI::Validator k_count = whole_number_from(1);

namespace {

Result<ParsedScene> read(const SimulationOptions& options) {
    ParseSettings settings;
    settings.strict = options.original;
    if (options.scene == "-") return read_scene(std::cin, "standard input", settings);
    return load_scene(options.scene, settings);
}

} // namespace

void complain(const std::string& message) {
    fmt::print(stderr, "fovea: {}\n", message);
}

Budget SimulationOptions::budget() const {
    if (budget_ms > 0) return Budget::milliseconds(budget_ms);
    return counted ? Budget::work(work_units) : Budget::unlimited();
}

void add_budget_options(CLI::App& command, SimulationOptions& o) {
    CLI::Option* time =
        command.add_option("--budget", o.budget_ms, "Milliseconds that a step may take")
            ->check(k_positive)
            ->type_name("MS");
    command
        .add_option_function<std::uint64_t>(
            "--work", [&o](std::uint64_t units) { o.work_units = units, o.counted = true; },
            "Work units that a step may take: the same result on every machine")
        ->check(whole_number_from(0, k_largest - 1)) // the largest stands for no budget
        ->type_name("UNITS")
        ->excludes(time);
    ScheduleSettings& schedule = o.world.schedule;
    const auto needs_budget = [&](const CLI::Option* option) { o.of_budget.push_back(option); };
    const auto needs_policy = [&](const CLI::Option* option, std::vector<SchedulePolicy> policies) {
        o.of_policies.emplace_back(std::move(policies), option);
    };
    const auto add_share = [&](const std::string& flag, float& value, const std::string& what) {
        CLI::Option* option = command.add_option(flag, value, what)
                                  ->check(within(0, 1))
                                  ->type_name(range_text(0, 1))
                                  ->capture_default_str();
        needs_budget(option);
        return option;
    };
    needs_budget(add_choice(command, "--policy", schedule.policy, k_policy_names,
                            "Order in which pairs are refined"));
    needs_policy(add_share("--inner-share", schedule.inner_share,
                           "Part of the pairs that the first of two queues gets"),
                 {SchedulePolicy::two_queues, SchedulePolicy::sorted_inner_queue});
    CLI::Option* queues =
        command.add_option("--queues", schedule.queues, "Number of several-queues")
            ->check(CLI::Range(2, 64))
            ->capture_default_str();
    needs_budget(queues);
    needs_policy(queues, {SchedulePolicy::several_queues});
    needs_budget(command.add_option("--seed", schedule.seed, "Of random orders and spins")
                     ->check(k_whole_number)
                     ->capture_default_str());
    CLI::Option* hysteresis =
        command
            .add_option("--hysteresis", schedule.hysteresis,
                        "Pairs that reached their top in the last step count so much more")
            ->check(within(1, 1000))
            ->type_name(range_text(1, 1000))
            ->capture_default_str();
    needs_budget(hysteresis);
    needs_policy(hysteresis, {SchedulePolicy::sorted, SchedulePolicy::two_queues,
                              SchedulePolicy::several_queues, SchedulePolicy::sorted_inner_queue});
    add_share("--tolerance", schedule.tolerance,
              "Part of a leaf's radius by which pairs found apart may come closer before coarse "
              "answers repel them");
    needs_budget(command.add_flag("--drop-undecided", schedule.drop_undecided,
                                  "Answer undecided pairs as apart"));
    const auto add_switch_off = [&](const std::string& flag, bool& value, const std::string& what) {
        CLI::Option* option = command.add_flag_callback(
            flag, [&value] { value = false; }, what);
        needs_budget(option);
        return option;
    };
    CLI::Option* no_reservation = add_switch_off(
        "--no-reservation", schedule.reserve_response,
        "Do not set the time of the response aside: shows what becomes of the budget then");
    add_share("--detection-share", schedule.detection_share,
              "Give detection this part of the time and the response the rest; 0: one schedule "
              "for both")
        ->excludes(no_reservation);
    add_switch_off("--no-exact", schedule.exact, "Go no further than the leaves of moving meshes");
    add_share("--random-spin", schedule.random_spin,
              "Turn this share of what a blow between bounding spheres loses into spin about a "
              "random axis");
    needs_budget(command.add_flag("--recursion-cap", schedule.recursion_cap,
                                  "Refine fast bodies no further than the way they go in a step"));
    needs_budget(add_choice(command, "--descent", o.world.coarse.descent, k_descent_names,
                            "Which tree of a pair goes down from rung to rung"));
    needs_budget(add_choice(command, "--reduction", o.world.coarse.reduction, k_reduction_names,
                            "How hits of nodes become a few contacts"));
    needs_budget(add_choice(command, "--contact-point", o.world.coarse.point, k_point_names,
                            "Where between two nodes their contact is"));
}

void add_simulation_options(CLI::App& command, SimulationOptions& o) {
    command.add_option("scene", o.scene, "Scene file, or - for standard input (the default)")
        ->type_name("SCENE");
    command.add_option("--dt", o.dt, "Time step, seconds")
        ->check(within(1e-9, 1e3))
        ->type_name("SECONDS")
        ->capture_default_str();
    command.add_flag("--strict", o.strict, "Exit with 3 if any declaration is rejected");
    command.add_flag("--original", o.original,
                     "Accept only the original scene language, without extensions");
    command.add_option("--gravity", o.gravity, "Replaces the scene's gravity, m/s^2")
        ->expected(1)
        ->delimiter(',')
        ->type_size(3)
        ->check(k_finite)
        ->type_name("X,Y,Z");
    add_choice(command, "--broad", o.world.broad_phase, k_broad_names, "Broad phase");
    add_choice(command, "--response", o.world.response, k_response_names,
               "What happens where bodies meet");
    o.of_response = {
        {Response::soft_step,
         command.add_option("--sub-steps", o.world.soft_step.sub_steps, "Of soft-step")
             ->check(CLI::Range(1, 64))
             ->capture_default_str()},
        {Response::impulse, add_choice(command, "--integrator", o.world.integrator,
                                       k_integrator_names, "Integrator of impulse")},
        {Response::impulse, add_choice(command, "--restitution", o.world.impulse.rule, k_rule_names,
                                       "How elasticity scales a rebound of impulse")},
        {Response::impulse,
         add_choice(command, "--displacement", o.world.impulse.displacement, k_displacement_names,
                    "How impulse shares the way apart of overlapping bodies")}};
    add_choice(command, "--nodes", o.world.coarse.nodes, k_node_names,
               "Compare nodes of moving meshes pair by pair, or turn them once a step");
    command.add_flag("--gyroscopic", o.world.gyroscopic, "Let free bodies tumble");
    command.add_option("--threads", o.world.threads, "Threads; 0 takes one per core")
        ->check(CLI::Range(0, 256))
        ->capture_default_str();
}

tl::expected<Simulation, int> start_simulation(const SimulationOptions& options) {
    for (const CLI::Option* option : options.of_budget) {
        if (option->count() == 0 || !options.budget().is_unlimited()) continue;
        complain(fmt::format("{} has no effect without --budget or --work", option->get_name()));
        return tl::unexpected<int>(k_wrong_usage);
    }
    for (const auto& [policies, option] : options.of_policies) {
        if (option->count() == 0) continue;
        if (std::ranges::count(policies, options.world.schedule.policy) > 0) continue;
        std::vector<std::string_view> names;
        for (const SchedulePolicy policy : policies) names.push_back(name_of(policy));
        complain(fmt::format("{} has an effect only with --policy {}", option->get_name(),
                             fmt::join(names, " or ")));
        return tl::unexpected<int>(k_wrong_usage);
    }
    for (const auto& [response, option] : options.of_response) {
        if (option->count() == 0 || response == options.world.response) continue;
        complain(fmt::format("{} has an effect only with --response {}", option->get_name(),
                             response == Response::impulse ? "impulse" : "soft-step"));
        return tl::unexpected<int>(k_wrong_usage);
    }
    Result<ParsedScene> parsed = read(options);
    if (!parsed) {
        complain(parsed.error().message);
        return tl::unexpected<int>(k_bad_input);
    }
    if (parsed->reports() > 0) fmt::print(stderr, "{}", describe(*parsed));
    if (parsed->nothing_understood()) {
        complain(fmt::format("nothing in {} could be understood", parsed->file));
        return tl::unexpected<int>(k_bad_input);
    }
    if (options.strict && parsed->reports() > 0) {
        complain(fmt::format("{} has errors, and --strict was given", parsed->file));
        return tl::unexpected<int>(k_bad_input);
    }
    if (!options.gravity.empty())
        parsed->scene.gravity = {options.gravity[0], options.gravity[1], options.gravity[2]};
    auto populated = populate(parsed->scene, options.world);
    if (!populated) {
        complain(fmt::format("{}: {}", parsed->file, populated.error().message));
        return tl::unexpected<int>(k_bad_input);
    }
    return Simulation{std::move(parsed->scene), std::move(*populated)};
}

} // namespace fovea::app
