// The grammar, its recovery and the places of its reports.
#include <doctest/doctest.h>

#include <clocale>
#include <string>

#include "scene_support.h"

using namespace fovea;

namespace {

const std::string k_ball = "sphere { radius 1 mass 1 centre 0,0,0 }";

/// The only fault of a text that has one report with one fault.
Fault only_fault(std::string_view text, const ParseSettings& settings = {}) {
    const ParsedScene parsed = parse_scene(text, settings);
    REQUIRE_MESSAGE(parsed.diagnostics.size() == 1, describe(parsed));
    REQUIRE_MESSAGE(parsed.diagnostics[0].faults.size() == 1, describe(parsed));
    return parsed.diagnostics[0].faults[0];
}

bool mentions(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("everything legal in the original language loads, strictly too") {
    const std::string text = R"(# every construct; two comment styles
wall { normal 0,1,0 toOrig: -2 elastic 0.8 colour 0.1,0.4,0.1 }
wall { normal: 3,4,0   // oblique, not unit length
       toOrig: -10.0 }
sphere { radius: 0.5 mass: 1 centre: 0,5,0 }
sphere { mass 2 radius 0.75 centre -3.5,4,- 1.25
         vel: 1,0,0 colour: 1,0,0 elastic 0 }
cylinder { radius 0.3 height 4 mass 2 centre 0,1,0 axis 1,0,0
           vel 0,0,0 angvel 0,0,2 elastic: 1.0 colour: 0,0,1 }
)";
    for (bool strict : {false, true}) {
        const ParsedScene parsed = parse_scene(text, {.strict = strict});
        REQUIRE_MESSAGE(parsed.reports() == 0, describe(parsed));
        CHECK(parsed.accepted == 5);
        const auto& bodies = parsed.scene.bodies;
        REQUIRE(bodies.size() == 5);

        const auto& floor = std::get<HalfSpace>(bodies[0].shape);
        CHECK(floor.normal == Vec3(0, 1, 0));
        CHECK(floor.offset == -2);
        CHECK(bodies[0].placement == Transform());
        CHECK(bodies[0].mass == 0);
        CHECK(bodies[0].elastic == 0.8f);
        CHECK(bodies[0].colour == Vec3(0.1f, 0.4f, 0.1f));
        const auto& oblique = std::get<HalfSpace>(bodies[1].shape);
        CHECK(oblique.normal == Vec3(0.6f, 0.8f, 0));
        CHECK(oblique.offset == -10);

        CHECK(std::get<Sphere>(bodies[2].shape).radius == 0.5f);
        CHECK(bodies[2].mass == 1);
        CHECK(bodies[2].placement.position == Vec3(0, 5, 0));
        CHECK(bodies[2].velocity == Vec3());
        CHECK(bodies[2].elastic == 1);
        CHECK(bodies[2].friction == 0);
        CHECK(bodies[2].colour == Vec3(1, 1, 1));
        CHECK(bodies[3].placement.position == Vec3(-3.5f, 4, -1.25f));
        CHECK(bodies[3].velocity == Vec3(1, 0, 0));
        CHECK(bodies[3].elastic == 0);
        CHECK(bodies[3].colour == Vec3(1, 0, 0));

        const auto& rod = std::get<Cylinder>(bodies[4].shape);
        CHECK(rod.radius == 0.3f);
        CHECK(rod.half_height == 2);
        CHECK(bodies[4].angular_velocity == Vec3(0, 0, 2));
        const Vec3 axis = rotate(bodies[4].placement.orientation, Vec3(0, 1, 0));
        // Three roundings of numbers below 1.
        CHECK(length(axis - Vec3(1, 0, 0)) < 4e-7f);
        CHECK(parsed.scene.gravity == Vec3(0, -9.8f, 0));
    }
}

TEST_CASE("recoverable errors: six reports, one survivor, both faults of the third named") {
    for (bool strict : {false, true}) {
        ParseSettings settings;
        settings.strict = strict;
        const auto loaded = load_scene(source_path("tests/scene/data/errors.scene"), settings);
        REQUIRE(loaded.has_value());
        CHECK(loaded->accepted == 1);
        CHECK(loaded->rejected == 6);
        CHECK(loaded->stray == 0);
        CHECK_FALSE(loaded->nothing_understood());
        REQUIRE(loaded->scene.bodies.size() == 1);
        CHECK(loaded->scene.bodies[0].placement.position == Vec3(0, 3, 0));
        REQUIRE(loaded->diagnostics.size() == 6);
        const std::size_t faults[] = {1, 3, 2, 1, 1, 1};
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(loaded->diagnostics[i].faults.size() == faults[i]);
            CHECK(loaded->diagnostics[i].place == SourcePlace{i + 1, 1});
        }
        const auto& third = loaded->diagnostics[2].faults;
        CHECK(third[0].place == SourcePlace{3, 17});
        CHECK(mentions(third[0].message, "'radius' is -1"));
        CHECK(third[1].place == SourcePlace{3, 25});
        CHECK(mentions(third[1].message, "'mass' is 0"));
        CHECK(mentions(loaded->diagnostics[3].faults[0].message, "'radius' is 1,1,1"));
        CHECK(mentions(loaded->diagnostics[5].faults[0].message, "'colour' is 2,0,0"));
        CHECK(mentions(summary(*loaded), "1 declaration accepted, 6 rejected"));
    }
}

