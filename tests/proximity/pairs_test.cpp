// Every pair of solids against the oracle, 100,000 configurations each.
#include <doctest/doctest.h>

#include <string>

#include "configurations.h"

using namespace oracle;
using Kind = Solid::Kind;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_configurations = 4'000; ///< per pair: sanitizers are slow
#else
constexpr int k_configurations = 100'000; ///< per pair
#endif
constexpr int k_full_every = 12; ///< the complete search for a better direction is slow
constexpr int k_categories = int(Category::count);

/// Worst violation of one property, in units of its tolerance.
struct Property {
    const char* name;
    double worst = 0;
    int failures = 0;
    int index = 0;
    Category category{};

    void add(double error, double tolerance, int i, Category c) {
        const double ratio = error / tolerance;
        if (!(ratio <= worst)) worst = ratio, index = i, category = c;
        if (!(ratio <= 1)) ++failures;
    }
};

struct Properties {
    Property unit{"normal is unit"};
    Property along{"points differ by separation * normal"};
    Property on_a{"point_a on A"};
    Property on_b{"point_b on B"};
    Property certificate{"gap along normal is the separation"};
    Property optimal{"no direction parts them better"};
    Property exchanged{"exchanged pair agrees"};
    Property parted{"moved by the depth they just touch"};

    std::array<Property*, 8> all() {
        return {&unit, &along, &on_a, &on_b, &certificate, &optimal, &exchanged, &parted};
    }
};

/// Apart, witnesses and certificate together prove the result: the points bound the distance from
/// above, the gap along the normal bounds it from below. The same holds for the depth but for the
/// choice of the normal, which must stand against sampled directions and, if `full`, against the
/// exact maximum over all.
void check_configuration(const Configuration& c, int i, Category category, bool full,
                         Properties& props) {
    const fovea::Proximity p = c.measure();
    const Solid a = c.solid_a(), b = c.solid_b();
    const Vec3d n = Vec3d(p.normal) / length(Vec3d(p.normal));
    const Vec3d point_a(p.point_a), point_b(p.point_b);

    // What the search itself may be off by: 1e-6 of the smaller solid.
    const double smaller = a.kind == Kind::half_space   ? b.size
                           : b.kind == Kind::half_space ? a.size
                                                        : std::min(a.size, b.size);
    const double converged = 1e-6 * smaller;
    // Points and poses are floats: each coordinate is off by up to 6e-8 of itself, and so is the
    // direction of the normal, which acts on the distance of the solids' points.
    const double span = a.size + b.size + length(b.position - a.position) + std::abs(p.separation);
    const double rounding = 2e-7 * (span + length(point_a) + length(point_b));
    const double tolerance = converged + rounding;

    props.unit.add(std::abs(length(Vec3d(p.normal)) - 1), 2e-7, i, category);
    props.along.add(length(point_b - point_a - n * double(p.separation)), tolerance, i, category);
    props.on_a.add(std::abs(a.off_surface(point_a)), tolerance, i, category);
    props.on_b.add(std::abs(b.off_surface(point_b)), tolerance, i, category);
    props.certificate.add(std::abs(gap(a, b, n) - p.separation), tolerance, i, category);
    if (p.separation < 0 && a.kind != Kind::half_space && b.kind != Kind::half_space) {
        double best = largest_gap(a, b, full);
        if (full) best = std::max(best, gap(a, b, climb(a, b, n, 1e-3)));
        if (full && a.polytope && b.polytope) best = std::max(best, largest_gap_of_polytopes(a, b));
        props.optimal.add(best - p.separation, converged + 1e-7 * span, i, category);
    }
    if (b.kind != Kind::triangle) {
        const fovea::Proximity back = c.measure_exchanged();
        // Frames differ, and with them how the vertices of the search are rounded.
        props.exchanged.add(std::abs(back.separation - p.separation),
                            converged + 2e-7 * std::abs(p.separation) + 1e-9 * span, i, category);
    }
    if (p.separation < 0 && b.kind != Kind::triangle) {
        Configuration moved = c;
        moved.at_b.position = Vec3(Vec3d(c.at_b.position) - n * double(p.separation));
        props.parted.add(std::abs(moved.measure().separation), tolerance, i, category);
    }
}

void check_pair(Kind a, Kind b) {
    Properties props;
    Random random(0x9e1 + 64 * std::uint64_t(a) + std::uint64_t(b));
    for (int i = 0; i < k_configurations; ++i) {
        const auto category = Category(i % k_categories);
        const Configuration c = random_configuration(a, b, category, random);
        check_configuration(c, i, category, i / k_categories % k_full_every == 0, props);
    }
    for (const Property* p : props.all()) {
        CHECK_MESSAGE(p->failures == 0, std::string(name_of(a)), " against ",
                      std::string(name_of(b)), ": ", p->failures,
                      " times not: ", std::string(p->name), ", worst ", p->worst,
                      " tolerances in #", p->index, " (", std::string(name_of(p->category)), ")");
    }
}

} // namespace

TEST_CASE("every pair of solids, half-spaces and triangles agrees with the oracle") {
    constexpr std::array k_solids{Kind::sphere,  Kind::box,  Kind::cylinder,
                                  Kind::capsule, Kind::cone, Kind::hull};
    for (const Kind a : k_solids) {
        for (const Kind b : k_solids)
            if (a <= b) check_pair(a, b);
        check_pair(a, Kind::half_space);
        check_pair(a, Kind::triangle);
    }
    check_pair(Kind::half_space, Kind::triangle);
}
