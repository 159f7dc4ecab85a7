// Every row of the language's tables: kind, need, constraint with its boundary, default.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scene_support.h"

using namespace fovea;

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

/// A valid declaration of each kind, with what it requires and no more.
const std::map<std::string, Given> k_minimal = {
    {"sphere", {{"radius", "1"}, {"mass", "1"}, {"centre", "0,0,0"}}},
    {"cylinder",
     {{"radius", "1"}, {"height", "1"}, {"mass", "1"}, {"centre", "0,0,0"}, {"axis", "0,1,0"}}},
    {"wall", {{"normal", "0,1,0"}, {"toOrig", "0"}}},
    {"box", {{"size", "1,1,1"}, {"centre", "0,0,0"}}},
    {"capsule", {{"radius", "1"}, {"height", "1"}, {"centre", "0,0,0"}}},
    {"cone", {{"radius", "1"}, {"height", "1"}, {"centre", "0,0,0"}}},
    {"hull", {{"point", "0,0,0"}, {"point", "1,0,0"}, {"point", "0,1,0"}, {"point", "0,0,1"}}},
    {"mesh", {{"kind", "gear"}}},
    {"surface", {{"width", "4"}}},
    {"gravity", {{"accel", "0,-1,0"}}},
    {"camera", {{"position", "0,0,9"}, {"target", "0,0,0"}}},
    {"light", {{"position", "0,9,0"}}},
    {"spring", {{"from", "anchor"}, {"to", "bob"}, {"stiffness", "1"}}},
    {"joint", {{"type", "hinge"}, {"from", "anchor"}, {"to", "bob"}, {"at", "0,7,0"}}},
};

/// Declarations that refer to bodies.
bool refers(const std::string& type) {
    return type == "spring" || type == "joint";
}

/// A type of joint that has the parameter.
std::string joint_type_with(const std::string& parameter) {
    if (parameter == "friction") return "ball";
    if (parameter == "toAt") return "distance";
    if (parameter == "cone") return "conetwist";
    return parameter == "spin" || parameter == "steer" ? "wheel" : "hinge";
}

/// What springs and joints refer to, and only they.
const std::string k_anchor = "sphere { radius 1 mass 1 centre 0,9,0 name anchor }\n"
                             "sphere { radius 1 mass 1 centre 0,5,0 name bob }\n";

std::string to_text(const std::string& type, const Given& given) {
    std::string text = type + " {";
    for (const auto& [name, value] : given) text += " " + name + " " + value;
    return text + " }";
}

ParsedScene parse_given(const std::string& type, const Given& given, bool strict = false) {
    ParseSettings settings;
    settings.strict = strict;
    return parse_scene((refers(type) ? k_anchor : "") + to_text(type, given), settings);
}

/// The minimal declaration with one parameter changed or added.
Given with(const std::string& type, const std::string& name, const std::string& value) {
    Given given = k_minimal.at(type);
    if (type == "joint") given[0].second = joint_type_with(name);
    if (name == "levels" || name == "branch" || name == "method") given.push_back({"mass", "1"});
    for (auto& [known, old] : given)
        if (known == name) return old = value, given;
    given.emplace_back(name, value);
    return given;
}

struct Row {
    std::string parameter;
    std::vector<std::string> good, bad; ///< values at and around the constraint's boundary
    bool extension = false;
};

const std::vector<std::string> k_free_vector{"0,0,0", "-1,2.5,1000000"};
const std::vector<std::string> k_not_vector{"1", "word", "1,2", "1,2,3,4"};

