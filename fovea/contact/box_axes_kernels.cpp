#include "fovea/contact/box_axes.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/contact/box_axes_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Three axes and one lane to spare; where registers are narrower, several of them in turn.
using Axes = hn::CappedTag<float, 4>;
using Lane = hn::Vec<Axes>;

/// Squared sine of the angle below which two edges give no axis: rounding would decide it, and the
/// faces' axes serve as well.
constexpr float k_parallel_edges = 1e-6f;

HWY_INLINE Lane spread(float x) {
    return hn::Set(Axes(), x);
}
HWY_INLINE Lane load(const float* p) {
    return hn::LoadU(Axes(), p);
}

/// Faces of A run over rows, so each is a sum along the lanes; it is taken one by one.
HWY_INLINE void faces_of_a(const BoxPair& p, float* faces) {
    for (int i = 0; i < 3; ++i) {
        const float* row = p.rotation[i];
        faces[i] = std::abs(p.offset[i]) - p.half_a[i] -
                   (p.half_b[0] * std::abs(row[0]) + p.half_b[1] * std::abs(row[1]) +
                    p.half_b[2] * std::abs(row[2]));
    }
}

HWY_INLINE void faces_of_b(const BoxPair& p, std::size_t at, float* faces) {
    const Lane r0 = load(p.rotation[0] + at), r1 = load(p.rotation[1] + at),
               r2 = load(p.rotation[2] + at);
    const Lane along =
        hn::Add(hn::Add(hn::Mul(r0, spread(p.offset[0])), hn::Mul(r1, spread(p.offset[1]))),
                hn::Mul(r2, spread(p.offset[2])));
    const Lane reach_a = hn::Add(hn::Add(hn::Mul(hn::Abs(r0), spread(p.half_a[0])),
                                         hn::Mul(hn::Abs(r1), spread(p.half_a[1]))),
                                 hn::Mul(hn::Abs(r2), spread(p.half_a[2])));
    const Lane gap = hn::Sub(hn::Sub(hn::Abs(along), load(p.half_b + at)), reach_a);
    hn::StoreU(gap, Axes(), faces + at);
}

/// Edge i of A with the edges of B.
HWY_INLINE void edges_of_b(const BoxPair& p, int i, std::size_t at, float* edges) {
    const int u = next_axis(i), v = next_axis(u);
    const Lane ru = load(p.rotation[u] + at), rv = load(p.rotation[v] + at);
    const Lane squared = hn::Add(hn::Mul(ru, ru), hn::Mul(rv, rv));
    const Lane distance =
        hn::Abs(hn::Sub(hn::Mul(spread(p.offset[v]), ru), hn::Mul(spread(p.offset[u]), rv)));
    const Lane reach_a = hn::Add(hn::Mul(spread(p.half_a[u]), hn::Abs(rv)),
                                 hn::Mul(spread(p.half_a[v]), hn::Abs(ru)));
    const Lane reach_b =
        hn::Add(hn::Mul(load(p.half_b + at + 1), hn::Abs(load(p.rotation[i] + at + 2))),
                hn::Mul(load(p.half_b + at + 2), hn::Abs(load(p.rotation[i] + at + 1))));
    const Lane gap = hn::Sub(hn::Sub(distance, reach_a), reach_b);
    const Lane least = spread(k_parallel_edges);
    const Lane size = hn::Sqrt(hn::Max(squared, least));
    const Lane never = spread(-std::numeric_limits<float>::infinity());
    hn::StoreU(hn::IfThenElse(hn::Lt(squared, least), never, hn::Div(gap, size)), Axes(),
               edges + at);
}

void separations_kernel(const BoxPair& p, BoxSeparations& out) {
    const Axes d;
    for (std::size_t at = 0; at < 4; at += hn::Lanes(d)) {
        faces_of_b(p, at, out.faces + 3);
        for (int i = 0; i < 3; ++i) edges_of_b(p, i, at, out.edges[i]);
    }
    faces_of_a(p, out.faces);
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(separations_kernel);

BoxSeparations box_separations(const BoxPair& pair) {
    BoxSeparations result;
    HWY_DYNAMIC_DISPATCH(separations_kernel)(pair, result);
    return result;
}

} // namespace fovea
#endif
