#include "fovea/collide/triangle_batch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/collide/triangle_batch.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Four abreast: see mesh_descent.cpp.
using D = hn::CappedTag<float, 4>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

struct V3 {
    V x, y, z;
};

HWY_INLINE V3 load3(const float (*rows)[TriangleBatch::k_capacity], std::size_t i) {
    const D d;
    return {hn::Load(d, rows[0] + i), hn::Load(d, rows[1] + i), hn::Load(d, rows[2] + i)};
}

HWY_INLINE V3 minus(const V3& a, const V3& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}

HWY_INLINE V largest(const V3& a) {
    return hn::Max(hn::Abs(a.x), hn::Max(hn::Abs(a.y), hn::Abs(a.z)));
}

HWY_INLINE V3 cross3(const V3& a, const V3& b) {
    return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
            hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
            hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

HWY_INLINE V dot3(const V3& a, const V3& b) {
    return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}

/// A determinant (a - d) . ((b - d) x (c - d)) has six products of three differences, each with
/// about eight roundings of 2^-24, so 64 x 2^-24 times the largest possible product bounds its
/// error; 1e-36 covers underflow.
HWY_INLINE V error_of(V size) {
    const D d;
    return hn::Add(hn::Mul(size, hn::Set(d, 0x1p-18f)), hn::Set(d, 1e-36f));
}

/// On which side of a plane the corners of a triangle lie.
struct Sides {
    V side[3];
    M certain;  ///< no corner is nearer to the plane than rounding
    M one_side; ///< all are certainly on the same side
};

HWY_INLINE Sides sides_of(const V3 (&plane)[3], const V3 (&t)[3]) {
    const V3 u = minus(plane[1], plane[0]), v = minus(plane[2], plane[0]);
    const V3 normal = cross3(u, v);
    const V3 p = minus(t[0], plane[0]), q = minus(t[1], plane[0]), r = minus(t[2], plane[0]);
    const V reach = hn::Max(largest(p), hn::Max(largest(q), largest(r)));
    const V error = error_of(hn::Mul(hn::Mul(largest(u), largest(v)), reach));
    Sides s;
    s.side[0] = dot3(p, normal), s.side[1] = dot3(q, normal), s.side[2] = dot3(r, normal);
    const V low = hn::Min(s.side[0], hn::Min(s.side[1], s.side[2]));
    const V high = hn::Max(s.side[0], hn::Max(s.side[1], s.side[2]));
    s.one_side = hn::Or(hn::Gt(low, error), hn::Lt(high, hn::Neg(error)));
    const V nearest = hn::Min(hn::Abs(s.side[0]), hn::Min(hn::Abs(s.side[1]), hn::Abs(s.side[2])));
    s.certain = hn::Gt(nearest, error);
    return s;
}

HWY_INLINE V3 choose(M mask, const V3& yes, const V3& no) {
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y),
            hn::IfThenElse(mask, yes.z, no.z)};
}

/// Turns `t` so that its first corner is alone on its side; returns where that side is negative.
HWY_INLINE M lone_corner_first(const Sides& s, V3 (&t)[3]) {
    const D d;
    const V zero = hn::Zero(d);
    const M n0 = hn::Lt(s.side[0], zero), n1 = hn::Lt(s.side[1], zero),
            n2 = hn::Lt(s.side[2], zero);
    const M last = hn::Not(hn::Xor(n0, n1));                     // 0 and 1 agree: 2 is alone
    const M middle = hn::AndNot(last, hn::Not(hn::Xor(n0, n2))); // 0 and 2 agree: 1 is alone
    const V3 a = t[0], b = t[1], c = t[2];
    t[0] = choose(last, c, choose(middle, b, a));
    t[1] = choose(last, a, choose(middle, c, b));
    t[2] = choose(last, b, choose(middle, a, c));
    return hn::Or(hn::And(last, n2),
                  hn::Or(hn::And(middle, n1), hn::AndNot(hn::Or(last, middle), n0)));
}

struct Sign {
    M positive, negative; ///< certainly
};

HWY_INLINE Sign volume_sign_of(const V3& a, const V3& b, const V3& c, const V3& base) {
    const V3 ad = minus(a, base), bd = minus(b, base), cd = minus(c, base);
    const V value = dot3(ad, cross3(bd, cd));
    const V error = error_of(hn::Mul(hn::Mul(largest(ad), largest(bd)), largest(cd)));
    return {hn::Gt(value, error), hn::Lt(value, hn::Neg(error))};
}

HWY_INLINE std::uint32_t bits_of(M mask) {
    const D d;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    return bytes[0];
}