std::vector<Row> rows_of(const std::string& type) {
    const Row positive{"", {"0.000001", "1", "1000000"}, {"0", "-0.000001", "1,1,1", "word"}};
    const Row not_negative{"", {"0", "0.5", "1000"}, {"-0.000001", "1,1,1", "\"\""}};
    const Row free_vector{"", k_free_vector, k_not_vector};
    const Row not_zero{"", {"0,0,0.000001", "-1,2,3"}, {"0,0,0", "1", "word"}};
    const Row number{"", {"-5", "0", "5"}, {"1,2,3", "word"}};
    const Row name{"", {"a1", "\"any thing\""}, {"1", "1,2,3", "\"\""}, true};
    const auto row = [](std::string parameter, Row like, bool extension = false) {
        like.parameter = std::move(parameter);
        like.extension = extension || like.extension;
        return like;
    };
    std::vector<Row> rows;
    const auto add = [&](std::initializer_list<Row> more) { rows.insert(rows.end(), more); };
    const bool moves = type != "wall" && type != "surface" && type != "gravity" &&
                       type != "camera" && type != "light" && !refers(type);
    if (moves || type == "wall" || type == "surface")
        add({row("elastic", not_negative),
             {"colour",
              {"0,0,0", "1,1,1", "0.5,0,1"},
              {"-0.001,0,0", "0,1.001,0", "0,0,2", "1", "red"}},
             row("friction", not_negative, true),
             row("name", name)});
    if (moves) add({row("vel", free_vector), row("angvel", free_vector, type != "cylinder")});
    if (moves) add({row("centre", free_vector)});
    if (type == "sphere" || type == "cylinder")
        add({row("mass", positive)});
    else if (moves)
        add({row("mass", not_negative)});
    if (type == "sphere" || type == "cylinder" || type == "capsule" || type == "cone")
        add({row("radius", positive)});
    if (type == "cylinder" || type == "capsule" || type == "cone") add({row("height", positive)});
    if (moves && type != "sphere") add({row("axis", not_zero)});
    if (type == "box" || type == "hull" || type == "mesh") add({row("angle", number)});
    if (type == "surface")
        add({row("width", positive),
             {"cells", {"1", "100"}, {"0", "1.5", "1001", "-1", "1,1,1"}},
             row("wave", not_negative),
             row("length", positive),
             row("period", positive),
             row("centre", free_vector),
             row("axis", not_zero),
             row("angle", number)});
    if (type == "wall") add({row("normal", not_zero), row("toOrig", number)});
    if (type == "box") add({{"size", {"0.001,1,1000"}, {"0,1,1", "1,-1,1", "1,1,0", "1"}}});
    if (type == "hull") add({row("point", {"", {"1,1,1"}, k_not_vector})});
    if (type == "mesh")
        add({{"kind", {"gear", "\"spiky\""}, {"teapot", "1", "\"\""}},
             row("scale", positive),
             {"detail", {"1", "2"}, {"0", "1.5", "65", "-1", "1,1,1"}},
             {"triangles", {"1", "5000"}, {"0", "1.5", "1000001", "-1", "1,1,1"}},
             {"as", {"mesh", "hull"}, {"box", "1", "\"\""}},
             {"levels", {"1", "5"}, {"0", "2.5", "6", "65", "1,1,1"}},
             {"branch", {"2", "16"}, {"1", "17", "65", "2.5", "1,1,1"}},
             {"method", {"octree", "grid", "hubbard", "medial", "best"}, {"magic", "1", "\"\""}}});
    if (type == "gravity") add({row("accel", free_vector)});
    if (type == "camera")
        add({row("position", {"", {"1,2,3"}, {"1", "word", "0,0,0"}}),
             row("target", {"", {"1,2,3"}, {"1", "word", "0,0,9"}}),
             {"fov", {"0.001", "179.999"}, {"0", "180", "-1", "1,1,1"}}});
    if (type == "light")
        add({row("position", free_vector), {"colour", {"0,0,0", "1,1,1"}, {"1.1,0,0", "1"}}});
    if (type == "spring")
        add({{"from", {"anchor", "\"anchor\""}, {"nobody", "1", "\"\"", "bob"}},
             {"to", {"bob"}, {"nobody", "1,2,3", "anchor"}},
             row("stiffness", positive),
             row("damping", not_negative),
             row("length", not_negative),
             row("fromAnchor", free_vector),
             row("toAnchor", free_vector)});
    if (type == "joint")
        add({{"type",
              {"ball", "slider", "fixed", "distance", "conetwist", "wheel"},
              {"glue", "1", "\"\""}},
             {"from", {"anchor"}, {"nobody", "1", "bob"}},
             {"to", {"bob"}, {"nobody", "1,2,3", "anchor"}},
             row("at", free_vector),
             row("toAt", free_vector),
             row("axis", not_zero),
             row("spin", not_zero),
             {"lower", {"-180", "10"}, {"-181", "1,2,3", "word"}},
             {"upper", {"-10", "180"}, {"181", "1,2,3", "word"}},
             {"cone", {"0.001", "180"}, {"0", "180.1", "1,1,1"}},
             row("speed", number),
             row("strength", not_negative),
             row("hertz", not_negative),
             row("damping", not_negative),
             row("target", number),
             {"steer", {"-180", "30"}, {"181", "1,1,1"}},
             row("friction", not_negative),
             row("breakForce", positive),
             row("breakTorque", positive),
             {"collide", {"0", "1"}, {"2", "0.5", "-1"}}});
    return rows;
}

} // namespace

