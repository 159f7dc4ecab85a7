#include "fovea/scene/populate.h"

#include <fmt/format.h>

namespace fovea {

void PopulatedWorld::read_placements(std::vector<Transform>& placements) const {
    placements.clear();
    for (const BodyId body : bodies) placements.push_back(world.transform(body));
}

Result<PopulatedWorld> populate(const Scene& scene, WorldSettings settings) {
    settings.gravity = scene.gravity;
    PopulatedWorld result{World(settings), {}};
    World& world = result.world;
    result.bodies.reserve(scene.bodies.size());
    const auto blame = [](const char* what, std::size_t index, const Error& error) {
        return failure(fmt::format("{} {} of the scene: {}", what, index, error.message));
    };

    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const SceneBody& body = scene.bodies[i];
        const auto shape = world.add_shape(body.shape);
        if (!shape) return blame("body", i, shape.error());
        const auto id = world.add_body({.shape = *shape,
                                        .position = body.placement.position,
                                        .orientation = body.placement.orientation,
                                        .velocity = body.velocity,
                                        .angular_velocity = body.angular_velocity,
                                        .mass = body.mass,
                                        .material = {.friction = body.friction,
                                                     .elastic = body.elastic,
                                                     .elastic_rule = CombineRule::product}});
        if (!id) return blame("body", i, id.error());
        result.bodies.push_back(*id);
    }
    for (std::size_t i = 0; i < scene.springs.size(); ++i) {
        const SceneSpring& spring = scene.springs[i];
        const auto id =
            world.add_spring({result.bodies[spring.a], result.bodies[spring.b], spring.anchor_a,
                              spring.anchor_b, spring.stiffness, spring.damping, spring.length});
        if (!id) return blame("spring", i, id.error());
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        const SceneJoint& joint = scene.joints[i];
        const BodyId a = result.bodies[joint.a], b = result.bodies[joint.b];
        JointDefinition definition =
            world.joint_at(a, b, joint.at, joint.axis, joint.type, joint.second_axis);
        definition.frame_b.position = to_local(world.transform(b), joint.to_at);
        definition.break_force = joint.break_force;
        definition.break_torque = joint.break_torque;
        definition.collide_connected = joint.collide_connected;
        const auto id = world.add_joint(definition);
        if (!id) return blame("joint", i, id.error());
    }
    return result;
}

} // namespace fovea
