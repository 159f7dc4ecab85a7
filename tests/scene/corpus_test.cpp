// The fuzzers' corpus and the scene library, as ordinary tests.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

#include "fovea/scene/generate.h"
#include "fovea/scene/import_mesh.h"
#include "scene_support.h"

using namespace fovea;

namespace {

std::set<std::filesystem::path> files_in(const char* folder) {
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(source_path(folder)))
        files.insert(entry.path());
    return files;
}

} // namespace

TEST_CASE("every malformed scene of the corpus gets a report") {
    const auto files = files_in("tests/fuzz/corpus/scene");
    CHECK(files.size() >= 60);
    for (const auto& file : files) {
        CAPTURE(file.string());
        const auto loaded = load_scene(file);
        REQUIRE(loaded.has_value());
        CHECK(loaded->reports() > 0);
        CHECK(loaded->diagnostics.size() ==
              loaded->reports() - (loaded->reports() > 100) * (loaded->reports() - 100));
    }
}

TEST_CASE("every mesh of the corpus is refused, but for the good ones") {
    const std::set<std::string> good{"tetra.obj", "good.stl", "good.ply", "good.gltf", "fan.obj"};
    const auto files = files_in("tests/fuzz/corpus/mesh");
    CHECK(files.size() >= 20);
    for (const auto& file : files) {
        CAPTURE(file.string());
        const auto mesh = import_mesh(file);
        CHECK(mesh.has_value() == (good.count(file.filename().string()) > 0));
    }
}

TEST_CASE("the scene library loads without a report") {
    std::set<std::string> names;
    for (const auto& file : files_in("scenes")) {
        if (file.extension() != ".scene") continue; // their meshes
        CAPTURE(file.string());
        const auto loaded = load_scene(file);
        REQUIRE(loaded.has_value());
        CHECK_MESSAGE(loaded->reports() == 0, describe(*loaded));
        CHECK(loaded->accepted > 0);
        names.insert(file.stem().string());
    }
    CHECK(names.count("everything") == 1);
    for (const GeneratorInfo& info : scene_generators())
        CHECK_MESSAGE(names.count(std::string(info.name)) == 1, info.name);
}

TEST_CASE("everything.scene uses, and the manual describes, every declaration and parameter") {
    const std::string everything = read_file(source_path("scenes/everything.scene"));
    const std::string manual = read_file(source_path("docs/scene-language.md"));
    const DeclarationTable table = standard_declarations();
    for (const auto& entry : table) {
        const std::string& name = entry.first;
        const Declaration& declaration = entry.second;
        CHECK_MESSAGE(everything.find("\n" + name + " {") != std::string::npos, name);
        CHECK_MESSAGE(manual.find("### `" + name + "`") != std::string::npos, name);
        const auto section = manual.substr(manual.find("### `" + name + "`"));
        for (const Parameter& parameter : declaration.parameters) {
            CAPTURE(parameter.name);
            if (parameter.name != "file")
                CHECK(everything.find(" " + parameter.name + " ") != std::string::npos);
            CHECK(section.find("| `" + parameter.name + "` |") != std::string::npos);
        }
    }
}
