// Every pair of solids against the oracle, 100,000 configurations each.
#include <doctest/doctest.h>

#include <cstdio>

#include "configurations.h"

using namespace oracle;
using Kind = Solid::Kind;

namespace {

constexpr int k_configurations = 100'000;
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

/// `oracle_every`: the depth oracle is slow for some pairs and then runs on a part of them.
void check_configuration(const Configuration& c, int i, Category category, bool with_oracle,
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
    if (p.separation < 0 && with_oracle && a.kind != Kind::half_space &&
        b.kind != Kind::half_space) {
        double best = largest_gap(a, b);
        best = std::max(best, gap(a, b, climb(a, b, n, 1e-3)));
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

void check_pair(Kind a, Kind b, int oracle_every) {
    Properties props;
    Random random(0x9e1 + 64 * std::uint64_t(a) + std::uint64_t(b));
    for (int i = 0; i < k_configurations; ++i) {
        const auto category = Category(i % k_categories);
        const Configuration c = random_configuration(a, b, category, random);
        check_configuration(c, i, category, i / k_categories % oracle_every == 0, props);
    }
    for (const Property* p : props.all()) {
        if (std::getenv("FOVEA_VERBOSE"))
            std::printf("%-10s %-10s %-42s worst %10.4f  failures %6d  (#%d, %s)\n", name_of(a),
                        name_of(b), p->name, p->worst, p->failures, p->index, name_of(p->category));
        INFO(name_of(a), " against ", name_of(b), ": ", p->name, ", worst ", p->worst,
             " tolerances in #", p->index, " (", name_of(p->category), ")");
        CHECK(p->failures == 0);
    }
}

} // namespace

#define PAIR(a, b, every)                                                                          \
    TEST_CASE(#a " against " #b) {                                                                 \
        check_pair(Kind::a, Kind::b, every);                                                       \
    }
PAIR(sphere, sphere, 1)
PAIR(sphere, half_space, 1)
PAIR(sphere, box, 1)
PAIR(sphere, cylinder, 1)
PAIR(sphere, capsule, 1)
PAIR(sphere, cone, 1)
PAIR(sphere, hull, 1)
PAIR(sphere, triangle, 1)
PAIR(box, half_space, 1)
PAIR(box, box, 1)
PAIR(box, cylinder, 1)
PAIR(box, capsule, 1)
PAIR(box, cone, 1)
PAIR(box, hull, 1)
PAIR(box, triangle, 1)
PAIR(cylinder, half_space, 1)
PAIR(cylinder, cylinder, 1)
PAIR(cylinder, capsule, 1)
PAIR(cylinder, cone, 1)
PAIR(cylinder, hull, 1)
PAIR(cylinder, triangle, 1)
PAIR(capsule, half_space, 1)
PAIR(capsule, capsule, 1)
PAIR(capsule, cone, 1)
PAIR(capsule, hull, 1)
PAIR(capsule, triangle, 1)
PAIR(cone, half_space, 1)
PAIR(cone, cone, 1)
PAIR(cone, hull, 1)
PAIR(cone, triangle, 1)
PAIR(hull, half_space, 1)
PAIR(hull, hull, 1)
PAIR(hull, triangle, 1)
PAIR(half_space, triangle, 1)
