#include "frame_pictures.h"

#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "fovea/render/camera.h"
#include "fovea/render/offscreen.h"
#include "fovea/render/renderer.h"
#include "picture_size.h"
#include "simulation_options.h"

namespace fovea::app {

void add_picture_options(CLI::App& command, PictureOptions& options) {
    auto* images = command.add_option("--images", options.folder, "Folder for pictures (PNG)")
                       ->type_name("DIR");
    command.add_option("--every", options.every, "Frames from one picture to the next")
        ->check(k_count)
        ->needs(images)
        ->capture_default_str();
    add_picture_size(command, images, options.width, options.height);
}

struct FramePictures::State {
    PictureOptions options;
    SceneCamera camera;
    OffscreenContext context; // before the renderer: it must outlive it
    Renderer renderer;
    std::vector<Transform> placements;
};

Result<FramePictures> FramePictures::create(const PictureOptions& options, const Scene& scene) {
    if (options.folder.empty()) return FramePictures(nullptr);
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error)
        return failure(fmt::format("cannot make folder {}: {}", options.folder, error.message()));
    auto context = OffscreenContext::make();
    if (!context) return tl::unexpected(context.error());
    auto renderer = Renderer::make(scene);
    if (!renderer) return tl::unexpected(renderer.error());
    const float aspect = float(options.width) / float(options.height);
    return FramePictures(std::make_unique<State>(State{
        options, default_camera(scene, aspect), std::move(*context), std::move(*renderer), {}}));
}

FramePictures::FramePictures(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
FramePictures::FramePictures(FramePictures&&) noexcept = default;
FramePictures::~FramePictures() = default;

Result<void> FramePictures::draw(std::uint64_t frame, const PopulatedWorld& populated) {
    if (!state_ || frame % std::uint64_t(state_->options.every) != 0) return {};
    State& s = *state_;
    populated.read_placements(s.placements);
    for (const auto& each : populated.deforming) {
        const std::size_t body = each.motion.body;
        s.renderer.reshape(body, populated.world.vertices(populated.bodies[body]));
    }
    const auto drawn = s.renderer.draw(s.placements, s.camera, s.options.width, s.options.height);
    if (!drawn) return drawn;
    return write_png(s.renderer.picture(),
                     fmt::format("{}/frame-{:06}.png", s.options.folder, frame));
}

} // namespace fovea::app
