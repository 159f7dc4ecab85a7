#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "fovea/geometry/height_field.h"
#include "fovea/geometry/shape.h"
#include "tests/geometry/sample_shapes.h"

using namespace fovea;

namespace {

std::string message(const Shape& shape) {
    const Result<void> checked = check_shape(shape);
    return checked ? std::string("accepted") : checked.error().message;
}

void check_refused(const Shape& shape, const std::string& expected) {
    CHECK_MESSAGE(message(shape).find(expected) != std::string::npos, message(shape),
                  " does not contain ", expected);
}

Shape compound_of(Compound::Part part) {
    return CompoundShape{std::make_shared<const Compound>(Compound{{std::move(part)}})};
}

Shape changed_hull(void (*change)(ConvexHull&)) {
    ConvexHull hull = *std::get<Hull>(sample_hull(1)).data;
    change(hull);
    return Hull{std::make_shared<const ConvexHull>(std::move(hull))};
}

} // namespace

TEST_CASE("sound shapes are accepted") {
    for (const Shape& shape : sample_solids()) CHECK(message(shape) == "accepted");
    CHECK(message(HalfSpace{{0.6f, -0.8f, 0}, -3}) == "accepted");
    CHECK(message(HalfSpace{{0, 1.00009f, 0}, 0}) == "accepted");
}

TEST_CASE("each type has its own word") {
    CHECK(name_of(ShapeType::sphere) == std::string("sphere"));
    CHECK(name_of(ShapeType::half_space) == std::string("wall"));
    CHECK(name_of(type_of(sample_compound())) == std::string("compound"));
    CHECK(name_of(type_of(sample_mesh())) == std::string("mesh"));
    CHECK(name_of(type_of(Capsule{1, 1})) == std::string("capsule"));
}

TEST_CASE("every size must be positive and finite; the message names shape, size and value") {
    struct Bad {
        float value;
        const char* text;
    };
    for (const Bad& bad : {Bad{0, " is 0;"}, Bad{-1.5f, " is -1.5;"}, Bad{INFINITY, " is inf;"},
                           Bad{-INFINITY, " is -inf;"}, Bad{std::nanf(""), "nan;"}}) {
        const auto refused = [&](const Shape& shape, const std::string& what) {
            check_refused(shape, what);
            check_refused(shape, bad.text);
        };
        refused(Sphere{bad.value}, "sphere radius");
        refused(Box{{bad.value, 1, 1}}, "box half extent along x");
        refused(Box{{1, bad.value, 1}}, "box half extent along y");
        refused(Box{{1, 1, bad.value}}, "box half extent along z");
        refused(Cylinder{bad.value, 1}, "cylinder radius");
        refused(Cylinder{1, bad.value}, "cylinder half height");
        refused(Capsule{bad.value, 1}, "capsule radius");
        refused(Capsule{1, bad.value}, "capsule half height");
        refused(Cone{bad.value, 1}, "cone radius");
        refused(Cone{1, bad.value}, "cone half height");
        refused(compound_of({Sphere{bad.value}, {}}), "compound part 0: sphere radius");
    }
}

TEST_CASE("half-spaces need a unit normal and a finite offset") {
    check_refused(HalfSpace{{0, 1.0002f, 0}, 0}, "wall normal is (0, 1.0002, 0)");
    check_refused(HalfSpace{{0, 0.9998f, 0}, 0}, "length 1");
    check_refused(HalfSpace{{0, 0, 0}, 0}, "length 1");
    check_refused(HalfSpace{{NAN, 1, 0}, 0}, "wall normal");
    check_refused(HalfSpace{{0, 1, 0}, INFINITY}, "wall offset is inf");
}

TEST_CASE("missing or broken data is refused") {
    check_refused(Hull{}, "hull has no data");
    check_refused(MeshSurface{}, "mesh has no data");
    check_refused(CompoundShape{}, "compound has no parts");
    check_refused(CompoundShape{std::make_shared<const Compound>()}, "compound has no parts");
    check_refused(MeshSurface{std::make_shared<const TriangleMesh>()}, "no triangles");
    check_refused(Hull{std::make_shared<const ConvexHull>()}, "0 vertices");
    check_refused(changed_hull([](ConvexHull& h) { h.vertices[3].y = INFINITY; }), "not finite");
    check_refused(changed_hull([](ConvexHull& h) { h.faces[2].normal = {0, 2, 0}; }), "face 2");
    check_refused(changed_hull([](ConvexHull& h) { h.faces[1].count = 2; }), "corners missing");
    check_refused(changed_hull([](ConvexHull& h) { h.faces[1].first = ~0u; }), "corners missing");
    check_refused(changed_hull([](ConvexHull& h) { h.face_vertices[0] = 1000; }), "vertex 1000");
    check_refused(changed_hull([](ConvexHull& h) { h.edges[0].left = 1000; }), "edge");
    check_refused(changed_hull([](ConvexHull& h) { h.edges.pop_back(); }), "not closed");
}

TEST_CASE("bad height fields are refused by name") {
    const auto heights = [](const HeightField& field) {
        return HeightSurface{std::make_shared<const HeightField>(field)};
    };
    CHECK(check_shape(heights({2, 3, 0.5f, {0, 1, 2, 3, 4, 5}})));
    check_refused(HeightSurface{}, "height field has no data");
    check_refused(heights({2, 2, 1, {0, 0, 0, NAN}}), "height field: height 3 is nan");
    check_refused(heights({2, 2, 1, {0, INFINITY, 0, 0}}), "height field: height 1 is inf");
    check_refused(heights({2, 1, 1, {0, 0}}), "at least 2 x 2 heights, has 2 x 1");
    check_refused(heights({0, 0, 1, {}}), "at least 2 x 2");
    check_refused(heights({2, 2, 1, {0, 0, 0}}), "3 heights for a grid of 2 x 2");
    check_refused(heights({2, 2, 0, {0, 0, 0, 0}}), "spacing must be positive, is 0");
    check_refused(heights({2, 2, NAN, {0, 0, 0, 0}}), "spacing must be positive, is nan");
    check_refused(heights({2, 2, 1, {0, 0, 1e16f, 0}}), "height 2 is 1e+16");
    check_refused(heights({3, 2, 1e15f, {0, 0, 0, 0, 0, 0}}), "m wide");
    check_refused(heights({(1u << 22) + 1, 2, 1, {}}), "too many");
    check_refused(heights({1u << 20, 1u << 20, 1, {}}), "too many");
    check_refused(compound_of({heights({2, 2, 1, {0, 0, 0, 0}}), {}}), "is a heights");
}

TEST_CASE("compounds join convex solids only, soundly placed") {
    check_refused(compound_of({HalfSpace{{0, 1, 0}, 0}, {}}), "compound part 0 is a wall");
    check_refused(compound_of({sample_mesh(), {}}), "is a mesh");
    check_refused(compound_of({sample_compound(), {}}), "is a compound");
    check_refused(compound_of({Sphere{1}, Transform({NAN, 0, 0})}), "at (nan, 0, 0)");
    check_refused(compound_of({Sphere{1}, Transform({}, Quat(1, 1, 0, 0))}), "unit quaternion");
    check_refused(compound_of({Sphere{1}, Transform({}, Quat(NAN, 1, 0, 0))}), "unit quaternion");
}
