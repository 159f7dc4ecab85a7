// fovea spheres: encloses a mesh, or the collision meshes of a robot, in spheres.
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "exit_code.h"
#include "fovea/scene/import_mesh.h"
#include "fovea/scene/robot_spheres.h"
#include "fovea/scene/sphere_files.h"
#include "output_file.h"
#include "simulation_options.h"
#include "sphere_pictures.h"

namespace fovea::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct SpheresOptions {
    std::string input;
    std::vector<std::string> outputs;
    std::string report, mesh_folder;
    SpherePictureOptions pictures;
    bool quiet = false;
    SphereTreeSettings settings;
};

std::atomic<bool> interrupted = false;

/// The part done, on a terminal only, and the user's wish to stop.
std::function<bool(double)> progress_line(bool shown) {
    std::signal(SIGINT, [](int) { interrupted = true; });
    return [shown](double part) {
        if (shown && part < 1) fmt::print(stderr, "\r{:3.0f} %", part * 100);
        if (shown && part >= 1) fmt::print(stderr, "\r\033[K");
        return !interrupted;
    };
}

int failed(const std::string& message, ExitCode code = k_failed) {
    complain(message);
    return code;
}

/// Files that are opened before the work and named after it, all or none.
class Outputs {
  public:
    using Text = std::function<Result<std::string>()>;

    Result<void> add(const fs::path& path, Text text) {
        auto file = OutputFile::create(path);
        if (!file) return tl::unexpected(file.error());
        files_.push_back({std::move(*file), std::move(text)});
        return {};
    }

    Result<void> write() {
        for (auto& [file, text] : files_) {
            const auto made = text();
            if (!made) return tl::unexpected(made.error());
            file.write(*made);
            if (auto flushed = file.flush(); !flushed) return flushed;
        }
        for (auto& [file, text] : files_) {
            if (auto finished = file.finish(); !finished) return finished;
        }
        return {};
    }

  private:
    struct Entry {
        OutputFile file;
        Text text;
    };
    std::vector<Entry> files_;
};

/// Names of files may be anything but text; their bytes must not cost the report.
std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json to_json(const SphereTreeProof& proof) {
    return {{"surface_enclosed", proof.surface_enclosed},
            {"solid_enclosed", proof.solid_enclosed},
            {"children_inside_parents", proof.children_inside},
            {"pieces", proof.pieces},
            {"spheres_enlarged", proof.grown}};
}

Json report_of(const SpheresOptions& options, const TriangleMesh& mesh, const SphereTree& tree,
               const SphereTreeQuality& quality) {
    Json json{
        {"program", "fovea " FOVEA_VERSION},       {"mesh", options.input},
        {"triangles", mesh.triangles.size()},      {"method", name_of(options.settings.method)},
        {"branching", options.settings.branching}, {"proof", to_json(tree.proof())}};
    json.update(Json::parse(fovea::to_json(quality)));
    return json;
}

Json report_of(const SpheresOptions& options, const RobotSpheres& robot) {
    Json json{{"program", "fovea " FOVEA_VERSION},
              {"robot", options.input},
              {"method", name_of(options.settings.method)},
              {"branching", options.settings.branching},
              {"spheres", robot.spheres},
              {"meshes", Json::array()}};
    for (const RobotMesh& mesh : robot.meshes) {
        Json entry{{"link", mesh.link},       {"mesh", mesh.file},
                   {"line", mesh.line},       {"triangles", mesh.triangles},
                   {"spheres", mesh.spheres}, {"proof", to_json(mesh.proof)}};
        entry.update(Json::parse(fovea::to_json(mesh.quality)));
        json["meshes"].push_back(std::move(entry));
    }
    return json;
}

