#include "fovea/scene/generate.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "fovea/scene/generators.h"

namespace fovea {

namespace {

constexpr GeneratorInfo k_generators[] = {
    {"brownian", "two gases in an open box mix; one blue particle wanders (Stokes 5.2)",
     "particles", 500, 100000},
    {"chain", "a chain held out level from a hook falls and swings", "links", 30, 10000},
    {"concave", "concave meshes fly about in a closed box without gravity", "bodies", 50, 20000},
    {"density", "spheres in a closed cube without gravity, ten to a cubic metre (O'Sullivan 10)",
     "spheres", 100, 500000},
    {"flock", "meshes pass each other closely without touching", "bodies", 100, 20000},
    {"lshapes", "pairs of L-shaped meshes are thrown at each other", "pairs", 20, 5000},
    {"plates", "small meshes are shot at thin plates, up to 100 m/s fast", "shots", 16, 5000},
    {"pool", "a cue ball breaks a triangle of balls (Stokes 5.1)", "balls in the triangle", 15,
     1000},
    {"pools", "many pool breaks scattered over a plane (Stokes 5.6)", "breaks of 16 balls", 10,
     50000},
    {"pyramid", "small spheres, then a big one, fall on stacked cylinders (Stokes 5.3)",
     "small spheres", 500, 100000},
    {"ragdoll", "ragdolls fall on a floor", "ragdolls", 4, 5000},
    {"ragdolls", "a crowd of ragdolls falls into a pit", "ragdolls", 100, 5000},
    {"spinning-cylinder",
     "a spinning cylinder launches one sphere and is hit by another (Stokes "
     "5.4)",
     "copies side by side", 1, 10000},
    {"table", "two spheres land on a table of five cylinders (Stokes 5.5)",
     "tables in a square grid", 1, 10000},
};

constexpr std::array k_functions{
    generate_brownian,
    generate_chain,
    generate_concave,
    generate_density,
    generate_flock,
    generate_lshapes,
    generate_plates,
    generate_pool,
    generate_pools,
    generate_pyramid,
    generate_ragdoll,
    generate_ragdolls,
    generate_spinning_cylinder,
    generate_table,
};
static_assert(k_functions.size() == std::size(k_generators));

} // namespace

Result<void> check_language(const Generation& generation, std::string_view scene,
                            std::string_view what) {
    if (!generation.settings.source_language) return {};
    return failure(
        fmt::format("scene {} needs {}, which the original language cannot say", scene, what));
}

std::span<const GeneratorInfo> scene_generators() {
    return k_generators;
}

Result<std::string> generate_scene(std::string_view name, const GenerateSettings& settings) {
    const auto found = std::find_if(std::begin(k_generators), std::end(k_generators),
                                    [&](const GeneratorInfo& info) { return info.name == name; });
    if (found == std::end(k_generators)) {
        std::string known;
        for (const GeneratorInfo& info : k_generators)
            known += (known.empty() ? "" : ", ") + std::string(info.name);
        return failure(fmt::format("no scene is called '{}'; there are {}", name, known));
    }
    const int count = settings.count.value_or(found->default_count);
    if (count < 1 || count > found->largest_count)
        return failure(fmt::format("the number of {} is {}; scene {} can have from 1 to {}",
                                   found->counts, count, name, found->largest_count));

    if (settings.triangles < 1 || settings.triangles > 1'000'000)
        return failure(fmt::format("the number of triangles is {}; it must be from 1 to 1000000",
                                   settings.triangles));

    SceneWriter writer(settings.source_language);
    writer.comment(fmt::format("{}: {}", name, found->description));
    writer.comment(fmt::format("number of {}: {}, seed {}", found->counts, count, settings.seed));
    Generation generation{count, Random(settings.seed), writer, settings};
    if (auto done = k_functions[std::size_t(found - k_generators)](generation); !done)
        return tl::unexpected(done.error());
    return writer.take();
}

} // namespace fovea
