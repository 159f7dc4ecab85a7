// How well a sphere tree fits: figures per level.
#pragma once

#include <string>
#include <vector>

#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// One level. Errors are distances, in metres, from points on the surface of the union of the
/// level's spheres to the mesh: how far away a contact with the level may be from a true one.
/// Points inside the solid are left out.
struct LevelQuality {
    std::uint32_t spheres = 0;
    double mean_error = 0;   ///< over the area of the union's surface
    double p95_error = 0;    ///< 95 % of that area is nearer than this
    double worst_error = 0;  ///< one-sided Hausdorff distance, sampled
    double volume_ratio = 0; ///< volume of the union / volume of the solid; 0 if there is no solid
    double overlap = 0;      ///< sum of the balls' volumes / volume of their union
    double coverage = 0;     ///< part of the mesh's area inside the spheres, sampled
};

struct SphereTreeQuality {
    std::vector<LevelQuality> levels;
    double seconds = 0; ///< of the build
    std::size_t tree_bytes = 0;
    std::size_t build_bytes = 0;
};

struct QualitySettings {
    int samples = 20000; ///< points per level; more are slower and find the worst place better
    int threads = 0;     ///< 0: one per core; the figures are the same for any number
};

/// Measures a tree against its mesh. Refuses what SphereTree::build refuses of a mesh.
Result<SphereTreeQuality> measure(const SphereTree& tree, const TriangleMesh& mesh,
                                  const QualitySettings& settings = {});

/// The figures as a table, a line per level.
std::string table(const SphereTreeQuality& quality);

} // namespace fovea
