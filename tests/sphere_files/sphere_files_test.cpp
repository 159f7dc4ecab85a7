// Sphere trees survive being written and read; bad files are refused with the place of the fault.
#include <doctest/doctest.h>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/sphere_files.h"

using namespace fovea;

namespace {

SphereTree some_tree() {
    const auto tree = SphereTree::build(make_gear(1.3f, 0.2f, 0.3f, 9),
                                        {.method = SphereMethod::grid, .levels = 4, .threads = 1});
    REQUIRE(tree.has_value());
    return *tree;
}

template <class T>
std::string message_of(const Result<T>& result) {
    return result ? std::string("no refusal") : result.error().message;
}

} // namespace

TEST_CASE("JSON keeps every bit of a tree") {
    const SphereTree tree = some_tree();
    const auto read = sphere_tree_from_json(to_json(tree));
    REQUIRE(read.has_value());
    CHECK(*read == tree);
    CHECK(to_json(*read) == to_json(tree));
}

TEST_CASE(".sph keeps every sphere and the shape of the tree") {
    const SphereTree tree = some_tree();
    const auto text = to_sph(tree);
    REQUIRE(text.has_value());
    const auto read = from_sph(*text);
    REQUIRE(read.has_value());
    REQUIRE(read->size() == tree.size());
    REQUIRE(read->levels() == tree.levels());
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        CHECK(read->centre(node) == tree.centre(node));
        CHECK(read->radius(node) == tree.radius(node));
        CHECK(read->parent(node) == tree.parent(node));
        CHECK(read->children(node).count == tree.children(node).count);
        CHECK(read->content(node).occupancy == tree.content(node).occupancy);
    }
    CHECK(*to_sph(*read) == *text);
}

TEST_CASE("a .sph text by hand reads as laid out") {
    const auto tree = from_sph("2 3\n0 0 0 2 1\n1 0 0 1 0.5\n0 0 0 -1 0\n-1 0 0 1.5 0\n");
    REQUIRE(tree.has_value());
    CHECK(tree->levels() == 2);
    CHECK(tree->size() == 3);
    CHECK(tree->radius(2) == 1.5f);
    CHECK(tree->centre(2) == Vec3(-1, 0, 0));
    CHECK(tree->content(1).occupancy == 0.5f);
}

TEST_CASE("bad files are refused") {
    CHECK(message_of(from_sph("")).find("line 1") != std::string::npos);
    CHECK(message_of(from_sph("0 8\n")).find("line 1") != std::string::npos);
    CHECK(message_of(from_sph("2 2\n0 0 0 1 1\n0 0 x 1 1\n")).find("line 3") != std::string::npos);
    CHECK(message_of(from_sph("60 9\n")).find("slots") != std::string::npos);
    CHECK(message_of(from_sph("3 1\n0 0 0 1 1\n0 0 0 -1 0\n0 0 0 1 1\n")).find("empty slot") !=
          std::string::npos);
    CHECK(message_of(from_sph("1 1\n0 0 0 nan 1\n")).find("no sphere") != std::string::npos);
    CHECK(message_of(from_sph("1 1\n0 0 0 1 nan\n")).find("line 2") != std::string::npos);
    CHECK(
        message_of(sphere_tree_from_json(R"({"format":"fovea sphere tree","levels":)"
                                         R"([[{"centre":[0,0,0],"radius":1,"distance":1e300}]]})"))
            .find("sphere 0") != std::string::npos);
    CHECK(message_of(sphere_tree_from_json("{")).find("JSON") != std::string::npos);
    CHECK(message_of(
              sphere_tree_from_json(R"({"format":"fovea sphere tree","version":2,"levels":[]})"))
              .find("version 2") != std::string::npos);
    CHECK(message_of(sphere_tree_from_json("{}")).find("format") != std::string::npos);
    CHECK(message_of(
              sphere_tree_from_json(
                  R"({"format":"fovea sphere tree","levels":[[{"centre":[0,0],"radius":1}]]})"))
              .find("JSON") != std::string::npos);
}

TEST_CASE("a level becomes a mesh with all its spheres") {
    const SphereTree tree = some_tree();
    const std::string ply = level_as_ply(tree, 1);
    const std::size_t spheres = tree.level(1).count;
    CHECK(ply.find("element vertex " + std::to_string(162 * spheres) + "\n") != std::string::npos);
    CHECK(ply.find("element face " + std::to_string(320 * spheres) + "\n") != std::string::npos);
}
