#include "fovea/scene/scene_builder.h"

#include <fmt/format.h>

namespace fovea {

void SceneBuilder::fault(SourcePlace place, std::string message) {
    if (report_.faults.size() < max_faults_)
        report_.faults.push_back({place, std::move(message)});
    else
        ++report_.faults_left_out;
}

std::optional<std::size_t> SceneBuilder::body_named(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
}

void SceneBuilder::add_body(SceneBody body) {
    if (scene_.bodies.size() >= max_bodies_)
        return fault(fmt::format("the scene is full: it has {} bodies already", max_bodies_));
    // Hulls and meshes come checked, and are shared by too many bodies to check them each time.
    const ShapeType type = type_of(body.shape);
    const bool given = type == ShapeType::hull || has_triangles(type);
    if (!given || type == ShapeType::deforming_mesh)
        if (auto sound = check_shape(body.shape); !sound) return fault(sound.error().message);
    if (!body.name.empty()) names_.emplace(body.name, scene_.bodies.size());
    scene_.bodies.push_back(std::move(body));
}

void SceneBuilder::begin(std::string_view declaration, SourcePlace place) {
    report_ = {std::string(declaration), place, {}, 0};
}

} // namespace fovea
