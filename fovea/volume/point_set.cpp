#include "fovea/volume/point_set.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/volume/point_set.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

double farthest_kernel(const double* HWY_RESTRICT x, const double* HWY_RESTRICT y,
                       const double* HWY_RESTRICT z, std::size_t count, const Vec3d& centre) {
    const hn::ScalableTag<double> d;
    const auto cx = hn::Set(d, centre.x), cy = hn::Set(d, centre.y), cz = hn::Set(d, centre.z);
    auto far = hn::Zero(d);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
        const auto dx = hn::Sub(hn::LoadU(d, x + i), cx), dy = hn::Sub(hn::LoadU(d, y + i), cy),
                   dz = hn::Sub(hn::LoadU(d, z + i), cz);
        far = hn::Max(far, hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz)));
    }
    double farthest = hn::GetLane(hn::MaxOfLanes(d, far));
    for (; i < count; ++i) {
        const double dx = x[i] - centre.x, dy = y[i] - centre.y, dz = z[i] - centre.z;
        const double squared = dx * dx + dy * dy + dz * dz;
        if (squared > farthest) farthest = squared;
    }
    return farthest;
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(farthest_kernel);

void PointSet::add(std::span<const Vec3d> points) {
    for (const Vec3d& p : points) {
        x_.push_back(p.x);
        y_.push_back(p.y);
        z_.push_back(p.z);
    }
}

double PointSet::farthest_squared(const Vec3d& centre) const {
    return HWY_DYNAMIC_DISPATCH(farthest_kernel)(x_.data(), y_.data(), z_.data(), size(), centre);
}

Vec3d PointSet::farthest_from(const Vec3d& from) const {
    Vec3d far = from;
    for (std::size_t i = 0; i < size(); ++i) {
        if (length_squared((*this)[i] - from) > length_squared(far - from)) far = (*this)[i];
    }
    return far;
}

Vec3d PointSet::mean() const {
    Vec3d sum;
    for (std::size_t i = 0; i < size(); ++i) sum += (*this)[i];
    return sum / double(size());
}

} // namespace fovea
#endif
