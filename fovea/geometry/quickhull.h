// Convex hulls of points on an integer lattice, without rounding.
//
// On a lattice of k_lattice_bits bits per axis the sign of a determinant is exact in 128-bit
// integers, so "visible" and "coplanar" are facts and the hull cannot come out inconsistent, no
// matter how many points lie in a plane, on a line or close together.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea {

__extension__ typedef __int128 Int128;

/// Coordinates are at most 2^38 in size. Differences then have 39 bits and a sign, components of
/// normals 79, heights 120.
constexpr int k_lattice_bits = 38;

struct LatticePoint {
    std::int64_t x, y, z;
    constexpr auto operator<=>(const LatticePoint&) const = default;
};

/// A triangle of the hull, counter-clockwise seen from outside.
struct HullTriangle {
    std::array<std::uint32_t, 3> vertices;
    std::array<std::uint32_t, 3> neighbours; ///< i: across the edge from vertex i to i + 1
    std::array<Int128, 3> normal;            ///< outwards, as long as twice the area
};

/// Six times the signed volume over the triangle's plane: positive outside, 0 exactly in it.
Int128 height_above(const HullTriangle& triangle, std::span<const LatticePoint> points,
                    std::uint32_t point);

/// The hull as triangles. `simplex` are four of the points that span a volume.
std::vector<HullTriangle> quickhull(std::span<const LatticePoint> points,
                                    const std::array<std::uint32_t, 4>& simplex);

} // namespace fovea
