// What sets blows one by one apart from all blows together, on systems with a known answer.
//
// The complementarity conditions with restitution (Dingliana 3.4-3.6) do not let a blow run
// through a row: each contact of Newton's cradle would have to rebound from its own approach
// before the impact, which is zero for all but the first. Blows one by one are the limit of small
// gaps between the bodies instead. They in turn depend on the order where an impact is symmetric.
#include <doctest/doctest.h>

#include <algorithm>

#include "fovea/base/random.h"
#include "fovea/dynamics/impulse.h"
#include "fovea/dynamics/integrate.h"

using namespace fovea;

namespace {

/// Balls of radius 1 in a row along x, each touching the next.
struct Row {
    Bodies bodies;
    std::vector<Contact> contacts;

    /// Mass 0: immovable.
    void add(float mass, float speed, float elastic) {
        const std::uint32_t i = bodies.size();
        bodies.set(i, {.pose = {Vec3(2 * float(i), 0, 0)},
                       .velocity = {speed, 0, 0},
                       .mass = mass,
                       .inertia = Mat3::identity() * (0.4f * mass),
                       .material = {.elastic = elastic}});
        const Vec3 point(2 * float(i) - 1, 0, 0);
        if (i > 0) contacts.push_back({i - 1, i, 0, point, point, {1, 0, 0}, 0});
    }
    void respond(const ImpulseSettings& settings = {}) {
        ImpulseScratch scratch;
        refresh_inertia(bodies, Jobs());
        respond_with_impulses(bodies, contacts, settings, scratch);
    }
    float speed(std::uint32_t i) const { return bodies.velocity[i].x; }
    float worst_approach() const {
        float worst = 0;
        for (const Contact& c : contacts) worst = std::max(worst, speed(c.a) - speed(c.b));
        return worst;
    }
};

/// A box that falls flat on the ground, on its four corners.
Bodies land_flat(float elastic, const ImpulseSettings& settings) {
    Bodies bodies;
    bodies.set(0, {.velocity = {0, -3, 0},
                   .mass = 2,
                   .inertia = Mat3::diagonal({0.5f, 0.7f, 0.6f}),
                   .material = {.elastic = elastic}});
    bodies.set(1, {.material = {.elastic = elastic}});
    std::vector<Contact> contacts;
    for (std::uint32_t k = 0; k < 4; ++k) {
        const Vec3 corner(k & 1 ? 1.0f : -1.0f, -0.5f, k & 2 ? 0.75f : -0.75f);
        contacts.push_back({0, 1, k, corner, corner, {0, -1, 0}, 0});
    }
    ImpulseScratch scratch;
    refresh_inertia(bodies, Jobs());
    respond_with_impulses(bodies, contacts, settings, scratch);
    return bodies;
}

} // namespace

TEST_CASE("one by one: equal elastic balls in a row sort their velocities, in any order") {
    // Each blow swaps two velocities that are in the wrong order: what is left is sorted.
    Random random(21);
    for (int n = 0; n < 300; ++n) {
        Row row;
        std::vector<float> speeds;
        for (int i = 0; i < 12; ++i) {
            speeds.push_back(float(int(random.below(17)) - 8));
            row.add(1, speeds.back(), 1);
        }
        for (std::size_t i = row.contacts.size(); i > 1; --i)
            std::swap(row.contacts[i - 1], row.contacts[random.below(std::uint32_t(i))]);
        row.respond();
        std::sort(speeds.begin(), speeds.end());
        for (std::uint32_t i = 0; i < 12; ++i) CHECK(row.speed(i) == speeds[i]); // small integers
    }
}

TEST_CASE("one by one: a blow grows along a row of ever lighter balls") {
    // With masses q^i and q < e no ball catches up with the next: each passes on (1+e)/(1+q) of
    // its speed and keeps (1-eq)/(1+q).
    const double q = 0.5, e = 0.75;
    Row row;
    for (int i = 0; i < 6; ++i) row.add(float(std::pow(q, i)), i == 0 ? 4.0f : 0.0f, float(e));
    std::reverse(row.contacts.begin(), row.contacts.end());
    row.respond();
    double arriving = 4;
    for (std::uint32_t i = 0; i < 6; ++i) {
        const double kept = i == 5 ? arriving : arriving * (1 - e * q) / (1 + q);
        CHECK(row.speed(i) == doctest::Approx(kept).epsilon(1e-6)); // a few roundings
        arriving *= (1 + e) / (1 + q);
    }
}

