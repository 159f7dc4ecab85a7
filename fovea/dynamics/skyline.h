// Symmetric positive definite matrices that are zero up to some column of each row, factored and
// solved without leaving that outline (Jennings, "A compact storage scheme for the solution of
// symmetric linear simultaneous equations", Comput. J. 9, 1966).
//
//   x
//   x x            a row is stored from its first entry to the diagonal; what lies between fills
//     x x          in when factored, what lies to the left stays zero
//       x x
//     x . x x
#pragma once

#include <cstdint>
#include <span>

namespace fovea {

/// Views on arrays that somebody else owns.
struct Skyline {
    std::span<const std::uint32_t> first;  ///< column of the first entry of each row
    std::span<const std::uint32_t> offset; ///< into `values`, of column 0 of each row (may wrap)
    double* values;

    std::uint32_t size() const { return std::uint32_t(first.size()); }
    double& at(std::uint32_t row, std::uint32_t column) const {
        return values[std::uint32_t(offset[row] + column)];
    }
};

/// Replaces the matrix by its factors L and D with L D L^T = matrix; L has ones on its diagonal,
/// where D is put.
inline void factor(const Skyline& m) {
    for (std::uint32_t i = 0; i < m.size(); ++i) {
        for (std::uint32_t j = m.first[i]; j < i; ++j) {
            double sum = m.at(i, j);
            for (std::uint32_t k = m.first[i] > m.first[j] ? m.first[i] : m.first[j]; k < j; ++k)
                sum -= m.at(i, k) * m.at(j, k);
            m.at(i, j) = sum;
        }
        for (std::uint32_t j = m.first[i]; j < i; ++j) {
            const double scaled = m.at(i, j) / m.at(j, j);
            m.at(i, i) -= m.at(i, j) * scaled;
            m.at(i, j) = scaled;
        }
        // An equation that nothing can fulfil: its unknown becomes 0.
        if (!(m.at(i, i) > 0)) m.at(i, i) = 1e30;
    }
}

/// Replaces `x` by the solution of (factored) m * solution = x.
inline void solve(const Skyline& m, double* x) {
    for (std::uint32_t i = 0; i < m.size(); ++i)
        for (std::uint32_t j = m.first[i]; j < i; ++j) x[i] -= m.at(i, j) * x[j];
    for (std::uint32_t i = 0; i < m.size(); ++i) x[i] /= m.at(i, i);
    for (std::uint32_t i = m.size(); i-- > 0;)
        for (std::uint32_t j = m.first[i]; j < i; ++j) x[j] -= m.at(i, j) * x[i];
}

} // namespace fovea
