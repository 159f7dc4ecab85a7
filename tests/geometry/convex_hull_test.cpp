#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <tuple>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/mass.h"
#include "fovea/geometry/tessellate.h"
#include "tests/geometry/sample_shapes.h"
#include "tests/oracles/cgal_oracle.h"

using namespace fovea;

namespace {

using Points = std::vector<Vec3>;

/// The error of a point along `direction` due to its coordinates being floats; the hull may treat
/// three times that as flat and adds the rounding of its own normals and offsets.
double tolerance(const Points& points, const Vec3& direction) {
    Vec3 largest;
    for (const Vec3& p : points) largest = max(largest, abs(p));
    const double epsilon = 1.2e-7;
    // Normals are rounded in every component, whatever their direction.
    const double normal_rounding = epsilon * double(length(largest));
    return 4 * epsilon * double(dot(abs(direction), largest)) + normal_rounding;
}

void check_structure(const ConvexHull& hull) {
    CHECK(hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2);
    std::size_t sides = 0;
    for (const auto& face : hull.faces) {
        CHECK(face.count >= 3);
        CHECK(length(Vec3d(face.normal)) == doctest::Approx(1).epsilon(1e-6));
        sides += face.count;
    }
    CHECK(sides == hull.face_vertices.size());
    CHECK(sides == 2 * hull.edges.size());

    // Every edge is a side of its left face as it stands and of its right face reversed.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> face_beside;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const auto& face = hull.faces[f];
        for (std::uint32_t i = 0; i < face.count; ++i) {
            const std::uint32_t from = hull.face_vertices[face.first + i];
            const std::uint32_t to = hull.face_vertices[face.first + (i + 1) % face.count];
            CHECK(face_beside.emplace(std::pair(from, to), f).second);
        }
    }
    for (const auto& edge : hull.edges) {
        CHECK(face_beside.at({edge.from, edge.to}) == edge.left);
        CHECK(face_beside.at({edge.to, edge.from}) == edge.right);
    }
    std::set<std::uint32_t> used(hull.face_vertices.begin(), hull.face_vertices.end());
    CHECK(used.size() == hull.vertices.size());
}

void check_planes(const ConvexHull& hull, const Points& points) {
    for (const auto& face : hull.faces) {
        const double allowed = tolerance(points, face.normal);
        double highest = -INFINITY;
        for (const Vec3& p : points) {
            highest = std::max(highest, dot(Vec3d(face.normal), Vec3d(p)) - face.offset);
        }
        CHECK(highest <= allowed);
        const auto corner = [&](std::uint32_t i) {
            return Vec3d(hull.vertices[hull.face_vertices[face.first + i % face.count]]);
        };
        for (std::uint32_t i = 0; i < face.count; ++i) {
            const Vec3d a = corner(i), b = corner(i + 1), c = corner(i + 2);
            CHECK(std::abs(dot(Vec3d(face.normal), a) - face.offset) <= 2 * allowed);
            // The outline turns left, or bends inwards by rounding at most.
            const double turn = dot(Vec3d(face.normal), cross(b - a, c - b));
            CHECK(-turn <= 2 * allowed * length(c - a));
        }
    }
}

auto key(const Vec3& v) {
    return std::tuple(v.x, v.y, v.z);
}

Points sorted(Points points) {
    std::sort(points.begin(), points.end(),
              [](const Vec3& a, const Vec3& b) { return key(a) < key(b); });
    return points;
}

double volume_of(const ConvexHull& hull) {
    return signed_volume(tessellate(Hull{std::make_shared<const ConvexHull>(hull)}, 8, 1));
}

/// Structure and planes; the volume against CGAL's.
ConvexHull checked_hull(const Points& points) {
    const Result<ConvexHull> made = make_convex_hull(points);
    REQUIRE_MESSAGE(made.has_value(), (made ? "" : made.error().message));
    check_structure(*made);
    check_planes(*made, points);
    std::set<decltype(key(points[0]))> given;
    for (const Vec3& p : points) given.insert(key(p));
    for (const Vec3& v : made->vertices) CHECK(given.count(key(v)) == 1);
    return *made;
}

