// Scenes with joints: a hanging chain, and ragdolls that fall on the floor.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "fovea/scene/generators.h"

namespace fovea {

namespace {

/// A bone of a ragdoll: a capsule between two points, in metres; x to the left, z forward.
struct Bone {
    std::string_view name;
    Vec3d from, to;
    double radius, mass;
};
constexpr Bone k_bones[] = {
    {"pelvis", {-0.08, 0.95, 0}, {0.08, 0.95, 0}, 0.11, 12},
    {"chest", {0, 1.2, 0}, {0, 1.38, 0}, 0.13, 25},
    {"head", {0, 1.66, 0}, {0, 1.7, 0}, 0.09, 5},
    {"leftArm", {0.22, 1.42, 0}, {0.44, 1.42, 0}, 0.045, 2.5},
    {"leftHand", {0.54, 1.42, 0}, {0.76, 1.42, 0}, 0.035, 1.8},
    {"rightArm", {-0.22, 1.42, 0}, {-0.44, 1.42, 0}, 0.045, 2.5},
    {"rightHand", {-0.54, 1.42, 0}, {-0.76, 1.42, 0}, 0.035, 1.8},
    {"leftThigh", {0.1, 0.8, 0}, {0.1, 0.54, 0}, 0.065, 8},
    {"leftShin", {0.1, 0.4, 0}, {0.1, 0.1, 0}, 0.05, 4.5},
    {"rightThigh", {-0.1, 0.8, 0}, {-0.1, 0.54, 0}, 0.065, 8},
    {"rightShin", {-0.1, 0.4, 0}, {-0.1, 0.1, 0}, 0.05, 4.5},
};

struct BoneJoint {
    std::string_view from, to;
    Vec3d at, axis; ///< along the limb for cone-twist, of the hinge for elbows and knees
    bool hinge;
    double lower, upper, cone; ///< degrees
};
constexpr BoneJoint k_bone_joints[] = {
    {"pelvis", "chest", {0, 1.06, 0}, {0, 1, 0}, false, -20, 20, 30},
    {"chest", "head", {0, 1.54, 0}, {0, 1, 0}, false, -40, 40, 35},
    {"chest", "leftArm", {0.17, 1.42, 0}, {1, 0, 0}, false, -45, 45, 85},
    {"leftArm", "leftHand", {0.49, 1.42, 0}, {0, -1, 0}, true, 0, 140, 0},
    {"chest", "rightArm", {-0.17, 1.42, 0}, {-1, 0, 0}, false, -45, 45, 85},
    {"rightArm", "rightHand", {-0.49, 1.42, 0}, {0, 1, 0}, true, 0, 140, 0},
    {"pelvis", "leftThigh", {0.1, 0.86, 0}, {0, -1, 0}, false, -25, 25, 55},
    {"leftThigh", "leftShin", {0.1, 0.47, 0}, {1, 0, 0}, true, 0, 140, 0},
    {"pelvis", "rightThigh", {-0.1, 0.86, 0}, {0, -1, 0}, false, -25, 25, 55},
    {"rightThigh", "rightShin", {-0.1, 0.47, 0}, {1, 0, 0}, true, 0, 140, 0},
};

void write_ragdoll(Generation& generation, int number, const Vec3d& at) {
    constexpr double k_friction_torque = 0.5; ///< N m: joints of flesh do not swing for long
    Random& random = generation.random;
    SceneWriter& writer = generation.writer;
    // Faces anywhere; square roots alone, as sines differ from one C library to another.
    Vec3d facing;
    do facing = {random.uniform(-1, 1), 0, random.uniform(-1, 1)};
    while (length_squared(facing) > 1 || length_squared(facing) < 0.01);
    facing = normalized(facing);
    const Vec3d left(facing.z, 0, -facing.x);
    const auto turned = [&](const Vec3d& v) {
        return left * v.x + Vec3d(0, v.y, 0) + facing * v.z;
    };
    const Vec3d colour(random.uniform(0.2, 0.9), random.uniform(0.2, 0.9),
                       random.uniform(0.2, 0.9));
    const Vec3d velocity(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const auto named = [&](std::string_view bone) { return fmt::format("{}{}", bone, number); };
    for (const Bone& bone : k_bones)
        writer.begin("capsule")
            .put("radius", bone.radius)
            .put("height", length(bone.to - bone.from))
            .put("centre", at + turned((bone.from + bone.to) * 0.5))
            .put("axis", turned(bone.to - bone.from))
            .put("mass", bone.mass)
            .put("vel", velocity)
            .put("elastic", 0.0)
            .put("friction", 0.8)
            .put("colour", colour)
            .name(named(bone.name))
            .end();
    for (const BoneJoint& joint : k_bone_joints) {
        writer.begin("joint")
            .put("type", joint.hinge ? "hinge" : "conetwist")
            .put("from", named(joint.from))
            .put("to", named(joint.to))
            .put("at", at + turned(joint.at))
            .put("axis", turned(joint.axis))
            .put("lower", joint.lower)
            .put("upper", joint.upper);
        if (joint.hinge)
            writer.put("strength", k_friction_torque);
        else
            writer.put("cone", joint.cone).put("friction", k_friction_torque);
        writer.end();
    }
}

} // namespace

Result<void> generate_chain(Generation& generation) {
    constexpr double k_pitch = 0.3, k_radius = 0.05, k_mass = 1;
    if (auto fine = check_language(generation, "chain", "joints"); !fine) return fine;
    SceneWriter& writer = generation.writer;
    Random& random = generation.random;
    const double span = k_pitch * generation.count;
    writer.camera({0, -0.5 * span, 1.5 * span + 3}, {0, -0.5 * span, 0});
    writer.begin("box")
        .put("size", Vec3d(0.4, 0.2, 0.4))
        .put("centre", Vec3d(0, 0.1, 0))
        .name("hook")
        .end();
    std::string above = "hook";
    for (int i = 0; i < generation.count; ++i) {
        const std::string link = fmt::format("link{}", i + 1);
        const double push = random.gaussian(0, 0.3), aside = random.gaussian(0, 0.3);
        const Vec3d top(k_pitch * i, 0, 0);
        writer.begin("capsule")
            .put("radius", k_radius)
            .put("height", k_pitch - 4 * k_radius)
            .put("centre", top + Vec3d(0.5 * k_pitch, 0, 0))
            .put("axis", Vec3d(1, 0, 0))
            .put("mass", k_mass)
            .put("vel", Vec3d(0, push, aside))
            .put("elastic", 0.0)
            .put("colour", i % 2 == 0 ? Vec3d(0.8, 0.7, 0.3) : Vec3d(0.5, 0.5, 0.55))
            .name(link)
            .end();
        writer.begin("joint")
            .put("type", "ball")
            .put("from", above)
            .put("to", link)
            .put("at", top)
            .end();
        above = link;
    }
    return {};
}

Result<void> generate_ragdolls(Generation& generation) {
    constexpr double k_room = 1.9, k_floor = 2.1; ///< m for each, across and up
    constexpr double k_shape = 1.5;               ///< height of the crowd over its width, about
    if (auto fine = check_language(generation, "ragdolls", "joints"); !fine) return fine;
    const int row =
        std::max(1, int(std::ceil(cube_root(generation.count * k_floor / (k_room * k_shape)))));
    const double half = k_room * row / 2;
    SceneWriter& writer = generation.writer;
    writer.camera({0.8 * half, 4 + 2.2 * half, 6 + 3.2 * half}, {0, 1 + 0.6 * half, 0});
    const auto wall = [&](const Vec3d& normal, const Vec3d& point) {
        writer.begin_wall(normal, point)
            .put("elastic", 0.0)
            .put("friction", 0.8)
            .put("colour", Vec3d(0.35, 0.4, 0.35))
            .end();
    };
    wall({0, 1, 0}, {0, 0, 0});
    for (const double sign : {1.0, -1.0}) {
        wall({sign, 0, 0}, {-sign * half, 0, 0});
        wall({0, 0, sign}, {0, 0, -sign * half});
    }
    for (int i = 0; i < generation.count; ++i) {
        const int across = i % row, along = i / row % row, up = i / (row * row);
        write_ragdoll(
            generation, i + 1,
            {k_room * (across + 0.5) - half, 0.3 + k_floor * up, k_room * (along + 0.5) - half});
    }
    return {};
}

Result<void> generate_ragdoll(Generation& generation) {
    constexpr double k_room = 2.5; ///< m for each
    if (auto fine = check_language(generation, "ragdoll", "joints"); !fine) return fine;
    const int row = int(std::ceil(std::sqrt(double(generation.count))));
    const double middle = k_room * (row - 1) / 2;
    SceneWriter& writer = generation.writer;
    writer.camera({0, 3 + middle, 6 + 2.5 * middle}, {0, 1, 0});
    writer.begin_wall({0, 1, 0}, {0, 0, 0})
        .put("elastic", 0.0)
        .put("friction", 0.8)
        .put("colour", Vec3d(0.35, 0.4, 0.35))
        .end();
    for (int i = 0; i < generation.count; ++i)
        write_ragdoll(generation, i + 1,
                      {k_room * (i % row) - middle, 1.0, k_room * (i / row) - middle});
    return {};
}

} // namespace fovea