TEST_CASE("an empty text is a valid scene") {
    for (const char* text : {"", " \n\t", "# nothing", "// nothing\n", "\xef\xbb\xbf"}) {
        const ParsedScene parsed = parse_scene(text);
        CHECK(parsed.accepted == 0);
        CHECK(parsed.reports() == 0);
        CHECK_FALSE(parsed.nothing_understood());
    }
}

TEST_CASE("unary minus binds tighter than the comma, and may be repeated") {
    const auto centre = [](const std::string& value) {
        const ParsedScene parsed = parse_scene("sphere { radius 1 mass 1 centre " + value + " }");
        REQUIRE_MESSAGE(parsed.scene.bodies.size() == 1, describe(parsed));
        return parsed.scene.bodies[0].placement.position;
    };
    CHECK(centre("- 1,2,3") == Vec3(-1, 2, 3));
    CHECK(centre("1,-2,- - 3") == Vec3(1, -2, 3));
    CHECK(centre("--1,---2,+3") == Vec3(1, -2, 3));
    CHECK(centre(": 1 , 2\n,# comment\n 3") == Vec3(1, 2, 3));
    CHECK(centre("-0,0,0") == Vec3(0, 0, 0));
}

TEST_CASE("values have one or three components") {
    const std::pair<const char*, const char*> cases[] = {
        {"1,2", "2 components"}, {"1,2,3,4", "4 components"}, {"1,2,3,4,5", "5 components"}};
    for (const auto& [value, words] : cases) {
        const Fault fault =
            only_fault("sphere { radius 1 mass 1 centre " + std::string(value) + " }");
        CHECK(mentions(fault.message, words));
        CHECK(fault.place == SourcePlace{1, 33});
    }
    CHECK(mentions(only_fault("sphere { radius 1 mass 1 centre 1,2, }").message, "value"));
    CHECK(mentions(only_fault("sphere { radius 1 mass 1 centre ,1,2 }").message, "value"));
}

TEST_CASE("exponents are an extension that strict mode refuses") {
    const std::string text = "sphere { radius 1e-1 mass 2.5E2 centre 0,0,0 }";
    const ParsedScene parsed = parse_scene(text);
    REQUIRE(parsed.scene.bodies.size() == 1);
    CHECK(std::get<Sphere>(parsed.scene.bodies[0].shape).radius == 0.1f);
    CHECK(parsed.scene.bodies[0].mass == 250);
    const ParsedScene strict = parse_strictly(text);
    REQUIRE(strict.diagnostics.size() == 1);
    REQUIRE(strict.diagnostics[0].faults.size() == 2);
    CHECK(strict.diagnostics[0].faults[0].place == SourcePlace{1, 17});
    CHECK(mentions(strict.diagnostics[0].faults[0].message, "'radius' is 1e-1"));
}