TEST_CASE("the minimal declarations are accepted, and minimal") {
    CHECK(k_minimal.size() == standard_declarations().size());
    for (const auto& entry : k_minimal) {
        const auto& type = entry.first;
        const auto& given = entry.second;
        CAPTURE(type);
        const ParsedScene parsed = parse_given(type, given);
        CHECK_MESSAGE(parsed.reports() == 0, describe(parsed));
        for (std::size_t left_out = 0; left_out < given.size(); ++left_out) {
            Given fewer = given;
            fewer.erase(fewer.begin() + std::ptrdiff_t(left_out));
            const ParsedScene rejected = parse_given(type, fewer);
            CHECK(rejected.rejected == 1);
            REQUIRE(rejected.diagnostics.size() == 1);
            REQUIRE(rejected.diagnostics[0].faults.size() == 1);
            CHECK(rejected.diagnostics[0].faults[0].message.find(given[left_out].first) !=
                  std::string::npos);
        }
    }
}

TEST_CASE("every parameter of every declaration, at the boundaries of its constraint") {
    for (const auto& entry : k_minimal) {
        const auto& type = entry.first;
        const Declaration declaration = standard_declarations().at(type);
        std::size_t known = 0;
        for (const Row& row : rows_of(type)) {
            known += declaration.find(row.parameter) < declaration.parameters.size();
            for (const std::string& value : row.good) {
                const Given given = with(type, row.parameter, value);
                CAPTURE(to_text(type, given));
                const ParsedScene parsed = parse_given(type, given);
                CHECK_MESSAGE(parsed.reports() == 0, describe(parsed));
            }
            for (const std::string& value : row.bad) {
                const Given given = with(type, row.parameter, value);
                CAPTURE(to_text(type, given));
                const ParsedScene parsed = parse_given(type, given);
                CHECK(parsed.rejected == 1);
                REQUIRE(parsed.diagnostics.size() == 1);
                CHECK(parsed.diagnostics[0].faults.size() == 1);
                CHECK(parsed.diagnostics[0].declaration == type);
            }
        }
        // Nothing in the table goes untested, but a mesh's file, and what belongs to a surface's:
        // see mesh_sequence_test.cpp.
        CAPTURE(type);
        const std::size_t of_files = type == "mesh" ? 1 : type == "surface" ? 5 : 0;
        CHECK(known + of_files == declaration.parameters.size());
    }
}

TEST_CASE("strict mode knows the original declarations and parameters alone") {
    for (const auto& entry : k_minimal) {
        const auto& type = entry.first;
        const auto& minimal = entry.second;
        CAPTURE(type);
        const bool original = type == "sphere" || type == "cylinder" || type == "wall";
        const ParsedScene parsed = parse_scene(to_text(type, minimal), {.strict = true});
        CHECK(parsed.accepted == (original ? 1 : 0));
        if (!original) continue;
        for (const Row& row : rows_of(type)) {
            CAPTURE(row.parameter);
            const Given given = with(type, row.parameter, row.good.front());
            CHECK(parse_given(type, given, true).accepted == (row.extension ? 0 : 1));
        }
    }
}

