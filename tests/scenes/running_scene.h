// A generated scene, running: what the end-to-end tests start from.
#pragma once

#include <doctest/doctest.h>

#include "fovea/scene/generate.h"
#include "fovea/scene/parse.h"
#include "fovea/scene/populate.h"

namespace fovea::test {

struct RunningScene {
    Scene scene;
    PopulatedWorld populated;

    World& world() { return populated.world; }
    Vec3 position(std::size_t body) { return world().transform(populated.bodies[body]).position; }
    Vec3 velocity(std::size_t body) { return world().velocity(populated.bodies[body]); }

    template <class T>
    std::vector<std::size_t> bodies_of_type() const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            if (std::holds_alternative<T>(scene.bodies[i].shape)) found.push_back(i);
        return found;
    }
};

/// The scenes are the source's, and so is the response unless a test says otherwise.
inline const WorldSettings k_source_settings{.response = Response::impulse};

inline RunningScene run_scene_text(const std::string& text,
                                   const WorldSettings& settings = k_source_settings) {
    ParsedScene parsed = parse_scene(text);
    INFO(describe(parsed));
    REQUIRE(parsed.reports() == 0);
    auto populated = populate(parsed.scene, settings);
    REQUIRE_MESSAGE(populated, populated.error().message);
    return {std::move(parsed.scene), std::move(*populated)};
}

/// `count` 0 takes the generator's default.
inline RunningScene run_generated(const char* name, int count, std::uint64_t seed = 1,
                                  const WorldSettings& settings = k_source_settings) {
    GenerateSettings wanted{.seed = seed};
    if (count > 0) wanted.count = count;
    const auto text = generate_scene(name, wanted);
    REQUIRE_MESSAGE(text, text.error().message);
    return run_scene_text(*text, settings);
}

} // namespace fovea::test
