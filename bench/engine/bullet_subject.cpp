// Bullet with its usual parts: a dynamic tree, sequential impulses, ten iterations.
#include "engine_subject.h"

#include <cmath>

#include <btBulletDynamicsCommon.h>

#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/mass.h"

namespace fovea::bench {

namespace {

btVector3 to_bullet(const Vec3& v) {
    return {v.x, v.y, v.z};
}

Vec3 from_bullet(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

class BulletSubject : public EngineSubject {
  public:
    explicit BulletSubject(const EngineScene& scene)
        : dispatcher_(&configuration_)
        , world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
        world_.setGravity(to_bullet(scene.gravity));
        for (const HalfSpace& wall : scene.walls) {
            keep(std::make_unique<btStaticPlaneShape>(to_bullet(wall.normal), wall.offset));
            add(scene, 0, shapes_.back().get(), btTransform::getIdentity(), {});
        }
        std::vector<btCollisionShape*> shapes;
        std::vector<MassProperties> masses;
        for (const Shape& shape : scene.shapes) {
            masses.push_back(mass_properties(shape, scene.density).value());
            shapes.push_back(convert(shape, masses.back().centre));
        }
        for (const SceneBody& body : scene.bodies) {
            const MassProperties& mass = masses[body.shape];
            const Transform placement(body.position, normalized(body.orientation));
            const Vec3 centre = placement * mass.centre;
            const Quat q = placement.orientation;
            const btTransform at(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(centre));
            btRigidBody* made = add(scene, mass.mass, shapes[body.shape], at,
                                    {mass.inertia.x.x, mass.inertia.y.y, mass.inertia.z.z});
            made->setLinearVelocity(to_bullet(body.velocity));
            made->setActivationState(DISABLE_DEACTIVATION);
            movers_.push_back(made);
        }
    }
    ~BulletSubject() override {
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    std::string name() const override { return "bullet"; }
    void step(float h) override { world_.stepSimulation(h, 0); }
    Vec3 position(std::size_t body) const override {
        return from_bullet(movers_[body]->getCenterOfMassPosition());
    }
    std::size_t contacts() const override {
        std::size_t sum = 0;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
            sum += std::size_t(const_cast<btCollisionDispatcher&>(dispatcher_)
                                   .getManifoldByIndexInternal(i)
                                   ->getNumContacts());
        return sum;
    }
    Vec3 velocity(std::size_t body) const override {
        return from_bullet(movers_[body]->getLinearVelocity());
    }

  private:
    btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
        shapes_.push_back(std::move(shape));
        return shapes_.back().get();
    }
    /// The shape about its centre of mass.
    btCollisionShape* convert(const Shape& shape, const Vec3& centre) {
        if (const auto* sphere = std::get_if<Sphere>(&shape))
            return keep(std::make_unique<btSphereShape>(sphere->radius));
        if (const auto* box = std::get_if<Box>(&shape))
            return keep(std::make_unique<btBoxShape>(to_bullet(box->half_extents)));
        if (const auto* hull = std::get_if<Hull>(&shape)) {
            auto made = std::make_unique<btConvexHullShape>();
            for (const Vec3& vertex : hull->data->vertices)
                made->addPoint(to_bullet(vertex - centre), false);
            made->recalcLocalAabb();
            return keep(std::move(made));
        }
        auto made = std::make_unique<btCompoundShape>();
        for (const auto& part : std::get<CompoundShape>(shape).data->parts)
            made->addChildShape(btTransform(btQuaternion::getIdentity(),
                                            to_bullet(part.placement.position - centre)),
                                convert(part.shape, {}));
        return keep(std::move(made));
    }
    btRigidBody* add(const EngineScene& scene, float mass, btCollisionShape* shape,
                     const btTransform& at, const Vec3& inertia) {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, to_bullet(inertia));
        info.m_startWorldTransform = at;
        // Bullet multiplies the coefficients of two bodies.
        info.m_friction = std::sqrt(scene.friction);
        info.m_restitution = std::sqrt(scene.elastic);
        info.m_linearDamping = info.m_angularDamping = 0;
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        world_.addRigidBody(bodies_.back().get());
        return bodies_.back().get();
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broad_phase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<btRigidBody*> movers_;
};

} // namespace

bool has_bullet() {
    return true;
}

std::unique_ptr<EngineSubject> make_bullet(const EngineScene& scene) {
    return std::make_unique<BulletSubject>(scene);
}

} // namespace fovea::bench