TEST_CASE("parameters of another declaration are unknown") {
    CHECK(parse_given("sphere", with("sphere", "axis", "0,1,0")).rejected == 1);
    CHECK(parse_given("wall", with("wall", "vel", "0,1,0")).rejected == 1);
    CHECK(parse_given("wall", with("wall", "mass", "1")).rejected == 1);
    CHECK(parse_given("sphere", with("sphere", "Colour", "0,1,0")).rejected == 1);
}

TEST_CASE("bodies become what they say") {
    const ParsedScene parsed = parse_scene(R"(
box { size 2,4,6 centre 1,2,3 mass 5 axis 0,0,2 angle 90 angvel 1,2,3 friction 0.5 name crate }
capsule { radius 0.5 height 3 centre 0,0,0 axis 0,0,-2 }
cone { radius 1 height 3 centre 0,0,0 axis 0,-1,0 mass 2 }
hull { point -1,0,0 point 1,0,0 point 0,1,0 point 0,0,1 centre 0,7,0 mass 0 }
mesh { kind gear scale 2 centre 0,1,0 }
mesh { kind gear scale 2 centre 0,5,0 mass 3 axis 1,0,0 angle -90 as hull }
mesh { kind gear detail 2 mass 3 as hull }
mesh { kind gear scale 2 mass 3 centre 9,0,0 }
mesh { kind gear triangles 5000 mass 3 levels 3 branch 6 method octree }
mesh { kind gear triangles 5000 mass 4 levels 3 branch 6 method octree centre 9,9,9 as mesh })");
    REQUIRE_MESSAGE(parsed.reports() == 0, describe(parsed));
    const auto& bodies = parsed.scene.bodies;
    const float tolerance = 1e-6f; // a few roundings of numbers near 1

    CHECK(std::get<Box>(bodies[0].shape).half_extents == Vec3(1, 2, 3));
    CHECK(bodies[0].mass == 5);
    CHECK(bodies[0].friction == 0.5f);
    CHECK(bodies[0].name == "crate");
    CHECK(bodies[0].angular_velocity == Vec3(1, 2, 3));
    // A quarter turn about z takes x to y.
    CHECK(length(rotate(bodies[0].placement.orientation, Vec3(1, 0, 0)) - Vec3(0, 1, 0)) <
          tolerance);

    CHECK(std::get<Capsule>(bodies[1].shape).half_height == 1.5f);
    CHECK(bodies[1].mass == 0);
    CHECK(length(rotate(bodies[1].placement.orientation, Vec3(0, 1, 0)) - Vec3(0, 0, -1)) <
          tolerance);
    CHECK(std::get<Cone>(bodies[2].shape).half_height == 1.5f);
    CHECK(length(rotate(bodies[2].placement.orientation, Vec3(0, 1, 0)) - Vec3(0, -1, 0)) <
          tolerance);
    CHECK(std::get<Hull>(bodies[3].shape).data->vertices.size() == 4);
    CHECK(bodies[3].placement.position == Vec3(0, 7, 0));

    const auto& still = std::get<MeshSurface>(bodies[4].shape).data;
    CHECK(bodies[4].mass == 0);
    CHECK(bodies[4].appearance == nullptr);
    CHECK(type_of(bodies[5].shape) == ShapeType::hull);
    CHECK(bodies[5].appearance == still); // made once, shared
    CHECK(bodies[6].appearance->triangles.size() > still->triangles.size());
    const auto& solid = std::get<SolidMesh>(bodies[7].shape);
    CHECK(solid.data == still);
    CHECK(solid.spheres == SphereRecipe{});
    CHECK(bodies[7].appearance == nullptr);
    const auto& fine = std::get<SolidMesh>(bodies[8].shape);
    CHECK(fine.spheres == SphereRecipe{SphereMethod::octree, 3, 6});
    CHECK(std::abs(double(fine.data->triangles.size()) - 5000) < 1200); // steps of detail^2
    CHECK(std::get<SolidMesh>(bodies[9].shape).data == fine.data);
    for (const SceneBody& body : bodies) {
        CHECK(check_shape(body.shape).has_value());
        CHECK(std::abs(norm(body.placement.orientation) - 1) < tolerance);
    }
}

