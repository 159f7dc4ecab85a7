#include "fovea/volume/box_clip.h"

#include <algorithm>
#include <cmath>

namespace fovea {

bool overlaps(const Triangle3d& triangle, const Box3d& box) {
    const Vec3d centre = box.centre(), half = box.half() * (1 + 1e-12) + Vec3d(1e-14, 1e-14, 1e-14);
    const Vec3d a = triangle[0] - centre, b = triangle[1] - centre, c = triangle[2] - centre;
    const Vec3d low = min(min(a, b), c), high = max(max(a, b), c);
    if (low.x > half.x || low.y > half.y || low.z > half.z) return false;
    if (high.x < -half.x || high.y < -half.y || high.z < -half.z) return false;

    const Vec3d edges[3] = {b - a, c - b, a - c};
    const auto separates = [&](const Vec3d& axis) {
        const double pa = dot(axis, a), pb = dot(axis, b), pc = dot(axis, c);
        const double reach = dot(abs(axis), half) + 1e-14 * length(axis);
        return std::min({pa, pb, pc}) > reach || std::max({pa, pb, pc}) < -reach;
    };
    if (separates(cross(edges[0], edges[1]))) return false;
    for (const Vec3d& e : edges) {
        if (separates({0, -e.z, e.y}) || separates({e.z, 0, -e.x}) || separates({-e.y, e.x, 0})) {
            return false;
        }
    }
    return true;
}

void append_clipped(const Triangle3d& triangle, const Box3d& box, std::vector<Vec3d>& corners) {
    Vec3d polygon[10], next[10];
    int count = 3;
    std::copy(triangle.begin(), triangle.end(), polygon);
    for (int side = 0; side < 6 && count > 0; ++side) {
        const int axis = side / 2;
        const double sign = side % 2 ? 1 : -1;
        const double limit = side % 2 ? box.high[axis] : -box.low[axis];
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            const Vec3d &p = polygon[i], &q = polygon[(i + 1) % count];
            const double dp = sign * p[axis] - limit, dq = sign * q[axis] - limit;
            if (dp <= 0) next[kept++] = p;
            if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0))
                next[kept++] = p + (q - p) * (dp / (dp - dq));
        }
        std::copy(next, next + kept, polygon);
        count = kept;
    }
    corners.insert(corners.end(), polygon, polygon + count);
}

} // namespace fovea
