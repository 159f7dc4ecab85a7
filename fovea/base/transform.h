// Rigid placement in space: rotate, then translate.
#pragma once

#include "fovea/base/quat.h"

namespace fovea {

template <class T>
struct TransformT {
    Vec3T<T> position;
    QuatT<T> orientation;

    constexpr TransformT() = default;
    constexpr TransformT(const Vec3T<T>& p, const QuatT<T>& q = {})
        : position(p)
        , orientation(q) {}
    template <class U>
    constexpr explicit TransformT(const TransformT<U>& t)
        : position(t.position)
        , orientation(t.orientation) {}

    /// Local point to world point.
    constexpr Vec3T<T> operator*(const Vec3T<T>& p) const {
        return rotate(orientation, p) + position;
    }
    /// First `b`, then this.
    constexpr TransformT operator*(const TransformT& b) const {
        return {*this * b.position, orientation * b.orientation};
    }
    constexpr bool operator==(const TransformT&) const = default;
};

using Transform = TransformT<float>;
using Transformd = TransformT<double>;

template <class T>
constexpr TransformT<T> inverse(const TransformT<T>& t) {
    const QuatT<T> back = conjugate(t.orientation);
    return {rotate(back, -t.position), back};
}

/// World point to local point.
template <class T>
constexpr Vec3T<T> to_local(const TransformT<T>& t, const Vec3T<T>& p) {
    return rotate_back(t.orientation, p - t.position);
}

/// `b` seen from `a`: inverse(a) * b, rounding once less.
template <class T>
constexpr TransformT<T> relative(const TransformT<T>& a, const TransformT<T>& b) {
    return {to_local(a, b.position), conjugate(a.orientation) * b.orientation};
}

} // namespace fovea
