#include <algorithm>
#include <cmath>

#include "fovea/scene/scene.h"

namespace fovea {

namespace {

/// Between which frames, and how far from the first of them to the second.
struct Moment {
    std::size_t before, after;
    float share;
};

using End = SurfaceFrames::End;

Moment moment_at(std::size_t count, float rate, End end, double time) {
    if (count == 1) return {0, 0, 0};
    // From the last frame back to the first is a way like any other.
    const auto way = double(end == End::repeat ? count : count - 1);
    double at = std::max(time, 0.0) * double(rate);
    if (end == End::stay) at = std::min(at, way);
    if (end == End::repeat) at -= way * std::floor(at / way);
    if (end == End::reverse) {
        at -= 2 * way * std::floor(at / (2 * way));
        if (at > way) at = 2 * way - at;
    }
    const auto before = std::min(std::size_t(at), std::size_t(way) - 1);
    return {before, (before + 1) % count, float(at - double(before))};
}

} // namespace

void SceneMotion::vertices_at(double time, std::span<const Vec3> first,
                              std::vector<Vec3>& vertices) const {
    if (const auto* wave = std::get_if<StandingWave>(&how))
        return wave->vertices(first, time, vertices);
    const auto& frames = std::get<SurfaceFrames>(how);
    const auto [before, after, share] =
        moment_at(frames.vertices->size(), frames.rate, frames.end, time);
    const std::vector<Vec3>&from = (*frames.vertices)[before], &to = (*frames.vertices)[after];
    vertices.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        vertices[i] = from[i] * (1 - share) + to[i] * share;
}

void SceneMotion::weights_at(double time, std::vector<float>& weights) const {
    const auto& morph = std::get<MorphWeights>(how);
    const auto [before, after, share] = moment_at(morph.rows.size(), morph.rate, morph.end, time);
    const std::vector<float>&from = morph.rows[before], &to = morph.rows[after];
    weights.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        weights[i] = from[i] * (1 - share) + to[i] * share;
}

} // namespace fovea