/// Both hulls have the same support, within the tolerance, along random directions.
void check_same_support(const ConvexHull& hull, const TriangleMesh& exact, const Points& points) {
    Random random(99);
    for (int i = 0; i < 300; ++i) {
        const Vec3d direction = random.direction();
        double ours = -INFINITY, theirs = -INFINITY;
        for (const Vec3& v : hull.vertices) ours = std::max(ours, dot(direction, Vec3d(v)));
        for (const Vec3& v : exact.vertices) theirs = std::max(theirs, dot(direction, Vec3d(v)));
        // Ours are input points too, so never beyond CGAL's.
        CHECK(ours <= theirs);
        CHECK(theirs - ours <= 2 * tolerance(points, Vec3(direction)));
    }
}

Points random_cube(Random& random, int count, double half_extent, const Vec3& offset = {}) {
    Points points;
    for (int i = 0; i < count; ++i) {
        points.push_back(random_point(random, -half_extent, half_extent) + offset);
    }
    return points;
}

Points on_sphere(Random& random, int count, double radius) {
    Points points;
    for (int i = 0; i < count; ++i) points.push_back(Vec3(random.direction() * radius));
    return points;
}

/// A plane through lattice points by its reduced integer normal and its offset.
auto lattice_plane(const TriangleMesh& mesh, const TriangleMesh::Triangle& t) {
    const auto at = [&](int i) { return Vec3d(mesh.vertices[t[i]]); };
    const Vec3d n = cross(at(1) - at(0), at(2) - at(0));
    const long x = std::lround(n.x), y = std::lround(n.y), z = std::lround(n.z);
    const long divisor = std::gcd(std::gcd(x, y), z);
    const double offset = dot(n, at(0)) / double(divisor);
    return std::tuple(x / divisor, y / divisor, z / divisor, std::lround(offset));
}

} // namespace

TEST_CASE("in general position the hull has exactly CGAL's vertices and triangles") {
    Random random(1);
    for (const int count : {4, 5, 6, 8, 12, 30, 100, 400, 2000}) {
        for (const double size : {1e-3, 1.0, 1e4}) {
            for (const bool sphere : {false, true}) {
                CAPTURE(count);
                CAPTURE(size);
                CAPTURE(sphere);
                const Points points =
                    sphere ? on_sphere(random, count, size) : random_cube(random, count, size);
                const ConvexHull hull = checked_hull(points);
                const TriangleMesh exact = cgal_convex_hull(points);
                CHECK(sorted(hull.vertices) == sorted(exact.vertices));
                // Among thousands of faces a few neighbours do lie in one plane within rounding:
                // a polygon of n corners stands for n - 2 triangles.
                CHECK(hull.face_vertices.size() - 2 * hull.faces.size() == exact.triangles.size());
                CHECK(hull.faces.size() >= exact.triangles.size() * 99 / 100);
                // The same polyhedron; sums of doubles only.
                CHECK(volume_of(hull) == doctest::Approx(signed_volume(exact)).epsilon(1e-9));
            }
        }
    }
}

TEST_CASE("lattice points give CGAL's polyhedron with whole faces") {
    Random random(2);
    for (int round = 0; round < 60; ++round) {
        Points points;
        const int half = 1 + int(random.below(8));
        const double radius = random.uniform(1, half + 1);
        for (int x = -half; x <= half; ++x) {
            for (int y = -half; y <= half; ++y) {
                for (int z = -half; z <= half; ++z) {
                    if (x * x + y * y + z * z > radius * radius) continue;
                    points.push_back(Vec3(float(x), float(y), float(z)));
                    if (random.below(4) == 0) points.push_back(points.back());
                }
            }
        }
        // Shuffled, and some left out, so that faces are met in many ways.
        for (std::size_t i = points.size() - 1; i > 0; --i) {
            std::swap(points[i], points[random.below(std::uint32_t(i + 1))]);
        }
        if (round % 2) points.resize(std::max<std::size_t>(points.size() * 2 / 3, 7));
        CAPTURE(round);
        const TriangleMesh exact = cgal_convex_hull(points);
        if (!is_closed_and_oriented(exact)) continue; // CGAL's way to say: flat
        const ConvexHull hull = checked_hull(points);

        std::set<decltype(lattice_plane(exact, exact.triangles[0]))> planes;
        std::map<std::uint32_t, std::set<decltype(lattice_plane(exact, exact.triangles[0]))>>
            planes_at;
        for (const auto& t : exact.triangles) {
            planes.insert(lattice_plane(exact, t));
            for (const std::uint32_t v : t) planes_at[v].insert(lattice_plane(exact, t));
        }
        Points corners;
        for (const auto& [vertex, meeting] : planes_at) {
            if (meeting.size() >= 3) corners.push_back(exact.vertices[vertex]);
        }
        CHECK(hull.faces.size() == planes.size());
        CHECK(sorted(hull.vertices) == sorted(corners));
        CHECK(volume_of(hull) == doctest::Approx(signed_volume(exact)).epsilon(1e-9));
    }
}

