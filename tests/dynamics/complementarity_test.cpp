// The impulse response against the complementarity conditions of several contacts at once
// (Dingliana 3.4-3.6), on random small systems:
//
//   v+ >= -e v-     f >= 0     (v+ + e v-) f = 0        v: separation speed, f: impulse
//
// One by one, the default fulfils them for e = 0, and for one contact whatever its e. For several
// that rebound it fulfils v+ >= 0 and f >= 0 in their place, and keeps all energy if e = 1; what
// that means for rows of bodies is in blow_order_test.cpp. All together, it fulfils them for any e.
#include <doctest/doctest.h>

#include "fovea/dynamics/impulse.h"
#include "random_impacts.h"
#include "tests/oracles/complementarity_oracle.h"

using namespace fovea;
using namespace fovea::test;
using Eigen::Index;

namespace {

constexpr int k_systems = 1000;

/// Visits go on until rounding is all that changes.
constexpr ImpulseSettings k_patient{
    .velocity_passes = 20000, .velocity_visits = 2000, .still_speed = 1e-6f};

/// How fast Gauss-Seidel visits converge: each pass leaves about 1 - this of the error. The least
/// eigenvalue, other than those of redundant contacts, of A scaled to a diagonal of ones.
double gain_per_pass(const Eigen::MatrixXd& a) {
    const Eigen::VectorXd scale = a.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = scale.asDiagonal() * a * scale.asDiagonal();
    double least = 1;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
    for (const double value : solver.eigenvalues())
        if (value > 1e-6) least = std::min(least, value);
    return least;
}

/// A system before and after the response.
struct Outcome {
    RandomImpact impact;
    ImpactSystem before, after;
    Eigen::MatrixXd a;
    double energy_before, energy_after;

    Outcome(Random& random, Restitution restitution, const ImpulseSettings& settings)
        : impact(random, restitution)
        , before(impact_system(impact.bodies, impact.contacts))
        , a(before.matrix())
        , energy_before(kinetic_energy(impact.bodies)) {
        ImpulseScratch scratch;
        respond_with_impulses(impact.bodies, impact.contacts, settings, scratch);
        after = impact_system(impact.bodies, impact.contacts);
        energy_after = kinetic_energy(impact.bodies);
    }

    /// Bodies wedged so that hundreds of visits do not suffice: a handful in a thousand.
    bool stubborn() const { return gain_per_pass(a) < 0.02; }

    double difference(const Eigen::VectorXd& impulses) const {
        return (before.after(impulses) - after.velocity).cwiseAbs().maxCoeff();
    }

    /// How far the change of velocities is from one that impulses >= 0 at the contacts can make.
    /// The nearest such impulses solve a complementarity problem as well.
    double pull() const {
        const Eigen::VectorXd change = after.separation_speed() - before.separation_speed();
        return difference(solve_complementarity(a, -change).impulses);
    }

    /// From the exact solution with each contact's own restitution.
    double error() const {
        Eigen::VectorXd b = before.separation_speed();
        for (Index i = 0; i < b.size(); ++i) b[i] *= 1 + restitution(impact.contacts[i]);
        const ComplementaritySolution exact = solve_complementarity(a, b);
        REQUIRE(exact.violation < 1e-6); // redundant contacts agree to single precision alone
        return difference(exact.impulses);
    }

    double approach() const { return std::max(0.0, -after.separation_speed().minCoeff()); }

    /// A body rebounds as the other is elastic; movable ones are all alike here.
    double restitution(const Contact& c) const {
        const Bodies& bodies = impact.bodies;
        return bodies.material[bodies.movable(c.a) ? c.b : c.a].elastic;
    }

    /// Largest component of the change of linear and angular momentum.
    double momentum_change() const {
        const Eigen::VectorXd change =
            before.inverse_mass.ldlt().solve(after.velocity - before.velocity);
        Eigen::Vector3d linear(0, 0, 0), angular(0, 0, 0);
        for (std::uint32_t i = 0; i < impact.bodies.size(); ++i) {
            const Vec3 x = impact.bodies.position[i];
            const Eigen::Vector3d p = change.segment<3>(6 * i);
            linear += p;
            angular += Eigen::Vector3d(x.x, x.y, x.z).cross(p) + change.segment<3>(6 * i + 3);
        }
        return std::max(linear.cwiseAbs().maxCoeff(), angular.cwiseAbs().maxCoeff());
    }
};

} // namespace

TEST_CASE("the oracle solves what can be solved by hand") {
    // Ball 1 strikes a row of two: restitution 1 at both contacts asks for v = -1/3, 2/3, 2/3.
    Bodies bodies;
    for (std::uint32_t i = 0; i < 3; ++i)
        bodies.set(i, {.pose = {Vec3(2 * float(i), 0, 0)}, .mass = 1, .inertia = Mat3::identity()});
    bodies.velocity[0] = {1, 0, 0};
    refresh_inertia(bodies, Jobs());
    const Contact contacts[] = {{0, 1, 0, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, 0},
                                {1, 2, 0, {3, 0, 0}, {3, 0, 0}, {1, 0, 0}, 0}};
    const ImpactSystem system = impact_system(bodies, contacts);
    CHECK(system.separation_speed()[0] == -1);
    const auto row = solve_complementarity(system.matrix(), 2 * system.separation_speed());
    const Eigen::VectorXd v = system.after(row.impulses);
    CHECK(row.violation < 1e-14);
    CHECK(v[0] == doctest::Approx(-1.0 / 3));
    CHECK(v[6] == doctest::Approx(2.0 / 3));
    CHECK(v[12] == doctest::Approx(2.0 / 3));

    // Twice the same contact: any share of the impulse will do.
    Eigen::MatrixXd a = Eigen::MatrixXd::Ones(2, 2);
    const auto twice = solve_complementarity(a, Eigen::Vector2d(-3, -3));
    CHECK(twice.violation < 1e-14);
    CHECK(twice.impulses.sum() == doctest::Approx(3));
    // Both of two opposite contacts cannot be satisfied.
    a << 1, -1, -1, 1;
    CHECK(solve_complementarity(a, Eigen::Vector2d(-2, 1)).violation > 0.1);
}

