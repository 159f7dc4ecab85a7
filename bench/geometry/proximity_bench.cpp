// Cost of one exact pair test, by pair of shapes and situation: apart (by about half a size),
// shallow (overlapping by about a hundredth), deep (centres a fifth of a size from each other).
#include <benchmark/benchmark.h>

#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/proximity.h"

namespace {

using namespace fovea;

enum class Situation { apart, shallow, deep };
constexpr const char* k_situations[] = {"apart", "shallow", "deep"};

struct Pair {
    Transform at_a, at_b;
};

Quat random_rotation(Random& random) {
    const Vec3d axis = random.direction();
    return Quat(from_axis_angle(axis, random.uniform(0, 6.28)));
}

Shape make_shape(ShapeType type) {
    switch (type) {
    case ShapeType::sphere:
        return Sphere{1};
    case ShapeType::half_space:
        return HalfSpace{{0, 1, 0}, 0};
    case ShapeType::box:
        return Box{{1, 0.7f, 0.5f}};
    case ShapeType::cylinder:
        return Cylinder{0.6f, 0.8f};
    case ShapeType::capsule:
        return Capsule{0.4f, 0.6f};
    case ShapeType::cone:
        return Cone{0.7f, 0.8f};
    default: {
        auto hull = std::make_shared<ConvexHull>();
        Random random(3);
        for (int i = 0; i < 32; ++i) hull->vertices.emplace_back(random.direction());
        return Hull{hull};
    }
    }
}

/// A thousand placements, so that branches cannot be learnt by heart.
std::vector<Pair> make_pairs(const Shape& a, const Shape& b, Situation situation) {
    Random random(11);
    std::vector<Pair> pairs;
    for (int i = 0; i < 1000; ++i) {
        Pair p{{{}, random_rotation(random)},
               {Vec3(random.direction() * (situation == Situation::deep ? 0.2 : 3.0)),
                random_rotation(random)}};
        if (type_of(b) == ShapeType::half_space) p.at_b = {};
        if (situation != Situation::deep) {
            const Proximity found = proximity(a, p.at_a, b, p.at_b);
            const float wanted = situation == Situation::apart ? 0.5f : -0.01f;
            p.at_a.position -= found.normal * (wanted - found.separation);
        }
        pairs.push_back(p);
    }
    return pairs;
}

void measure(benchmark::State& state, ShapeType type_a, ShapeType type_b, Situation situation) {
    const Shape a = make_shape(type_a), b = make_shape(type_b);
    const std::vector<Pair> pairs = make_pairs(a, b, situation);
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(proximity(a, pairs[i].at_a, b, pairs[i].at_b));
        if (++i == pairs.size()) i = 0;
    }
}

constexpr const char* k_names[] = {"sphere",  "half-space", "box", "cylinder",
                                   "capsule", "cone",       "hull"};

} // namespace

int main(int argc, char** argv) {
    for (int a = 0; a < 7; ++a)
        for (int b = a; b < 7; ++b) {
            // A half-space always comes second.
            int first = a, second = b;
            if (ShapeType(first) == ShapeType::half_space) std::swap(first, second);
            if (ShapeType(first) == ShapeType::half_space) continue;
            for (Situation s : {Situation::apart, Situation::shallow, Situation::deep}) {
                const std::string name = std::string(k_names[first]) + "/" + k_names[second] + "/" +
                                         k_situations[int(s)];
                benchmark::RegisterBenchmark(name.c_str(), measure, ShapeType(first),
                                             ShapeType(second), s);
            }
        }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
