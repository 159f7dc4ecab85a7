// All broad phases against a check of every pair, frame by frame, in scenes made to hurt them.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/collide/brute_broad_phase.h"
#include "fovea/collide/sweep_broad_phase.h"
#include "fovea/collide/tree_broad_phase.h"

using namespace fovea;

namespace {

struct Proxy {
    ProxyKind kind = ProxyKind::absent;
    Aabb box;
    HalfSpace plane{};
};

/// A scene given to all methods at once.
class Rig {
  public:
    Rig() {
        methods_.push_back({"brute", make_broad_phase(BroadPhaseMethod::brute)});
        methods_.push_back({"sweep", make_broad_phase(BroadPhaseMethod::sweep)});
        methods_.push_back({"tree", make_broad_phase(BroadPhaseMethod::tree)});
        methods_.push_back({"plain sweep", std::make_unique<SweepBroadPhase>(
                                               SweepSettings{.regions = false, .presort = true})});
        methods_.push_back(
            {"plain sweep by insertion",
             std::make_unique<SweepBroadPhase>(SweepSettings{.regions = false, .presort = false})});
    }

    void add(std::uint32_t number, const Aabb& box, bool fixed = false) {
        claim(number) = {fixed ? ProxyKind::fixed : ProxyKind::movable, box, {}};
        for (auto& m : methods_) m.phase->add(number, box, fixed);
    }
    void add(std::uint32_t number, const HalfSpace& plane) {
        claim(number) = {ProxyKind::half_space, {}, plane};
        for (auto& m : methods_) m.phase->add_half_space(number, plane);
    }
    void remove(std::uint32_t number) {
        proxies[number] = {};
        for (auto& m : methods_) m.phase->remove(number);
    }

    /// Updates all methods and compares them; true if all are right.
    bool step() {
        std::vector<Aabb> boxes;
        for (const Proxy& p : proxies) {
            const bool read = p.kind == ProxyKind::movable;
            boxes.push_back(read ? p.box : Aabb{{5, 5, 5}, {-5, -5, -5}}); // else: nonsense
        }
        const std::vector<ProxyPair> expected = all_pairs();
        bool right = true;
        for (auto& m : methods_) {
            m.phase->update(boxes, jobs_);
            const auto pairs = m.phase->pairs();
            const bool equal =
                std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end());
            CHECK_MESSAGE(equal, m.name, ": ", pairs.size(), " pairs, not ", expected.size());
            right = right && equal;
        }
        pairs_seen += expected.size();
        return right;
    }

    BroadPhase& method(std::string_view name) {
        return *std::find_if(methods_.begin(), methods_.end(), [&](auto& m) {
                    return m.name == name;
                })->phase;
    }

    std::vector<Proxy> proxies;
    std::size_t pairs_seen = 0;

  private:
    struct Method {
        std::string name;
        std::unique_ptr<BroadPhase> phase;
    };

    Proxy& claim(std::uint32_t number) {
        if (number >= proxies.size()) proxies.resize(number + 1);
        REQUIRE(proxies[number].kind == ProxyKind::absent);
        return proxies[number];
    }

    bool meet(const Proxy& p, const Proxy& q) const {
        if (p.kind == ProxyKind::absent || q.kind == ProxyKind::absent) return false;
        if (p.kind != ProxyKind::movable && q.kind != ProxyKind::movable) return false;
        if (p.kind == ProxyKind::half_space) return meet(q, p);
        if (q.kind != ProxyKind::half_space) {
            for (int axis = 0; axis < 3; ++axis)
                if (p.box.low[axis] > q.box.high[axis] || q.box.low[axis] > p.box.high[axis])
                    return false;
            return true;
        }
        // The lowest of the eight corners.
        float least = Aabb::k_infinity;
        for (int i = 0; i < 8; ++i)
            least = std::min(least, dot(q.plane.normal, {i & 1 ? p.box.high.x : p.box.low.x,
                                                         i & 2 ? p.box.high.y : p.box.low.y,
                                                         i & 4 ? p.box.high.z : p.box.low.z}));
        return least <= q.plane.offset;
    }

    std::vector<ProxyPair> all_pairs() const {
        std::vector<ProxyPair> pairs;
        for (std::uint32_t a = 0; a < proxies.size(); ++a)
            for (std::uint32_t b = a + 1; b < proxies.size(); ++b)
                if (meet(proxies[a], proxies[b])) pairs.push_back({a, b});
        return pairs;
    }

    std::vector<Method> methods_;
    Jobs jobs_{3};
};

Vec3 random_point(Random& random, double size) {
    return Vec3(Vec3d(random.uniform(-size, size), random.uniform(-size, size),
                      random.uniform(-size, size)));
}

