#include "fovea/scene/sphere_colours.h"

#include <algorithm>
#include <cmath>

namespace fovea {

namespace {

/// Hues a golden ratio apart: neighbours differ, and no two of the first few dozen are alike.
double hue_of(std::uint32_t branch) {
    const double turn = 0.58 + branch * 0.6180339887498949;
    return (turn - std::floor(turn)) * 6;
}

/// A colour of full brightness `value`, the lesser the `saturation` the paler.
Vec3 coloured(double hue, double saturation, double value) {
    const auto channel = [&](double shift) {
        const double k = std::fmod(shift + hue, 6.0);
        return float(value * (1 - saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0)));
    };
    return {channel(5), channel(3), channel(1)};
}

} // namespace

std::vector<Vec3> branch_colours(const SphereTree& tree) {
    constexpr double k_saturation[4] = {0.72, 0.45, 0.85, 0.58};
    constexpr double k_value[4] = {0.92, 0.98, 0.72, 0.84};
    std::vector<Vec3> colours(tree.size());
    std::vector<std::uint32_t> branch(tree.size(), 0);
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        const std::uint32_t parent = tree.parent(node);
        const std::uint32_t place = node - (node ? tree.children(parent).first : 0);
        branch[node] = node == 0 || parent == 0 ? place : branch[parent];
        const std::uint32_t shade = parent == 0 ? 0 : place % 4;
        colours[node] = coloured(hue_of(branch[node]), k_saturation[shade], k_value[shade]);
    }
    return colours;
}

} // namespace fovea
