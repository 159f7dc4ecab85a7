// What a sphere tree is asked to be: method, size, guarantees.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/sphere_recipe.h"

namespace fovea {

/// What every level of the tree must hold.
enum class Enclosure {
    surface, ///< every triangle; the inside of a solid may stay empty
    solid,   ///< also the inside, if the mesh is closed; otherwise the same as `surface`
};

/// How children relate to their parent.
enum class Nesting {
    cover_share, ///< every piece of surface has a path from root to leaf through spheres that hold
                 ///< it: a descent misses no contact of surfaces; tightest
    inside_parent, ///< each child lies inside its parent: a descent finds every pair of leaves that
                   ///< touch; coarse levels are a little larger
};

struct SphereTreeSettings {
    SphereMethod method = SphereMethod::best;

    int levels = 3;    ///< 1 to 8, the root's among them; with a target: as many as it needs
    int branching = 8; ///< 2 to 64, children of a node at most

    /// Metres. Levels are added until no sphere's surface is further than this from the mesh; an
    /// error that takes more than eight levels, or many more than 50,000 spheres, is refused.
    std::optional<double> target_error = {};
    /// The last level gets at most this many spheres; levels are added until it can.
    std::optional<int> target_count = {};

    Enclosure enclosure = Enclosure::solid;
    Nesting nesting = Nesting::cover_share;

    /// How closely hubbard, medial and best look at the shape, 0.1 to 10: the number of pieces that
    /// they cut it into and of places where they measure, relative to the usual. Costs time about
    /// in proportion, gains tightness slowly. The proofs do not depend on it.
    double effort = 1;

    int threads = 0; ///< 0: one per core; the tree is the same for any number

    /// Called now and then with the part done, 0 to 1, by the thread that builds. Returning false
    /// cancels the build.
    std::function<bool(double)> progress = {};
};

/// Refuses numbers out of range and targets that contradict each other.
Result<void> check_settings(const SphereTreeSettings& settings);

std::string_view name_of(SphereMethod method);
std::vector<std::string_view> sphere_method_names();

/// The method of that name; an unknown one is refused with the list of known ones.
Result<SphereMethod> sphere_method(std::string_view name);

} // namespace fovea