TEST_CASE("a grid on a box, turned and moved, is a box again") {
    Random random(3);
    for (int round = 0; round < 40; ++round) {
        const Quatd turn(random_orientation(random));
        const double size = std::pow(10, random.uniform(-3, 4));
        const Vec3d sides(size, size * random.uniform(0.05, 1), size * random.uniform(0.05, 1));
        const Vec3d offset = round % 2 ? random.direction() * (size * 3) : Vec3d();
        Points points;
        for (int x = 0; x <= 5; ++x) {
            for (int y = 0; y <= 5; ++y) {
                for (int z = 0; z <= 5; ++z) {
                    const Vec3d p = scale(Vec3d(x, y, z) / 5 - Vec3d(0.5, 0.5, 0.5), sides);
                    points.push_back(Vec3(rotate(turn, p) + offset));
                }
            }
        }
        CAPTURE(round);
        const ConvexHull hull = checked_hull(points);
        CHECK(hull.faces.size() == 6);
        CHECK(hull.vertices.size() == 8);
        CHECK(hull.edges.size() == 12);
        check_same_support(hull, cgal_convex_hull(points), points);
    }
}

TEST_CASE("rounded polygons keep their shape: a turned prism") {
    Random random(4);
    for (const int sides : {3, 5, 12, 64, 300}) {
        const Quatd turn(random_orientation(random));
        Points points;
        for (int i = 0; i < sides; ++i) {
            const double angle = 2 * std::numbers::pi * i / sides;
            for (const double y : {-0.5, 0.5}) {
                points.push_back(Vec3(rotate(turn, Vec3d(std::cos(angle), y, std::sin(angle)))));
            }
        }
        CAPTURE(sides);
        const ConvexHull hull = checked_hull(points);
        CHECK(hull.faces.size() == std::size_t(sides) + 2);
        CHECK(hull.vertices.size() == 2 * std::size_t(sides));
    }
}

TEST_CASE("needles and plates") {
    Random random(5);
    for (int round = 0; round < 60; ++round) {
        // Thin along one or two axes by up to 10^7, once along the axes and once at an angle
        // that single precision still resolves.
        const bool turned = round % 2;
        const double thinness = std::pow(10, random.uniform(-1, turned ? -4 : -7));
        const Vec3d sides(1e4, 1e4 * thinness, round % 3 ? 1e4 * thinness : 1e4);
        const Quatd turn = turned ? Quatd(random_orientation(random)) : Quatd();
        Points points;
        for (int i = 0; i < 300; ++i) {
            points.push_back(Vec3(rotate(turn, scale(Vec3d(random_point(random, -1, 1)), sides))));
        }
        CAPTURE(round);
        const ConvexHull hull = checked_hull(points);
        check_same_support(hull, cgal_convex_hull(points), points);
    }
}

TEST_CASE("clusters of nearly equal points at the corners of a box") {
    Random random(6);
    for (int round = 0; round < 40; ++round) {
        const double jitter = std::pow(10, random.uniform(-8, -5));
        const Quatd turn(random_orientation(random));
        Points points;
        for (int i = 0; i < 8 * 20; ++i) {
            const Vec3d corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
            points.push_back(Vec3(rotate(turn, corner + random.direction() * jitter)));
        }
        CAPTURE(round);
        const ConvexHull hull = checked_hull(points);
        check_same_support(hull, cgal_convex_hull(points), points);
    }
}

TEST_CASE("a small body far away, where coordinates are coarse") {
    Random random(7);
    for (const int count : {8, 60, 1000}) {
        const Points points = [&] {
            Points p = on_sphere(random, count, 1);
            for (Vec3& v : p) v += Vec3(1e4f, -1e4f, 1e4f);
            return p;
        }();
        CAPTURE(count);
        const ConvexHull hull = checked_hull(points);
        check_same_support(hull, cgal_convex_hull(points), points);
    }
}

