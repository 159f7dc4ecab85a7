#include "fovea/scene/scene_writer.h"

#include <fmt/format.h>

namespace fovea {

std::string fixed_point(double number) {
    std::string text = fmt::format("{:.6f}", number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

SceneWriter& SceneWriter::begin(std::string_view declaration) {
    text_ += declaration;
    text_ += " {";
    return *this;
}

SceneWriter& SceneWriter::put(std::string_view parameter, double value) {
    text_ += fmt::format(" {} {}", parameter, fixed_point(value));
    return *this;
}

SceneWriter& SceneWriter::put(std::string_view parameter, const Vec3d& value) {
    text_ += fmt::format(" {} {},{},{}", parameter, fixed_point(value.x), fixed_point(value.y),
                         fixed_point(value.z));
    return *this;
}

SceneWriter& SceneWriter::put(std::string_view parameter, std::string_view word) {
    text_ += fmt::format(" {} {}", parameter, word);
    return *this;
}

SceneWriter& SceneWriter::end() {
    text_ += " }\n";
    return *this;
}

void SceneWriter::comment(std::string_view line) {
    text_ += fmt::format("# {}\n", line);
}

SceneWriter& SceneWriter::name(std::string_view word) {
    if (!source_language_) text_ += fmt::format(" name {}", word);
    return *this;
}

void SceneWriter::camera(const Vec3d& position, const Vec3d& target) {
    if (!source_language_) begin("camera").put("position", position).put("target", target).end();
}

void SceneWriter::gravity(const Vec3d& acceleration) {
    if (!source_language_) begin("gravity").put("accel", acceleration).end();
}

SceneWriter& SceneWriter::begin_wall(const Vec3d& unit_normal, const Vec3d& point) {
    return begin("wall").put("normal", unit_normal).put("toOrig", dot(unit_normal, point));
}

SceneWriter& SceneWriter::begin_sphere(double radius, double mass, const Vec3d& centre) {
    return begin("sphere").put("radius", radius).put("mass", mass).put("centre", centre);
}

SceneWriter& SceneWriter::begin_cylinder(double radius, double height, double mass,
                                         const Vec3d& centre, const Vec3d& axis) {
    begin("cylinder").put("radius", radius).put("height", height).put("mass", mass);
    return put("centre", centre).put("axis", axis);
}

} // namespace fovea
