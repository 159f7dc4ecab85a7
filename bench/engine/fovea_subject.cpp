#include "engine_subject.h"

#include "fovea/geometry/mass.h"
#include "fovea/world/world.h"

namespace fovea::bench {

namespace {

class FoveaSubject : public EngineSubject {
  public:
    FoveaSubject(const EngineScene& scene, int threads, int sub_steps)
        : world_({.gravity = scene.gravity,
                  .soft_step = {.sub_steps = sub_steps},
                  .sleep = {.enabled = false},
                  .threads = threads}) {
        const Material material{.friction = scene.friction, .elastic = scene.elastic};
        for (const HalfSpace& wall : scene.walls)
            world_.add_body({.shape = world_.add_shape(wall).value(), .material = material})
                .value();
        std::vector<ShapeId> shapes;
        std::vector<float> masses;
        for (const Shape& shape : scene.shapes) {
            shapes.push_back(world_.add_shape(shape).value());
            masses.push_back(mass_properties(shape, scene.density).value().mass);
        }
        for (const SceneBody& body : scene.bodies)
            bodies_.push_back(world_
                                  .add_body({.shape = shapes[body.shape],
                                             .position = body.position,
                                             .orientation = body.orientation,
                                             .velocity = body.velocity,
                                             .mass = masses[body.shape],
                                             .material = material})
                                  .value());
    }
    std::string name() const override {
        const int threads = world_.settings().threads;
        return threads == 1 ? "fovea" : "fovea, " + std::to_string(threads) + " threads";
    }
    void step(float h) override { report_ = world_.step(h); }
    std::size_t contacts() const override { return report_.contacts; }
    const PhaseTimes* phases() const override { return &report_.ms; }
    Vec3 position(std::size_t body) const override {
        return world_.transform(bodies_[body]).position;
    }
    Vec3 velocity(std::size_t body) const override { return world_.velocity(bodies_[body]); }

  private:
    World world_;
    StepReport report_;
    std::vector<BodyId> bodies_;
};

} // namespace

std::unique_ptr<EngineSubject> make_fovea(const EngineScene& scene, int threads, int sub_steps) {
    return std::make_unique<FoveaSubject>(scene, threads, sub_steps);
}

} // namespace fovea::bench
