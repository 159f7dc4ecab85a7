// Free rotation of bodies that are not balls, against the solutions of Euler's equations.
#include "ground.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr double k_pi = 3.14159265358979323846;

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double elliptic_k(double m) {
    double a = 1, b = std::sqrt(1 - m);
    while (std::abs(a - b) > 1e-14) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return k_pi / (2 * a);
}

World spinning_world() {
    return World({.gravity = {}, .gyroscopic = true});
}

} // namespace

TEST_CASE("a symmetric top precesses about its angular momentum at L / I") {
    World world = spinning_world();
    // A flat disc: twice the moment of inertia about its axis as across.
    const float radius = 1, half_height = 0.05f, mass = 2;
    const BodyId disc = *world.add_body({.shape = *world.add_shape(Cylinder{radius, half_height}),
                                         .angular_velocity = {0.5f, 6, 0},
                                         .mass = mass});
    const double across = mass * (3 * 1.0 + 4 * 0.0025) / 12, along = mass * 0.5;
    const double lx = across * 0.5, ly = along * 6;
    const double rate = std::hypot(lx, ly) / across;
    const Vec3 momentum = normalized(Vec3(float(lx), float(ly), 0));
    // The axis of the disc circles around the angular momentum: count ten turns.
    const Vec3 u = perpendicular(momentum), v = cross(momentum, u);
    double angle = 0, last = 0;
    const auto phase = [&] {
        const Vec3 axis = rotate(world.transform(disc).orientation, Vec3(0, 1, 0));
        return std::atan2(double(dot(axis, v)), double(dot(axis, u)));
    };
    last = phase();
    int frames = 0;
    while (std::abs(angle) < 20 * k_pi && frames < 6000) {
        world.step(k_frame);
        ++frames;
        const double now = phase();
        angle += std::remainder(now - last, 2 * k_pi);
        last = now;
    }
    CHECK(std::abs(angle) / (frames / 60.0) == doctest::Approx(rate).epsilon(0.02));
}

TEST_CASE("a racket flips over with the period of the elliptic solution") {
    World world = spinning_world();
    // Three different moments; spun about the middle one with a small fault.
    const Vec3 half(0.5f, 1.0f, 0.1f);
    const double mass = 1;
    const BodyId racket = *world.add_body({.shape = *world.add_shape(Box{half}),
                                           .angular_velocity = {5, 0.05f, 0.05f},
                                           .mass = float(mass)});
    const double ix = mass / 3 * (1 + 0.01), iy = mass / 3 * (0.25 + 0.01),
                 iz = mass / 3 * (0.25 + 1);
    // Smallest iy < middle ix? Order the axes: i1 > i2 > i3 (Landau and Lifshitz, Mechanics, 37).
    double i[3] = {ix, iy, iz}, w[3] = {5, 0.05, 0.05};
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < 2; ++k)
            if (i[k] > i[k + 1]) std::swap(i[k], i[k + 1]), std::swap(w[k], w[k + 1]);
    double e2 = 0, m2 = 0;
    for (int k = 0; k < 3; ++k) e2 += i[k] * w[k] * w[k], m2 += i[k] * i[k] * w[k] * w[k];
    // With i[0] < i[1] < i[2] and M^2 > 2 E I2, else with the ends exchanged.
    if (m2 < e2 * i[1]) std::swap(i[0], i[2]);
    const double k2 = (i[1] - i[0]) * (e2 * i[2] - m2) / ((i[2] - i[1]) * (m2 - e2 * i[0]));
    const double period =
        4 * elliptic_k(k2) * std::sqrt(i[0] * i[1] * i[2] / ((i[2] - i[1]) * (m2 - e2 * i[0])));

    // The spin about the body's own middle axis changes sign twice a period.
    std::vector<double> flips;
    double before = 1;
    for (int frame = 0; frame < 60 * 120 && flips.size() < 9; ++frame) {
        world.step(k_frame);
        const Quat q = world.transform(racket).orientation;
        const double now = double(rotate(conjugate(q), world.angular_velocity(racket)).x);
        if (now * before < 0) flips.push_back((frame + now / (now - before)) / 60.0);
        before = now;
    }
    REQUIRE(flips.size() == 9);
    CHECK((flips[8] - flips[0]) / 4 == doctest::Approx(period).epsilon(0.02));
}
