#include "fovea/render/window.h"

#include <cmath>
#include <utility>

#include <epoxy/gl.h>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

namespace fovea {

struct Window::State {
    bool library = false; ///< GLFW is initialised
    GLFWwindow* window = nullptr;
    bool panel = false; ///< Dear ImGui is initialised
    ViewerInput input;
    double wheel = 0;
    double mouse_x = 0, mouse_y = 0;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (panel) {
            ImGui_ImplOpenGL3_Shutdown();
            ImGui_ImplGlfw_Shutdown();
            ImGui::DestroyContext();
        }
        if (window) glfwDestroyWindow(window);
        if (library) glfwTerminate();
    }
};

namespace {

tl::unexpected<Error> cannot_open(const char* what) {
    const char* why = nullptr;
    glfwGetError(&why);
    return failure(std::string("cannot open a window: ") + what + (why ? ": " : "") +
                   (why ? why : ""));
}

} // namespace

Result<Window> Window::open(const std::string& title, int width, int height) {
    auto state = std::make_unique<State>();
    if (!glfwInit()) return cannot_open("no display");
    state->library = true;
    // EGL as off-screen: one way to OpenGL, and GLX refuses contexts beside those of EGL.
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    state->window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (!state->window) return cannot_open("no OpenGL 3.3 core context");
    glfwMakeContextCurrent(state->window);
    glfwSwapInterval(1);

    glfwSetWindowUserPointer(state->window, state.get());
    glfwSetKeyCallback(state->window, [](GLFWwindow* window, int key, int, int action, int) {
        ViewerInput& input = static_cast<State*>(glfwGetWindowUserPointer(window))->input;
        if (action == GLFW_RELEASE) return;
        if (key == GLFW_KEY_PERIOD || key == GLFW_KEY_RIGHT) ++input.single_steps;
        if (action == GLFW_REPEAT) return;
        if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(window, GLFW_TRUE);
        if (key == GLFW_KEY_SPACE) input.pause_toggled = !input.pause_toggled;
        if (key == GLFW_KEY_R) input.camera_reset = true;
    });
    glfwSetScrollCallback(state->window, [](GLFWwindow* window, double, double turned) {
        static_cast<State*>(glfwGetWindowUserPointer(window))->wheel += turned;
    });

    // The backend chains to the callbacks set above.
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::StyleColorsDark();
    ImGui_ImplGlfw_InitForOpenGL(state->window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    state->panel = true;
    return Window(std::move(state));
}

ViewerInput Window::poll(OrbitCamera& camera) {
    glfwPollEvents();
    State& s = *state_;
    double x = 0, y = 0;
    glfwGetCursorPos(s.window, &x, &y);
    const auto moved_x = float(x - std::exchange(s.mouse_x, x));
    const auto moved_y = float(y - std::exchange(s.mouse_y, y));
    const double wheel = std::exchange(s.wheel, 0);
    if (!ImGui::GetIO().WantCaptureMouse) {
        int window_height = 1;
        glfwGetWindowSize(s.window, nullptr, &window_height);
        const float height = float(window_height > 0 ? window_height : 1);
        const auto pressed = [&](int button) {
            return glfwGetMouseButton(s.window, button) == GLFW_PRESS;
        };
        // Dragging over the window's height turns by half a turn.
        if (pressed(GLFW_MOUSE_BUTTON_LEFT))
            camera.orbit(-moved_x / height * 3.14f, moved_y / height * 3.14f);
        else if (pressed(GLFW_MOUSE_BUTTON_RIGHT) || pressed(GLFW_MOUSE_BUTTON_MIDDLE))
            camera.pan(-moved_x / height, moved_y / height);
        if (wheel != 0) camera.zoom(float(std::pow(0.9, wheel)));
    }
    return std::exchange(s.input, {});
}

bool Window::should_end() const {
    return glfwWindowShouldClose(state_->window) != 0;
}

void Window::swap() {
    glfwSwapBuffers(state_->window);
}

Window::Size Window::size() const {
    Size size{0, 0};
    glfwGetFramebufferSize(state_->window, &size.width, &size.height);
    return size;
}

void Window::begin_panel() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void Window::end_panel() {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Window::Window(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
Window::Window(Window&&) noexcept = default;
Window& Window::operator=(Window&&) noexcept = default;
Window::~Window() = default;

} // namespace fovea