TEST_CASE("blows never pull, leave no approach, keep momentum and gain no energy") {
    for (const float e : {0.0f, 0.25f, 0.5f, 0.8f, 1.0f})
        for (const bool walls_too : {false, true}) {
            Random random(11);
            int stubborn = 0, isolated = 0;
            double pull = 0, approach = 0, gain = 0, loss = 0, momentum = 0, worst = 0;
            for (int n = 0; n < k_systems; ++n) {
                const Outcome o(random, {e, walls_too}, {});
                const double gained = o.energy_after / o.energy_before - 1;
                pull = std::max(pull, o.pull());
                gain = std::max(gain, gained), loss = std::max(loss, -gained);
                if (!o.impact.immovable_bodies)
                    momentum = std::max(momentum, o.momentum_change()), ++isolated;
                (o.stubborn() ? worst : approach) =
                    std::max(o.stubborn() ? worst : approach, o.approach());
                stubborn += o.stubborn();
            }
            CAPTURE(e);
            CAPTURE(walls_too);
            MESSAGE("approach ", approach, " m/s (", stubborn, " stubborn systems: ", worst,
                    "), pull ", pull, " m/s, momentum ", momentum, " N s, energy +", gain, " -",
                    loss);
            // Hundreds of changes to speeds up to 10, each rounded by up to 2^-24 of itself;
            // roundings add up like a random walk.
            CHECK(pull < 2e-5);
            CHECK(momentum < 3e-5); // of masses and lever arms up to 3
            CHECK(gain < 3e-6);
            // A contact rests when a visit changes it by less than 1e-4 m/s; its up to five
            // neighbours may each have done as much to it since.
            CHECK(approach < 5e-4);
            CHECK(stubborn < k_systems / 100);
            CHECK(worst < 0.5); // still a small part of speeds of 5 m/s
            CHECK(isolated > k_systems / 5);
            if (e == 1 && walls_too) CHECK(loss < 3e-6); // elastic: no energy is lost either
        }
}

TEST_CASE("without rebound, one by one: the exact solution of the complementarity conditions") {
    Random random(12);
    double error = 0, patient_error = 0;
    for (int n = 0; n < k_systems; ++n) {
        const Random same = random;
        const Outcome o(random, {.bodies = 0, .walls_too = true}, {});
        if (o.stubborn()) continue;
        error = std::max(error, o.error());
        Random again = same;
        patient_error = std::max(patient_error, Outcome(again, {0, true}, k_patient).error());
    }
    MESSAGE("largest difference of any speed: ", error, ", patiently ", patient_error);
    // Errors of 1e-4 (1e-6) a pass, the geometric tail of which is 1/0.02 = 50 times that at worst.
    CHECK(error < 5e-3);
    CHECK(patient_error < 5e-5);
}

TEST_CASE("one contact has the same exact solution in either order of blows, for any e") {
    Random random(13);
    int seen = 0;
    for (int n = 0; n < 10 * k_systems; ++n) {
        const float e = float(random.uniform());
        const Random same = random;
        const Outcome o(random, {e}, {});
        if (o.impact.contacts.size() != 1) continue;
        Random again = same;
        const Outcome together(again, {e}, {.order = BlowOrder::together});
        ++seen;
        const bool approaching = o.before.separation_speed()[0] < 0;
        // Rounding of one change of speeds up to 20.
        CHECK((approaching ? o.error() : o.difference(Eigen::VectorXd::Zero(1))) < 1e-5);
        CHECK(together.error() < 1e-5);
    }
    CHECK(seen > k_systems / 5);
}

TEST_CASE("all together: the exact solution for any e, and no gain of energy if it is uniform") {
    for (const bool walls_too : {false, true})
        for (const float e : {0.0f, 0.25f, 0.5f, 0.8f, 1.0f}) {
            Random random(14);
            ImpulseSettings settings = k_patient;
            settings.order = BlowOrder::together;
            double error = 0, gain = 0, pull = 0, momentum = 0;
            for (int n = 0; n < k_systems; ++n) {
                const Outcome o(random, {e, walls_too}, settings);
                if (o.stubborn()) continue;
                error = std::max(error, o.error());
                pull = std::max(pull, o.pull());
                gain = std::max(gain, o.energy_after / o.energy_before - 1);
                if (!o.impact.immovable_bodies) momentum = std::max(momentum, o.momentum_change());
            }
            CAPTURE(e);
            CAPTURE(walls_too);
            MESSAGE("error ", error, " m/s, pull ", pull, " m/s, momentum ", momentum,
                    " N s, energy +", gain);
            CHECK(error < 5e-5); // 1e-6 m/s a pass, and a tail of 50 times that
            CHECK(pull < 3e-5);
            CHECK(momentum < 3e-5);
            if (walls_too) CHECK(gain < 1e-5); // the error, times speeds of 5 in energies of 20
        }
}
