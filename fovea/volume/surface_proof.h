// The proof that a sphere tree encloses a surface.
//
// A triangle lies in a sphere if its corners do. A triangle that no single sphere of a level holds
// is cut in two, and those again, until every piece has a path from root to leaf through spheres
// that hold it whole:
//
//   piece -> root -> child that holds it -> ... -> leaf that holds it
//
// A piece without such a path is cut on; one too small to be worth cutting makes the spheres of
// the cheapest path grow until they hold it.
//
// Coordinates are the mesh's own, exact in double precision; spheres are those of the finished tree
// in single precision, taken smaller by more than the rounding of the test. So what is proved is
// proved of the tree that is returned and of the mesh that was given.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

struct SurfaceProof {
    bool holds = false;
    std::uint64_t pieces = 0;
    std::uint32_t grown = 0; ///< growths of spheres
};

/// Proves that every piece of `mesh` has a path, enlarging spheres of `levels` where it has none.
SurfaceProof prove_surface(const TriangleMesh& mesh, std::span<SphereLevel> levels,
                           const Jobs& jobs);

/// The same proof without enlarging anything; `holds` tells the outcome.
SurfaceProof check_surface(const TriangleMesh& mesh, const SphereTree& tree, const Jobs& jobs);

} // namespace fovea