TEST_CASE("awkward point sets of every kind are refused or give sound hulls") {
    Random random(13);
    int made = 0;
    for (int round = 0; round < 1500; ++round) {
        const int count = 4 + int(random.below(40)), kind = int(random.below(5));
        const double size = std::pow(10, random.uniform(-4, 4));
        const bool thin = random.below(2) == 0, turned = random.below(2) == 0;
        const Vec3d stretch(1, thin ? std::pow(10, random.uniform(-6, 0)) : 1,
                            thin ? std::pow(10, random.uniform(-6, 0)) : 1);
        const Quatd turn = turned ? Quatd(random_orientation(random)) : Quatd();
        const Vec3d offset = random.direction() * (random.below(3) ? 0 : size * 1000);
        Points points;
        for (int i = 0; i < count; ++i) {
            const double t = random.uniform(0, 1e-3);
            const Vec3d bits(random.below(2), random.below(2), random.below(2));
            const Vec3d ball = random.direction();
            const Vec3d p = kind == 0   ? ball
                            : kind == 1 ? (bits + Vec3d(random.below(4), 0, random.below(4))) / 4
                            : kind == 2 ? bits + ball * std::pow(10, random.uniform(-9, -4))
                            : kind == 3 ? Vec3d(t, t * t, t * t * t)
                                        : Vec3d(ball.x, std::round(ball.y * 4) / 4, ball.z);
            points.push_back(Vec3(rotate(turn, scale(p, stretch)) * size + offset));
        }
        CAPTURE(round);
        const auto hull = make_convex_hull(points);
        if (!hull) continue;
        ++made;
        check_structure(*hull);
        check_planes(*hull, points);
        CHECK(check_shape(Hull{std::make_shared<const ConvexHull>(*hull)}));
    }
    CHECK(made > 1000);
}

TEST_CASE("the same points give the same hull, bit for bit, in any order the same faces") {
    Random random(8);
    Points points = random_cube(random, 500, 1);
    const ConvexHull first = make_convex_hull(points).value();
    const ConvexHull again = make_convex_hull(points).value();
    CHECK(first.vertices == again.vertices);
    CHECK(first.face_vertices == again.face_vertices);
    std::reverse(points.begin(), points.end());
    const ConvexHull reversed = make_convex_hull(points).value();
    CHECK(first.vertices == reversed.vertices);
    CHECK(first.face_vertices == reversed.face_vertices);
}

TEST_CASE("a hull's mass agrees with counting random points inside it") {
    const Shape shape = sample_hull(9);
    const ConvexHull& hull = *std::get<Hull>(shape).data;
    const MassProperties mass = mass_properties(shape, 3).value();
    const Vec3d low(-1.2, -1, -4), high(1.8, 1, 2);
    Random random(10);
    const int samples = 200000;
    int inside = 0;
    Vec3d sum;
    for (int i = 0; i < samples; ++i) {
        const Vec3d p(random.uniform(low.x, high.x), random.uniform(low.y, high.y),
                      random.uniform(low.z, high.z));
        const bool is_inside = std::all_of(hull.faces.begin(), hull.faces.end(), [&](auto& face) {
            return dot(Vec3d(face.normal), p) <= face.offset;
        });
        if (!is_inside) continue;
        ++inside;
        sum += p;
    }
    const Vec3d size = high - low;
    const double box = size.x * size.y * size.z, fraction = double(inside) / samples;
    // Five standard deviations of a binomial count; of a mean of values spread by about 1.
    const double deviation = std::sqrt(fraction * (1 - fraction) / samples);
    CHECK(std::abs(double(mass.mass) / 3 - box * fraction) < 5 * box * deviation);
    CHECK(length(Vec3d(mass.centre) - sum / inside) < 5 / std::sqrt(double(inside)));
}

TEST_CASE("point sets without a hull are refused with the reason") {
    const auto message = [](const Points& points) {
        const auto made = make_convex_hull(points);
        return made ? std::string("accepted") : made.error().message;
    };
    CHECK(message({}).find("0 points") != std::string::npos);
    CHECK(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("3 points") != std::string::npos);
    CHECK(message(Points(10, Vec3(1, 2, 3))).find("at one place") != std::string::npos);
    Points line, plane;
    for (int i = 0; i < 20; ++i) {
        line.push_back(Vec3(0.1f, 0.7f, -0.3f) * float(i));
        plane.push_back(Vec3(0.1f, 0.7f, -0.3f) * float(i % 5) +
                        Vec3(0.9f, -0.1f, 0.3f) * float(i / 5));
    }
    CHECK(message(line).find("on one line") != std::string::npos);
    CHECK(message(plane).find("in one plane") != std::string::npos);
    const Points broken = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}};
    CHECK(message(broken).find("point 2 is (0, nan, 0)") != std::string::npos);
    const Points infinite = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}};
    CHECK(message(infinite).find("not finite") != std::string::npos);
}
