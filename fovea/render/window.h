// A window with an OpenGL context, and what the user does to it.
#pragma once

#include <memory>
#include <string>

#include "fovea/base/result.h"
#include "fovea/render/camera.h"

struct GLFWwindow;

namespace fovea {

/// What the user asked for since the last look.
struct ViewerInput {
    int single_steps = 0;
    bool pause_toggled = false;
    bool camera_reset = false;
};

class Window {
  public:
    /// Opens the window and makes its OpenGL 3.3 context current.
    static Result<Window> open(const std::string& title, int width, int height);

    /// Handles waiting events: moves `camera` by the mouse and returns the rest.
    ViewerInput poll(OrbitCamera& camera);
    bool should_end() const;
    void swap();

    struct Size {
        int width, height;
    };
    /// Pixels; zero while the window is minimised.
    Size size() const;

    /// Starts and ends the drawing of a Dear ImGui frame on top of what is in the window.
    void begin_panel();
    void end_panel();

    Window(Window&&) noexcept;
    Window& operator=(Window&&) noexcept;
    ~Window();

  private:
    struct State;
    explicit Window(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace fovea
