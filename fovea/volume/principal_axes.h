// The axes along which points spread most and least.
#pragma once

#include <array>
#include <cmath>

#include "fovea/base/mat3.h"

namespace fovea {

/// Unit eigenvectors of a symmetric matrix, that of the largest eigenvalue first; right-handed
/// (Jacobi's rotations; Golub and Van Loan, "Matrix Computations", 8.5).
inline std::array<Vec3d, 3> principal_axes(const Mat3d& symmetric) {
    double a[3][3], axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Vec3d* columns[3] = {&symmetric.x, &symmetric.y, &symmetric.z};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) a[i][k] = (*columns[k])[i];
    }
    for (int sweep = 0; sweep < 12; ++sweep) {
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (a[p][q] == 0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t =
                    (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int i = 0; i < 3; ++i) {
                    const double x = a[i][p], y = a[i][q];
                    a[i][p] = c * x - s * y;
                    a[i][q] = s * x + c * y;
                }
                for (int i = 0; i < 3; ++i) {
                    const double x = a[p][i], y = a[q][i];
                    a[p][i] = c * x - s * y;
                    a[q][i] = s * x + c * y;
                    const double u = axes[i][p], v = axes[i][q];
                    axes[i][p] = c * u - s * v;
                    axes[i][q] = s * u + c * v;
                }
            }
        }
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; ++i) {
        for (int k = i + 1; k < 3; ++k) {
            if (a[order[k]][order[k]] > a[order[i]][order[i]]) std::swap(order[i], order[k]);
        }
    }
    const auto axis = [&](int i) {
        return normalized(Vec3d(axes[0][order[i]], axes[1][order[i]], axes[2][order[i]]));
    };
    return {axis(0), axis(1), cross(axis(0), axis(1))};
}

} // namespace fovea
