// The direct solver of joint groups, and its angles, against Eigen and the C library.
#include <cmath>
#include <vector>

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/dynamics/angle.h"
#include "fovea/dynamics/skyline.h"

using namespace fovea;

TEST_CASE("skyline systems are solved as dense ones are") {
    Random random(7);
    for (int trial = 0; trial < 200; ++trial) {
        const std::uint32_t n = 1 + random.below(40);
        std::vector<std::uint32_t> first(n), offset(n);
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < n; ++i) {
            first[i] = random.below(i + 1);
            offset[i] = count - first[i];
            count += i - first[i] + 1;
        }
        // Diagonally dominant, hence positive definite.
        Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = first[i]; j < i; ++j)
                dense(i, j) = dense(j, i) = random.uniform(-1, 1);
        for (std::uint32_t i = 0; i < n; ++i) dense(i, i) = dense.row(i).cwiseAbs().sum() + 0.1;
        std::vector<double> values(count);
        const Skyline matrix{first, offset, values.data()};
        Eigen::VectorXd right(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = first[i]; j <= i; ++j) matrix.at(i, j) = dense(i, j);
            right(i) = random.uniform(-1, 1);
        }
        std::vector<double> x(right.data(), right.data() + n);
        factor(matrix);
        solve(matrix, x.data());
        const Eigen::VectorXd expected = dense.ldlt().solve(right);
        // Condition numbers stay below 1e3 here: rounding is far below 1e-10.
        for (std::uint32_t i = 0; i < n; ++i) CHECK(std::abs(x[i] - expected(i)) < 1e-10);
    }
}

TEST_CASE("an equation that nothing can fulfil is given up") {
    const std::uint32_t first[] = {0, 0}, offset[] = {0, 1};
    double values[] = {1, 1, 1}; // twice the same row
    double x[] = {1, 2};
    const Skyline matrix{first, offset, values};
    factor(matrix);
    solve(matrix, x);
    CHECK(x[0] == doctest::Approx(1));
    CHECK(std::abs(x[1]) < 1e-20);
}

TEST_CASE("angles are those of atan2 to 1e-10") {
    for (int i = -1800; i <= 1800; ++i) {
        const double angle = i * 1e-1 * 3.14159265358979323846 / 180;
        for (const double length : {1e-20, 1.0, 1e20}) {
            const double y = length * std::sin(angle), x = length * std::cos(angle);
            REQUIRE(std::abs(angle_of(y, x) - std::atan2(y, x)) < 1e-10);
        }
    }
    CHECK(angle_of(0, 0) == 0);
}
