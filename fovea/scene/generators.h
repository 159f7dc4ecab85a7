// The generators behind generate_scene, one function for each scene. `count` has been checked.
#pragma once

#include "fovea/base/random.h"
#include "fovea/base/result.h"
#include "fovea/scene/generate.h"
#include "fovea/scene/scene_writer.h"

namespace fovea {

/// Everything a generator works with.
struct Generation {
    int count;
    Random random;
    SceneWriter& writer;
    const GenerateSettings& settings;
};

/// By Newton's method: std::cbrt may differ in its last bit from one C library to another.
inline double cube_root(double number) {
    double root = number > 1 ? number : 1;
    for (double next = root;; root = next) {
        next = (2 * root + number / (root * root)) / 3;
        if (!(next < root)) return root;
    }
}

/// Components drawn one by one.
inline Vec3d gaussian_vector(Random& random, double deviation) {
    const double x = random.gaussian(0, deviation), y = random.gaussian(0, deviation);
    return {x, y, random.gaussian(0, deviation)};
}
inline Vec3d point_in(Random& random, const Vec3d& low, const Vec3d& high) {
    const double x = random.uniform(low.x, high.x), y = random.uniform(low.y, high.y);
    return {x, y, random.uniform(low.z, high.z)};
}

/// Refuses the original language for a scene that needs what it cannot say, such as "joints".
Result<void> check_language(const Generation& generation, std::string_view scene,
                            std::string_view what);

Result<void> generate_brownian(Generation& generation);
Result<void> generate_chain(Generation& generation);
Result<void> generate_concave(Generation& generation);
Result<void> generate_density(Generation& generation);
Result<void> generate_flock(Generation& generation);
Result<void> generate_lshapes(Generation& generation);
Result<void> generate_plates(Generation& generation);
Result<void> generate_pool(Generation& generation);
Result<void> generate_pools(Generation& generation);
Result<void> generate_pyramid(Generation& generation);
Result<void> generate_ragdoll(Generation& generation);
Result<void> generate_ragdolls(Generation& generation);
Result<void> generate_spinning_cylinder(Generation& generation);
Result<void> generate_table(Generation& generation);

} // namespace fovea
