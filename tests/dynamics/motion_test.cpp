// Motion without contact against closed forms (Stokes 4.1).
#include <doctest/doctest.h>

#include <numbers>

#include "fovea/dynamics/integrate.h"
#include "fovea/dynamics/springs.h"

using namespace fovea;

namespace {

const Jobs k_serial;

Bodies one_body(const BodyState& state) {
    Bodies bodies;
    bodies.set(0, state);
    return bodies;
}

BodyState unit_ball() {
    return {.mass = 1, .inertia = Mat3::identity() * 0.4f};
}

/// Height after n steps of free fall from rest at 0.
float fall(Integrator integrator, int n, float h, float gravity) {
    Bodies bodies = one_body(unit_ball());
    const MotionSettings settings{.gravity = {0, -gravity, 0}};
    for (int i = 0; i < n; ++i) {
        if (integrator == Integrator::semi_implicit_euler)
            integrate_velocities(bodies, settings, h, k_serial);
        advance_poses(bodies, h);
        if (integrator == Integrator::explicit_euler)
            integrate_velocities(bodies, settings, h, k_serial);
    }
    return bodies.position[0].y;
}

} // namespace

TEST_CASE("free fall follows the closed forms of both Euler methods") {
    const double g = 9.8, h = 0.01;
    for (int n : {1, 10, 100, 1000}) {
        // Each of the n additions rounds a number of the final size by 2^-24 at most; g, h and
        // their products are rounded too.
        const double tolerance = (n + 4) * 0x1p-24;
        const double explicit_form = -g * h * h * n * (n - 1) / 2;
        const double implicit_form = -g * h * h * n * (n + 1) / 2;
        CHECK(std::abs(fall(Integrator::explicit_euler, n, float(h), float(g)) - explicit_form) <=
              tolerance * std::abs(explicit_form));
        CHECK(std::abs(fall(Integrator::semi_implicit_euler, n, float(h), float(g)) -
                       implicit_form) <= tolerance * std::abs(implicit_form));
    }
}

TEST_CASE("explicit Euler gains half m g^2 h^2 of energy a step, semi-implicit loses as much") {
    // Powers of two, so that nothing is rounded and the law can be checked exactly.
    const float g = 8, h = 0.125f;
    for (const bool move_first : {true, false}) {
        Bodies bodies = one_body(unit_ball());
        const MotionSettings settings{.gravity = {0, -g, 0}};
        for (int n = 1; n <= 64; ++n) {
            if (!move_first) integrate_velocities(bodies, settings, h, k_serial);
            advance_poses(bodies, h);
            if (move_first) integrate_velocities(bodies, settings, h, k_serial);
            const double energy =
                kinetic_energy(bodies) + gravitational_energy(bodies, settings.gravity);
            CHECK(energy == (move_first ? 1 : -1) * 0.5 * double(g * g * h * h) * n);
        }
    }
}

TEST_CASE("orientation under constant spin: the angle's error falls as h squared") {
    const double spin = 3, t = 1;
    double error[2];
    for (int k = 0; k < 2; ++k) {
        const int steps = k == 0 ? 25 : 50;
        BodyState state = unit_ball();
        state.angular_velocity = {0, 0, float(spin)};
        Bodies bodies = one_body(state);
        for (int i = 0; i < steps; ++i) advance_poses(bodies, float(t / steps));
        const Quat q = bodies.orientation[0];
        error[k] = spin * t - 2 * std::atan2(double(q.z), double(q.w));
    }
    // One step turns by 2 atan(w h / 2) instead of w h: short by (w h)^3 / 12.
    CHECK(error[0] == doctest::Approx(25 * std::pow(spin * t / 25, 3) / 12).epsilon(0.05));
    CHECK(error[0] / error[1] == doctest::Approx(4).epsilon(0.05));
}

TEST_CASE("orientation keeps unit length for a million steps") {
    BodyState state = unit_ball();
    state.angular_velocity = {1, -2, 3};
    Bodies bodies = one_body(state);
    double worst = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        advance_poses(bodies, 0.01f);
        worst = std::max(worst, std::abs(norm(Quatd(bodies.orientation[0])) - 1));
    }
    // Normalised every step, so no drift: what is left is the rounding of four components
    // (2^-24 each) and of the division.
    CHECK(worst < 4 * 0x1p-24);
}

