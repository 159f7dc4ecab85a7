#include <cstddef>

#include "fovea/volume/sphere_tree.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/volume/sphere_tree_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// |c - x|^2 <= (r + s)^2, a sphere per lane; up to eight lanes, so that eight children are one
/// operation where the instruction set is wide enough.
template <class D>
HWY_INLINE std::uint64_t touching_block(D d, const float* HWY_RESTRICT x,
                                        const float* HWY_RESTRICT y, const float* HWY_RESTRICT z,
                                        const float* HWY_RESTRICT r, const Vec3& centre,
                                        float radius) {
    const auto dx = hn::Sub(hn::LoadU(d, x), hn::Set(d, centre.x));
    const auto dy = hn::Sub(hn::LoadU(d, y), hn::Set(d, centre.y));
    const auto dz = hn::Sub(hn::LoadU(d, z), hn::Set(d, centre.z));
    const auto reach = hn::Add(hn::LoadU(d, r), hn::Set(d, radius));
    const auto squared = hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Le(squared, hn::Mul(reach, reach)), bits);
    return bits[0];
}

std::uint64_t touching_kernel(const float* x, const float* y, const float* z, const float* r,
                              std::size_t count, const Vec3& centre, float radius) {
    const hn::CappedTag<float, 8> wide;
    const hn::CappedTag<float, 1> single;
    std::uint64_t touching = 0;
    std::size_t i = 0;
    for (; i + hn::Lanes(wide) <= count; i += hn::Lanes(wide)) {
        touching |= touching_block(wide, x + i, y + i, z + i, r + i, centre, radius) << i;
    }
    for (; i < count; ++i) {
        touching |= touching_block(single, x + i, y + i, z + i, r + i, centre, radius) << i;
    }
    return touching;
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(touching_kernel);

std::uint64_t children_touching(const SphereTree& tree, std::uint32_t node, const Vec3& centre,
                                float radius) {
    const SphereTree::Range range = tree.children(node);
    return HWY_DYNAMIC_DISPATCH(touching_kernel)(
        tree.x().data() + range.first, tree.y().data() + range.first, tree.z().data() + range.first,
        tree.radii().data() + range.first, range.count, centre, radius);
}

} // namespace fovea
#endif
