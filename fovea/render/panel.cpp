#include "fovea/render/panel.h"

#include <algorithm>
#include <cstdio>

#include <imgui.h>

namespace fovea {

void Panel::add_step(double milliseconds) {
    step_ms_[std::size_t(next_)] = float(milliseconds);
    next_ = (next_ + 1) % int(step_ms_.size());
}

void Panel::lay_out(const ViewerStatus& status, std::size_t bodies, double render_ms,
                    bool paused) const {
    constexpr ImGuiWindowFlags k_fixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_AlwaysAutoResize |
                                         ImGuiWindowFlags_NoNav |
                                         ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::SetNextWindowPos({12, 12}, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowBgAlpha(0.72f);
    ImGui::Begin("Simulation", nullptr, k_fixed);
    ImGui::Text("frame     %ld%s", status.frame, paused ? "  (paused)" : "");
    ImGui::Text("time      %.2f s", status.time);
    ImGui::Text("bodies    %zu", bodies);
    ImGui::Text("pairs     %zu", status.pairs);
    ImGui::Text("contacts  %zu", status.contacts);
    ImGui::Text("draw      %.1f ms", render_ms);
    if (status.limited) ImGui::Text("cut       %zu", status.cut);
    char caption[64];
    const int length = std::snprintf(caption, sizeof caption, "step %.2f ms", status.step_ms);
    if (status.budget_ms > 0)
        std::snprintf(caption + length, sizeof caption - std::size_t(length), " of %.2f",
                      status.budget_ms);
    const float highest =
        std::max(*std::max_element(step_ms_.begin(), step_ms_.end()), float(status.budget_ms));
    ImGui::PlotLines("##steps", step_ms_.data(), int(step_ms_.size()), next_, caption, 0,
                     std::max(highest * 1.2f, 0.1f), {220, 56});
    ImGui::TextDisabled("space pause  . step  R camera  Esc end");
    ImGui::End();
}

} // namespace fovea
