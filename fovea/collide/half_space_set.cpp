#include "fovea/collide/half_space_set.h"

#include <algorithm>

#include "fovea/base/assert.h"

namespace fovea {

void HalfSpaceSet::remove(std::uint32_t proxy) {
    const auto gone = std::remove_if(members_.begin(), members_.end(),
                                     [&](const Member& m) { return m.proxy == proxy; });
    FOVEA_ASSERT(gone != members_.end());
    members_.erase(gone, members_.end());
}

std::uint64_t HalfSpaceSet::append_pairs(std::span<const Aabb> boxes,
                                         std::span<const std::uint32_t> movable,
                                         PairRuns& runs) const {
    for (const auto& [proxy, plane] : members_) {
        const Vec3 n = plane.normal;
        const bool low_x = n.x >= 0, low_y = n.y >= 0, low_z = n.z >= 0;
        ProxyPair* out = runs.extend(movable.size());
        for (const std::uint32_t i : movable) {
            // The corner furthest against the normal: dot(n, c) - dot(|n|, e) without the
            // rounding of centre c and half extents e.
            const Aabb& box = boxes[i];
            const float reach = n.x * (low_x ? box.low.x : box.high.x) +
                                n.y * (low_y ? box.low.y : box.high.y) +
                                n.z * (low_z ? box.low.z : box.high.z);
            // Written always, kept only if it reaches: no branch to mispredict. Partners in
            // ascending order give (0,h) (1,h) ... (h,h+1) ..., which is sorted.
            *out = i < proxy ? ProxyPair{i, proxy} : ProxyPair{proxy, i};
            out += reach <= plane.offset;
        }
        runs.shrink_to(out);
        runs.end_run();
    }
    return std::uint64_t(members_.size()) * movable.size();
}

} // namespace fovea
