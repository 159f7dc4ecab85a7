// Stands in for frame_pictures.cpp and sphere_pictures.cpp in a build without the renderer: no
// options, no pictures.
#include "frame_pictures.h"
#include "sphere_pictures.h"

namespace fovea::app {

struct FramePictures::State {};

void add_picture_options(CLI::App&, PictureOptions&) {}

Result<FramePictures> FramePictures::create(const PictureOptions&, const Scene&) {
    return FramePictures(nullptr);
}

FramePictures::FramePictures(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
FramePictures::FramePictures(FramePictures&&) noexcept = default;
FramePictures::~FramePictures() = default;

Result<void> FramePictures::draw(std::uint64_t, const PopulatedWorld&) {
    return {};
}

void add_sphere_picture_options(CLI::App&, SpherePictureOptions&) {}

Result<void> draw_levels(const SpherePictureOptions&, const SphereTree&, const TriangleMesh&) {
    return {};
}

} // namespace fovea::app
