#include "fovea/render/picture.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <png.h>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

/// libpng's simplified interface, freed on every way out.
struct PngImage : png_image {
    PngImage()
        : png_image{} {
        version = PNG_IMAGE_VERSION;
    }
    PngImage(const PngImage&) = delete;
    PngImage& operator=(const PngImage&) = delete;
    ~PngImage() { png_image_free(this); }
};

tl::unexpected<Error> cannot(const char* what, const std::string& path, const std::string& why) {
    return failure(std::string("cannot ") + what + " picture '" + path + "': " + why);
}

/// Writes and flushes the whole file, or says why not.
Result<void> write_file(const Picture& picture, const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return failure(std::strerror(errno));
    PngImage image;
    image.width = png_uint_32(picture.width);
    image.height = png_uint_32(picture.height);
    image.format = PNG_FORMAT_RGBA;
    const bool written =
        png_image_write_to_stdio(&image, file, 0, picture.pixels.data(), 0, nullptr) != 0;
    // A full disk may show only when the last buffer goes out.
    const bool closed = std::fclose(file) == 0;
    if (!written) return failure(image.message);
    if (!closed) return failure(std::strerror(errno));
    return {};
}

} // namespace

Result<void> write_png(const Picture& picture, const std::string& path) {
    FOVEA_ASSERT(picture.width > 0 && picture.height > 0);
    FOVEA_ASSERT(picture.pixels.size() == std::size_t(picture.width) * picture.height);
    const std::string temporary = path + ".part";
    std::error_code error;
    if (const auto written = write_file(picture, temporary); !written) {
        std::filesystem::remove(temporary, error);
        return cannot("write", path, written.error().message);
    }
    std::filesystem::rename(temporary, path, error);
    if (error) {
        const std::string why = error.message();
        std::filesystem::remove(temporary, error);
        return cannot("write", path, why);
    }
    return {};
}

Result<Picture> read_png(const std::string& path) {
    PngImage image;
    if (!png_image_begin_read_from_file(&image, path.c_str()))
        return cannot("read", path, image.message);
    image.format = PNG_FORMAT_RGBA;
    Picture picture{int(image.width), int(image.height), {}};
    picture.pixels.resize(std::size_t(picture.width) * picture.height);
    if (!png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr))
        return cannot("read", path, image.message);
    return picture;
}

} // namespace fovea