TEST_CASE("a mass on a spring swings with period 2 pi sqrt(m/k)") {
    const double m = 2, k = 50, h = 0.001;
    Bodies bodies;
    bodies.set(0, {}); // immovable
    bodies.set(1, {.pose = {{0, -1.5f, 0}}, .mass = float(m), .inertia = Mat3::identity()});
    const Spring spring{0, 1, {}, {}, float(k), 0, 1};
    const std::span<const Spring> springs(&spring, 1);
    const double energy = spring_energy(bodies, springs);
    CHECK(energy == doctest::Approx(0.5 * k * 0.5 * 0.5));

    double crossings[3];
    int found = 0;
    float before = bodies.position[1].y + 1;
    for (int i = 0; found < 3 && i < 10000; ++i) {
        apply_springs(bodies, springs);
        integrate_velocities(bodies, {.gravity = {}}, float(h), k_serial);
        advance_poses(bodies, float(h));
        const float now = bodies.position[1].y + 1;
        if (before * now < 0) crossings[found++] = h * (i + double(before) / double(before - now));
        before = now;
        // Semi-implicit Euler keeps the energy within a relative w h = 5e-3 of its start.
        const double total = kinetic_energy(bodies) + spring_energy(bodies, springs);
        CHECK(total == doctest::Approx(energy).epsilon(0.01));
    }
    REQUIRE(found == 3);
    // The method shortens the period by a relative (w h)^2 / 24 = 1e-6; crossings are
    // interpolated to about 1e-6 s.
    CHECK(crossings[2] - crossings[0] ==
          doctest::Approx(2 * std::numbers::pi * std::sqrt(m / k)).epsilon(1e-4));
}

TEST_CASE("a damped spring loses energy and an off-centre anchor turns the body") {
    Bodies bodies;
    bodies.set(0, {});
    bodies.set(1, {.pose = {{0, -2, 0}}, .mass = 1, .inertia = Mat3::identity()});
    const Spring spring{0, 1, {}, {0.5f, 0, 0}, 20, 3, 1};
    double last = spring_energy(bodies, std::span(&spring, 1));
    for (int i = 0; i < 1000; ++i) {
        apply_springs(bodies, std::span(&spring, 1));
        integrate_velocities(bodies, {.gravity = {}}, 0.01f, k_serial);
        advance_poses(bodies, 0.01f);
    }
    CHECK(bodies.angular_velocity[1] != Vec3());
    const double now = kinetic_energy(bodies) + spring_energy(bodies, std::span(&spring, 1));
    CHECK(now < 0.05 * last);
}

TEST_CASE("the gyroscopic term conserves spin energy") {
    const Mat3 inertia = Mat3::diagonal({1, 2, 3});
    Bodies bodies =
        one_body({.angular_velocity = {0.01f, 5, 0.01f}, .mass = 1, .inertia = inertia});
    const double before = kinetic_energy(bodies);
    bool flipped = false;
    for (int i = 0; i < 20000; ++i) {
        integrate_velocities(bodies, {.gravity = {}, .gyroscopic = true}, 0.001f, k_serial);
        advance_poses(bodies, 0.001f);
        flipped |= rotate_back(bodies.orientation[0], bodies.angular_velocity[0]).y < -4;
    }
    CHECK(flipped); // spin about the middle axis is unstable: the tennis racket's flip
    const double after = kinetic_energy(bodies);
    // Single precision: 20,000 steps of four roundings each, all the same way at worst.
    CHECK(after == doctest::Approx(before).epsilon(20000 * 4 * 6e-8));

    bodies = one_body({.angular_velocity = {0.01f, 5, 0.01f}, .mass = 1, .inertia = inertia});
    for (int i = 0; i < 1000; ++i) integrate_velocities(bodies, {.gravity = {}}, 0.001f, k_serial);
    CHECK(bodies.angular_velocity[0] == Vec3(0.01f, 5, 0.01f)); // off by default
}

TEST_CASE("forces and torques act once and immovable bodies ignore them") {
    Bodies bodies;
    bodies.set(0, {.mass = 2, .inertia = Mat3::diagonal({1, 2, 4})});
    bodies.set(1, {});
    for (int i = 0; i < 2; ++i) bodies.force[i] = {4, 0, 0}, bodies.torque[i] = {0, 0, 8};
    integrate_velocities(bodies, {.gravity = {}}, 0.5f, k_serial);
    CHECK(bodies.velocity[0] == Vec3(1, 0, 0));
    CHECK(bodies.angular_velocity[0] == Vec3(0, 0, 1));
    CHECK(bodies.velocity[1] == Vec3());
    integrate_velocities(bodies, {.gravity = {}}, 0.5f, k_serial);
    CHECK(bodies.velocity[0] == Vec3(1, 0, 0));
}

TEST_CASE("bodies beyond all bounds are stopped, the others go on") {
    Bodies bodies;
    for (std::uint32_t i = 0; i < 4; ++i) bodies.set(i, unit_ball());
    bodies.velocity[0] = {NAN, 0, 0};
    bodies.angular_velocity[1] = {0, INFINITY, 0};
    bodies.position[2] = {-1e30f, 0, 3};
    bodies.velocity[3] = {1, 2, 3};
    std::vector<std::uint32_t> stopped;
    stop_runaways(bodies, stopped);
    CHECK(stopped.size() == 3);
    stop_runaways(bodies, stopped);
    CHECK(stopped.empty());
    CHECK(bodies.velocity[3] == Vec3(1, 2, 3));
    for (int i = 0; i < 3; ++i) CHECK(bodies.velocity[i] == Vec3());
    CHECK(bodies.position[2].z == 3);
}
