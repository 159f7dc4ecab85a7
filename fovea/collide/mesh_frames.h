// The frames of two placed meshes, and boxes of one seen from the other.
#pragma once

#include <cmath>

#include "fovea/base/mat3.h"
#include "fovea/base/transform.h"
#include "fovea/geometry/aabb.h"

namespace fovea {

/// What the box test of a pair of meshes needs, computed once per query (Larsson 2.7).
struct FramePair {
    bool aligned = true;     ///< both frames are the world's: boxes compare directly
    Mat3 rotation, absolute; ///< from the second frame to the first, and its absolute values
    Vec3 offset;             ///< of the second frame's origin, in the first
    float margin = 0;        ///< more than the rounding of boxes and world vertices

    FramePair reversed() const {
        FramePair r = *this;
        r.rotation = transposed(rotation);
        r.absolute = transposed(absolute);
        r.offset = -transposed_times(rotation, offset);
        return r;
    }
};

inline bool is_identity(const Transform& t) {
    return t == Transform();
}

/// `reach` bounds the coordinates of both meshes in their own frames.
inline FramePair frame_pair(const Transform& a, const Transform& b, float reach) {
    FramePair frames;
    frames.aligned = is_identity(a) && is_identity(b);
    if (frames.aligned) return frames;
    const Transform relative_b = relative(a, b);
    frames.rotation = to_matrix(relative_b.orientation);
    frames.absolute = {abs(frames.rotation.x), abs(frames.rotation.y), abs(frames.rotation.z)};
    frames.offset = relative_b.position;
    const Vec3 p = abs(a.position) + abs(b.position) + abs(frames.offset);
    // Each coordinate passes through about ten roundings of 2^-24 of the largest number involved;
    // quaternions are unit to within a few of them.
    frames.margin = 0x1p-19f * (p.x + p.y + p.z + 4 * reach);
    return frames;
}

/// A box of the second frame as the first sees it: centre, half sizes and the box around it.
struct TurnedBox {
    Vec3 centre, half; ///< centre in the first frame, half sizes along the second's axes
    Aabb around;       ///< in the first frame, margin included
};

inline TurnedBox turned(const FramePair& frames, const Aabb& box) {
    if (frames.aligned) return {{}, {}, box};
    TurnedBox t;
    t.half = box.half_extents();
    t.centre = frames.rotation * box.centre() + frames.offset;
    const Vec3 m(frames.margin, frames.margin, frames.margin);
    const Vec3 reach = frames.absolute * t.half + m;
    t.around = {t.centre - reach, t.centre + reach};
    return t;
}

} // namespace fovea
