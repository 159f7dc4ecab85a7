// 4x4 matrices for projection, stored by columns as OpenGL reads them. Right-handed; the eye looks
// along -z and clip space is -w..w on all three axes.
#pragma once

#include <array>
#include <cmath>

#include "fovea/base/vec3.h"

namespace fovea {

struct Mat4 {
    std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

    constexpr float operator()(int row, int column) const {
        return m[std::size_t(column * 4 + row)];
    }
    constexpr float& operator()(int row, int column) { return m[std::size_t(column * 4 + row)]; }

    constexpr Mat4 operator*(const Mat4& b) const {
        Mat4 product;
        for (int column = 0; column < 4; ++column)
            for (int row = 0; row < 4; ++row) {
                float sum = 0;
                for (int k = 0; k < 4; ++k) sum += (*this)(row, k) * b(k, column);
                product(row, column) = sum;
            }
        return product;
    }
};

struct ClipPoint {
    float x, y, z, w;
};

constexpr ClipPoint transform_point(const Mat4& a, const Vec3& p) {
    const auto row = [&](int r) { return a(r, 0) * p.x + a(r, 1) * p.y + a(r, 2) * p.z + a(r, 3); };
    return {row(0), row(1), row(2), row(3)};
}

/// World to eye, for an eye at `position` whose axes are given as unit vectors.
constexpr Mat4 eye_matrix(const Vec3& position, const Vec3& right, const Vec3& up,
                          const Vec3& backward) {
    Mat4 a;
    const Vec3 axes[3] = {right, up, backward};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) a(row, column) = axes[row][column];
        a(row, 3) = -dot(axes[row], position);
    }
    return a;
}

/// Perspective projection; `slope` is the tangent of half the vertical field of view.
constexpr Mat4 perspective_matrix(float slope, float aspect, float near, float far) {
    Mat4 a;
    a(0, 0) = 1 / (slope * aspect);
    a(1, 1) = 1 / slope;
    a(2, 2) = (near + far) / (near - far);
    a(2, 3) = 2 * near * far / (near - far);
    a(3, 2) = -1;
    a(3, 3) = 0;
    return a;
}

/// Parallel projection of the box low..high in eye space, where the eye looks along -z.
constexpr Mat4 parallel_matrix(const Vec3& low, const Vec3& high) {
    Mat4 a;
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = high[axis] - low[axis];
        const float sign = axis == 2 ? -1.0f : 1.0f;
        a(axis, axis) = sign * 2 / extent;
        a(axis, 3) = -sign * (high[axis] + low[axis]) / extent;
    }
    return a;
}

} // namespace fovea
