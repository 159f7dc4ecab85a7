#include <doctest/doctest.h>

#include <numbers>

#include "fovea/base/random.h"
#include "fovea/base/transform.h"

using namespace fovea;

namespace {

Quatd random_rotation(Random& random) {
    return normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian()));
}

Vec3d random_vector(Random& random) {
    return {random.gaussian(), random.gaussian(), random.gaussian()};
}

void check_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    CHECK(length(a - b) <= tolerance);
}

} // namespace

TEST_CASE("quaternion units multiply as Hamilton's rules say") {
    const Quatd i(0, 1, 0, 0), j(0, 0, 1, 0), k(0, 0, 0, 1), minus_one(-1, 0, 0, 0);
    CHECK(i * j == k);
    CHECK(j * k == i);
    CHECK(k * i == j);
    CHECK(j * i == -k);
    CHECK(i * i == minus_one);
    CHECK(i * j * k == minus_one);
}

TEST_CASE("a quaternion times its inverse is one") {
    Random random(1);
    for (int n = 0; n < 1000; ++n) {
        const Quatd q(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian());
        const Quatd one = q * inverse(q);
        // A handful of rounded operations on numbers near 1.
        CHECK(norm(one - Quatd()) < 1e-14);
        CHECK(norm_squared(q) == doctest::Approx(norm(q) * norm(q)));
    }
}

TEST_CASE("rotating by quaternion, by q v q* and by matrix agree") {
    Random random(2);
    for (int n = 0; n < 1000; ++n) {
        const Quatd q = random_rotation(random);
        const Vec3d v = random_vector(random);
        const Vec3d sandwich = (q * Quatd(0, v) * conjugate(q)).vector();
        check_near(rotate(q, v), sandwich, 1e-13);
        check_near(to_matrix(q) * v, sandwich, 1e-13);
        check_near(rotate_back(q, rotate(q, v)), v, 1e-13);
        check_near(transposed_times(to_matrix(q), v), rotate_back(q, v), 1e-13);
    }
}

TEST_CASE("a quarter turn about y takes z to x") {
    const Quatd q = from_axis_angle(Vec3d(0, 1, 0), std::numbers::pi / 2);
    check_near(rotate(q, Vec3d(0, 0, 1)), {1, 0, 0}, 1e-15);
}

TEST_CASE("rotation_between takes one direction to the other, opposite ones included") {
    Random random(3);
    for (int n = 0; n < 1000; ++n) {
        const Vec3d from = random.direction(), to = n % 10 == 0 ? -from : random.direction();
        check_near(rotate(rotation_between(from, to), from), to, 1e-9);
    }
}

TEST_CASE("transforms compose, invert and relate") {
    Random random(4);
    for (int n = 0; n < 1000; ++n) {
        const Transformd a(random_vector(random), random_rotation(random));
        const Transformd b(random_vector(random), random_rotation(random));
        const Vec3d p = random_vector(random);
        check_near((a * b) * p, a * (b * p), 1e-13);
        check_near(inverse(a) * (a * p), p, 1e-13);
        check_near(relative(a, b) * p, inverse(a) * (b * p), 1e-13);
        check_near(to_local(a, p), inverse(a) * p, 1e-13);
    }
}

TEST_CASE("matrix inverse and determinant") {
    Random random(5);
    for (int n = 0; n < 1000; ++n) {
        const Mat3d m{random_vector(random), random_vector(random), random_vector(random)};
        if (std::abs(determinant(m)) < 0.1) continue;
        const Mat3d one = m * inverse(m);
        check_near(one.x, {1, 0, 0}, 1e-11);
        check_near(one.y, {0, 1, 0}, 1e-11);
        check_near(one.z, {0, 0, 1}, 1e-11);
        CHECK(determinant(m) == doctest::Approx(determinant(transposed(m))));
    }
}

TEST_CASE("normalized_or survives tiny, huge and zero vectors") {
    const Vec3 up(0, 1, 0);
    CHECK(length(normalized_or(Vec3(1e-30f, 0, 0), up) - Vec3(1, 0, 0)) < 1e-6f);
    CHECK(length(normalized_or(Vec3(0, 0, -1e30f), up) - Vec3(0, 0, -1)) < 1e-6f);
    CHECK(normalized_or(Vec3(), up) == up);
    CHECK(normalized_or(Vec3(NAN, 0, 0), up) == up);
}

TEST_CASE("perpendicular is a unit vector at right angles") {
    Random random(6);
    for (int n = 0; n < 1000; ++n) {
        const Vec3d v = n == 0 ? Vec3d(0, 0, -1) : random.direction();
        CHECK(std::abs(dot(v, perpendicular(v))) < 1e-14);
        CHECK(length(perpendicular(v)) == doctest::Approx(1));
    }
}
