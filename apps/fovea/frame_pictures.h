// Pictures of a run's frames, where they are wanted.
#pragma once

#include <memory>
#include <string>

#include <CLI/App.hpp>

#include "fovea/base/result.h"
#include "fovea/scene/populate.h"

namespace fovea::app {

struct PictureOptions {
    std::string folder; ///< empty: no pictures
    int every = 10;     ///< frames from one picture to the next
    int width = 1280, height = 720;
};

/// Adds the options to a command; none in a build without the renderer.
void add_picture_options(CLI::App& command, PictureOptions& options);

class FramePictures {
  public:
    /// Makes the folder and the renderer, unless no pictures are wanted.
    static Result<FramePictures> create(const PictureOptions& options, const Scene& scene);
    FramePictures(FramePictures&&) noexcept;
    ~FramePictures();

    /// Draws the frame to FOLDER/frame-000123.png if its turn has come.
    Result<void> draw(std::uint64_t frame, const PopulatedWorld& populated);

  private:
    struct State;
    explicit FramePictures(std::unique_ptr<State> state);
    std::unique_ptr<State> state_; ///< absent: no pictures
};

} // namespace fovea::app
