#include "fovea/scene/robot_spheres.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "fovea/base/quat.h"
#include "fovea/scene/xml_scan.h"

namespace fovea {

namespace {

/// Three numbers separated by blanks.
Result<Vec3d> three_numbers(const XmlTag& tag, const char* key, const char* otherwise) {
    const std::string text = tag.attribute(key, otherwise);
    Vec3d value;
    const char *at = text.data(), *end = at + text.size();
    for (int axis = 0; axis < 3; ++axis) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\n')) ++at;
        const auto [rest, error] = std::from_chars(at, end, value[axis]);
        if (error != std::errc() || !std::isfinite(value[axis])) {
            return failure(fmt::format("line {}: <{}>: {}=\"{}\" is not three numbers", tag.line,
                                       tag.name, key, text));
        }
        at = rest;
    }
    return value;
}

/// Fixed-axis roll, pitch, yaw, as URDF has them.
Quatd from_roll_pitch_yaw(const Vec3d& rpy) {
    return from_axis_angle(Vec3d(0, 0, 1), rpy.z) * from_axis_angle(Vec3d(0, 1, 0), rpy.y) *
           from_axis_angle(Vec3d(1, 0, 0), rpy.x);
}

/// One <collision> element, as indices of its tags.
struct Collision {
    std::size_t open, close;
    const XmlTag* mesh = nullptr;
    const XmlTag* origin = nullptr;
};

Collision collision_at(const std::vector<XmlTag>& tags, std::size_t open) {
    Collision found{open, tags.size()};
    for (std::size_t i = open + 1; i < tags.size(); ++i) {
        if (tags[i].name == "collision" && tags[i].closing) {
            found.close = i;
            break;
        }
        if (tags[i].closing) continue;
        if (tags[i].name == "mesh") found.mesh = &tags[i];
        if (tags[i].name == "origin") found.origin = &tags[i];
    }
    return found;
}

struct PlacedSphere {
    Vec3d centre;
    double radius;
};

/// The spheres of a collision mesh in the frame of its link; fills `about` with what is known of
/// them.
Result<std::vector<PlacedSphere>> spheres_of(const Collision& collision,
                                             const RobotMeshLoader& load,
                                             const SphereTreeSettings& settings, bool measured,
                                             RobotMesh& about) {
    const XmlTag& tag = *collision.mesh;
    const std::string file = tag.attribute("filename");
    const auto at_line = [&](const Error& error) {
        return failure(fmt::format("line {}: {}: {}", tag.line, file, error.message));
    };
    const auto size = three_numbers(tag, "scale", "1 1 1");
    if (!size) return tl::unexpected(size.error());
    Vec3d move, turn;
    if (collision.origin != nullptr) {
        const auto xyz = three_numbers(*collision.origin, "xyz", "0 0 0");
        if (!xyz) return tl::unexpected(xyz.error());
        const auto rpy = three_numbers(*collision.origin, "rpy", "0 0 0");
        if (!rpy) return tl::unexpected(rpy.error());
        move = *xyz;
        turn = *rpy;
    }
    auto mesh = load(file);
    if (!mesh) return at_line(mesh.error());
    double largest = 0; // coordinate
    for (Vec3& v : mesh->vertices) {
        v = Vec3(scale(Vec3d(v), *size));
        for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, std::abs(double(v[axis])));
    }
    const auto tree = SphereTree::build(*mesh, settings);
    if (!tree) return at_line(tree.error());

    about.file = file;
    about.line = int(tag.line);
    about.triangles = mesh->triangles.size();
    about.proof = tree->proof();
    if (measured) {
        auto quality = measure(*tree, *mesh, {.threads = settings.threads});
        if (!quality) return at_line(quality.error());
        about.quality = std::move(*quality);
    }

    // Whoever reads the URDF scales in double precision what was scaled in single here; turning
    // and moving add less.
    const double room = 1e-7 * largest + 1e-12 * length(move);
    std::vector<PlacedSphere> spheres;
    const Quatd rotation = from_roll_pitch_yaw(turn);
    const SphereTree::Range leaves = tree->level(tree->levels() - 1);
    for (std::uint32_t n = leaves.first; n < leaves.first + leaves.count; ++n) {
        spheres.push_back(
            {rotate(rotation, Vec3d(tree->centre(n))) + move, double(tree->radius(n)) + room});
    }
    about.spheres = spheres.size();
    return spheres;
}

} // namespace

Result<RobotSpheres> with_spheres(std::string_view urdf, const RobotMeshLoader& load,
                                  const SphereTreeSettings& settings, bool measured) {
    const auto tags = scan_tags(urdf);
    if (!tags) return tl::unexpected(tags.error());
    RobotSpheres out;
    std::string robot, link;
    std::size_t copied = 0;
    bool listed = false; // spheres of the present link are in the SRDF
    const auto end_link = [&] {
        if (listed) out.srdf += "  </link_sphere_approximation>\n";
        listed = false;
    };
    for (std::size_t i = 0; i < tags->size(); ++i) {
        const XmlTag& tag = (*tags)[i];
        if (tag.name == "robot" && !tag.closing) robot = tag.attribute("name");
        if (tag.name == "link") {
            end_link();
            link = tag.attribute("name");
        }
        if (tag.name != "collision" || tag.closing || tag.empty) continue;
        const Collision collision = collision_at(*tags, i);
        if (collision.close == tags->size()) {
            return failure(fmt::format("line {}: <collision> does not end", tag.line));
        }
        if (collision.mesh == nullptr) continue;
        RobotMesh about;
        about.link = link;
        const auto spheres = spheres_of(collision, load, settings, measured, about);
        if (!spheres) return tl::unexpected(spheres.error());

        out.urdf += urdf.substr(copied, tag.begin - copied);
        if (!listed) out.srdf += fmt::format("  <link_sphere_approximation link=\"{}\">\n", link);
        listed = true;
        for (const auto& [centre, radius] : *spheres) {
            const std::string at = fmt::format("{} {} {}", centre.x, centre.y, centre.z);
            out.urdf += fmt::format("<collision><origin xyz=\"{}\" rpy=\"0 0 0\"/><geometry>"
                                    "<sphere radius=\"{}\"/></geometry></collision>\n    ",
                                    at, radius);
            out.srdf += fmt::format("    <sphere center=\"{}\" radius=\"{}\"/>\n", at, radius);
        }
        copied = (*tags)[collision.close].end;
        out.spheres += spheres->size();
        out.meshes.push_back(std::move(about));
        i = collision.close;
    }
    if (robot.empty()) return failure("no <robot name=\"...\">: this is not a URDF");
    end_link();
    out.urdf += urdf.substr(copied);
    out.srdf =
        fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n{}</robot>\n", robot, out.srdf);
    return out;
}

} // namespace fovea
