// Sphere trees from cells: the box around the shape is split again and again, and every cell that
// holds a part of it gets a sphere.
//
//   octree   cubes, halved along each axis; the sphere circumscribes the cube
//   grid     boxes that follow the shape's box, split up to `branching` ways so that the parts are
//            as cubic as can be; the sphere holds what of the shape is in the cell
//
// Cells wholly inside the solid are kept only if the inside is to be enclosed. Otherwise no cell
// without surface in it survives: that is the hidden-node pruning of O'Sullivan 4.2.2 made safe,
// since a cell is dropped only if nothing of the surface lies beneath it.
#pragma once

#include "fovea/volume/sphere_draft.h"

namespace fovea {

/// `method` is octree or grid. An octree with fewer than eight children per node halves the
/// longest axes only.
SphereDraft draft_from_cells(const ContentModel& content, SphereMethod method,
                             const DraftPlan& plan, const Jobs& jobs, BuildWatch& watch);

} // namespace fovea
