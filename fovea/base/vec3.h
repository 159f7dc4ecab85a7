// Three-component vectors.
//
// `Vec3` (float) is what the engine stores: 12 bytes, no padding, so an array of them is also a
// flat array of floats. `Vec3d` (double) is for construction-time geometry and for iterative
// algorithms, such as GJK, that lose too much in single precision.
#pragma once

#include <cmath>

namespace fovea {

template <class T>
struct Vec3T {
    T x{}, y{}, z{};

    constexpr Vec3T() = default;
    constexpr Vec3T(T x_, T y_, T z_)
        : x(x_)
        , y(y_)
        , z(z_) {}
    /// Conversion between precisions is explicit: narrowing must be visible.
    template <class U>
    constexpr explicit Vec3T(const Vec3T<U>& v)
        : x(T(v.x))
        , y(T(v.y))
        , z(T(v.z)) {}

    constexpr T operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }

    constexpr Vec3T operator-() const { return {-x, -y, -z}; }
    constexpr Vec3T operator+(const Vec3T& b) const { return {x + b.x, y + b.y, z + b.z}; }
    constexpr Vec3T operator-(const Vec3T& b) const { return {x - b.x, y - b.y, z - b.z}; }
    constexpr Vec3T operator*(T s) const { return {x * s, y * s, z * s}; }
    constexpr Vec3T operator/(T s) const { return {x / s, y / s, z / s}; }
    constexpr Vec3T& operator+=(const Vec3T& b) { return *this = *this + b; }
    constexpr Vec3T& operator-=(const Vec3T& b) { return *this = *this - b; }
    constexpr Vec3T& operator*=(T s) { return *this = *this * s; }
    constexpr bool operator==(const Vec3T&) const = default;
    friend constexpr Vec3T operator*(T s, const Vec3T& v) { return v * s; }
};

using Vec3 = Vec3T<float>;
using Vec3d = Vec3T<double>;

template <class T>
constexpr T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Component by component product.
template <class T>
constexpr Vec3T<T> scale(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class T>
constexpr Vec3T<T> min(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

template <class T>
constexpr Vec3T<T> max(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

template <class T>
constexpr Vec3T<T> abs(const Vec3T<T>& v) {
    return {v.x < 0 ? -v.x : v.x, v.y < 0 ? -v.y : v.y, v.z < 0 ? -v.z : v.z};
}

template <class T>
constexpr T length_squared(const Vec3T<T>& v) {
    return dot(v, v);
}

template <class T>
T length(const Vec3T<T>& v) {
    return std::sqrt(dot(v, v));
}

/// Unit vector along `v`, or `fallback` where `v` is too short to have a direction.
template <class T>
Vec3T<T> normalized_or(const Vec3T<T>& v, const Vec3T<T>& fallback) {
    // Scaling by the largest component first keeps the squares from under- or overflowing.
    const Vec3T<T> a = abs(v);
    const T largest = a.x > a.y ? (a.x > a.z ? a.x : a.z) : (a.y > a.z ? a.y : a.z);
    if (!(largest > T(0)) || !std::isfinite(largest)) return fallback;
    const Vec3T<T> s = v / largest;
    return s / length(s);
}

/// Unit vector along `v`, which must not be zero.
template <class T>
Vec3T<T> normalized(const Vec3T<T>& v) {
    return v / length(v);
}

/// Some unit vector perpendicular to the unit vector `n`; a continuous choice almost everywhere
/// (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017).
template <class T>
Vec3T<T> perpendicular(const Vec3T<T>& n) {
    const T sign = std::copysign(T(1), n.z);
    const T a = T(-1) / (sign + n.z);
    return {T(1) + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}

template <class T>
bool is_finite(const Vec3T<T>& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

} // namespace fovea
