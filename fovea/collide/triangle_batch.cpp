#include "fovea/collide/triangle_batch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/collide/triangle_batch.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

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

/// Lanes where all corners of `t` are clearly on one side of the plane of `plane`. A corner's
/// determinant has six products of three differences, each with about eight roundings of 2^-24, so
/// 64 x 2^-24 times the largest possible product bounds its error; 1e-36 covers underflow.
HWY_INLINE hn::Mask<D> on_one_side(const V3 (&plane)[3], const V3 (&t)[3]) {
    const D d;
    const V3 u = minus(plane[1], plane[0]), v = minus(plane[2], plane[0]);
    const V3 normal = cross3(u, v);
    const V3 p = minus(t[0], plane[0]), q = minus(t[1], plane[0]), r = minus(t[2], plane[0]);
    const V reach = hn::Max(largest(p), hn::Max(largest(q), largest(r)));
    const V size = hn::Mul(hn::Mul(largest(u), largest(v)), reach);
    const V error = hn::Add(hn::Mul(size, hn::Set(d, 0x1p-18f)), hn::Set(d, 1e-36f));
    const V a = dot3(p, normal), b = dot3(q, normal), c = dot3(r, normal);
    const V low = hn::Min(a, hn::Min(b, c)), high = hn::Max(a, hn::Max(b, c));
    return hn::Or(hn::Gt(low, error), hn::Lt(high, hn::Neg(error)));
}

std::uint32_t undecided_kernel(const float (*rows)[TriangleBatch::k_capacity], std::uint32_t size) {
    const D d;
    std::uint32_t undecided = 0;
    for (std::uint32_t i = 0; i < size; i += std::uint32_t(hn::Lanes(d))) {
        const V3 a[3] = {load3(rows, i), load3(rows + 3, i), load3(rows + 6, i)};
        const V3 b[3] = {load3(rows + 9, i), load3(rows + 12, i), load3(rows + 15, i)};
        const auto apart = hn::Or(on_one_side(b, a), on_one_side(a, b));
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, hn::Not(apart), bits);
        std::uint32_t lanes = 0;
        for (std::size_t byte = 0; 8 * byte < hn::Lanes(d) && byte < 4; ++byte)
            lanes |= std::uint32_t(bits[byte]) << (8 * byte);
        undecided |= lanes << i;
    }
    return size == 32 ? undecided : undecided & ((1u << size) - 1);
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(undecided_kernel);

std::uint32_t TriangleBatch::undecided_mask() const {
    return HWY_DYNAMIC_DISPATCH(undecided_kernel)(coordinates_, size_);
}

} // namespace fovea
#endif