TEST_CASE("numbers that do not fit are faults, not infinities or zeros") {
    const std::string cases[] = {"1e39",
                                 "-1e39",
                                 "1e-60",
                                 "1e99999",
                                 "1" + std::string(60, '0'),
                                 "0." + std::string(70, '0') + "1"};
    for (const std::string& number : cases) {
        const Fault fault = only_fault("wall { normal 0,1,0 toOrig " + number + " }");
        CHECK(mentions(fault.message, "does not fit"));
        CHECK(
            mentions(fault.message, "'toOrig' is " + number.substr(0, 5).substr(0, number.size())));
    }
    for (const char* word : {"inf", "nan", "infinity", "NaN"}) {
        const Fault fault = only_fault("wall { normal 0,1,0 toOrig " + std::string(word) + " }");
        CHECK(mentions(fault.message, "it must be one number"));
        CHECK(mentions(fault.message, word));
    }
    for (const char* zero : {"0", "0.000", "0e99999", "-0", "00"})
        CHECK(parse_scene("wall { normal 0,1,0 toOrig " + std::string(zero) + " }").accepted == 1);
    // The largest float, in full.
    CHECK(parse_strictly("wall { normal 0,1,0 toOrig 0 "
                         "elastic 340282346638528859811704183484516925440 }")
              .accepted == 1);
    // Lengths have a limit of their own.
    CHECK(mentions(only_fault("wall { normal 0,1,0 toOrig 1125899906842624 }").message, "2^50"));
}

TEST_CASE("after a syntax error parsing resumes behind the next brace or semicolon") {
    struct Case {
        std::string text;
        SourcePlace place;
        std::size_t accepted, rejected, stray;
    };
    const Case cases[] = {
        {k_ball + ";" + k_ball, {1, 40}, 2, 0, 1},
        {"; " + k_ball, {1, 1}, 1, 0, 1},
        {"} " + k_ball, {1, 1}, 1, 0, 1},
        {"sphere " + k_ball + " " + k_ball, {1, 8}, 1, 1, 0},
        {"sphere : ; " + k_ball, {1, 8}, 1, 1, 0},
        {"sphere { radius } " + k_ball, {1, 17}, 1, 1, 0},
        {"sphere { radius ; " + k_ball, {1, 17}, 1, 1, 0},
        {"sphere { radius 1 2 } " + k_ball, {1, 19}, 1, 1, 0},
        {"sphere { radius 1; } " + k_ball, {1, 18}, 1, 1, 1},
        {"sphere { radius mass 1 centre 0,0,0 } " + k_ball, {1, 17}, 1, 1, 0},
        {"sphere { radius: : 1 } " + k_ball, {1, 18}, 1, 1, 0},
        {"sphere { radius - } " + k_ball, {1, 19}, 1, 1, 0},
        {"sphere { radius 1. } " + k_ball, {1, 18}, 1, 1, 0},
        {"sphere { radius .5 } " + k_ball, {1, 17}, 1, 1, 0},
        {"sphere { { } " + k_ball, {1, 10}, 1, 1, 0},
        {"sphere { @ } " + k_ball, {1, 10}, 1, 1, 0},
        {"sphere { name \"open } " + k_ball, {1, 15}, 1, 1, 0},
        {"sphere { radius_1 2 } " + k_ball, {1, 16}, 1, 1, 0},
        {"3 " + k_ball + k_ball, {1, 1}, 1, 0, 1},
        {k_ball + " sphere { radius 1", {1, 58}, 1, 1, 0},
        {k_ball + " sphere", {1, 47}, 1, 1, 0},
        {k_ball + " sphere {", {1, 49}, 1, 1, 0},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        const ParsedScene parsed = parse_scene(c.text);
        CAPTURE(describe(parsed));
        CHECK(parsed.accepted == c.accepted);
        CHECK(parsed.rejected == c.rejected);
        CHECK(parsed.stray == c.stray);
        REQUIRE(!parsed.diagnostics.empty());
        CHECK(parsed.diagnostics[0].faults.back().place == c.place);
        CHECK(parsed.scene.bodies.size() == c.accepted);
    }
}

