// Spheres of a surface's ladder after its triangles have moved. The structure stays.
//
//   triangles -> balls of elements and groups -> leaves from their corners -> parents from children
//
// A parent's ball is about the middle of the box of all below it; its radius the lesser of what
// reaches the box's corners and what reaches around the children's balls. Of a flat piece that is
// the ball a new ladder would have, or a little more.
#pragma once

#include <vector>

#include "fovea/collide/ladder.h"
#include "fovea/geometry/aabb.h"

namespace fovea {

class LadderRefit {
  public:
    /// Brings the ladder that make_surface_ladder() made up to date with `ladder.triangles`.
    void run(Ladder& ladder);

  private:
    struct Below {
        Aabb box;
        Vec3d normal;    ///< twice the area along it, summed over triangles
        double area = 0; ///< twice
    };
    void fit_leaf(Ladder& ladder, std::uint32_t slot);
    void fit_parent(Ladder& ladder, std::uint32_t slot);

    std::vector<Below> below_; ///< by slot of the node levels
};

} // namespace fovea