Aabb box_at(const Vec3& centre, const Vec3& half) {
    return {centre - half, centre + half};
}

/// Sizes over two orders of magnitude, sometimes flat on some axes.
Vec3 random_half_extents(Random& random, double largest) {
    Vec3 half;
    for (int axis = 0; axis < 3; ++axis) {
        const double u = random.uniform();
        half[axis] = random.below(12) == 0 ? 0.0f : float(largest * (0.01 + u * u * u));
    }
    return half;
}

struct Chaos {
    std::uint32_t count;
    int frames;
    double space;        ///< half the edge of the cube
    double largest;      ///< half extent
    double speed;        ///< per frame
    Vec3 centre{};       ///< of the cube
    double teleport = 0; ///< chance per box and frame, as are the next two
    double resize = 0;
    double replace = 0;
    double fixed = 0; ///< fraction
    bool half_spaces = false;
    bool grid = false; ///< whole coordinates: many ties
};

void run(const Chaos& chaos, std::uint64_t seed) {
    Random random(seed);
    Rig rig;
    std::vector<Vec3> velocities(chaos.count + 20);
    const auto chance = [&](double p) { return p > 0 && random.uniform() < p; };
    const auto make_box = [&] {
        Vec3 centre = random_point(random, chaos.space),
             half = random_half_extents(random, chaos.largest);
        if (chaos.grid) {
            for (int axis = 0; axis < 3; ++axis) {
                centre[axis] = std::round(centre[axis]);
                half[axis] = std::round(half[axis]);
            }
        }
        return box_at(centre + chaos.centre, half);
    };
    const auto spawn = [&](std::uint32_t number) {
        if (chaos.half_spaces && random.below(40) == 0) {
            const Vec3 axes[3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
            const Vec3 normal = random.below(2) ? Vec3(random.direction()) : axes[random.below(3)];
            const float offset = float(random.uniform(-1, 0.2) * chaos.space);
            rig.add(number, HalfSpace{normal, offset + dot(normal, chaos.centre)});
        } else {
            rig.add(number, make_box(), chance(chaos.fixed));
        }
        velocities[number] = Vec3(random.direction() * random.uniform(0, 2 * chaos.speed));
    };
    for (std::uint32_t i = 0; i < chaos.count; ++i) spawn(i);
    if (chaos.replace > 0)
        for (std::uint32_t i = 0; i < 20; ++i) spawn(chaos.count + i), rig.remove(chaos.count + i);

    for (int frame = 0; frame < chaos.frames; ++frame) {
        for (std::uint32_t i = 0; i < rig.proxies.size(); ++i) {
            Proxy& p = rig.proxies[i];
            if (chance(chaos.replace)) {
                if (p.kind != ProxyKind::absent) rig.remove(i);
                // Often in the same step, and sometimes several times over.
                while (p.kind == ProxyKind::absent && random.below(3) > 0) {
                    spawn(i);
                    if (random.below(6) == 0) rig.remove(i);
                }
            }
            if (p.kind != ProxyKind::movable) continue;
            if (chance(chaos.teleport)) {
                p.box = make_box();
                continue;
            }
            Vec3 half = p.box.half_extents();
            if (chance(chaos.resize)) half = random_half_extents(random, chaos.largest);
            const Vec3 step = chaos.grid
                                  ? Vec3(float(random.below(3)) - 1, float(random.below(3)) - 1,
                                         float(random.below(3)) - 1)
                                  : velocities[i];
            const Vec3 moved = p.box.centre() + step;
            for (int axis = 0; axis < 3; ++axis)
                if (std::abs(moved[axis] - chaos.centre[axis]) > chaos.space)
                    velocities[i][axis] = -velocities[i][axis];
            p.box = chaos.grid ? Aabb{p.box.low + step, p.box.high + step} : box_at(moved, half);
        }
        if (!rig.step()) {
            MESSAGE("seed ", seed, ", frame ", frame);
            return;
        }
    }
    CHECK(rig.pairs_seen > 0);
}

} // namespace

