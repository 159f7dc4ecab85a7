// Blended bounds contain the blended vertices, by the million.
#include <doctest/doctest.h>

#include <cstring>

#include "fovea/volume/skip_tree.h"
#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

namespace {

/// Points of the simplex: mostly inside, some on its faces and corners.
std::vector<float> random_weights(Random& random, std::size_t count) {
    std::vector<float> weights(count);
    float sum = 0;
    for (float& w : weights) {
        w = random.below(4) == 0 ? 0 : float(random.uniform());
        sum += w;
    }
    if (sum == 0) return random_weights(random, count);
    for (float& w : weights) w /= sum;
    return weights;
}

/// Random shapes of one soup, at scales and offsets that make rounding matter.
std::vector<TriangleMesh> random_references(Random& random, int count) {
    std::vector<TriangleMesh> shapes;
    const double offset = random.below(2) ? 0 : random.uniform(-1000, 1000);
    for (int i = 0; i < count; ++i) {
        TriangleMesh shape = triangle_soup(60, random.bits(), 0.3);
        for (Vec3& v : shape.vertices)
            v = v * float(random.uniform(0.1, 3)) +
                Vec3(float(offset), float(-offset), float(offset));
        shapes.push_back(shape);
    }
    return shapes;
}

/// The definition: the weighted sum over references with weight, in order.
Vec3 blend(const std::vector<TriangleMesh>& shapes, const std::vector<float>& weights,
           std::size_t vertex) {
    Vec3 sum;
    for (std::size_t r = 0; r < shapes.size(); ++r)
        if (weights[r] != 0) sum += shapes[r].vertices[vertex] * weights[r];
    return sum;
}

template <class Bound>
std::uint64_t count_outside(const std::shared_ptr<const MeshHierarchy>& h,
                            const std::vector<TriangleMesh>& shapes, Random& random,
                            std::uint64_t& checks) {
    MorphSkipTree<Bound> tree(h, shapes);
    std::uint64_t outside = 0;
    for (int round = 0; round < 20; ++round) {
        const auto weights = random_weights(random, shapes.size());
        tree.set_weights(weights);
        RefitCounters counters;
        for (std::uint32_t node = 0; node < h->nodes.size(); ++node) {
            const Bound& bound = tree.bound(node, counters);
            for (std::uint32_t i = 0; i < h->nodes[node].leaves; ++i) {
                const std::uint32_t face = h->triangle_order[h->nodes[node].first_leaf + i];
                for (const std::uint32_t v : shapes[0].triangles[face])
                    outside += !contains(bound, blend(shapes, weights, v)), ++checks;
            }
        }
    }
    return outside;
}

} // namespace

TEST_CASE("blended boxes, k-DOPs and spheres contain every blended vertex: ten million checks") {
    Random random(6);
    std::uint64_t checks = 0, outside = 0;
    while (checks < 5000000) {
        const auto shapes = random_references(random, 2 + int(random.below(4)));
        const auto h =
            std::make_shared<const MeshHierarchy>(build_hierarchy(shapes[0], {}).value());
        outside += count_outside<Aabb>(h, shapes, random, checks);
        outside += count_outside<KDop<14>>(h, shapes, random, checks);
        outside += count_outside<KDop<18>>(h, shapes, random, checks);
        outside += count_outside<KDop<26>>(h, shapes, random, checks);
        outside += count_outside<BoundingBall>(h, shapes, random, checks);
    }
    CHECK(outside == 0);
    // The wide trees, with and without in-between boxes, and with overshooting weights.
    while (checks < 10000000) {
        const auto shapes = random_references(random, 2 + int(random.below(4)));
        const bool overshooting = random.below(3) == 0;
        const MorphSettings settings = {overshooting ? Overshoot::widen : Overshoot::refuse,
                                        random.below(2) == 0};
        auto tree = MeshTree::morphing(shapes, {}, settings).value();
        const MeshHierarchy& h = tree.hierarchy();
        for (int round = 0; round < 60; ++round) {
            std::vector<float> weights = random_weights(random, shapes.size());
            if (round % 2 == 0) {
                // Two neighbours: where in-between boxes serve.
                std::fill(weights.begin(), weights.end(), 0.0f);
                const std::size_t first = random.below(std::uint32_t(shapes.size() - 1));
                weights[first] = float(random.uniform());
                weights[first + 1] = 1 - weights[first];
            }
            if (overshooting) weights[0] += 0.5f, weights[1] -= 0.5f;
            REQUIRE(tree.set_weights(weights));
            RefitCounters counters;
            for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
                const std::uint32_t slot = h.nodes[node].slot;
                const Aabb box = tree.open(slot / 8, counters).lane(slot % 8);
                for (std::uint32_t i = 0; i < h.nodes[node].leaves; ++i) {
                    const std::uint32_t leaf = h.nodes[node].first_leaf + i;
                    for (const std::uint32_t v : shapes[0].triangles[h.triangle_order[leaf]])
                        outside += !contains(box, blend(shapes, weights, v)), ++checks;
                }
            }
        }
    }
    CHECK(outside == 0);
    MESSAGE("containment checks: ", checks);
}

