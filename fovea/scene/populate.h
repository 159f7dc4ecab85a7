// From a scene, which only says what is there, to a world that moves.
#pragma once

#include <vector>

#include "fovea/scene/scene.h"
#include "fovea/world/world.h"

namespace fovea {

struct PopulatedWorld {
    World world;
    std::vector<BodyId> bodies; ///< in the order of Scene::bodies
    /// How some of them deform, and from what: of the scene.
    struct Deforming {
        SceneMotion motion;
        std::shared_ptr<const TriangleMesh> first;
    };
    std::vector<Deforming> deforming = {};

    /// World::step() after the surfaces that move by themselves have been set to where they are at
    /// its beginning.
    StepReport step(float h, const Budget& budget = Budget::unlimited());

    /// Where the shapes of the scene's bodies are now, in the same order.
    void read_placements(std::vector<Transform>& placements) const;
};

/// A world with everything that is in the scene. The scene's gravity replaces that of `settings`.
Result<PopulatedWorld> populate(const Scene& scene, WorldSettings settings);

} // namespace fovea