TEST_CASE("every method gives the pairs of a full check, in every frame") {
    SUBCASE("moving boxes of all sizes") {
        for (std::uint64_t seed : {1, 2, 3})
            run({.count = 150, .frames = 1000, .space = 5, .largest = 1, .speed = 0.03}, seed);
    }
    SUBCASE("fast, teleporting, growing and shrinking") {
        for (std::uint64_t seed : {4, 5, 6})
            run({.count = 120,
                 .frames = 700,
                 .space = 5,
                 .largest = 1.5,
                 .speed = 0.5,
                 .teleport = 0.02,
                 .resize = 0.05},
                seed);
    }
    SUBCASE("added and removed all the time, fixed ones and half-spaces among them") {
        for (std::uint64_t seed : {7, 8, 9, 10})
            run({.count = 120,
                 .frames = 800,
                 .space = 4,
                 .largest = 1,
                 .speed = 0.05,
                 .teleport = 0.01,
                 .resize = 0.01,
                 .replace = 0.03,
                 .fixed = 0.3,
                 .half_spaces = true},
                seed);
    }
    SUBCASE("whole coordinates: ties everywhere") {
        for (std::uint64_t seed : {11, 12, 13})
            run({.count = 120,
                 .frames = 400,
                 .space = 8,
                 .largest = 3,
                 .speed = 1,
                 .teleport = 0.02,
                 .replace = 0.02,
                 .fixed = 0.2,
                 .grid = true},
                seed);
    }
    SUBCASE("far from the origin, where floats are coarse") {
        run({.count = 100,
             .frames = 300,
             .space = 20,
             .largest = 4,
             .speed = 1,
             .centre = {1e7f, -2e7f, 3e6f},
             .teleport = 0.02,
             .fixed = 0.2},
            14);
        run({.count = 100, .frames = 300, .space = 1e18, .largest = 4e17, .speed = 1e16}, 15);
        run({.count = 100, .frames = 300, .space = 1e-20, .largest = 4e-21, .speed = 1e-22}, 16);
    }
    SUBCASE("all overlapping") {
        run({.count = 80, .frames = 100, .space = 0.01, .largest = 10, .speed = 0.001}, 17);
    }
    SUBCASE("many small ones and a thousandfold spread of sizes") {
        run({.count = 600, .frames = 60, .space = 20, .largest = 0.5, .speed = 0.1, .fixed = 0.1},
            18);
        Random random(19);
        Rig rig;
        for (std::uint32_t i = 0; i < 500; ++i) {
            const float size = i % 20 == 0 ? 10.0f : 0.05f;
            rig.add(i, box_at(random_point(random, 10), {size, size, size}), i % 7 == 0);
        }
        for (int frame = 0; frame < 60; ++frame) {
            for (Proxy& p : rig.proxies)
                if (p.kind == ProxyKind::movable) {
                    const Vec3 step = random_point(random, 0.2);
                    p.box = {p.box.low + step, p.box.high + step};
                }
            REQUIRE(rig.step());
        }
        const auto& sweep = dynamic_cast<const SweepBroadPhase&>(rig.method("sweep"));
        CHECK(sweep.oversized() == 25);
        CHECK(sweep.cell_size() > 0.1f);
        CHECK(sweep.cell_size() < 20.0f / 3);
    }
}

TEST_CASE("coincident boxes all pair up, and part again") {
    Rig rig;
    const Aabb box{{1, 2, 3}, {2, 3, 4}};
    for (std::uint32_t i = 0; i < 60; ++i) rig.add(i, box);
    CHECK(rig.step());
    CHECK(rig.method("sweep").pairs().size() == 60 * 59 / 2);
    for (std::uint32_t i = 0; i < 60; ++i) rig.proxies[i].box.low.x -= 10.0f * float(i);
    for (std::uint32_t i = 0; i < 60; ++i) rig.proxies[i].box.high.x -= 10.0f * float(i);
    CHECK(rig.step());
    CHECK(rig.method("sweep").pairs().empty());
    for (std::uint32_t i = 0; i < 60; ++i) rig.proxies[i].box = {{0, 0, 0}, {0, 0, 0}};
    CHECK(rig.step());
    CHECK(rig.method("tree").pairs().size() == 60 * 59 / 2);
}

TEST_CASE("touching boxes are a pair, even at zero of either sign") {
    Rig rig;
    rig.add(0, {{-1, -1, -1}, {-0.0f, 1, 1}});
    rig.add(1, {{0.0f, -1, -1}, {1, 1, 1}});
    rig.add(2, {{1, 1, 1}, {2, 2, 2}});
    rig.add(3, {{std::nextafter(2.0f, 3.0f), 1, 1}, {3, 2, 2}});
    CHECK(rig.step());
    const auto pairs = rig.method("sweep").pairs();
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0] == ProxyPair{0, 1});
    CHECK(pairs[1] == ProxyPair{1, 2});
}

TEST_CASE("a box that touches a plane meets it; one above does not") {
    Rig rig;
    rig.add(0, {{0, 2, 0}, {1, 3, 1}});
    rig.add(1, HalfSpace{{0, 1, 0}, 2});
    rig.add(2, {{0, std::nextafter(2.0f, 3.0f), 5}, {1, 3, 6}});
    rig.add(3, {{0, 2, 10}, {1, 2, 11}}, true); // fixed: never
    rig.add(4, HalfSpace{{0.6f, -0.8f, 0}, -100});
    CHECK(rig.step());
    const auto pairs = rig.method("tree").pairs();
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0] == ProxyPair{0, 1});
    rig.remove(1);
    CHECK(rig.step());
    CHECK(rig.method("tree").pairs().empty());
}

