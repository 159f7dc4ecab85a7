// A sphere tree while it is being built: double precision, in the unit frame of the prepared mesh.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/volume/distance_grid.h"
#include "fovea/volume/prepared_mesh.h"
#include "fovea/volume/sphere_tree_settings.h"

namespace fovea {

struct Ball {
    Vec3d centre;
    double radius = 0;

    bool operator==(const Ball&) const = default;
};

struct DraftLevel {
    std::vector<Ball> balls;
    std::vector<std::uint32_t> parents; ///< into the level before; ascending
};

using SphereDraft = std::vector<DraftLevel>;

/// The shape that a tree is built around: exact surface and sampled distance.
struct ContentModel {
    const PreparedMesh& mesh;
    const DistanceGrid& grid;
    bool solid; ///< the inside must be enclosed too

    /// True in the solid. The lattice answers where it is sure, the winding number near the
    /// surface.
    bool inside(const Vec3d& p) const {
        if (!mesh.closed) return false;
        const double d = grid.distance(p);
        if (std::abs(d) > 2 * grid.spacing()) return d < 0;
        return mesh.inside(p);
    }

    /// How far at most the ball sticks out of the content: from its centre, d inside the solid,
    /// every point of its surface is at most radius - d from the mesh.
    double protrusion(const Ball& ball) const { return ball.radius + grid.distance(ball.centre); }
    /// The same from the exact distance instead of the lattice's.
    double exact_protrusion(const Ball& ball) const {
        const double d = std::sqrt(mesh.tree.nearest(ball.centre).squared_distance);
        return ball.radius + (inside(ball.centre) ? -d : d);
    }
};

/// Reports progress and remembers a wish to stop.
class BuildWatch {
  public:
    explicit BuildWatch(const std::function<bool(double)>& progress)
        : progress_(progress) {}
    /// False once the build is cancelled. Called by the building thread alone.
    bool reached(double part) {
        part_ = part;
        return goes_on();
    }
    /// The same with the part reached last: for a look in between.
    bool goes_on() {
        if (!cancelled_ && progress_ && !progress_(part_)) cancelled_ = true;
        return !cancelled_;
    }
    bool cancelled() const { return cancelled_; }

  private:
    const std::function<bool(double)>& progress_;
    double part_ = 0;
    bool cancelled_ = false;
};

/// A level of more spheres is the last one, whether it meets a target error or not.
constexpr std::size_t k_most_for_target = 50'000;

/// How many levels and spheres a draft may have.
struct DraftPlan {
    int levels;
    int branching;
    double target_error;      ///< units; 0: none
    std::size_t target_count; ///< of the last level; 0: none
    double effort;            ///< as in the settings
};

} // namespace fovea
