// The impulse response, contact by contact (Stokes 4.3).
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/dynamics/impulse.h"
#include "fovea/dynamics/integrate.h"

using namespace fovea;

namespace {

BodyState ball(float mass, const Vec3& position, const Vec3& velocity) {
    return {.pose = {position},
            .velocity = velocity,
            .mass = mass,
            .inertia = Mat3::identity() * (0.4f * mass),
            .material = {.elastic = 1}};
}

void respond(Bodies& bodies, std::span<const Contact> contacts, ImpulseSettings settings = {}) {
    ImpulseScratch scratch;
    refresh_inertia(bodies, Jobs());
    respond_with_impulses(bodies, contacts, settings, scratch);
}

Contact contact_between(std::uint32_t a, std::uint32_t b, const Vec3& point, const Vec3& normal,
                        float depth) {
    return {a, b, 0, point + normal * (depth / 2), point - normal * (depth / 2), normal, -depth};
}

struct Totals {
    Vec3d momentum, angular;
    double energy;
};

Totals totals(const Bodies& bodies) {
    Totals t{{}, {}, kinetic_energy(bodies)};
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.movable(i)) continue;
        const double m = 1 / double(bodies.inverse_mass[i]);
        const Vec3d p = Vec3d(bodies.velocity[i]) * m;
        const Mat3& w = bodies.inverse_inertia_world[i];
        t.momentum += p;
        t.angular +=
            cross(Vec3d(bodies.position[i]), p) +
            inverse(Mat3d{Vec3d(w.x), Vec3d(w.y), Vec3d(w.z)}) * Vec3d(bodies.angular_velocity[i]);
    }
    return t;
}

} // namespace

TEST_CASE("equal masses head on swap velocities") {
    Bodies bodies;
    bodies.set(0, ball(1, {0, 0, 0}, {3, 0, 0}));
    bodies.set(1, ball(1, {2, 0, 0}, {-1, 0, 0}));
    const Contact c = contact_between(0, 1, {1, 0, 0}, {1, 0, 0}, 0);
    respond(bodies, std::span(&c, 1));
    CHECK(bodies.velocity[0] == Vec3(-1, 0, 0));
    CHECK(bodies.velocity[1] == Vec3(3, 0, 0));
}

TEST_CASE("an elastic blow conserves momentum, angular momentum and energy") {
    Random random(1);
    for (int n = 0; n < 2000; ++n) {
        Bodies bodies;
        for (std::uint32_t i = 0; i < 2; ++i) {
            const auto v = [&] { return Vec3(random.direction() * random.uniform(0, 5)); };
            bodies.set(i, {.pose = {v(), normalized(Quat(Quatd(1, random.direction())))},
                           .velocity = v(),
                           .angular_velocity = v(),
                           .mass = float(random.uniform(0.1, 10)),
                           .inertia = Mat3::diagonal({float(random.uniform(0.5, 2)),
                                                      float(random.uniform(0.5, 2)),
                                                      float(random.uniform(0.5, 2))}),
                           .material = {.elastic = 1}});
        }
        // Depth 0: positions stay, so angular momentum can be compared too.
        const Contact c =
            contact_between(0, 1, Vec3(random.direction()), Vec3(random.direction()), 0);
        refresh_inertia(bodies, Jobs());
        const Totals before = totals(bodies);
        respond(bodies, std::span(&c, 1));
        const Totals after = totals(bodies);
        // State is single precision: each of the dozen changed numbers, at most 50 in size, is
        // rounded by 2^-24 of itself, times masses and inertias up to 10.
        CHECK(length(after.momentum - before.momentum) < 1e-4);
        CHECK(length(after.angular - before.angular) < 5e-4);
        CHECK(after.energy == doctest::Approx(before.energy).epsilon(2e-6));
    }
}

TEST_CASE("a drop on a wall rebounds by e, or by 2e - 1 under the literal rule") {
    for (float e : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
        for (const auto rule : {RestitutionRule::standard, RestitutionRule::literal}) {
            Bodies bodies;
            bodies.set(0, ball(2, {0, 0.9f, 0}, {1, -4, 0}));
            BodyState wall;
            wall.material.elastic = e;
            bodies.set(1, wall);
            bodies.material[0].elastic =
                0.123f; // the ball's own elasticity must not matter to the ball
            const Contact c = contact_between(0, 1, {0, 0, 0}, {0, -1, 0}, 0.1f);
            // One pass: a second one would meet the approach that the literal rule leaves.
            respond(bodies, std::span(&c, 1), {.velocity_passes = 1, .rule = rule});
            const float rebound = rule == RestitutionRule::standard ? e : 2 * e - 1;
            CHECK(bodies.velocity[0].y == doctest::Approx(4 * rebound));
            CHECK(bodies.velocity[0].x == 1);                     // frictionless
            CHECK(bodies.position[0].y == doctest::Approx(1.0f)); // the wall does not give way
            CHECK(bodies.position[1] == Vec3());
        }
    }
}

TEST_CASE("each body feels the other's elasticity") {
    Bodies bodies;
    bodies.set(0, ball(1, {0, 0, 0}, {1, 0, 0}));
    bodies.set(1, ball(1, {2, 0, 0}, {-1, 0, 0}));
    bodies.material[0].elastic = 1, bodies.material[1].elastic = 0;
    const Contact c = contact_between(0, 1, {1, 0, 0}, {1, 0, 0}, 0);
    respond(bodies, std::span(&c, 1));
    CHECK(bodies.velocity[0].x == doctest::Approx(0)); // struck a dead body
    CHECK(bodies.velocity[1].x == doctest::Approx(1)); // struck a lively one
}