TEST_CASE("a scene crowded in, emptied and filled again at once") {
    Random random(20);
    Rig rig;
    CHECK(rig.step());
    for (int round = 0; round < 4; ++round) {
        const std::uint32_t count = round % 2 ? 40 : 400;
        for (std::uint32_t i = 0; i < count; ++i)
            rig.add(i, box_at(random_point(random, 3), random_half_extents(random, 0.5)),
                    random.below(4) == 0);
        CHECK(rig.step());
        CHECK(rig.step());
        for (std::uint32_t i = 0; i < count; ++i)
            if (i % 3 > 0) rig.remove(i);
        CHECK(rig.step());
        for (std::uint32_t i = 0; i < count; i += 3) rig.remove(i);
        CHECK(rig.step());
        CHECK(rig.method("tree").pairs().empty());
    }
}

TEST_CASE("a pair that separates on two axes in one step does not stay behind") {
    // The stale pairs of Stokes 4.5: values refreshed on all axes before the first is sorted.
    Rig rig;
    rig.add(0, {{0, 0, 0}, {1, 1, 1}});
    rig.add(1, {{0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f}});
    CHECK(rig.step());
    CHECK(rig.method("sweep").pairs().size() == 1);
    rig.proxies[1].box = {{5, 5, 0.5f}, {6, 6, 1.5f}};
    CHECK(rig.step());
    CHECK(rig.method("sweep").pairs().empty());
}

TEST_CASE("counters tell what was done") {
    Random random(21);
    Rig rig;
    const std::uint32_t n = 300;
    for (std::uint32_t i = 0; i < n; ++i)
        rig.add(i, box_at(random_point(random, 3), {0.2f, 0.2f, 0.2f}));
    rig.add(n, HalfSpace{{0, 1, 0}, -2});
    rig.add(n + 1, HalfSpace{{1, 0, 0}, -2});
    CHECK(rig.step());
    CHECK(rig.method("brute").counters().tests == n * (n - 1) / 2);
    CHECK(rig.method("brute").counters().half_space_tests == 2 * n);
    // n boxes in random order: inserting them passes about a quarter of all pairs of 2n endpoints
    // on each axis; presorted, none.
    CHECK(rig.method("plain sweep by insertion").counters().swaps > n * n);
    CHECK(rig.method("plain sweep").counters().swaps == 0);

    for (int frame = 0; frame < 3; ++frame) { // nothing moves
        CHECK(rig.step());
        for (const char* name : {"sweep", "plain sweep", "plain sweep by insertion"})
            CHECK(rig.method(name).counters().swaps == 0);
    }
    const auto shift = [&](float x) {
        for (std::uint32_t i = 0; i < n; ++i) {
            Aabb& box = rig.proxies[i].box;
            box = {box.low + Vec3(x, 0, 0), box.high + Vec3(x, 0, 0)};
        }
    };
    shift(1024.0f); // all alike: rounding may make ties, but the order stays
    CHECK(rig.step());
    CHECK(rig.method("plain sweep").counters().swaps < n);
    CHECK(rig.method("brute").counters().tests == n * (n - 1) / 2);
}

TEST_CASE("cells keep the swaps per box from growing with the number of boxes") {
    // Constant density, ten boxes per cubic metre (Stokes 6, sparse scene).
    const auto swaps_per_box = [](std::uint32_t n) {
        Random random(22);
        const double edge = std::cbrt(n / 10.0);
        SweepBroadPhase sweep;
        std::vector<Aabb> boxes;
        std::vector<Vec3> velocities;
        for (std::uint32_t i = 0; i < n; ++i) {
            boxes.push_back(box_at(random_point(random, edge / 2), {0.15f, 0.15f, 0.15f}));
            velocities.push_back(Vec3(random.direction() * 1.7));
            sweep.add(i, boxes[i], false);
        }
        sweep.update(boxes, Jobs());
        CHECK(sweep.oversized() == 0);
        std::uint64_t swaps = 0;
        for (int frame = 0; frame < 20; ++frame) {
            for (std::uint32_t i = 0; i < n; ++i) {
                const Vec3 step = velocities[i] * 0.01f;
                boxes[i] = {boxes[i].low + step, boxes[i].high + step};
            }
            sweep.update(boxes, Jobs());
            swaps += sweep.counters().swaps;
        }
        return double(swaps) / n / 20;
    };
    // One list for all would need 20^(2/3) = 7.4 times as many; cells at the rim are emptier, so
    // some growth remains.
    CHECK(swaps_per_box(20000) < 2 * swaps_per_box(1000));
}