TEST_CASE("at a reference the boxes are exactly those of the reference") {
    const std::vector<TriangleMesh> shapes = {bumpy_sphere(320), bumpy_sphere(320, 1),
                                              bumpy_sphere(320, 2)};
    auto tree = MeshTree::morphing(shapes).value();
    for (int r = 0; r < 3; ++r) {
        std::vector<float> weights(3, 0);
        weights[r] = 1;
        REQUIRE(tree.set_weights(weights));
        const MeshHierarchy& h = tree.hierarchy();
        int different = 0;
        RefitCounters c;
        for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
            const std::uint32_t slot = h.nodes[node].slot;
            different += tree.open(slot / 8, c).lane(slot % 8) != brute_box(h, node, shapes[r]);
        }
        CHECK(different == 0);
        CHECK(c.vertices_blended == 0);
    }
}

TEST_CASE("in-between boxes are tighter") {
    const std::vector<TriangleMesh> shapes = {bumpy_sphere(1280), bumpy_sphere(1280, 2.5f)};
    double with = 0, without = 0, tight = 0;
    for (const bool in_between : {true, false}) {
        auto tree = MeshTree::morphing(shapes, {}, {Overshoot::refuse, in_between}).value();
        REQUIRE(tree.set_weights(std::vector<float>{0.5f, 0.5f}));
        TriangleMesh middle = shapes[0];
        for (std::size_t i = 0; i < middle.vertices.size(); ++i)
            middle.vertices[i] = blend(shapes, {0.5f, 0.5f}, i);
        const MeshHierarchy& h = tree.hierarchy();
        RefitCounters c;
        for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
            const std::uint32_t slot = h.nodes[node].slot;
            (in_between ? with : without) +=
                double(bound_volume(tree.open(slot / 8, c).lane(slot % 8)));
            if (in_between) tight += double(bound_volume(brute_box(h, node, middle)));
        }
    }
    CHECK(with < 1.01 * tight);
    CHECK(without > 1.1 * tight);
    MESSAGE("volume over the tight boxes': ", without / tight, ", with in-between ", with / tight);
}

TEST_CASE("references and weights that do not fit are refused and change nothing") {
    const std::vector<TriangleMesh> shapes = {bumpy_sphere(320), bumpy_sphere(320, 1)};
    CHECK_FALSE(MeshTree::morphing({}));
    auto other = shapes;
    other[1] = bumpy_sphere(80);
    CHECK(MeshTree::morphing(other).error().message ==
          "reference shape 1 has 42 vertices, but the first has 162");
    other = shapes;
    std::swap(other[1].triangles[4][0], other[1].triangles[4][1]);
    CHECK(MeshTree::morphing(other).error().message ==
          "reference shape 1 joins other vertices than the first in triangle 4");
    other = shapes;
    other[1].vertices[9].z = std::nanf("");
    CHECK(MeshTree::morphing(other).error().message.find("vertex 9") != std::string::npos);
    other = shapes;
    other[1].triangles.pop_back();
    CHECK_FALSE(MeshTree::morphing(other));

    auto tree = MeshTree::morphing(shapes).value();
    REQUIRE(tree.set_weights(std::vector<float>{0.25f, 0.75f}));
    const auto refused = [&](std::vector<float> weights) {
        const auto result = tree.set_weights(weights);
        REQUIRE_FALSE(result);
        return result.error().message;
    };
    CHECK(refused({1}) == "1 weights given for 2 reference shapes");
    CHECK(refused({-0.5f, 1.5f}) == "morph weight 0 is -0.500000, which is not between 0 and 1");
    CHECK(refused({0.5f, 0.6f}).find("sum to 1.1") != std::string::npos);
    CHECK_FALSE(refused({std::nanf(""), 1}).empty());
    CHECK(tree.frame() == 2);
    CHECK(tree.morph_shapes()->weights()[1] == 0.75f);
    auto widening = MeshTree::morphing(shapes, {}, {Overshoot::widen}).value();
    CHECK(widening.set_weights(std::vector<float>{-0.5f, 1.5f}));
    CHECK_FALSE(widening.set_weights(std::vector<float>{std::nanf(""), 1}));
}