/// A line per collision mesh, of the level that takes its place.
std::string summary(const RobotSpheres& robot) {
    std::string text =
        fmt::format("{:<20} {:>9} {:>7}  {:>11}  {:>11}  {:>6}  {}\n", "link", "triangles",
                    "spheres", "mean error", "worst error", "volume", "mesh");
    for (const RobotMesh& mesh : robot.meshes) {
        const LevelQuality& leaves = mesh.quality.levels.back();
        text += fmt::format("{:<20} {:>9} {:>7}  {:>11.5g}  {:>11.5g}  {:>6.3f}  {}\n", mesh.link,
                            mesh.triangles, mesh.spheres, leaves.mean_error, leaves.worst_error,
                            leaves.volume_ratio, mesh.file);
    }
    return text + fmt::format("{} collision meshes became {} spheres\n", robot.meshes.size(),
                              robot.spheres);
}

std::string summary(const SphereTree& tree, const SphereTreeQuality& quality) {
    const SphereTreeProof& proof = tree.proof();
    return table(quality) +
           fmt::format("proved on every level: the surface is enclosed{}{}\n",
                       proof.solid_enclosed ? ", and the solid" : "",
                       proof.children_inside ? "; children lie inside their parents" : "");
}

int enclose_mesh(const SpheresOptions& options) {
    for (const std::string& output : options.outputs) {
        const fs::path ending = fs::path(output).extension();
        if (ending != ".sph" && ending != ".json")
            return failed("-o: " + output + " ends neither in .sph nor in .json", k_wrong_usage);
    }
    const auto mesh = import_mesh(options.input);
    if (!mesh) return failed(mesh.error().message, k_bad_input);

    std::optional<SphereTree> tree;
    SphereTreeQuality quality;
    Outputs outputs;
    for (const std::string& output : options.outputs) {
        const bool sph = fs::path(output).extension() == ".sph";
        const auto added = outputs.add(output, [sph, &tree]() -> Result<std::string> {
            if (sph) return to_sph(*tree);
            return fovea::to_json(*tree);
        });
        if (!added) return failed(added.error().message);
    }
    if (!options.report.empty()) {
        const auto added = outputs.add(options.report, [&]() -> Result<std::string> {
            return text_of(report_of(options, *mesh, *tree, quality));
        });
        if (!added) return failed(added.error().message);
    }

    auto built = SphereTree::build(*mesh, options.settings);
    if (!built)
        return failed(options.input + ": " + built.error().message,
                      interrupted ? k_failed : k_bad_input);
    tree.emplace(std::move(*built));
    if (!options.quiet || !options.report.empty()) {
        auto measured = measure(*tree, *mesh, {.threads = options.settings.threads});
        if (!measured) return failed(measured.error().message);
        quality = std::move(*measured);
    }
    if (!options.mesh_folder.empty()) {
        std::error_code error;
        fs::create_directories(options.mesh_folder, error);
        if (error)
            return failed("cannot make folder " + options.mesh_folder + ": " + error.message());
        for (int level = 0; level < tree->levels(); ++level) {
            const auto added = outputs.add(
                fs::path(options.mesh_folder) / fmt::format("level-{}.ply", level),
                [level, &tree]() -> Result<std::string> { return level_as_ply(*tree, level); });
            if (!added) return failed(added.error().message);
        }
    }
    if (const auto drawn = draw_levels(options.pictures, *tree, *mesh); !drawn)
        return failed(drawn.error().message);
    if (const auto written = outputs.write(); !written) return failed(written.error().message);
    if (!options.quiet) fmt::print("{}", summary(*tree, quality));
    return k_fine;
}

int enclose_robot(const SpheresOptions& options) {
    if (!options.mesh_folder.empty() || !options.pictures.folder.empty())
        return failed("--meshes and --images are for one mesh, not for a robot", k_wrong_usage);
    RobotSpheres robot;
    Outputs outputs;
    for (const std::string& output : options.outputs) {
        const fs::path ending = fs::path(output).extension();
        if (ending != ".urdf" && ending != ".srdf")
            return failed("-o: " + output + " ends neither in .urdf nor in .srdf", k_wrong_usage);
        const std::string& text = ending == ".urdf" ? robot.urdf : robot.srdf;
        const auto added = outputs.add(output, [&text]() -> Result<std::string> { return text; });
        if (!added) return failed(added.error().message);
    }
    if (!options.report.empty()) {
        const auto added = outputs.add(options.report, [&]() -> Result<std::string> {
            return text_of(report_of(options, robot));
        });
        if (!added) return failed(added.error().message);
    }
    auto made = with_spheres(fs::path(options.input), options.settings,
                             !options.quiet || !options.report.empty());
    if (!made) return failed(made.error().message, interrupted ? k_failed : k_bad_input);
    robot = std::move(*made);
    if (const auto written = outputs.write(); !written) return failed(written.error().message);
    if (!options.quiet) fmt::print("{}", summary(robot));
    return k_fine;
}

