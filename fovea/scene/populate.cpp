#include "fovea/scene/populate.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

namespace fovea {

void PopulatedWorld::read_placements(std::vector<Transform>& placements) const {
    placements.clear();
    for (const BodyId body : bodies) placements.push_back(world.transform(body));
}

StepReport PopulatedWorld::step(float h, const Budget& budget) {
    std::vector<Vec3> vertices;
    std::vector<float> weights;
    std::vector<std::string> refused;
    for (const auto& [motion, first] : deforming) {
        Result<void> set;
        if (motion.morphs()) {
            motion.weights_at(world.time(), weights);
            set = world.set_weights(bodies[motion.body], weights);
        } else {
            motion.vertices_at(world.time(), first->vertices, vertices);
            set = world.set_vertices(bodies[motion.body], vertices);
        }
        if (!set)
            refused.push_back(fmt::format("body {} of the scene cannot deform: {}", motion.body,
                                          set.error().message));
    }
    StepReport report = world.step(h, budget);
    report.warnings.insert(report.warnings.end(), refused.begin(), refused.end());
    return report;
}

namespace {

/// Shapes with bulky data are given to the world once, however many bodies share them.
class SharedShapes {
  public:
    explicit SharedShapes(World& world)
        : world_(world) {}

    Result<ShapeId> id_of(const Shape& shape) {
        const void* data = std::visit(
            [](const auto& s) -> const void* {
                if constexpr (requires { s.data; })
                    return s.data.get();
                else
                    return nullptr;
            },
            shape);
        // A mesh that deforms belongs to its body.
        if (!data || std::holds_alternative<DeformingMesh>(shape)) return world_.add_shape(shape);
        const auto* solid = std::get_if<SolidMesh>(&shape);
        const SphereRecipe recipe = solid ? solid->spheres : SphereRecipe{};
        const Key key{shape.index(), data, int(recipe.method), recipe.levels, recipe.branching};
        const auto found = known_.find(key);
        if (found != known_.end()) return found->second;
        auto id = world_.add_shape(shape);
        if (id) known_.emplace(key, *id);
        return id;
    }

  private:
    using Key = std::tuple<std::size_t, const void*, int, int, int>;

    World& world_;
    std::map<Key, ShapeId> known_; ///< only looked up: the order of addresses has no influence
};

} // namespace

Result<PopulatedWorld> populate(const Scene& scene, WorldSettings settings) {
    settings.gravity = scene.gravity;
    if (const auto valid = check_settings(settings); !valid) return tl::unexpected(valid.error());
    PopulatedWorld result{World(settings), {}};
    World& world = result.world;
    result.bodies.reserve(scene.bodies.size());
    const auto blame = [](const char* what, std::size_t index, const Error& error) {
        return failure(fmt::format("{} {} of the scene: {}", what, index, error.message));
    };

    SharedShapes shapes(world);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const SceneBody& body = scene.bodies[i];
        const auto shape = shapes.id_of(body.shape);
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
    for (const SceneMotion& motion : scene.motions) {
        const auto* mesh = std::get_if<DeformingMesh>(&scene.bodies[motion.body].shape);
        if (mesh) result.deforming.push_back({motion, mesh->data});
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
