// The viewer's panel: figures of the simulation and a plot of its recent steps.
#pragma once

#include <array>

#include "fovea/render/viewer.h"

namespace fovea {

class Panel {
  public:
    /// Notes a step's time for the plot.
    void add_step(double milliseconds);

    /// Lays the panel out in the current Dear ImGui frame.
    void lay_out(const ViewerStatus& status, std::size_t bodies, double render_ms,
                 bool paused) const;

  private:
    std::array<float, 120> step_ms_{}; ///< ring buffer, oldest at next_
    int next_ = 0;
};

} // namespace fovea
