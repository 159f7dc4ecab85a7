// Bounding volumes that a hierarchy may carry: boxes, k-DOPs and spheres, with one set of
// functions: fitted (around points), merged, overlap, volume, and blended (for morphing meshes).
//
// All contain what they bound exactly, not merely to within rounding.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "fovea/geometry/aabb.h"

namespace fovea {

/// The widening, relative to the sum of magnitudes, that covers the rounding of a sum of `terms`
/// weighted bounds and of the same sum of vertices; see morph_shapes.h.
constexpr double blend_rounding(std::size_t terms) {
    return double(2 * terms + 6) * 0x1p-24;
}

inline float round_down(double value) {
    return std::nextafter(float(value), -Aabb::k_infinity);
}
inline float round_up(double value) {
    return std::nextafter(float(value), Aabb::k_infinity);
}

/// A polytope of K faces, K / 2 slabs low <= n.p <= high with normals n in this order: the three
/// axes; the four diagonals (1, +-1, +-1) if K is 14 or 26; the six (1, +-1, 0) and their kind if
/// K is 18 or 26. Normals are not unit: a slab is compared only with the same slab of another.
template <int K>
struct KDop {
    static_assert(K == 14 || K == 18 || K == 26);
    static constexpr int k_slabs = K / 2;

    std::array<float, k_slabs> low, high;
    bool operator==(const KDop&) const = default;
};

/// The slab normals of KDop<K>.
template <int K>
constexpr std::array<std::array<int, 3>, K / 2> slab_normals() {
    constexpr int corners[4][3] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
    constexpr int edges[6][3] = {{1, 1, 0},  {1, -1, 0}, {1, 0, 1},
                                 {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};
    std::array<std::array<int, 3>, K / 2> normals{};
    int next = 0;
    for (int i = 0; i < 3; ++i) normals[next++][i] = 1;
    if (K != 18) {
        for (const auto& n : corners) normals[next++] = {n[0], n[1], n[2]};
    }
    if (K != 14) {
        for (const auto& n : edges) normals[next++] = {n[0], n[1], n[2]};
    }
    return normals;
}

template <int K>
double along_slab(const Vec3& p, int slab) {
    constexpr auto normals = slab_normals<K>();
    return double(p.x) * normals[slab][0] + double(p.y) * normals[slab][1] +
           double(p.z) * normals[slab][2];
}

struct BoundingBall {
    Vec3 centre;
    float radius;
    bool operator==(const BoundingBall&) const = default;
};

/// A bound around points; `visit` calls its argument with every point.
template <class Bound>
struct Fitting;

template <>
struct Fitting<Aabb> {
    template <class Visit>
    static Aabb fitted(Visit&& visit) {
        Aabb box;
        visit([&](const Vec3& p) { box = merged(box, p); });
        return box;
    }
};

template <int K>
struct Fitting<KDop<K>> {
    template <class Visit>
    static KDop<K> fitted(Visit&& visit) {
        std::array<double, K / 2> low, high;
        low.fill(std::numeric_limits<double>::infinity());
        high.fill(-std::numeric_limits<double>::infinity());
        visit([&](const Vec3& p) {
            for (int i = 0; i < K / 2; ++i) {
                const double d = along_slab<K>(p, i);
                if (d < low[i]) low[i] = d;
                if (d > high[i]) high[i] = d;
            }
        });
        KDop<K> dop;
        for (int i = 0; i < K / 2; ++i) {
            // Coordinates are exact; sums of them are moved to the next float outside.
            dop.low[i] = i < 3 ? float(low[i]) : round_down(low[i]);
            dop.high[i] = i < 3 ? float(high[i]) : round_up(high[i]);
        }
        return dop;
    }
};

template <>
struct Fitting<BoundingBall> {
    /// About the centre of the box: at most sqrt(3) times the smallest radius, and as simple as
    /// a refit in every frame must be.
    template <class Visit>
    static BoundingBall fitted(Visit&& visit) {
        const Vec3 centre = Fitting<Aabb>::fitted(visit).centre();
        double squared = 0;
        visit([&](const Vec3& p) {
            const double d = length_squared(Vec3d(p) - Vec3d(centre));
            if (d > squared) squared = d;
        });
        return {centre, round_up(std::sqrt(squared))};
    }
};

template <int K>
KDop<K> merged(const KDop<K>& a, const KDop<K>& b) {
    KDop<K> m;
    for (int i = 0; i < K / 2; ++i) {
        m.low[i] = a.low[i] < b.low[i] ? a.low[i] : b.low[i];
        m.high[i] = a.high[i] > b.high[i] ? a.high[i] : b.high[i];
    }
    return m;
}

inline BoundingBall merged(const BoundingBall& a, const BoundingBall& b) {
    const Vec3d between = Vec3d(b.centre) - Vec3d(a.centre);
    const double distance = length(between);
    if (distance + b.radius <= a.radius) return a;
    if (distance + a.radius <= b.radius) return b;
    const double radius = (distance + a.radius + b.radius) / 2;
    const Vec3 centre(Vec3d(a.centre) + between * ((radius - a.radius) / distance));
    // The centre was rounded to floats: the farther of both balls measured from there.
    const double reach_a = length(Vec3d(centre) - Vec3d(a.centre)) + a.radius;
    const double reach_b = length(Vec3d(centre) - Vec3d(b.centre)) + b.radius;
    return {centre, round_up(reach_a > reach_b ? reach_a : reach_b)};
}

template <int K>
bool overlap(const KDop<K>& a, const KDop<K>& b) {
    for (int i = 0; i < K / 2; ++i) {
        if (a.low[i] > b.high[i] || b.low[i] > a.high[i]) return false;
    }
    return true;
}

inline bool overlap(const BoundingBall& a, const BoundingBall& b) {
    const double reach = double(a.radius) + b.radius;
    return length_squared(Vec3d(a.centre) - Vec3d(b.centre)) <= reach * reach * (1 + 1e-12);
}

/// By which the larger of two nodes is chosen; of a k-DOP that of its box, of a ball up to a
/// constant.
inline float bound_volume(const Aabb& b) {
    const Vec3 e = b.high - b.low;
    return e.x * e.y * e.z;
}
template <int K>
float bound_volume(const KDop<K>& b) {
    return (b.high[0] - b.low[0]) * (b.high[1] - b.low[1]) * (b.high[2] - b.low[2]);
}
inline float bound_volume(const BoundingBall& b) {
    return b.radius * b.radius * b.radius;
}

inline bool contains(const Aabb& b, const Vec3& p) {
    return contains(b, Aabb{p, p});
}
template <int K>
bool contains(const KDop<K>& b, const Vec3& p) {
    for (int i = 0; i < K / 2; ++i) {
        const double d = along_slab<K>(p, i);
        if (d < b.low[i] || d > b.high[i]) return false;
    }
    return true;
}
inline bool contains(const BoundingBall& b, const Vec3& p) {
    return length_squared(Vec3d(p) - Vec3d(b.centre)) <= double(b.radius) * b.radius;
}

/// The bound of the morphed shape from those of the references (Larsson 6.3 and 6.7), moved
/// outward by more than all rounding. Negative weights take the opposite bound.
inline Aabb blended(std::span<const Aabb> references, std::span<const float> weights) {
    Aabb result;
    const double rounding = blend_rounding(weights.size());
    for (int axis = 0; axis < 3; ++axis) {
        double low = 0, high = 0, size = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double w = weights[i], s = references[i].low[axis], e = references[i].high[axis];
            low += w * (w >= 0 ? s : e);
            high += w * (w >= 0 ? e : s);
            size += std::abs(w) * std::max(std::abs(s), std::abs(e));
        }
        result.low[axis] = round_down(low - size * rounding);
        result.high[axis] = round_up(high + size * rounding);
    }
    return result;
}

template <int K>
KDop<K> blended(std::span<const KDop<K>> references, std::span<const float> weights) {
    // A vertex rounds by its coordinates, which may cancel along a slanted slab: the size is that
    // of the coordinates.
    double size = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            size += std::abs(double(weights[i])) *
                    std::max(std::abs(references[i].low[axis]), std::abs(references[i].high[axis]));
        }
    }
    const double pad = size * blend_rounding(weights.size());
    KDop<K> result;
    for (int slab = 0; slab < K / 2; ++slab) {
        double low = 0, high = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double w = weights[i], s = references[i].low[slab], e = references[i].high[slab];
            low += w * (w >= 0 ? s : e);
            high += w * (w >= 0 ? e : s);
        }
        result.low[slab] = round_down(low - pad);
        result.high[slab] = round_up(high + pad);
    }
    return result;
}

inline BoundingBall blended(std::span<const BoundingBall> references,
                            std::span<const float> weights) {
    Vec3d centre;
    double radius = 0, size = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double w = std::abs(double(weights[i]));
        const Vec3d c(references[i].centre), magnitude = abs(c);
        centre += c * double(weights[i]);
        radius += w * references[i].radius;
        size += w * (magnitude.x + magnitude.y + magnitude.z + 3 * double(references[i].radius));
    }
    return {Vec3(centre), round_up(radius + size * blend_rounding(weights.size()))};
}

} // namespace fovea