TEST_CASE("a receding pair is left untouched, overlap included") {
    Bodies bodies;
    bodies.set(0, ball(1, {0, 0, 0}, {-1, 0, 0}));
    bodies.set(1, ball(1, {1, 0, 0}, {2, 0, 0}));
    const Contact c = contact_between(0, 1, {0.5f, 0, 0}, {1, 0, 0}, 0.5f);
    respond(bodies, std::span(&c, 1));
    CHECK(bodies.velocity[0] == Vec3(-1, 0, 0));
    CHECK(bodies.velocity[1] == Vec3(2, 0, 0));
    CHECK(bodies.position[0] == Vec3(0, 0, 0));
    CHECK(bodies.position[1] == Vec3(1, 0, 0));
}

TEST_CASE("an approaching pair is parted: by mass, or by half the depth each") {
    for (const auto rule : {DisplacementRule::by_mass, DisplacementRule::halves}) {
        Bodies bodies;
        bodies.set(0, ball(3, {0, 0, 0}, {1, 0, 0}));
        bodies.set(1, ball(1, {1.5f, 0, 0}, {0, 0, 0}));
        const Contact c = contact_between(0, 1, {0.75f, 0, 0}, {1, 0, 0}, 0.5f);
        respond(bodies, std::span(&c, 1), {.displacement = rule});
        const float share = rule == DisplacementRule::halves ? 0.5f : 0.25f;
        CHECK(bodies.position[0].x == doctest::Approx(-0.5f * share));
        CHECK(bodies.position[1].x == doctest::Approx(1.5f + 0.5f * (1 - share)));
    }
}

TEST_CASE("a receding contact keeps its depth but is not pushed deeper") {
    // Body 0 rests overlapping 1 and recedes from it; body 2 strikes it from the other side.
    Bodies bodies;
    bodies.set(0, ball(1, {0, 0, 0}, {0, 1, 0}));
    bodies.set(1, {}); // the ground
    bodies.set(2, ball(1, {0, 1.6f, 0}, {0, -0.5f, 0}));
    const Contact contacts[] = {contact_between(0, 1, {0, -0.9f, 0}, {0, -1, 0}, 0.2f),
                                contact_between(0, 2, {0, 0.8f, 0}, {0, 1, 0}, 0.4f)};
    respond(bodies, contacts, {.velocity_passes = 1, .position_passes = 30});
    CHECK(bodies.position[0].y > -1e-3f);
    CHECK(bodies.position[2].y - bodies.position[0].y > 2 - 1e-3f);
}

TEST_CASE("a blow off the centre exchanges spin and linear motion") {
    Bodies bodies;
    bodies.set(0, {.angular_velocity = {0, 0, 2}, .mass = 1, .inertia = Mat3::identity()});
    bodies.set(1, ball(1, {1, 1.5f, 0}, {}));
    const Contact c = contact_between(0, 1, {1, 0.5f, 0}, {0, 1, 0}, 0);
    respond(bodies, std::span(&c, 1));
    CHECK(bodies.velocity[1].y > 0.5f);
    CHECK(bodies.angular_velocity[0].z < 2);
    CHECK(bodies.velocity[0].y < 0);
}

TEST_CASE("contacts on opposite sides of a body: neither is violated") {
    // A ball squeezed between floor and ceiling that overlap it by different depths: it ends
    // between them, with the excess shared, and does not end up deeper in either than the squeeze.
    Bodies bodies;
    bodies.set(0, ball(1, {0, 0, 0}, {0, 0, 0}));
    bodies.set(1, ball(1, {0, -1.8f, 0}, {0, 1, 0}));
    bodies.set(2, ball(1, {0, 1.9f, 0}, {0, -1, 0}));
    for (int i = 0; i < 3; ++i) bodies.material[i].elastic = 0;
    const Contact contacts[] = {contact_between(0, 1, {0, -0.9f, 0}, {0, -1, 0}, 0.2f),
                                contact_between(0, 2, {0, 0.95f, 0}, {0, 1, 0}, 0.1f)};
    respond(bodies, contacts);
    // All three at rest relative to each other and parted; ten passes halve the rest each time.
    CHECK(bodies.position[0].y - bodies.position[1].y > 2 - 1e-3f);
    CHECK(bodies.position[2].y - bodies.position[0].y > 2 - 1e-3f);
    CHECK(std::abs(bodies.velocity[0].y - bodies.velocity[1].y) < 1e-3f);
    CHECK(std::abs(bodies.velocity[2].y - bodies.velocity[0].y) < 1e-3f);
}

TEST_CASE("Newton's cradle: one ball in, one ball out") {
    for (const bool reversed : {false, true}) {
        Bodies bodies;
        std::vector<Contact> contacts;
        for (std::uint32_t i = 0; i < 5; ++i) bodies.set(i, ball(1, {2.0f * float(i), 0, 0}, {}));
        const int first = reversed ? 4 : 0;
        bodies.velocity[first] = {reversed ? -3.0f : 3.0f, 0, 0};
        for (std::uint32_t i = 0; i < 4; ++i)
            contacts.push_back(
                contact_between(i, i + 1, {2.0f * float(i) + 1, 0, 0}, {1, 0, 0}, 0));
        respond(bodies, contacts);
        for (int i = 0; i < 5; ++i)
            CHECK(bodies.velocity[i].x == (i == 4 - first ? (reversed ? -3 : 3) : 0));
    }
}
