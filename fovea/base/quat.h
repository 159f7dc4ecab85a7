// Quaternions w + xi + yj + zk with the Hamilton product; unit ones stand for rotations, which
// turn v into q v q*.
#pragma once

#include "fovea/base/mat3.h"

namespace fovea {

template <class T>
struct QuatT {
    T w{1}, x{}, y{}, z{}; ///< the default is the identity rotation

    constexpr QuatT() = default;
    constexpr QuatT(T w_, T x_, T y_, T z_)
        : w(w_)
        , x(x_)
        , y(y_)
        , z(z_) {}
    constexpr QuatT(T w_, const Vec3T<T>& v)
        : w(w_)
        , x(v.x)
        , y(v.y)
        , z(v.z) {}
    template <class U>
    constexpr explicit QuatT(const QuatT<U>& q)
        : w(T(q.w))
        , x(T(q.x))
        , y(T(q.y))
        , z(T(q.z)) {}

    constexpr Vec3T<T> vector() const { return {x, y, z}; }

    constexpr QuatT operator-() const { return {-w, -x, -y, -z}; }
    constexpr QuatT operator+(const QuatT& b) const { return {w + b.w, x + b.x, y + b.y, z + b.z}; }
    constexpr QuatT operator-(const QuatT& b) const { return {w - b.w, x - b.x, y - b.y, z - b.z}; }
    constexpr QuatT operator*(T s) const { return {w * s, x * s, y * s, z * s}; }
    constexpr QuatT operator/(T s) const { return {w / s, x / s, y / s, z / s}; }
    constexpr QuatT operator*(const QuatT& b) const {
        return {w * b.w - x * b.x - y * b.y - z * b.z, w * b.x + x * b.w + y * b.z - z * b.y,
                w * b.y - x * b.z + y * b.w + z * b.x, w * b.z + x * b.y - y * b.x + z * b.w};
    }
    constexpr bool operator==(const QuatT&) const = default;
};

using Quat = QuatT<float>;
using Quatd = QuatT<double>;

template <class T>
constexpr QuatT<T> conjugate(const QuatT<T>& q) {
    return {q.w, -q.x, -q.y, -q.z};
}

template <class T>
constexpr T norm_squared(const QuatT<T>& q) {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

template <class T>
T norm(const QuatT<T>& q) {
    return std::sqrt(norm_squared(q));
}

template <class T>
constexpr QuatT<T> inverse(const QuatT<T>& q) {
    return conjugate(q) / norm_squared(q);
}

template <class T>
QuatT<T> normalized(const QuatT<T>& q) {
    return q / norm(q);
}

template <class T>
bool is_finite(const QuatT<T>& q) {
    return std::isfinite(q.w) && is_finite(q.vector());
}

/// Rotates `v` by the unit quaternion `q`.
template <class T>
constexpr Vec3T<T> rotate(const QuatT<T>& q, const Vec3T<T>& v) {
    const Vec3T<T> u = q.vector();
    const Vec3T<T> t = cross(u, v) * T(2);
    return v + t * q.w + cross(u, t);
}

/// Rotates `v` by the inverse of the unit quaternion `q`.
template <class T>
constexpr Vec3T<T> rotate_back(const QuatT<T>& q, const Vec3T<T>& v) {
    return rotate(conjugate(q), v);
}

/// The matrix of `q` with its squares and products taken `s` times: a rotation if s |q|^2 = 2.
template <class T>
constexpr Mat3T<T> scaled_matrix(const QuatT<T>& q, T s) {
    const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - s * (yy + zz), s * (xy + wz), s * (xz - wy)},
            {s * (xy - wz), 1 - s * (xx + zz), s * (yz + wx)},
            {s * (xz + wy), s * (yz - wx), 1 - s * (xx + yy)}};
}

/// The rotation matrix of the unit quaternion `q`.
template <class T>
constexpr Mat3T<T> to_matrix(const QuatT<T>& q) {
    return scaled_matrix(q, T(2));
}

/// The same of a quaternion that need not be exactly unit length: floats never are.
template <class T>
constexpr Mat3T<T> rotation_of(const QuatT<T>& q) {
    return scaled_matrix(q, 2 / norm_squared(q));
}

/// Of two unit quaternions: the cosine of half the angle between them, or its negative.
template <class T>
constexpr T dot(const QuatT<T>& a, const QuatT<T>& b) {
    return a.w * b.w + dot(a.vector(), b.vector());
}

/// Rotation by `angle` radians about the unit vector `axis`.
template <class T>
QuatT<T> from_axis_angle(const Vec3T<T>& axis, T angle) {
    return {std::cos(angle / 2), axis * std::sin(angle / 2)};
}

/// The part `t` of the shorter way from one unit quaternion to another; the pace is not quite even.
template <class T>
QuatT<T> between(const QuatT<T>& from, const QuatT<T>& to, T t) {
    const T cosine = dot(from, to);
    return normalized(from * (1 - t) + to * (cosine < 0 ? -t : t));
}

/// The shortest rotation that takes the unit vector `from` to the unit vector `to`.
template <class T>
QuatT<T> rotation_between(const Vec3T<T>& from, const Vec3T<T>& to) {
    const T cosine = dot(from, to);
    // Opposite vectors: any half turn about a perpendicular axis does.
    if (cosine < T(-0.999999)) return {T(0), perpendicular(from)};
    return normalized(QuatT<T>(T(1) + cosine, cross(from, to)));
}

} // namespace fovea