HWY_INLINE V3 plus(const V3& a, const V3& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}

HWY_INLINE V3 times(const V3& a, V by) {
    return {hn::Mul(a.x, by), hn::Mul(a.y, by), hn::Mul(a.z, by)};
}

HWY_INLINE V clamp01(V value) {
    const D d;
    return hn::Min(hn::Max(value, hn::Zero(d)), hn::Set(d, 1));
}

/// Of what is positive; else 0.
HWY_INLINE V inverse_or_zero(V value) {
    const D d;
    return hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), hn::Div(hn::Set(d, 1), value));
}

/// Whether all corners of `t` are beyond `limit` on one side of the plane.
HWY_INLINE M beyond(const V3 (&plane)[3], const V3 (&t)[3], V limit) {
    const V3 normal = cross3(minus(plane[1], plane[0]), minus(plane[2], plane[0]));
    const V far = hn::Mul(limit, hn::Sqrt(dot3(normal, normal)));
    const V p = dot3(normal, minus(t[0], plane[0])), q = dot3(normal, minus(t[1], plane[0])),
            r = dot3(normal, minus(t[2], plane[0]));
    return hn::Or(hn::Gt(hn::Min(p, hn::Min(q, r)), far),
                  hn::Lt(hn::Max(p, hn::Max(q, r)), hn::Neg(far)));
}

/// What many tests need of a triangle.
struct Face {
    V3 corner[3], edge[3]; ///< edge i goes from corner i to the next
    V edge_squared[3], inverse_squared[3];
    V3 normal, inwards[3]; ///< across edge i, in the plane
    V inverse_normal_squared;
};

HWY_INLINE Face face_of(const V3 (&t)[3]) {
    Face face;
    for (int i = 0; i < 3; ++i) {
        face.corner[i] = t[i];
        face.edge[i] = minus(t[(i + 1) % 3], t[i]);
        face.edge_squared[i] = dot3(face.edge[i], face.edge[i]);
        face.inverse_squared[i] = inverse_or_zero(face.edge_squared[i]);
    }
    face.normal = cross3(face.edge[0], minus(t[2], t[0]));
    for (int i = 0; i < 3; ++i) face.inwards[i] = cross3(face.normal, face.edge[i]);
    face.inverse_normal_squared = inverse_or_zero(dot3(face.normal, face.normal));
    return face;
}

/// Squared distance of edge i of A from edge j of B, as in triangle_distance.cpp. Of edges that are
/// almost parallel rounding may move the nearest points along them.
HWY_INLINE V squared_gap_of_edges(const Face& a, int i, const Face& b, int j) {
    const D d;
    const V zero = hn::Zero(d), one = hn::Set(d, 1);
    const V3 between = minus(a.corner[i], b.corner[j]);
    const V aa = a.edge_squared[i], bb = b.edge_squared[j];
    const V ab = dot3(a.edge[i], b.edge[j]);
    const V along_a = dot3(a.edge[i], between), along_b = dot3(b.edge[j], between);
    const V denominator = hn::Sub(hn::Mul(aa, bb), hn::Mul(ab, ab));
    const V at_start = clamp01(hn::Mul(hn::Neg(along_a), a.inverse_squared[i]));
    const V at_end = clamp01(hn::Mul(hn::Sub(ab, along_a), a.inverse_squared[i]));
    V u = clamp01(
        hn::Mul(hn::Sub(hn::Mul(ab, along_b), hn::Mul(along_a, bb)), inverse_or_zero(denominator)));
    V v = hn::Mul(hn::Add(hn::Mul(ab, u), along_b), b.inverse_squared[j]);
    const M before = hn::Or(hn::Lt(v, zero), hn::Eq(bb, zero)), after = hn::Gt(v, one);
    u = hn::IfThenElse(before, at_start, hn::IfThenElse(after, at_end, u));
    v = clamp01(v);
    const V3 gap = minus(plus(between, times(a.edge[i], u)), times(b.edge[j], v));
    return dot3(gap, gap);
}

/// Squared distance of a point from the plane of a triangle, where its foot is inside; else far.
HWY_INLINE V squared_gap_above(const V3& point, const Face& face) {
    const D d;
    const V zero = hn::Zero(d);
    M inside = hn::Gt(face.inverse_normal_squared, zero);
    for (int i = 0; i < 3; ++i)
        inside = hn::And(inside, hn::Ge(dot3(face.inwards[i], minus(point, face.corner[i])), zero));
    const V height = dot3(face.normal, minus(point, face.corner[0]));
    return hn::IfThenElse(inside, hn::Mul(hn::Mul(height, height), face.inverse_normal_squared),
                          hn::Set(d, 1e30f));
}

