// PNG files: what is written is read back; failures are told and leave nothing behind.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/render/picture.h"

using namespace fovea;

namespace {

Picture noise(int width, int height) {
    Random random(3);
    Picture picture{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        picture.pixels.push_back({std::uint8_t(random.below(256)), std::uint8_t(random.below(256)),
                                  std::uint8_t(random.below(256)), 255});
    return picture;
}

/// A folder of its own, removed at the end.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("fovea_picture_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::ptrdiff_t entries() const {
        return std::distance(std::filesystem::directory_iterator(path), {});
    }
};

} // namespace

TEST_CASE("a picture survives the way through a PNG file") {
    const Folder folder;
    const Picture picture = noise(37, 21);
    const std::string path = (folder.path / "noise.png").string();
    const auto written = write_png(picture, path);
    REQUIRE_MESSAGE(written.has_value(), written.error().message);
    CHECK(folder.entries() == 1);
    const auto read = read_png(path);
    REQUIRE(read.has_value());
    CHECK(*read == picture);
}

TEST_CASE("a place that cannot be written to is named and left clean") {
    const Folder folder;
    const std::string nowhere = (folder.path / "absent" / "a.png").string();
    const auto absent = write_png(noise(4, 4), nowhere);
    REQUIRE(!absent.has_value());
    CHECK(absent.error().message.find(nowhere) != std::string::npos);
    // A folder of the file's name: the picture can be written but not put in place.
    std::filesystem::create_directories(folder.path / "taken.png" / "inside");
    const auto taken = write_png(noise(4, 4), (folder.path / "taken.png").string());
    CHECK(!taken.has_value());
    CHECK(folder.entries() == 1);
}

TEST_CASE("files that are absent or not PNG are refused") {
    const Folder folder;
    CHECK(!read_png((folder.path / "absent.png").string()).has_value());
    const std::string path = (folder.path / "text.png").string();
    std::ofstream(path) << "this is not a picture";
    const auto read = read_png(path);
    REQUIRE(!read.has_value());
    CHECK(read.error().message.find(path) != std::string::npos);
}
