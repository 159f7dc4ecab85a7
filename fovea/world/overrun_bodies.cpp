// Bodies that a surface would pass through on its way from where it was at the last step.
//
// The step before kept bodies on their side of the surface as it was then; here they stay on that
// side while the surface goes to where it is now. A body is taken along by the ball that fits
// inside it (surface_sweep.h). The contacts of the step then find it near the surface, on the right
// side, and give it the surface's velocity.
#include <algorithm>

#include "fovea/collide/surface_sweep.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/world/ball_inside.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

/// Of the least half width: the ball that is kept on its side of a body whose middle is not inside.
constexpr float k_middle = 0.25f;

} // namespace

int World::take_overrun_bodies_along() {
    float farthest = 0;
    for (const std::uint32_t slot : deforming_)
        farthest = std::max(farthest, surface_of(slot)->farthest_way());
    const FastScene scene = fast_scene();
    const auto may_be_overrun = [&](std::uint32_t slot, float way) {
        return bodies_.movable(slot) && !sensors_[slot] && way > scene.free_way(slot);
    };
    bool any = false;
    for (std::uint32_t slot = 0; farthest > 0 && !any && slot < bodies_.size(); ++slot)
        any = body_ids_.slot_in_use(slot) && may_be_overrun(slot, farthest);
    if (!any) return 0;

    int taken = 0;
    for (const std::uint32_t of : deforming_) {
        const DeformingSurface& surface = *surface_of(of);
        const float way = surface.farthest_way();
        if (!(way > 0) || sensors_[of]) continue;
        const Transform at = shape_placement(of);
        slots_.clear();
        query_index(QueryIndex::Layers::all)
            .movable()
            .near(expanded(bounds(shapes_[body_shape_[of]], at), way), 0,
                  [&](std::uint32_t slot, float limit) {
                      if (may_be_overrun(slot, way) && collide(filters_[slot], filters_[of]))
                          slots_.push_back(slot);
                      return limit;
                  });
        std::ranges::sort(slots_);
        ways_along_.resize(slots_.size());
        jobs_.for_blocks(slots_.size(), 8, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t slot = slots_[i], shape = body_shape_[slot];
                auto ball = ball_inside(shapes_[shape], body_centre_[slot]);
                if (!ball) ball = {body_centre_[slot], k_middle * shape_half_width_[shape]};
                const Vec3 centre = to_local(at, shape_placement(slot) * ball->centre);
                // Twice: all that fits inside.
                ways_along_[i] =
                    rotate(at.orientation, way_taken_along(surface, {centre, 2 * ball->radius}));
            }
        });
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (ways_along_[i] == Vec3()) continue;
            bodies_.position[slots_[i]] += ways_along_[i];
            islands_.wake(slots_[i]);
            query_index_->set_moved();
            ++taken;
        }
    }
    return taken;
}

} // namespace fovea