TEST_CASE("all together: a blow does not run through a row") {
    Row row;
    for (int i = 0; i < 3; ++i) row.add(1, i == 0 ? 3.0f : 0.0f, 1);
    row.respond({.order = BlowOrder::together, .still_speed = 1e-6f});
    CHECK(row.speed(0) == doctest::Approx(-1).epsilon(1e-5));
    CHECK(row.speed(1) == doctest::Approx(2).epsilon(1e-5));
    CHECK(row.speed(2) == doctest::Approx(2).epsilon(1e-5));
}

TEST_CASE("all together: what recedes may be left approaching, by e times its speed") {
    Row row;
    row.add(1, 1, 1), row.add(1, 0, 1), row.add(1, 0.1f, 1);
    Row same = row;
    row.respond({.order = BlowOrder::together, .still_speed = 1e-6f});
    CHECK(row.worst_approach() == doctest::Approx(0.1).epsilon(1e-4));
    CHECK(kinetic_energy(row.bodies) == doctest::Approx(1.01 / 2).epsilon(1e-5));
    same.respond();
    CHECK(same.worst_approach() == 0);
    CHECK(kinetic_energy(same.bodies) == doctest::Approx(1.01 / 2).epsilon(1e-6));
}

TEST_CASE("all together: a symmetric impact stays symmetric; one by one, only without rebound") {
    for (const float e : {0.0f, 0.5f, 1.0f}) {
        const Bodies box = land_flat(
            e, {.order = BlowOrder::together, .velocity_passes = 1000, .still_speed = 1e-6f});
        CHECK(box.velocity[0].y == doctest::Approx(3 * e).epsilon(1e-5));
        CHECK(length(box.angular_velocity[0]) < 1e-5f);
    }
    // Still to 1e-4 m/s at the corners, with the default settings.
    CHECK(length(land_flat(0, {}).angular_velocity[0]) < 1e-3f);
    // The first corner to be struck takes more than its share.
    CHECK(length(land_flat(1, {}).angular_velocity[0]) > 0.1f);
}

TEST_CASE("all together: unequal elasticities conserve momentum and rebound as one by one") {
    for (const auto order : {BlowOrder::one_by_one, BlowOrder::together}) {
        Row row;
        row.add(3, 2, 0.9f), row.add(1, -1, 0.2f);
        row.respond({.order = order});
        // Ball A feels 0.2, B 0.9, in proportion 1/3 to 1.
        const double e = (0.2 / 3 + 0.9) / (1.0 / 3 + 1);
        CHECK(row.speed(1) - row.speed(0) == doctest::Approx(3 * e).epsilon(1e-6));
        const double momentum = 3 * row.speed(0) + row.speed(1);
        if (order == BlowOrder::together)
            CHECK(momentum == doctest::Approx(5).epsilon(1e-6));
        else
            CHECK(std::abs(momentum - 5) > 0.1); // the price of the source's reading
    }
}

TEST_CASE("blows run to and fro as often as it takes, or end within the bound") {
    // A heavy ball drives a light one against a wall: with masses 10^4 : 1 there are 314 blows
    // (Galperin, "Playing pool with pi", 2003), after which both leave, the heavy one unslowed but
    // for what the light one takes along.
    Row row;
    row.add(0, 0, 1), row.add(1, 0, 1), row.add(1e4f, -1, 1);
    const double energy = kinetic_energy(row.bodies);
    row.respond();
    CHECK(row.worst_approach() == 0);
    CHECK(row.speed(2) == doctest::Approx(1).epsilon(1e-3));
    CHECK(kinetic_energy(row.bodies) == doctest::Approx(energy).epsilon(1e-4)); // 314 roundings

    // Cut short, they lose energy, but leave no approach beyond the speed that counts as still,
    // twice: the neighbour may have moved by as much since. A pass leaves 100/101 of it.
    Row hurried;
    hurried.add(0, 0, 1), hurried.add(1, 0, 1), hurried.add(100, -1, 1);
    hurried.respond({.velocity_passes = 5});
    CHECK(hurried.worst_approach() < 2e-4f);
    CHECK(kinetic_energy(hurried.bodies) < 45);
}