int spheres(SpheresOptions options) {
    if (const auto checked = check_settings(options.settings); !checked)
        return failed(checked.error().message, k_wrong_usage);
    std::vector<fs::path> files{options.input, options.report};
    files.insert(files.end(), options.outputs.begin(), options.outputs.end());
    if (const auto path = named_twice(files); !path.empty())
        return failed(path.string() + " is named by two of the input, -o and --report",
                      k_wrong_usage);
    options.settings.progress = progress_line(isatty(STDERR_FILENO) != 0 && !options.quiet);
    return fs::path(options.input).extension() == ".urdf" ? enclose_robot(options)
                                                          : enclose_mesh(options);
}

} // namespace

void add_spheres(CLI::App& app, Command& chosen) {
    auto options = std::make_shared<SpheresOptions>();
    SphereTreeSettings& settings = options->settings;
    CLI::App* command = app.add_subcommand("spheres", "Enclose a mesh or a robot in spheres");
    command
        ->add_option("mesh", options->input,
                     "Mesh (.obj, .stl, .ply, .gltf, .glb) or robot description (.urdf)")
        ->required()
        ->type_name("MESH");
    command
        ->add_option("-o", options->outputs,
                     "Write the tree as .sph or .json; of a robot, .urdf or .srdf. May be repeated")
        ->type_name("FILE")
        ->take_all();
    command
        ->add_option_function<std::string>(
            "--method",
            [&settings](const std::string& name) { settings.method = *sphere_method(name); },
            "How the spheres are found: from the quickest to the tightest")
        ->check(CLI::IsMember(sphere_method_names()))
        ->type_name("octree|grid|hubbard|medial|best")
        ->default_str("best");
    command->add_option("--levels", settings.levels, "Levels, the root's among them, 1 to 8")
        ->capture_default_str();
    command->add_option("--branch", settings.branching, "Most children of a sphere, 2 to 64")
        ->capture_default_str();
    auto* error = command
                      ->add_option("--error", settings.target_error,
                                   "Levels as needed to stand off no further than this, metres")
                      ->type_name("METRES");
    command
        ->add_option("--count", settings.target_count,
                     "Levels as needed for this many spheres on the last, at most")
        ->type_name("N")
        ->excludes(error);
    command
        ->add_option_function<std::string>(
            "--enclose",
            [&settings](const std::string& what) {
                settings.enclosure = what == "solid" ? Enclosure::solid : Enclosure::surface;
            },
            "What every level must hold: the surface, or also the inside of a closed mesh")
        ->check(CLI::IsMember({"surface", "solid"}))
        ->type_name("surface|solid")
        ->default_str("solid");
    command->add_flag(
        "--nested", [&settings](std::int64_t) { settings.nesting = Nesting::inside_parent; },
        "Every sphere lies inside its parent, as exact descents need");
    command->add_option("--effort", settings.effort, "Time spent on fitting, 0.1 to 10 times")
        ->capture_default_str();
    command->add_option("--threads", settings.threads, "Threads; 0 takes one per core")
        ->capture_default_str();
    command->add_option("--report", options->report, "Write figures of every level (JSON)")
        ->type_name("FILE");
    command->add_option("--meshes", options->mesh_folder, "Folder for a mesh of each level (PLY)")
        ->type_name("DIR");
    add_sphere_picture_options(*command, options->pictures);
    command->add_flag("-q,--quiet", options->quiet, "Print no table");
    command->callback([options, &chosen] { chosen = [options] { return spheres(*options); }; });
}

} // namespace fovea::app
