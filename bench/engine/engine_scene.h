// The scenes on which engines are compared: plain data, the same for all.
#pragma once

#include <string>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/shape.h"

namespace fovea::bench {

struct SceneBody {
    int shape; ///< into EngineScene::shapes
    Vec3 position;
    Quat orientation;
    Vec3 velocity;
};

struct EngineScene {
    std::string name;
    std::vector<Shape> shapes; ///< convex solids, or compounds of them
    std::vector<HalfSpace> walls;
    std::vector<SceneBody> bodies;
    Vec3 gravity;
    float density = 1000;               ///< kg/m^3
    float friction = 0.5f, elastic = 0; ///< of each pair
};

/// spheres, boxes, hulls, compounds: dropped into a pit; pyramid: `bodies` is the number of rows;
/// gas: elastic balls without gravity.
Result<EngineScene> make_engine_scene(const std::string& name, int bodies);

} // namespace fovea::bench
