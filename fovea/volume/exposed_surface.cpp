#include "fovea/volume/exposed_surface.h"

#include <cstddef>

#include "fovea/volume/union_surface.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/volume/exposed_surface.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using Floats = hn::Vec<FloatTag>;

/// A coordinate in cells of the lattice: cell, place in the cell, and way outside the lattice.
struct CellPlace {
    Floats cell, part, beyond;
};

HWY_INLINE CellPlace place_in(Floats p, float low, float per_unit, int size) {
    const FloatTag d;
    const auto q = hn::Mul(hn::Sub(p, hn::Set(d, low)), hn::Set(d, per_unit));
    const auto clamped = hn::Min(hn::Max(q, hn::Zero(d)), hn::Set(d, float(size - 1)));
    const auto cell = hn::Min(hn::Floor(clamped), hn::Set(d, float(size - 2)));
    return {cell, hn::Sub(clamped, cell), hn::Sub(q, clamped)};
}

HWY_INLINE Floats mix(Floats a, Floats b, Floats t) {
    return hn::Add(a, hn::Mul(hn::Sub(b, a), t));
}

/// As DistanceGrid::distance(), a point per lane.
HWY_INLINE Floats lattice_distance(const DistanceGrid::View& grid, Floats px, Floats py,
                                   Floats pz) {
    const FloatTag d;
    const hn::RebindToSigned<FloatTag> di;
    const CellPlace x = place_in(px, grid.low[0], grid.per_unit, grid.size[0]);
    const CellPlace y = place_in(py, grid.low[1], grid.per_unit, grid.size[1]);
    const CellPlace z = place_in(pz, grid.low[2], grid.per_unit, grid.size[2]);
    const int row = grid.size[0], sheet = grid.size[0] * grid.size[1];
    const auto at = hn::Add(
        hn::Add(hn::ConvertTo(di, x.cell), hn::Mul(hn::ConvertTo(di, y.cell), hn::Set(di, row))),
        hn::Mul(hn::ConvertTo(di, z.cell), hn::Set(di, sheet)));
    const auto line = [&](int offset) HWY_ATTR {
        const auto from = hn::Add(at, hn::Set(di, offset));
        return mix(hn::GatherIndex(d, grid.samples, from),
                   hn::GatherIndex(d, grid.samples, hn::Add(from, hn::Set(di, 1))), x.part);
    };
    const auto inside =
        mix(mix(line(0), line(row), y.part), mix(line(sheet), line(sheet + row), y.part), z.part);
    const auto squared = hn::Add(hn::Add(hn::Mul(x.beyond, x.beyond), hn::Mul(y.beyond, y.beyond)),
                                 hn::Mul(z.beyond, z.beyond));
    return hn::Add(inside, hn::Mul(hn::Sqrt(squared), hn::Set(d, grid.spacing)));
}

void distances_kernel(const DistanceGrid::View& grid, const Ball& ball, const CoveredCap* caps,
                      std::size_t count, const float* HWY_RESTRICT x, const float* HWY_RESTRICT y,
                      const float* HWY_RESTRICT z, float* HWY_RESTRICT out) {
    const FloatTag d;
    const auto radius = hn::Set(d, float(ball.radius));
    const auto point = [&](double centre, Floats u) HWY_ATTR {
        return hn::Add(hn::Set(d, float(centre)), hn::Mul(u, radius));
    };
    for (std::size_t i = 0; i < std::size_t(ExposedSurface::k_block); i += hn::Lanes(d)) {
        const auto ux = hn::LoadU(d, x + i), uy = hn::LoadU(d, y + i), uz = hn::LoadU(d, z + i);
        auto covered = hn::FirstN(d, 0);
        for (std::size_t k = 0; k < count; ++k) {
            const CoveredCap& cap = caps[k];
            const auto along = hn::Add(
                hn::Add(hn::Mul(ux, hn::Set(d, cap.axis[0])), hn::Mul(uy, hn::Set(d, cap.axis[1]))),
                hn::Mul(uz, hn::Set(d, cap.axis[2])));
            covered = hn::Or(covered, hn::Gt(along, hn::Set(d, cap.limit)));
        }
        if (hn::AllTrue(d, covered)) {
            hn::StoreU(hn::Zero(d), d, out + i);
            continue;
        }
        const auto distance = lattice_distance(grid, point(ball.centre.x, ux),
                                               point(ball.centre.y, uy), point(ball.centre.z, uz));
        hn::StoreU(hn::IfThenZeroElse(covered, hn::Max(distance, hn::Zero(d))), d, out + i);
    }
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(distances_kernel);

ExposedSurface::ExposedSurface(const DistanceGrid& grid, int directions)
    : grid_(grid.view()) {
    const int count = (std::max(directions, 1) + k_block - 1) / k_block * k_block;
    const std::vector<Vec3d> spiral = spiral_directions(count);
    // Along the spiral with a stride, so that every block sees all sides.
    for (int first = 0; first < count / k_block; ++first) {
        for (int i = first; i < count; i += count / k_block) {
            x_.push_back(float(spiral[i].x));
            y_.push_back(float(spiral[i].y));
            z_.push_back(float(spiral[i].z));
        }
    }
}

bool ExposedSurface::add_cap(const Ball& ball, const Ball& other, std::vector<CoveredCap>& caps) {
    const Vec3d axis = other.centre - ball.centre;
    const double squared = length_squared(axis), reach = ball.radius + other.radius;
    if (squared >= reach * reach) return true;
    const double larger = other.radius - ball.radius;
    if (squared <= larger * larger) return larger <= 0;
    const double limit =
        (ball.radius * ball.radius + squared - other.radius * other.radius) / (2 * ball.radius);
    caps.push_back({{float(axis.x), float(axis.y), float(axis.z)}, float(limit)});
    return true;
}

bool caps_around(std::span<const Ball> balls, std::uint32_t i, std::span<const std::uint32_t> near,
                 std::vector<CoveredCap>& caps) {
    caps.clear();
    return std::all_of(near.begin(), near.end(), [&](std::uint32_t k) {
        if (balls[k] == balls[i]) return k > i;
        return ExposedSurface::add_cap(balls[i], balls[k], caps);
    });
}

void ExposedSurface::distances(const Ball& ball, std::span<const CoveredCap> caps, int block,
                               float (&out)[k_block]) const {
    const std::size_t first = std::size_t(block) * k_block;
    HWY_DYNAMIC_DISPATCH(distances_kernel)
    (grid_, ball, caps.data(), caps.size(), x_.data() + first, y_.data() + first, z_.data() + first,
     out);
}

double power_sum(const float (&distances)[ExposedSurface::k_block], int exponent, double cap) {
    double sum = 0;
    for (const float distance : distances) {
        const double d = distance, squared = d * d;
        const double power = exponent == 2   ? squared
                             : exponent == 3 ? squared * d
                                             : squared * squared * squared;
        sum += d > cap ? 1000 * power : power;
    }
    return sum;
}

} // namespace fovea
#endif
