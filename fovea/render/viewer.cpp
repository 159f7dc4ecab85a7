#include "fovea/render/viewer.h"

#include <algorithm>

#include "fovea/base/assert.h"
#include "fovea/base/clock.h"
#include "fovea/render/panel.h"
#include "fovea/render/window.h"

namespace fovea {

namespace {

/// How many steps are due before the next picture.
class Pace {
  public:
    explicit Pace(double step_seconds)
        : step_seconds_(step_seconds)
        , last_(wall_seconds()) {}

    int due(bool paused, int single_steps) {
        constexpr int k_most = 4; // a slow simulation falls behind the clock instead of stalling
        const double now = wall_seconds();
        const double passed = now - std::exchange(last_, now);
        if (single_steps > 0) return single_steps;
        if (paused) return 0;
        if (!(step_seconds_ > 0)) return 1;
        owed_ = std::min(owed_ + passed / step_seconds_, double(k_most));
        const int steps = int(owed_);
        owed_ -= steps;
        return steps;
    }

  private:
    double step_seconds_;
    double last_;
    double owed_ = 0; ///< steps the clock is ahead of the simulation
};

} // namespace

Result<void> view(const Scene& scene, const ViewerHost& host, const ViewerSettings& settings) {
    FOVEA_ASSERT(host.advance && host.poses && host.status);
    auto window = Window::open(settings.title, settings.width, settings.height);
    if (!window) return tl::unexpected(window.error());
    auto renderer = Renderer::make(scene, settings.render);
    if (!renderer) return tl::unexpected(renderer.error());

    const auto starting_camera = [&] {
        const auto [width, height] = window->size();
        return OrbitCamera::from(
            default_camera(scene, float(std::max(width, 1)) / float(std::max(height, 1))));
    };
    OrbitCamera camera = starting_camera();
    Panel panel;
    Pace pace(settings.paced_step);
    bool paused = settings.paused;
    double render_ms = 0;
    long pictures = 0;
    for (;;) {
        const ViewerInput input = window->poll(camera);
        if (window->should_end()) return {};
        if (input.pause_toggled) paused = !paused;
        if (input.single_steps > 0) paused = true;
        if (input.camera_reset) camera = starting_camera();
        for (int steps = pace.due(paused, input.single_steps); steps > 0; --steps) {
            if (auto advanced = host.advance(); !advanced) return advanced;
            panel.add_step(host.status().step_ms);
        }

        const auto [width, height] = window->size();
        if (width > 0 && height > 0) {
            Stopwatch stopwatch;
            if (host.reshape) host.reshape(*renderer);
            const auto drawn = renderer->draw(host.poses(), camera.camera(), width, height);
            if (!drawn) return drawn;
            renderer->show();
            window->begin_panel();
            panel.lay_out(host.status(), scene.bodies.size(), render_ms, paused);
            window->end_panel();
            window->swap();
            render_ms = stopwatch.lap_ms();
            if (host.drawn) host.drawn(render_ms);
        }
        if (++pictures == settings.pictures) return {};
    }
}

} // namespace fovea
