// The same rays and sweeps through the same pile in Bullet, with its dynamic tree.
#include <benchmark/benchmark.h>

#include <memory>

#include <btBulletCollisionCommon.h>

#include "bench/world/pile.h"

using namespace fovea;
using namespace fovea::bench;

namespace {

constexpr std::size_t k_requests = 4096;

btVector3 to_bullet(const Vec3& v) {
    return {v.x, v.y, v.z};
}

btTransform to_bullet(const Transform& t) {
    const Quat& q = t.orientation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(t.position));
}

std::unique_ptr<btCollisionShape> to_bullet(const Shape& shape) {
    if (const auto* s = std::get_if<Sphere>(&shape))
        return std::make_unique<btSphereShape>(s->radius);
    if (const auto* b = std::get_if<Box>(&shape))
        return std::make_unique<btBoxShape>(to_bullet(b->half_extents));
    if (const auto* c = std::get_if<Cylinder>(&shape))
        return std::make_unique<btCylinderShape>(btVector3(c->radius, c->half_height, c->radius));
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& v : std::get<Hull>(shape).data->vertices) hull->addPoint(to_bullet(v));
    hull->setMargin(0);
    return hull;
}

class BulletPile {
  public:
    BulletPile()
        : dispatcher_(&configuration_)
        , world_(&dispatcher_, &broad_phase_, &configuration_) {
        const Pile pile;
        for (const Shape& shape : pile.shapes) shapes_.push_back(to_bullet(shape));
        shapes_.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), -1));
        for (const PiledBody& body : pile.bodies) add(*shapes_[body.shape], to_bullet(body.at));
        add(*shapes_.back(), btTransform::getIdentity());
        // Bullet improves its tree a little in every step: as after a hundred.
        for (int i = 0; i < 100; ++i) {
            world_.updateAabbs();
            world_.computeOverlappingPairs();
        }
    }
    ~BulletPile() {
        for (const auto& object : objects_) world_.removeCollisionObject(object.get());
    }

    const btCollisionWorld& world() const { return world_; }

  private:
    void add(btCollisionShape& shape, const btTransform& at) {
        objects_.push_back(std::make_unique<btCollisionObject>());
        objects_.back()->setCollisionShape(&shape);
        objects_.back()->setWorldTransform(at);
        world_.addCollisionObject(objects_.back().get());
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broad_phase_;
    btCollisionWorld world_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

const btCollisionWorld& bullet_world() {
    static const BulletPile pile;
    return pile.world();
}

btVector3 end_of(const BenchRay& ray) {
    return to_bullet(ray.origin + normalized(ray.direction) * ray.length);
}

void report(benchmark::State& state, std::size_t hits) {
    state.counters["hits"] = double(hits) / double(k_requests);
    state.SetItemsProcessed(std::int64_t(state.iterations() * k_requests));
}

void bullet_rays(benchmark::State& state) {
    const btCollisionWorld& world = bullet_world();
    const auto rays = make_rays(k_requests);
    std::size_t hits = 0;
    for (auto _ : state) {
        hits = 0;
        for (const BenchRay& ray : rays) {
            const btVector3 from = to_bullet(ray.origin), to = end_of(ray);
            btCollisionWorld::ClosestRayResultCallback found(from, to);
            world.rayTest(from, to, found);
            hits += found.hasHit();
        }
    }
    report(state, hits);
}

void bullet_sweeps(benchmark::State& state, const btConvexShape& mover) {
    const btCollisionWorld& world = bullet_world();
    const auto rays = make_rays(k_requests);
    std::size_t hits = 0;
    for (auto _ : state) {
        hits = 0;
        for (const BenchRay& ray : rays) {
            const btTransform from(btQuaternion::getIdentity(), to_bullet(ray.origin));
            const btTransform to(btQuaternion::getIdentity(), end_of(ray));
            btCollisionWorld::ClosestConvexResultCallback found(from.getOrigin(), to.getOrigin());
            world.convexSweepTest(&mover, from, to, found);
            hits += found.hasHit();
        }
    }
    report(state, hits);
}

void bullet_spheres(benchmark::State& state) {
    bullet_sweeps(state, btSphereShape(0.1f));
}

void bullet_boxes(benchmark::State& state) {
    bullet_sweeps(state, btBoxShape(btVector3(0.4f, 0.3f, 0.35f)));
}

BENCHMARK(bullet_rays);
BENCHMARK(bullet_spheres);
BENCHMARK(bullet_boxes);

} // namespace
