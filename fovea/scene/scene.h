// A scene as data: what a scene file says, before any of it moves.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fovea/dynamics/joint.h"
#include "fovea/geometry/deforming_scenes.h"
#include "fovea/geometry/shape.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

struct SceneBody {
    std::string name; ///< for springs and joints to refer to; empty if the declaration gave none
    Shape shape;
    Transform placement;   ///< of the shape's frame
    Vec3 velocity;         ///< m/s
    Vec3 angular_velocity; ///< rad/s, world axes
    float mass = 0;        ///< kg; 0 means immovable
    float elastic = 1;     ///< how others rebound from this body: 0 not at all, 1 fully
    float friction = 0;    ///< Coulomb coefficient
    Vec3 colour{1, 1, 1};
    /// What to draw instead of the shape, in the shape's frame; absent: draw the shape.
    std::shared_ptr<const TriangleMesh> appearance;
};

struct SceneSpring {
    std::size_t a, b;        ///< into Scene::bodies
    Vec3 anchor_a, anchor_b; ///< in each body's shape frame
    float stiffness;         ///< N/m
    float damping = 0;       ///< N s/m, along the spring
    float length = 0;        ///< at rest, m
};

struct SceneJoint {
    std::size_t a, b;       ///< into Scene::bodies
    Vec3 at, to_at;         ///< anchors in the world, as the bodies are declared
    Vec3 axis, second_axis; ///< x and z axes of the joint's frames, in the world
    JointType type;
    float break_force = std::numeric_limits<float>::infinity();  ///< N
    float break_torque = std::numeric_limits<float>::infinity(); ///< N m
    bool collide_connected = false;
};

/// Vertices of a mesh in one frame after the other, with straight ways in between.
struct SurfaceFrames {
    enum class End { stay, repeat, reverse }; ///< what comes after the last frame

    std::shared_ptr<const std::vector<std::vector<Vec3>>> vertices; ///< at least one frame
    float rate = 30;                                                ///< frames a second
    End end = End::stay;
};

/// Weights of a mesh that morphs, one row after the other, with straight ways in between.
struct MorphWeights {
    std::vector<std::vector<float>> rows; ///< at least one; of each a weight per reference shape
    float rate = 30;                      ///< rows a second
    SurfaceFrames::End end = SurfaceFrames::End::stay;
};

/// How a body whose shape is a DeformingMesh moves by itself.
struct SceneMotion {
    std::size_t body; ///< into Scene::bodies
    std::variant<StandingWave, SurfaceFrames, MorphWeights> how;

    bool morphs() const { return std::holds_alternative<MorphWeights>(how); }
    /// The vertices at that time, s; `first` are those of the shape. Not of what morphs.
    void vertices_at(double time, std::span<const Vec3> first, std::vector<Vec3>& vertices) const;
    /// Of what morphs.
    void weights_at(double time, std::vector<float>& weights) const;
};

struct SceneCamera {
    Vec3 position{0, 10, 30};
    Vec3 target{0, 0, 0};
    float field_of_view = 0.8f; ///< vertical, radians
};

struct SceneLight {
    Vec3 position{20, 40, 20};
    Vec3 colour{1, 1, 1};
};

struct Scene {
    std::vector<SceneBody> bodies;
    std::vector<SceneSpring> springs;
    std::vector<SceneJoint> joints;
    std::vector<SceneMotion> motions;
    Vec3 gravity{0, -9.8f, 0};         ///< m/s^2
    std::optional<SceneCamera> camera; ///< absent: the renderer frames the scene itself
    std::vector<SceneLight> lights;    ///< none: the renderer puts up one of its own
};

} // namespace fovea
