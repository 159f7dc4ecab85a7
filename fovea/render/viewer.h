// A window onto a running simulation.
//
// The viewer owns the loop and asks the host for everything it shows:
//
//   each turn:  events -> advance (unless paused) -> poses -> draw -> panel
//
//   drag left: orbit    drag right or middle: pan    wheel: zoom    R: camera as at the start
//   space: pause, go on    full stop or right arrow: one step (and pause)    Escape: end
#pragma once

#include <functional>
#include <span>
#include <string>

#include "fovea/base/result.h"
#include "fovea/base/transform.h"
#include "fovea/render/renderer.h"

namespace fovea {

/// What the panel shows about the simulation.
struct ViewerStatus {
    long frame = 0;           ///< steps taken
    double time = 0;          ///< simulated seconds
    std::size_t pairs = 0;    ///< from the broad phase
    std::size_t contacts = 0; ///< of exact tests
    double step_ms = 0;       ///< what the last step took
    double budget_ms = 0;     ///< what a step may take; 0: no budget in time
    bool limited = false;     ///< steps have a budget, in time or counted
    std::size_t cut = 0;      ///< pairs that there was no time to refine further
};

/// The simulation, as the viewer sees it.
struct ViewerHost {
    /// Takes one step. An error ends the viewer with that error.
    std::function<Result<void>()> advance;
    /// Where each body of the scene is; valid until the next call of `advance`.
    std::function<std::span<const Transform>()> poses;
    std::function<ViewerStatus()> status;
    /// Called before each picture, to give bodies that deform their form; may be empty.
    std::function<void(Renderer&)> reshape;
    /// Told after each drawn picture how long drawing it took; may be empty.
    std::function<void(double render_ms)> drawn;
};

struct ViewerSettings {
    std::string title = "Fovea";
    int width = 1280; ///< of the window at first, pixels
    int height = 720;
    bool paused = false; ///< at first
    long pictures = 0;   ///< ends after drawing so many; 0: goes on until told to end
    /// Simulated seconds per step, to keep the simulation at the pace of the clock (at most
    /// four steps per picture); 0: one step per picture.
    double paced_step = 0;
    RenderSettings render;
};

/// Opens a window and runs until Escape is pressed, the window is closed, or the given number of
/// pictures is drawn. Fails where there is no display or no OpenGL 3.3. Call from the main thread.
Result<void> view(const Scene& scene, const ViewerHost& host, const ViewerSettings& settings = {});

} // namespace fovea