TEST_CASE("what is wrong with a moving mesh is said with its place") {
    struct Case {
        const char* text;
        const char* place;
        const char* words;
    };
    for (const Case& c : {
             Case{"mesh { kind gear\n levels 3 }", "2:9", "only a mesh that has a mass"},
             Case{"mesh { kind gear mass 1 as hull\n  method best }", "2:10", "not 'as hull'"},
             Case{"mesh { kind gear mass 1 method magic }", "1:32",
                  "octree, grid, hubbard, medial, best"},
             Case{"mesh { kind gear mass 1 levels 6 }", "1:32", "at most 4096 spheres"},
             Case{"mesh { kind gear detail 2 triangles 900 }", "1:37", "both 'detail' and"},
             Case{"mesh { file \"a.obj\" triangles 900 }", "1:31", "only a mesh with a 'kind'"},
         }) {
        CAPTURE(std::string(c.text));
        const ParsedScene parsed = parse_scene(c.text);
        REQUIRE(parsed.diagnostics.size() == 1);
        REQUIRE(parsed.diagnostics[0].faults.size() == 1);
        const auto& fault = parsed.diagnostics[0].faults[0];
        CHECK(std::to_string(fault.place.line) + ":" + std::to_string(fault.place.column) ==
              c.place);
        CHECK_MESSAGE(fault.message.find(c.words) != std::string::npos, fault.message);
    }
}

TEST_CASE("the axis of a cylinder may point anywhere and have any length") {
    const Vec3 axes[] = {{0, 1, 0},      {0, -1, 0},        {0, -1, 1e-4f}, {1e30f, 1e30f, 0},
                         {0, 1e-30f, 0}, {-3, 4, 12},       {1, -1e6f, 0},  {0, 0, -7},
                         {1e-38f, 0, 0}, {3e38f, 0, 3e38f}, {0, -1, 1e-7f}};
    for (const Vec3& axis : axes) {
        const std::string text = "cylinder { radius 1 height 1 mass 1 centre 0,0,0 axis " +
                                 std::to_string(axis.x) + "," + std::to_string(axis.y) + "," +
                                 std::to_string(axis.z) + " }";
        if (length(axis) < 1e-6f) continue; // std::to_string has six decimals
        const ParsedScene parsed = parse_scene(text);
        REQUIRE_MESSAGE(parsed.accepted == 1, describe(parsed));
        const Vec3d turned =
            rotate(Quatd(parsed.scene.bodies[0].placement.orientation), Vec3d(0, 1, 0));
        // Four components of a quaternion, each rounded to 6e-8, and six printed decimals.
        CHECK(length(turned - normalized(Vec3d(axis))) < 2e-6);
    }
}

