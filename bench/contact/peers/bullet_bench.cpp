// The same pairs in Bullet: its box detector, and GJK with EPA for hulls. Bullet adds one point per
// call to a manifold of its own for hulls, so that it does less than is measured for Fovea.
#include <benchmark/benchmark.h>

#include <memory>

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include "bench/contact/coherent_pairs.h"

using namespace fovea;
using namespace fovea::bench;

namespace {

constexpr double k_speed = 1e-3;

btTransform to_bullet(const Transform& t) {
    return btTransform(
        btQuaternion(t.orientation.x, t.orientation.y, t.orientation.z, t.orientation.w),
        btVector3(t.position.x, t.position.y, t.position.z));
}

struct Points : btDiscreteCollisionDetectorInterface::Result {
    int count = 0;

    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3&, const btVector3&, btScalar) override { ++count; }
};

std::int64_t count_points(btDiscreteCollisionDetectorInterface& detector, const DriftingPair& p) {
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = to_bullet(p.at_a);
    input.m_transformB = to_bullet(p.at_b);
    Points found;
    detector.getClosestPoints(input, found, nullptr);
    return found.count;
}

void bullet_boxes(benchmark::State& state, std::vector<DriftingPair> pairs) {
    btBoxShape shape(btVector3(0.5f, 0.5f, 0.5f));
    btBoxBoxDetector detector(&shape, &shape);
    std::size_t i = 0;
    std::int64_t points = 0;
    for (auto _ : state) {
        DriftingPair& p = pairs[i++ % k_pairs];
        p.step();
        points += count_points(detector, p);
    }
    state.counters["points"] = double(points) / double(state.iterations());
}

void bullet_touching_cubes(benchmark::State& state) {
    const auto cube = [](Random&) { return Shape(Box{{0.5f, 0.5f, 0.5f}}); };
    bullet_boxes(state, drifting_pairs(cube, cube, -0.02f, 0, k_speed));
}

void bullet_stack_of_boxes(benchmark::State& state) {
    bullet_boxes(state, stacked_boxes(k_speed));
}

void bullet_touching_hulls(benchmark::State& state) {
    const auto rock = [](Random& random) { return Shape(ball_hull<16>(random)); };
    auto pairs = drifting_pairs(rock, rock, -0.02f, 0, k_speed);
    const auto convert = [](const Shape& shape) {
        auto made = std::make_unique<btConvexHullShape>();
        for (const Vec3& v : std::get<Hull>(shape).data->vertices)
            made->addPoint(btVector3(v.x, v.y, v.z), false);
        made->recalcLocalAabb();
        return made;
    };
    std::vector<std::unique_ptr<btConvexHullShape>> a, b;
    for (const DriftingPair& p : pairs) {
        a.push_back(convert(p.a));
        b.push_back(convert(p.b));
    }
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    std::size_t i = 0;
    std::int64_t points = 0;
    for (auto _ : state) {
        const std::size_t k = i++ % k_pairs;
        DriftingPair& p = pairs[k];
        p.step();
        btGjkPairDetector detector(a[k].get(), b[k].get(), &simplex, &depth);
        points += count_points(detector, p);
    }
    state.counters["points"] = double(points) / double(state.iterations());
}

} // namespace

BENCHMARK(bullet_touching_cubes);
BENCHMARK(bullet_stack_of_boxes);
BENCHMARK(bullet_touching_hulls);
