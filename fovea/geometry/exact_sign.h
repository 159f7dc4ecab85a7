// Signs of determinants of points, never wrong.
//
// The determinant is first evaluated in double with a bound on its error; only when the bound does
// not settle the sign is it evaluated exactly, as a sum of doubles that do not overlap (Shewchuk,
// "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997).
// Single precision inputs can neither over- nor underflow on the way.
#pragma once

#include "fovea/base/vec3.h"

namespace fovea {

/// A point of the plane.
struct Point2 {
    float x, y;
};

/// The value of a determinant together with a bound on its rounding error.
struct BoundedDeterminant {
    double value, error;

    /// -1, +1, or 0 where the rounding error hides the sign.
    int certain_sign() const { return value > error ? 1 : value < -error ? -1 : 0; }
};

/// (a - d) . ((b - d) x (c - d)): six times the volume of the tetrahedron, in double.
inline BoundedDeterminant volume_determinant(const Vec3& a, const Vec3& b, const Vec3& c,
                                             const Vec3& d) {
    const Vec3d base(d), ad = Vec3d(a) - base, bd = Vec3d(b) - base, cd = Vec3d(c) - base;
    const double bc = bd.x * cd.y, cb = cd.x * bd.y, ca = cd.x * ad.y, ac = ad.x * cd.y;
    const double ab = ad.x * bd.y, ba = bd.x * ad.y;
    const double value = ad.z * (bc - cb) + bd.z * (ca - ac) + cd.z * (ab - ba);
    const double permanent = std::abs(ad.z) * (std::abs(bc) + std::abs(cb)) +
                             std::abs(bd.z) * (std::abs(ca) + std::abs(ac)) +
                             std::abs(cd.z) * (std::abs(ab) + std::abs(ba));
    // Shewchuk's bound for this order of operations: (7 + 56 e) e, with e = 2^-53.
    constexpr double k_bound = 7.771561172376103e-16;
    return {value, k_bound * permanent};
}

/// Exact sign of volume_determinant: 0 exactly if the four points lie in one plane.
int volume_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Exact sign of (a - c) x (b - c): 0 exactly if the three points lie on one line.
int area_sign(const Point2& a, const Point2& b, const Point2& c);

} // namespace fovea
