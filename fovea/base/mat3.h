// 3x3 matrices, stored by columns.
#pragma once

#include "fovea/base/vec3.h"

namespace fovea {

template <class T>
struct Mat3T {
    Vec3T<T> x, y, z; ///< columns

    static constexpr Mat3T identity() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }
    static constexpr Mat3T diagonal(const Vec3T<T>& d) {
        return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
    }

    constexpr Vec3T<T> operator*(const Vec3T<T>& v) const { return x * v.x + y * v.y + z * v.z; }
    constexpr Mat3T operator*(const Mat3T& b) const {
        return {*this * b.x, *this * b.y, *this * b.z};
    }
    constexpr Mat3T operator*(T s) const { return {x * s, y * s, z * s}; }
    constexpr Mat3T operator+(const Mat3T& b) const { return {x + b.x, y + b.y, z + b.z}; }
    constexpr Mat3T operator-(const Mat3T& b) const { return {x - b.x, y - b.y, z - b.z}; }
    constexpr Mat3T& operator+=(const Mat3T& b) { return *this = *this + b; }
    constexpr bool operator==(const Mat3T&) const = default;
};

using Mat3 = Mat3T<float>;
using Mat3d = Mat3T<double>;

template <class T>
constexpr Mat3T<T> transposed(const Mat3T<T>& m) {
    return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

/// transposed(m) * v without building the transpose.
template <class T>
constexpr Vec3T<T> transposed_times(const Mat3T<T>& m, const Vec3T<T>& v) {
    return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}

template <class T>
constexpr T determinant(const Mat3T<T>& m) {
    return dot(m.x, cross(m.y, m.z));
}

/// Inverse by cofactors; `m` must be regular.
template <class T>
constexpr Mat3T<T> inverse(const Mat3T<T>& m) {
    const T d = T(1) / determinant(m);
    return transposed(Mat3T<T>{cross(m.y, m.z) * d, cross(m.z, m.x) * d, cross(m.x, m.y) * d});
}

/// a bᵀ
template <class T>
constexpr Mat3T<T> outer(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a * b.x, a * b.y, a * b.z};
}

} // namespace fovea