/// Calls `test(a, b)` with the corners of as many pairs as there are lanes; returns a bit for each
/// pair of which it is true.
template <class Test>
HWY_INLINE std::uint32_t bits_where(const float (*rows)[TriangleBatch::k_capacity],
                                    std::uint32_t size, const Test& test) {
    const D d;
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < size; i += std::uint32_t(hn::Lanes(d))) {
        const V3 a[3] = {load3(rows, i), load3(rows + 3, i), load3(rows + 6, i)};
        const V3 b[3] = {load3(rows + 9, i), load3(rows + 12, i), load3(rows + 15, i)};
        bits |= bits_of(test(a, b)) << i;
    }
    return bits & (size == 32 ? ~0u : (1u << size) - 1);
}

std::uint32_t between_planes_kernel(const float (*rows)[TriangleBatch::k_capacity],
                                    std::uint32_t size, float limit) {
    const V far = hn::Set(D(), limit);
    return bits_where(rows, size, [&](const V3(&a)[3], const V3(&b)[3]) {
        return hn::Not(hn::Or(beyond(a, b, far), beyond(b, a, far)));
    });
}

std::uint32_t within_kernel(const float (*rows)[TriangleBatch::k_capacity], std::uint32_t size,
                            float limit) {
    const V far = hn::Set(D(), limit * limit);
    return bits_where(rows, size, [&](const V3(&corners_a)[3], const V3(&corners_b)[3]) {
        const Face a = face_of(corners_a), b = face_of(corners_b);
        V least = hn::Set(D(), 1e30f);
        for (int i = 0; i < 3; ++i) {
            least = hn::Min(least, hn::Min(squared_gap_above(a.corner[i], b),
                                           squared_gap_above(b.corner[i], a)));
            for (int j = 0; j < 3; ++j) least = hn::Min(least, squared_gap_of_edges(a, i, b, j));
        }
        return hn::Le(least, far);
    });
}

/// The steps of quick_verdict in triangle_overlap.cpp, a pair per lane.
TriangleBatch::Decision decide_kernel(const float (*rows)[TriangleBatch::k_capacity],
                                      std::uint32_t size) {
    const D d;
    std::uint32_t meet = 0, unsure = 0;
    for (std::uint32_t i = 0; i < size; i += std::uint32_t(hn::Lanes(d))) {
        V3 a[3] = {load3(rows, i), load3(rows + 3, i), load3(rows + 6, i)};
        V3 b[3] = {load3(rows + 9, i), load3(rows + 12, i), load3(rows + 15, i)};
        const Sides a_sides = sides_of(b, a), b_sides = sides_of(a, b);
        M apart = hn::Or(a_sides.one_side, b_sides.one_side);
        if (hn::AllTrue(d, apart)) continue;
        const M certain = hn::And(a_sides.certain, b_sides.certain);
        const M a_negative = lone_corner_first(a_sides, a);
        const M b_negative = lone_corner_first(b_sides, b);
        // Turning a triangle over changes the side on which the other's corners lie. Sides here are
        // the negatives of volume_determinant with the corner last.
        const V3 q1 = choose(b_negative, a[1], a[2]), r1 = choose(b_negative, a[2], a[1]);
        const V3 q2 = choose(a_negative, b[1], b[2]), r2 = choose(a_negative, b[2], b[1]);
        const Sign first = volume_sign_of(a[0], q1, b[0], q2);
        const Sign second = volume_sign_of(a[0], r1, r2, b[0]);
        apart = hn::Or(apart, hn::And(certain, hn::Or(first.positive, second.positive)));
        const M both =
            hn::AndNot(apart, hn::And(certain, hn::And(first.negative, second.negative)));
        meet |= bits_of(both) << i;
        unsure |= bits_of(hn::Not(hn::Or(apart, both))) << i;
    }
    const std::uint32_t used = size == 32 ? ~0u : (1u << size) - 1;
    return {meet & used, unsure & used};
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(decide_kernel);
HWY_EXPORT(between_planes_kernel);
HWY_EXPORT(within_kernel);

TriangleBatch::Decision TriangleBatch::decide() const {
    return HWY_DYNAMIC_DISPATCH(decide_kernel)(coordinates_, size_);
}

std::uint32_t TriangleBatch::between_planes(float limit) const {
    return HWY_DYNAMIC_DISPATCH(between_planes_kernel)(coordinates_, size_, limit);
}

std::uint32_t TriangleBatch::within(float limit) const {
    return HWY_DYNAMIC_DISPATCH(within_kernel)(coordinates_, size_, limit);
}

} // namespace fovea
#endif
