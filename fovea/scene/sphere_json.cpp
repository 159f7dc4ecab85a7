#include <cmath>

#include <nlohmann/json.hpp>

#include "fovea/scene/sphere_files.h"

namespace fovea {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* k_format = "fovea sphere tree";

Json vector_json(const Vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

Vec3 vector_from(const Json& json) {
    return {json.at(0).get<float>(), json.at(1).get<float>(), json.at(2).get<float>()};
}

Result<SphereTree> tree_from(const Json& json) {
    if (json.value("format", "") != k_format) {
        return failure(std::string("JSON has no \"format\": \"") + k_format + "\"");
    }
    if (const int version = json.value("version", 1); version != 1) {
        return failure("sphere tree JSON of version " + std::to_string(version) +
                       ", but only version 1 is known");
    }
    std::vector<SphereLevel> levels;
    std::vector<NodeContent> contents;
    for (const Json& in : json.at("levels")) {
        SphereLevel& level = levels.emplace_back();
        for (const Json& sphere : in) {
            level.centres.push_back(vector_from(sphere.at("centre")));
            level.radii.push_back(sphere.at("radius").get<float>());
            if (levels.size() > 1) level.parents.push_back(sphere.at("parent"));
            NodeContent content;
            content.occupancy = sphere.value("occupancy", 0.0f);
            content.distance = sphere.value("distance", 0.0f);
            content.group = sphere.value("group", NodeContent::k_no_group);
            if (sphere.contains("normal")) content.normal = vector_from(sphere["normal"]);
            if (!std::isfinite(content.occupancy) || !std::isfinite(content.distance) ||
                !is_finite(content.normal)) {
                return failure("sphere tree JSON: level " + std::to_string(levels.size() - 1) +
                               ", sphere " + std::to_string(level.radii.size() - 1) +
                               ": a number is out of range");
            }
            contents.push_back(content);
        }
    }
    auto tree = SphereTree::from_levels(levels);
    for (std::uint32_t node = 0; tree && node < tree->size(); ++node) {
        tree->set_content(node, contents[node]);
    }
    return tree;
}

} // namespace

std::string to_json(const SphereTree& tree) {
    Json levels = Json::array();
    for (int l = 0; l < tree.levels(); ++l) {
        Json spheres = Json::array();
        const SphereTree::Range range = tree.level(l);
        for (std::uint32_t node = range.first; node < range.first + range.count; ++node) {
            const NodeContent& content = tree.content(node);
            Json sphere = {{"centre", vector_json(tree.centre(node))},
                           {"radius", tree.radius(node)}};
            if (l > 0) sphere["parent"] = tree.parent(node) - tree.level(l - 1).first;
            sphere["occupancy"] = content.occupancy;
            sphere["distance"] = content.distance;
            sphere["normal"] = vector_json(content.normal);
            if (content.group != NodeContent::k_no_group) sphere["group"] = content.group;
            spheres.push_back(std::move(sphere));
        }
        levels.push_back(std::move(spheres));
    }
    return Json{{"format", k_format}, {"version", 1}, {"levels", levels}}.dump(1) + "\n";
}

Result<SphereTree> sphere_tree_from_json(std::string_view text) {
    try {
        return tree_from(Json::parse(text));
    } catch (const Json::exception& error) {
        return failure(std::string("sphere tree JSON: ") + error.what());
    }
}

std::string to_json(const SphereTreeQuality& quality) {
    Json levels = Json::array();
    for (const LevelQuality& q : quality.levels) {
        levels.push_back({{"spheres", q.spheres},
                          {"mean_error", q.mean_error},
                          {"p95_error", q.p95_error},
                          {"worst_error", q.worst_error},
                          {"volume_ratio", q.volume_ratio},
                          {"overlap", q.overlap},
                          {"coverage", q.coverage}});
    }
    return Json{{"levels", levels},
                {"build_seconds", quality.seconds},
                {"tree_bytes", quality.tree_bytes},
                {"build_bytes", quality.build_bytes}}
               .dump(1) +
           "\n";
}

} // namespace fovea
