#include "fovea/contact/box_axes.h"

namespace fovea {

namespace {

void fill_cyclic(float (&out)[8], float x, float y, float z) {
    out[0] = x, out[1] = y, out[2] = z, out[3] = x;
    out[4] = y, out[5] = z, out[6] = x, out[7] = y;
}

} // namespace

BoxPair::BoxPair(const Box& a, const Box& b, const PairPose& pose)
    : half_a{a.half_extents.x, a.half_extents.y, a.half_extents.z, 0}
    , offset{pose.position.x, pose.position.y, pose.position.z, 0} {
    const Mat3& m = pose.rotation;
    fill_cyclic(half_b, b.half_extents.x, b.half_extents.y, b.half_extents.z);
    fill_cyclic(rotation[0], m.x.x, m.y.x, m.z.x);
    fill_cyclic(rotation[1], m.x.y, m.y.y, m.z.y);
    fill_cyclic(rotation[2], m.x.z, m.y.z, m.z.z);
}

BoxAxis best_face(const BoxSeparations& separations, int kept, float preference) {
    const float* faces = separations.faces;
    BoxAxis best{0, faces[0]};
    for (int k = 1; k < 6; ++k) {
        const bool better = faces[k] > best.separation;
        best.axis = better ? k : best.axis;
        best.separation = better ? faces[k] : best.separation;
    }
    const bool keep = kept >= 0 && kept < 6 && faces[kept] + preference > best.separation;
    return keep ? BoxAxis{kept, faces[kept]} : best;
}

BoxAxis best_edge(const BoxSeparations& separations, float bound) {
    BoxAxis best{-1, bound};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const float separation = separations.edges[i][j];
            const bool better = separation > best.separation;
            best.axis = better ? 6 + 3 * i + j : best.axis;
            best.separation = better ? separation : best.separation;
        }
    }
    return best;
}

Vec3 axis_vector(const BoxPair& p, int axis) {
    Vec3 n;
    if (axis < 3) {
        n[axis] = 1;
    } else if (axis < 6) {
        n = p.axis_b(axis - 3);
    } else {
        Vec3 e;
        e[(axis - 6) / 3] = 1;
        n = normalized(cross(e, p.axis_b((axis - 6) % 3)));
    }
    const float side = n.x * p.offset[0] + n.y * p.offset[1] + n.z * p.offset[2];
    return side < 0 ? -n : n;
}

} // namespace fovea
