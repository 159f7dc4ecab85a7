#include "fovea/base/stream.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/base/stream_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void add_scaled_kernel(float* HWY_RESTRICT y, const float* HWY_RESTRICT x, float s,
                       std::size_t count) {
    const hn::ScalableTag<float> d;
    const auto scale = hn::Set(d, s);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
        hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::Mul(hn::LoadU(d, x + i), scale)), d, y + i);
    for (; i < count; ++i) y[i] += x[i] * s;
}

/// One block of bodies, a lane each. Written for any tag so that the rest of the array runs the
/// same operations in the same order one lane at a time.
template <class D>
HWY_INLINE void turn_block(D d, float* HWY_RESTRICT q, const float* HWY_RESTRICT w, float h) {
    using V = hn::Vec<D>;
    V qw, qx, qy, qz, wx, wy, wz;
    hn::LoadInterleaved4(d, q, qw, qx, qy, qz);
    hn::LoadInterleaved3(d, w, wx, wy, wz);
    const V half = hn::Set(d, 0.5f * h);
    const auto mul = [](V a, V b) HWY_ATTR { return hn::Mul(a, b); };
    const V dw = hn::Neg(hn::Add(hn::Add(mul(wx, qx), mul(wy, qy)), mul(wz, qz)));
    const V dx = hn::Sub(hn::Add(mul(wx, qw), mul(wy, qz)), mul(wz, qy));
    const V dy = hn::Add(hn::Sub(mul(wy, qw), mul(wx, qz)), mul(wz, qx));
    const V dz = hn::Add(hn::Sub(mul(wx, qy), mul(wy, qx)), mul(wz, qw));
    qw = hn::Add(qw, mul(half, dw));
    qx = hn::Add(qx, mul(half, dx));
    qy = hn::Add(qy, mul(half, dy));
    qz = hn::Add(qz, mul(half, dz));
    const V norm =
        hn::Sqrt(hn::Add(hn::Add(hn::Add(mul(qw, qw), mul(qx, qx)), mul(qy, qy)), mul(qz, qz)));
    // What does not spin keeps its orientation to the last bit, rounded as it may be.
    const V none = hn::Zero(d);
    const auto still = hn::And(hn::And(hn::Eq(wx, none), hn::Eq(wy, none)), hn::Eq(wz, none));
    const V scale = hn::IfThenElse(still, hn::Set(d, 1), norm);
    hn::StoreInterleaved4(hn::Div(qw, scale), hn::Div(qx, scale), hn::Div(qy, scale),
                          hn::Div(qz, scale), d, q);
}

void turn_kernel(float* HWY_RESTRICT q, const float* HWY_RESTRICT w, float h, std::size_t count) {
    const hn::ScalableTag<float> wide;
    const hn::CappedTag<float, 1> single;
    std::size_t i = 0;
    for (; i + hn::Lanes(wide) <= count; i += hn::Lanes(wide))
        turn_block(wide, q + 4 * i, w + 3 * i, h);
    for (; i < count; ++i) turn_block(single, q + 4 * i, w + 3 * i, h);
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(add_scaled_kernel);
HWY_EXPORT(turn_kernel);

void add_scaled(std::span<float> y, std::span<const float> x, float s) {
    HWY_DYNAMIC_DISPATCH(add_scaled_kernel)(y.data(), x.data(), s, y.size());
}

void turn(std::span<Quat> orientations, std::span<const Vec3> angular_velocities, float h) {
    HWY_DYNAMIC_DISPATCH(turn_kernel)
    (reinterpret_cast<float*>(orientations.data()),
     reinterpret_cast<const float*>(angular_velocities.data()), h, orientations.size());
}

} // namespace fovea
#endif
