#include "fovea/volume/volume_pairs.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "fovea/volume/core_gap.h"

namespace fovea {

namespace {

struct Cube {
    Vec3d centre;
    Vec3d axes[3]; ///< unit
    double half;
};

Cube cube_of(const NodeVolumed& volume) {
    const double half = length(volume.u);
    const Vec3d x = volume.u / half, y = volume.v / half;
    return {volume.centre, {x, y, cross(x, y)}, half};
}

double distance_to(const Cube& cube, const Vec3d& p) {
    Vec3d beyond;
    for (int i = 0; i < 3; ++i) {
        beyond[i] = std::max(0.0, std::abs(dot(p - cube.centre, cube.axes[i])) - cube.half);
    }
    return length(beyond);
}

/// Half the length of a volume's shadow on a unit axis, without its radius.
double extent(const NodeVolumed& volume, const Vec3d& axis) {
    return std::abs(dot(volume.u, axis)) + std::abs(dot(volume.v, axis));
}
double extent(const Cube& cube, const Vec3d& axis) {
    return cube.half * (std::abs(dot(cube.axes[0], axis)) + std::abs(dot(cube.axes[1], axis)) +
                        std::abs(dot(cube.axes[2], axis)));
}

template <CubeTest test>
bool cubes_touch(const NodeVolumed& volume_a, const NodeVolumed& volume_b) {
    const Cube a = cube_of(volume_a), b = cube_of(volume_b);
    const Vec3d d = b.centre - a.centre;
    const auto parted_along = [&](const Vec3d& axis) {
        return std::abs(dot(d, axis)) > extent(a, axis) + extent(b, axis);
    };
    for (int i = 0; i < 3; ++i) {
        if (parted_along(a.axes[i]) || parted_along(b.axes[i])) return false;
    }
    if constexpr (test == CubeTest::exact) {
        for (const Vec3d& x : a.axes) {
            for (const Vec3d& y : b.axes) {
                // Of parallel edges nothing new is learnt.
                const Vec3d axis = cross(x, y);
                if (length_squared(axis) > 1e-12 && parted_along(axis)) return false;
            }
        }
    }
    return true;
}

/// A swept volume reaches into a cube, or is near enough to one of its faces.
bool cube_touches(const NodeVolumed& cube, const NodeVolumed& swept) {
    const Cube box = cube_of(cube);
    const double near = distance_to(box, swept.centre);
    if (near <= swept.radius) return true;
    if (near > swept.radius + length(swept.u) + length(swept.v)) return false;
    for (int i = 0; i < 3; ++i) {
        const Vec3d u = box.axes[(i + 1) % 3] * box.half, v = box.axes[(i + 2) % 3] * box.half;
        for (const double side : {-box.half, box.half}) {
            const NodeVolumed face{VolumeType::rectangle, box.centre + box.axes[i] * side, u, v, 0};
            if (core_gap(face, swept).squared <= swept.radius * swept.radius) return true;
        }
    }
    return false;
}

bool swept_touch(const NodeVolumed& a, const NodeVolumed& b) {
    const double reach = a.radius + b.radius;
    return core_gap(a, b).squared <= reach * reach;
}

/// Some direction at right angles to `v`.
Vec3d perpendicular(const Vec3d& v) {
    const Vec3d across = std::abs(v.x) < std::abs(v.y) ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
    return normalized_or(cross(v, across), Vec3d(0, 1, 0));
}

/// The direction in which cores that cross come apart by the least way, and that way. Flat convex
/// cores part along a normal, or at right angles to an edge of each.
std::pair<Vec3d, double> least_translation(const NodeVolumed& a, const NodeVolumed& b) {
    const std::array<Vec3d, 4> edges = {a.u, a.v, b.u, b.v};
    const Vec3d d = b.centre - a.centre;
    std::pair<Vec3d, double> best{{}, std::numeric_limits<double>::infinity()};
    Vec3d longest;
    const auto consider = [&](const Vec3d& axis) {
        const double way = extent(a, axis) + extent(b, axis) - std::abs(dot(d, axis));
        if (way < best.second) best = {dot(d, axis) < 0 ? -axis : axis, way};
    };
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (length_squared(edges[i]) > length_squared(longest)) longest = edges[i];
        for (std::size_t k = i + 1; k < edges.size(); ++k) {
            const Vec3d axis = cross(edges[i], edges[k]);
            const double sizes = length_squared(edges[i]) * length_squared(edges[k]);
            if (length_squared(axis) > 1e-18 * sizes) consider(axis / length(axis));
        }
    }
    if (best.first == Vec3d()) consider(perpendicular(longest));
    return best;
}

/// What makes contact in the place of a volume: the sphere around a cube (Dingliana 4.1.2).
NodeVolumed contact_stand_in(const NodeVolumed& volume) {
    if (volume.type != VolumeType::cube) return volume;
    return {VolumeType::point, volume.centre, {}, {}, std::sqrt(3.0) * length(volume.u)};
}

VolumeContact contact(const NodeVolumed& volume_a, const NodeVolumed& volume_b) {
    const NodeVolumed a = contact_stand_in(volume_a), b = contact_stand_in(volume_b);
    const CoreGap gap = core_gap(a, b);
    const double distance = std::sqrt(gap.squared), radii = a.radius + b.radius;
    const double share = radii > 0 ? a.radius / radii : 0.5;
    const Vec3d point = gap.on_a + (gap.on_b - gap.on_a) * share;
    const double size = radii + length(a.u) + length(b.u);
    if (distance > 1e-12 * size) {
        return {point, (gap.on_b - gap.on_a) / distance, radii - distance};
    }
    const auto [normal, way] = least_translation(a, b);
    return {point, normal, radii + way};
}

template <CubeTest cubes>
constexpr VolumePairModel model_of(VolumeType a, VolumeType b) {
    const bool cube_a = a == VolumeType::cube, cube_b = b == VolumeType::cube;
    if (cube_a && cube_b) return {&cubes_touch<cubes>, &contact};
    if (cube_a) return {&cube_touches, &contact};
    if (cube_b) {
        return {[](const NodeVolumed& x, const NodeVolumed& y) { return cube_touches(y, x); },
                &contact};
    }
    return {&swept_touch, &contact};
}

using PairTable = std::array<std::array<VolumePairModel, k_volume_types>, k_volume_types>;

template <CubeTest cubes>
constexpr PairTable make_table() {
    PairTable table{};
    for (int a = 0; a < k_volume_types; ++a) {
        for (int b = 0; b < k_volume_types; ++b) {
            table[a][b] = model_of<cubes>(VolumeType(a), VolumeType(b));
        }
    }
    return table;
}

constexpr PairTable k_quick = make_table<CubeTest::quick>();
constexpr PairTable k_exact = make_table<CubeTest::exact>();

} // namespace

const VolumePairModel& pair_model(VolumeType a, VolumeType b, CubeTest cubes) {
    const PairTable& table = cubes == CubeTest::quick ? k_quick : k_exact;
    return table[std::size_t(a)][std::size_t(b)];
}

double cubic_size(const NodeVolumed& volume) {
    const double u = 2 * length(volume.u), v = 2 * length(volume.v), r = volume.radius;
    if (volume.type == VolumeType::cube) return u * u * u;
    constexpr double k_pi = 3.14159265358979323846;
    return u * v * 2 * r + (u + v) * k_pi * r * r + 4.0 / 3 * k_pi * r * r * r;
}

double core_distance(const NodeVolumed& volume, const Vec3d& p) {
    if (volume.type == VolumeType::cube) return distance_to(cube_of(volume), p);
    return std::sqrt(core_gap({VolumeType::point, p, {}, {}, 0}, volume).squared);
}

} // namespace fovea
