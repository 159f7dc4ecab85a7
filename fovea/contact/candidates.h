// Contact points before the choice of four among them, and the numbering of features.
#pragma once

#include "fovea/base/inplace_vector.h"
#include "fovea/contact/manifold.h"

namespace fovea {

constexpr int k_max_candidates = 64;
using Candidates = InplaceVector<ManifoldPoint, k_max_candidates>;

/// Below this, relative to the size of the shapes, lengths are the same: it covers the rounding
/// of single precision in the pair tests.
constexpr float k_contact_rounding = 1e-5f;

/// Depths that differ by less than this, relative to the size of the shapes, are equal when points
/// are chosen.
constexpr float k_equal_depth = 1e-4f;

/// Keeps at most four candidates that span a large area: an outermost one, the one farthest from
/// it, and those that make the largest triangles with these two on either side (after Gregorius,
/// "Robust Contact Creation for Physics Simulations", GDC 2015). The deepest is always kept: if
/// it is deeper than all four by more than `equal_depth`, it takes the place of its nearest.
///
/// The first point is outermost in a fixed direction rather than deepest, because all points of
/// faces at rest are equally deep and rounding would choose another one at every step.
void choose_points(const Candidates& candidates, const Vec3& normal, float equal_depth,
                   Manifold& manifold);

/// Leaves only the candidates that would be chosen of those so far. Finely divided surfaces have
/// more than there is room for, and the deepest or outermost may come last.
void make_room(const Vec3& normal, Candidates& candidates);

/// A corner of the area in which two faces overlap is where two of their sides meet. Sides of A
/// are numbered from 0, those of B from k_sides_of_b; the number does not depend on which of the
/// two faces was clipped against the other.
constexpr std::uint32_t k_sides_of_b = 128;
constexpr std::uint32_t face_feature(std::uint32_t face_a, std::uint32_t face_b, std::uint32_t side,
                                     std::uint32_t other_side) {
    const std::uint32_t low = side < other_side ? side : other_side;
    const std::uint32_t high = side < other_side ? other_side : side;
    return (low & 255) | (high & 255) << 8 | (face_a & 127) << 16 | (face_b & 255) << 23;
}

/// Crossing edges, or any other single place numbered by something of A and something of B.
constexpr std::uint32_t spot_feature(std::uint32_t of_a, std::uint32_t of_b) {
    return 0x80000000u | (of_a & 0x7fff) | (of_b & 0xffff) << 15;
}

} // namespace fovea
