// Every pair of bounded solids against FCL and the libccd below it: a second account, from others'
// hands.
//
// FCL is the less exact of the two: its searches stop at 1e-6 and sometimes lose their way. So a
// difference is no verdict. Where one shows, the oracle decides by proof: a direction parts the
// solids by its gap, so the separation is at least the largest gap anyone has found, FCL included,
// and points on both surfaces bound the distance from above. Ours must never be the wrong one.
#include <doctest/doctest.h>

#include <string>

#include "configurations.h"
#include "tests/oracles/fcl_oracle.h"

using namespace oracle;
using fovea::FclAnswer;
using Kind = Solid::Kind;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_configurations = 200; ///< per pair: sanitizers are slow
#else
constexpr int k_configurations = 2'000; ///< per pair
#endif
constexpr int k_categories = int(Category::count);

/// How often what was said.
struct Tally {
    int asked = 0, answered = 0, agreed = 0;
    int theirs_wrong = 0, ours_wrong = 0;

    void operator+=(const Tally& t) {
        asked += t.asked, answered += t.answered, agreed += t.agreed;
        theirs_wrong += t.theirs_wrong, ours_wrong += t.ours_wrong;
    }
    void print(const std::string& what) const {
        MESSAGE(what, ": ", asked, " asked, ", answered, " answered, ", agreed, " agreed; else ",
                theirs_wrong, " proven for Fovea, ", ours_wrong, " not");
    }
};

struct Tallies {
    Tally distance, overlap_libccd, overlap_own, depth_libccd, depth_own;
};

struct Question {
    const char* name;
    Tally Tallies::*tally;
    double least_agreement; ///< share below which the comparison would say nothing
};
constexpr std::array k_questions{
    Question{"distance", &Tallies::distance, 0.99},
    Question{"overlap by libccd", &Tallies::overlap_libccd, 0.999},
    Question{"overlap by FCL's own solver", &Tallies::overlap_own, 0.999},
    Question{"depth by libccd", &Tallies::depth_libccd, 0.4}, // MPR: often not the least depth
    Question{"depth by FCL's own solver", &Tallies::depth_own, 0.4}};

/// The separation by proof, as far as it can be proven.
struct Proof {
    double at_least = -std::numeric_limits<double>::infinity();
    double at_most = std::numeric_limits<double>::infinity();

    void try_direction(const Solid& a, const Solid& b, const Vec3d& direction) {
        const double size = length(direction);
        if (size > 0) at_least = std::max(at_least, gap(a, b, direction / size));
    }
    void try_points(const Solid& a, const Solid& b, const Vec3d& on_a, const Vec3d& on_b,
                    double tolerance) {
        if (a.off_surface(on_a) < tolerance && b.off_surface(on_b) < tolerance)
            at_most = std::min(at_most, length(on_b - on_a));
    }
};

Proof prove(const Solid& a, const Solid& b, const fovea::Proximity& p, const FclAnswer& fcl,
            double tolerance) {
    Proof proof;
    const Vec3d normal(p.normal);
    proof.try_direction(a, b, normal);
    proof.try_direction(a, b, climb(a, b, normal / length(normal), 1e-3));
    proof.at_least = std::max(proof.at_least, largest_gap(a, b, true));
    if (a.polytope && b.polytope)
        proof.at_least = std::max(proof.at_least, largest_gap_of_polytopes(a, b));
    proof.try_points(a, b, Vec3d(p.point_a), Vec3d(p.point_b), tolerance);
    for (const auto& overlap : {fcl.by_libccd, fcl.by_own_solver})
        if (overlap) {
            proof.try_direction(a, b, overlap->normal);
            proof.try_direction(a, b, -overlap->normal);
        }
    if (fcl.distance && fcl.distance->separation > 0) {
        const auto& [on_a, on_b] = fcl.distance->points;
        proof.try_direction(a, b, on_b - on_a);
        proof.try_points(a, b, on_a, on_b, tolerance);
    }
    return proof;
}

void compare(const Configuration& c, Tallies& tallies) {
    const fovea::Proximity p = c.measure();
    const double separation = p.separation;
    const FclAnswer fcl = ask_fcl(c.a.shape, c.at_a, c.b.shape, c.at_b);
    const Solid a = c.solid_a(), b = c.solid_b();
    const double span = a.size + b.size + length(b.position - a.position);
    // FCL's searches stop when an iteration gains less than 1e-6 metres, which may leave several
    // such gains undone.
    const double fcl_tolerance = 1e-5 * (1 + span);
    // What Fovea's result may be off by, as in the test of pairs.
    const double exact = 1e-6 * std::min(a.size, b.size) + 2e-7 * (span + std::abs(separation)) +
                         2e-7 * (length(Vec3d(p.point_a)) + length(Vec3d(p.point_b)));

    std::optional<Proof> proof;
    const auto tell = [&](Tally& tally, bool answered, bool agreed) {
        ++tally.asked;
        tally.answered += answered;
        tally.agreed += answered && agreed;
        if (!answered || agreed) return;
        if (!proof) proof = prove(a, b, p, fcl, exact);
        const bool ours_right = std::abs(separation - proof->at_least) <= exact &&
                                separation <= proof->at_most + 2 * exact;
        ++(ours_right ? tally.theirs_wrong : tally.ours_wrong);
    };
    if (separation > 0)
        tell(tallies.distance, fcl.distance.has_value(),
             fcl.distance &&
                 std::abs(std::max(fcl.distance->separation, 0.0) - separation) <= fcl_tolerance);
    const auto overlap = [&](Tally& verdicts, Tally& depths, const auto& found) {
        const bool touching = std::abs(separation) <= fcl_tolerance;
        tell(verdicts, found.has_value(), touching || (found && found->found == p.intersects()));
        if (p.intersects() && found && found->found)
            tell(depths, true, std::abs(found->depth + separation) <= fcl_tolerance);
    };
    overlap(tallies.overlap_libccd, tallies.depth_libccd, fcl.by_libccd);
    overlap(tallies.overlap_own, tallies.depth_own, fcl.by_own_solver);
}

} // namespace

TEST_CASE("where FCL and Fovea differ about two solids, Fovea is right") {
    constexpr std::array k_solids{Kind::sphere,  Kind::box,  Kind::cylinder,
                                  Kind::capsule, Kind::cone, Kind::hull};
    Tallies all;
    for (const Kind kind_a : k_solids)
        for (const Kind kind_b : k_solids) {
            if (kind_a > kind_b) continue;
            Tallies pair;
            Random random(0xfc1 + 64 * std::uint64_t(kind_a) + std::uint64_t(kind_b));
            for (int i = 0; i < k_configurations; ++i)
                compare(random_configuration(kind_a, kind_b, Category(i % k_categories), random),
                        pair);
            const std::string names =
                std::string(name_of(kind_a)) + " against " + name_of(kind_b) + ": ";
            for (const Question& question : k_questions) {
                const Tally& tally = pair.*question.tally;
                all.*question.tally += tally;
                CHECK_MESSAGE(tally.ours_wrong == 0, names, std::string(question.name));
            }
        }
    for (const Question& question : k_questions) {
        const Tally& tally = all.*question.tally;
        tally.print(question.name);
        CHECK(tally.agreed >= question.least_agreement * tally.asked);
    }
}