TEST_CASE("settings of the scene") {
    const ParsedScene parsed = parse_scene(R"(
gravity { accel 0,0,-1.5 }
camera { position 1,2,3 target 4,5,6 fov 90 }
light { position 0,9,0 }
light { position 0,5,0 colour 1,0.5,0 })");
    REQUIRE_MESSAGE(parsed.reports() == 0, describe(parsed));
    CHECK(parsed.scene.gravity == Vec3(0, 0, -1.5f));
    REQUIRE(parsed.scene.camera.has_value());
    CHECK(parsed.scene.camera->position == Vec3(1, 2, 3));
    CHECK(parsed.scene.camera->target == Vec3(4, 5, 6));
    CHECK(parsed.scene.camera->field_of_view == 1.57079633f);
    REQUIRE(parsed.scene.lights.size() == 2);
    CHECK(parsed.scene.lights[0].colour == Vec3(1, 1, 1));
    CHECK(parsed.scene.lights[1].colour == Vec3(1, 0.5f, 0));
    CHECK(parsed.scene.bodies.empty());

    for (const char* text : {"gravity { accel 0,1,0 } gravity { accel 0,2,0 }",
                             "camera { position 1,0,0 target 0,0,0 }"
                             "camera { position 2,0,0 target 0,0,0 }"}) {
        const ParsedScene twice = parse_scene(text);
        CHECK(twice.accepted == 1);
        CHECK(twice.rejected == 1);
    }
    // A rejected one does not count as the only one.
    const ParsedScene mended = parse_scene("gravity { accel 1 } gravity { accel 0,2,0 }");
    CHECK(mended.accepted == 1);
    CHECK(mended.scene.gravity == Vec3(0, 2, 0));
}

TEST_CASE("springs join bodies declared before or after, in one report per spring") {
    const ParsedScene parsed = parse_scene(R"(
spring { from top to bob stiffness 20 damping 0.5 fromAnchor 0,-1,0 toAnchor 0,1,0 }
wall { normal 0,1,0 toOrig 0 name ground }
sphere { radius 1 mass 1 centre 0,4,0 name bob }
box { size 1,1,1 centre 0,9,0 name top }
spring { from bob to ground stiffness 1 length 3 })");
    REQUIRE_MESSAGE(parsed.reports() == 0, describe(parsed));
    REQUIRE(parsed.scene.springs.size() == 2);
    const SceneSpring& spring = parsed.scene.springs[0];
    CHECK(parsed.scene.bodies[spring.a].name == "top");
    CHECK(parsed.scene.bodies[spring.b].name == "bob");
    CHECK(spring.anchor_a == Vec3(0, -1, 0));
    CHECK(spring.stiffness == 20);
    CHECK(spring.damping == 0.5f);
    CHECK(spring.length == 3); // from (0,8,0) to (0,5,0), as declared
    CHECK(parsed.scene.springs[1].length == 3);

    const ParsedScene faulty = parse_scene(R"(spring { from a to b stiffness -1 }
hello;
box { size 1,1,1 centre 0,0,0 name c } box { size 1,1,1 centre 0,0,0 name d }
spring { from c to d stiffness 1 }
sphere { radius 1 mass 1 centre 0,0,0 name c })");
    CHECK(faulty.accepted == 2);
    REQUIRE(faulty.diagnostics.size() == 4);
    CHECK(faulty.diagnostics[0].faults.size() == 3); // in order of the text again
    CHECK(faulty.diagnostics[1].declaration == "hello");
    CHECK(faulty.diagnostics[2].faults[0].message == "both ends are immovable bodies");
    CHECK(faulty.diagnostics[3].faults[0].message == "'name' is \"c\"; another body has that name");
}

TEST_CASE("a new declaration needs a row in the table and nothing else") {
    DeclarationTable table = standard_declarations();
    int built = 0;
    table["teapot"] = {
        .parameters = {{.name = "lid", .need = Parameter::Need::required, .constraint = k_positive},
                       {.name = "tea", .kind = Value::Kind::text}},
        .build =
            [&](const Arguments& arguments, SceneBuilder&) {
                ++built;
                CHECK(arguments.scalar("lid") == 2);
                CHECK(arguments.text("tea") == "green");
                CHECK_FALSE(arguments.place("tea") == SourcePlace{1, 1});
            },
    };
    const ParsedScene parsed =
        parse_scene("teapot { lid 2 tea green } teapot { lid -2 } teapot; sphere { radius 1 mass 1 "
                    "centre 0,0,0 }",
                    {}, table);
    CHECK(built == 1);
    CHECK(parsed.accepted == 2);
    CHECK(parsed.rejected == 2);
    CHECK(parse_scene("teapot { lid 2 }").rejected == 1);
    CHECK(parse_scene("sphere;", {}, DeclarationTable{}).rejected == 1);
}