TEST_CASE("a report gathers every class of fault, each at its place") {
    const ParsedScene parsed = parse_scene("\n  sphere {\n"
                                           "    radius -1\n"        // constraint
                                           "    radius 2\n"         // duplicate
                                           "    weight 3\n"         // unknown
                                           "    centre 1\n"         // wrong kind
                                           "    elastic 1e50\n"     // does not fit
                                           "    vel 1,2\n"          // components
                                           "    colour 0,0,1.5 }"); // constraint, and no mass
    REQUIRE(parsed.diagnostics.size() == 1);
    const Diagnostic& report = parsed.diagnostics[0];
    CHECK(report.declaration == "sphere");
    CHECK(report.place == SourcePlace{2, 3});
    const std::pair<SourcePlace, const char*> expected[] = {
        {{3, 12}, "'radius' is -1; it must be greater than 0"},
        {{4, 5}, "'radius' is given a second time; the first is at 3:12"},
        {{5, 5}, "'weight' (3) is not a parameter of sphere"},
        {{6, 12}, "'centre' is 1; it must be three numbers"},
        {{7, 13}, "'elastic' is 1e50; that does not fit"},
        {{8, 9}, "'vel' has 2 components"},
        {{9, 12}, "'colour' is 0,0,1.5; it must have every component between 0 and 1"},
        {{2, 3}, "'mass' is missing"},
    };
    REQUIRE(report.faults.size() == std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        CHECK(report.faults[i].place == expected[i].first);
        CHECK_MESSAGE(mentions(report.faults[i].message, expected[i].second),
                      report.faults[i].message);
    }
    const std::string text = describe(parsed);
    CHECK(mentions(text, "scene:2:3: sphere: 8 faults\n    scene:3:12: 'radius' is -1"));
}

TEST_CASE("faults found before a syntax error stay in the report") {
    const ParsedScene parsed = parse_scene("sphere { radius -1 mass } " + k_ball);
    REQUIRE(parsed.diagnostics.size() == 1);
    CHECK(parsed.diagnostics[0].faults.size() == 2);
    CHECK(parsed.accepted == 1);
}

TEST_CASE("unknown declarations are named with those that exist, and their bodies skipped") {
    const ParsedScene parsed = parse_scene("Sphere { radius 1 mass 1 centre 0,0,0 }" + k_ball);
    CHECK(parsed.accepted == 1);
    REQUIRE(parsed.rejected == 1);
    CHECK(parsed.diagnostics[0].declaration == "Sphere");
    CHECK(mentions(parsed.diagnostics[0].faults[0].message, "cylinder"));
}

TEST_CASE("a text of which nothing was understood can be told from an empty one") {
    for (const char* text : {"hello", "Walrus42;", "sphere;", "}}}}", "\x89PNG\r\n\x1a\n", "\""})
        CHECK_MESSAGE(parse_scene(text).nothing_understood(), text);
    CHECK_FALSE(parse_scene("hello; " + k_ball).nothing_understood());
}

TEST_CASE("a decimal comma of the locale has no influence") {
    // Harmless where that locale is not installed: setlocale then changes nothing.
    const char* before = std::setlocale(LC_ALL, "de_DE.UTF-8");
    const ParsedScene parsed = parse_scene("sphere { radius 1.5 mass 1 centre 0,0,0 }");
    std::setlocale(LC_ALL, "C");
    REQUIRE(parsed.scene.bodies.size() == 1);
    CHECK(std::get<Sphere>(parsed.scene.bodies[0].shape).radius == 1.5f);
    MESSAGE("locale with a decimal comma: ", std::string(before ? before : "not installed"));
}

TEST_CASE("messages never carry control characters of the text") {
    const ParsedScene parsed = parse_scene("sphere { \x1b[31m 1 } mesh { kind \"\x07\" }");
    for (char c : describe(parsed)) CHECK_UNARY(c == '\n' || (c >= ' ' && c <= '~'));
}
