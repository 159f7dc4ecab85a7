// Pair by pair: who is answered how, who climbs first, who is suppressed for how long.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/world/concave_box.h"
#include "tests/world/impact.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;
using Kind = PairAnswer::Kind;
using Slots = std::pair<std::uint32_t, std::uint32_t>;

/// Close to each other, and nothing is known of any pair: all come from far away.
ConcaveBox stranger_crowd(Response response = Response::soft_step) {
    WorldSettings settings;
    settings.response = response;
    ConcaveBox scene(27, settings, 3);
    for (int i = 0; i < 45; ++i) scene.world.step(k_step, Budget::work(60000));
    struct State {
        Transform at;
        Vec3 velocity, spin;
    };
    std::vector<State> states;
    for (const BodyId body : scene.bodies) {
        states.push_back({scene.world.transform(body), scene.world.velocity(body),
                          scene.world.angular_velocity(body)});
        REQUIRE(scene.world.set_transform(body, {{100.0f * float(states.size()), 0, 0}, {}}));
    }
    scene.world.step(k_step);
    for (std::size_t i = 0; i < states.size(); ++i) {
        REQUIRE(scene.world.set_transform(scene.bodies[i], states[i].at));
        REQUIRE(scene.world.set_velocity(scene.bodies[i], states[i].velocity, states[i].spin));
    }
    return scene;
}

SolidMesh l_shape() {
    return {std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.15f, 0.2f)), {.levels = 3}};
}

bool climbed(const AnsweredPair& pair) {
    return pair.rung > 0 || pair.kind == Kind::exact || pair.kind == Kind::apart;
}

/// Two pairs of Ls, far from each other, each with one inside the angle of the other: their spheres
/// overlap, they do not touch.
struct TwoPairs {
    World world;
    std::vector<BodyId> bodies;

    explicit TwoPairs(const WorldSettings& settings)
        : world(settings) {
        const ShapeId shape = *world.add_shape(l_shape());
        for (const float x : {0.0f, 100.0f})
            for (const float offset : {0.0f, 0.18f})
                bodies.push_back(*world.add_body(
                    {.shape = shape, .position = {x + offset, offset, 0}, .mass = 1}));
    }
};

} // namespace

TEST_CASE("with nothing to spend every overlap of bounding spheres is answered, pair by pair") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        ConcaveBox scene = stranger_crowd(response);
        World& world = scene.world;
        // The same shapes once more, for their bounding spheres: as ConcaveBox makes them.
        const auto mesh = [](TriangleMesh made) {
            return *make_collision_shape(
                SolidMesh{std::make_shared<const TriangleMesh>(std::move(made)), {.levels = 3}});
        };
        const CollisionShape shapes[] = {mesh(make_l_shape(0.5f, 0.2f, 0.2f)),
                                         mesh(make_torus(0.3f, 0.1f, 12, 8)),
                                         *make_collision_shape(Box{{0.25f, 0.15f, 0.2f}}),
                                         *make_collision_shape(Capsule{0.12f, 0.2f})};
        struct Ball {
            Vec3d centre;
            double radius;
        };
        std::vector<Ball> balls;
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
            const BoundingBall ball = shapes[i % 4].ladder->ball(k_root_slot);
            // Blows are answered where the bodies are after gravity has moved nothing yet.
            balls.push_back(
                {Vec3d(world.transform(scene.bodies[i]) * ball.centre), double(ball.radius)});
        }
        // What does touch: as a copy finds it without a budget.
        World exact = *World::from_snapshot(world.snapshot());
        exact.step(k_step);
        std::set<Slots> touching;
        for (const ContactPatch& patch : exact.patches())
            for (int point = 0; point < patch.count; ++point)
                if (patch.points[point].separation <= 0) touching.insert({patch.a, patch.b});
        for (const Contact& c : exact.contacts()) touching.insert({c.a, c.b});
        const BudgetReport report = world.step(k_step, Budget::work(0)).budget;
        CHECK(report.rungs_climbed == 0);
        CHECK_FALSE(report.floor_fits);

        std::map<Slots, Kind> kinds;
        for (const AnsweredPair& pair : world.pair_answers()) {
            CHECK(world.contains(pair.a));
            CHECK(world.contains(pair.b));
            kinds[{pair.a.slot, pair.b.slot}] = pair.kind;
        }
        std::set<Slots> with_contacts;
        for (const ContactPatch& patch : world.patches()) with_contacts.insert({patch.a, patch.b});
        for (const Contact& c : world.contacts()) with_contacts.insert({c.a, c.b});

        int overlaps = 0, by_roots = 0;
        for (std::size_t i = 0; i < balls.size(); ++i)
            for (std::size_t k = i + 1; k < balls.size(); ++k) {
                const double gap =
                    length(balls[i].centre - balls[k].centre) - balls[i].radius - balls[k].radius;
                Slots pair{scene.bodies[i].slot, scene.bodies[k].slot};
                if (pair.first > pair.second) std::swap(pair.first, pair.second);
                const auto found = kinds.find(pair);
                // Boxes are smaller than spheres at their corners: what they keep apart is apart.
                if (found == kinds.end()) continue;
                CAPTURE(i);
                CAPTURE(k);
                if (gap < -1e-5) { // rounding of centres a few metres out
                    ++overlaps;
                    by_roots += found->second == Kind::rung;
                    // Boxes and solids may show a gap where spheres overlap.
                    if (!touching.contains(pair)) continue;
                    CHECK((found->second == Kind::rung || found->second == Kind::exact));
                    CHECK(with_contacts.contains(pair));
                } else if (gap > 0.25) { // farther than any margin, which are leaves at most
                    CHECK((found->second == Kind::apart || found->second == Kind::exact));
                }
            }
        CHECK(overlaps > 10);
        CHECK(by_roots > 5);
    }
}

TEST_CASE("a pair that sleeps through a step without a budget counts as tested only if it was") {
    WorldSettings settings = weightless();
    settings.sleep.enabled = true;
    settings.schedule.drop_undecided = true; // or two that overlap would not fall asleep
    World world(settings);
    const ShapeId shape = *world.add_shape(l_shape());
    std::vector<BodyId> bodies;
    for (const float offset : {0.0f, 0.05f})
        bodies.push_back(*world.add_body({.shape = shape, .position = {offset, 0, 0}, .mass = 1}));
    const auto kind_after_step = [&] {
        world.step(k_step, Budget::work(0));
        const std::vector<AnsweredPair> answers = world.pair_answers();
        REQUIRE(answers.size() == 1);
        return answers[0].kind;
    };
    for (int i = 0; i < 40; ++i) world.step(k_step, Budget::work(0));
    for (int i = 0; i < 3; ++i) REQUIRE(world.step(k_step).awake == 0);
    REQUIRE(world.wake(bodies[0]));
    CHECK(kind_after_step() == Kind::dropped);
    // A step without a budget in which it is awake tests it.
    CHECK(world.step(k_step).contacts > 0);
}

TEST_CASE("what is put beside a sleeper in a step without a budget was not tested either") {
    for (const bool moved : {false, true}) {
        WorldSettings settings = weightless();
        settings.sleep.enabled = true;
        World world(settings);
        const ShapeId shape = *world.add_shape(l_shape());
        const BodyId body = *world.add_body({.shape = shape, .mass = 1});
        BodyId fixed;
        if (moved) fixed = *world.add_body({.shape = shape, .position = {9, 0, 0}});
        for (int i = 0; i < 40; ++i) world.step(k_step);
        REQUIRE(world.step(k_step).awake == 0);
        if (moved)
            REQUIRE(world.set_transform(fixed, Transform({0.05f, 0, 0})));
        else
            REQUIRE(world.add_body({.shape = shape, .position = {0.05f, 0, 0}}));
        for (int i = 0; i < 3; ++i) REQUIRE(world.step(k_step).awake == 0);
        REQUIRE(world.wake(body));
        world.step(k_step, Budget::work(0));
        const std::vector<AnsweredPair> answers = world.pair_answers();
        REQUIRE(answers.size() == 1);
        CHECK(answers[0].kind == Kind::rung);
    }
}

TEST_CASE("the list of answers agrees with the report") {
    for (const bool drop : {false, true}) {
        WorldSettings settings;
        settings.schedule.drop_undecided = drop;
        settings.sleep.enabled = false;
        ConcaveBox scene(27, settings, 3);
        CHECK(scene.world.pair_answers().empty());
        std::uint64_t dropped = 0, suppressed = 0;
        for (int i = 0; i < 60; ++i) {
            const BudgetReport report = scene.world.step(k_step, Budget::work(60'000)).budget;
            std::map<Kind, std::uint32_t> count;
            decltype(report.pairs_at_rung) rungs{};
            std::uint32_t cut = 0;
            const std::vector<AnsweredPair> answers = scene.world.pair_answers();
            for (const AnsweredPair& pair : answers) {
                ++count[pair.kind];
                if (pair.kind == Kind::rung) ++rungs[pair.rung];
                cut += pair.cut;
            }
            REQUIRE(rungs == report.pairs_at_rung);
            REQUIRE(count[Kind::exact] == report.exact_pairs);
            REQUIRE(count[Kind::apart] == report.pairs_apart);
            REQUIRE(count[Kind::suppressed] == report.pairs_suppressed);
            REQUIRE(count[Kind::dropped] == report.pairs_dropped);
            REQUIRE(cut == report.pairs_cut);
            dropped += report.pairs_dropped, suppressed += report.pairs_suppressed;
        }
        CHECK(suppressed > 0);
        CHECK((dropped > 0) == drop);
        scene.world.step(k_step);
        CHECK(scene.world.pair_answers().empty());
    }
}

TEST_CASE("the host's priorities decide who climbs") {
    const std::vector<std::byte> start = stranger_crowd().world.snapshot();
    for (const std::uint32_t remainder : {0u, 1u, 2u}) {
        // Every third pair matters.
        std::set<Slots> chosen, others;
        int only_chosen = 0, all_chosen = 0;
        std::size_t most = 0;
        for (std::uint64_t units = 4000; units < 400'000; units += units / 8) {
            World world = *World::from_snapshot(start);
            chosen.clear(), others.clear();
            world.set_priority([&](std::span<const PairView> pairs, std::span<float> priority) {
                for (std::size_t i = 0; i < pairs.size(); ++i) {
                    const bool matters = i % 3 == remainder;
                    priority[i] = matters ? 1 : 0;
                    (matters ? chosen : others).insert({pairs[i].a.slot, pairs[i].b.slot});
                }
            });
            const BudgetReport report = world.step(k_step, Budget::work(units)).budget;
            CHECK(world.cut().priorities.size() == chosen.size() + others.size());
            std::size_t of_chosen = 0, of_others = 0;
            for (const AnsweredPair& pair : world.pair_answers()) {
                if (!climbed(pair)) continue;
                of_chosen += chosen.contains({pair.a.slot, pair.b.slot});
                of_others += others.contains({pair.a.slot, pair.b.slot});
            }
            // None of the others while one that matters has not climbed.
            if (of_others > 0) CHECK(of_chosen == chosen.size());
            only_chosen += of_chosen > 0 && of_others == 0;
            all_chosen += of_others > 0;
            most = std::max(most, of_others);
            if (report.pairs_cut == 0) break;
        }
        REQUIRE(chosen.size() >= 3);
        CHECK(only_chosen > 0);
        CHECK(all_chosen > 0);
        CHECK(most == others.size());
    }
}

TEST_CASE("a pair that reached its top keeps its place unless another matters much more") {
    for (int i = 0; i < 6; ++i) {
        const float hysteresis = 1 + 0.5f * float(i / 2);
        const bool host = i % 2 == 1; // says the same of them as the default does
        WorldSettings settings = weightless();
        settings.schedule.hysteresis = hysteresis;
        TwoPairs scene(settings);
        World& world = scene.world;
        const auto step = [&](std::vector<std::uint32_t> batches, std::vector<float> priorities) {
            StepCut cut;
            cut.limited = true;
            cut.grants = batches.size();
            cut.batches = std::move(batches);
            cut.priorities = std::move(priorities);
            cut.plan = {0, 8, 1};
            world.step(k_step, cut);
        };
        // Both climb to their leaves, one alone to its fifth rung, the triangles; then the default
        // order says who climbs first.
        step(std::vector<std::uint32_t>(9, 1), {1, 0});
        REQUIRE(world.pair_answers().size() == 2);
        CHECK(world.pair_answers()[0].rung == 5);
        CHECK(world.pair_answers()[1].rung == 4);
        // Two closes in: it matters (0.2 sqrt 2 + 0.5) / 0.5 = 1.57 times as much as one.
        REQUIRE(world.set_velocity(scene.bodies[3], {-0.2f, -0.2f, 0}, {}));
        step({1}, host ? std::vector<float>{1, 1.57f} : std::vector<float>{});
        const bool one_stays = climbed(world.pair_answers()[0]);
        CHECK(climbed(world.pair_answers()[1]) == !one_stays);
        CHECK(one_stays == (hysteresis > 1.57f));
    }
}

TEST_CASE("pairs that exact rungs found apart may come closer by the tolerance") {
    const CollisionShape shape = *make_collision_shape(l_shape());
    const float leaf = shape.ladder->largest_radius.back();
    const float speed = 0.1f;
    for (const float tolerance : {0.0f, 0.25f, 0.5f, 1.0f}) {
        CAPTURE(tolerance);
        WorldSettings settings = weightless();
        settings.schedule.tolerance = tolerance;
        World world(settings);
        const ShapeId id = *world.add_shape(l_shape());
        (void)*world.add_body({.shape = id, .mass = 1});
        // 3 cm apart, and passing by.
        (void)*world.add_body(
            {.shape = id, .position = {0.18f, 0.18f, 0}, .velocity = {0, 0, speed}, .mass = 1});
        world.step(k_step, Budget::work(1ull << 40));
        REQUIRE(world.pair_answers().size() == 1);
        const AnsweredPair first = world.pair_answers()[0];
        REQUIRE(first.kind == Kind::apart);
        REQUIRE(first.rung == 5); // four for three levels each, and triangles
        int suppressed = 0;
        while (suppressed < 200) {
            world.step(k_step, Budget::work(0));
            if (world.pair_answers()[0].kind != Kind::suppressed) break;
            ++suppressed;
        }
        CHECK(world.pair_answers()[0].kind == Kind::rung);
        const float margin = std::min(settings.contact.margin, 0.1f * leaf);
        // No more than what is inside the bodies, or they could pass through each other unseen.
        const float proven = margin + std::min(tolerance * leaf, shape.inner.radius);
        // One step more or less: the way of a step is rounded.
        CHECK(std::abs(float(suppressed) - proven / (speed * k_step)) <= 1.5f);
    }
}

TEST_CASE("leaves larger than what is inside a body do not let it through the ground") {
    auto field = std::make_shared<TriangleMesh>();
    field->vertices = {{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9}};
    field->triangles = {{0, 2, 1}, {0, 3, 2}};
    const auto torus = std::make_shared<const TriangleMesh>(make_torus(0.4f, 0.1f, 16, 10));
    for (const float tolerance : {0.5f, 1.0f}) {
        WorldSettings settings;
        settings.schedule.tolerance = tolerance;
        World world(settings);
        (void)*world.add_body({.shape = *world.add_shape(MeshSurface{field})});
        const ShapeId shape = *world.add_shape(SolidMesh{torus, {SphereMethod::octree, 2, 8}});
        std::vector<BodyId> bodies;
        Random random(6);
        for (int i = 0; i < 16; ++i)
            bodies.push_back(*world.add_body(
                {.shape = shape,
                 .position = {2 * float(i % 4) - 3, 0.6f, 2 * float(i / 4) - 3},
                 .orientation = normalized(Quat(float(random.uniform()), Vec3(random.direction()))),
                 .mass = 1}));
        for (int i = 0; i < 300; ++i)
            world.step(k_step,
                       i < 15 ? Budget::unlimited() : Budget::work(i % 8 == 0 ? 200'000 : 0));
        for (const BodyId body : bodies) CHECK(world.transform(body).position.y > 0);
    }
}

TEST_CASE("loads on coarse rungs are remembered from step to step") {
    // A tower of tori that stand on their bounding spheres. One sub-step is too few to find the
    // loads from nothing: bodies that are new in every step sink.
    const auto sunk = [](bool remembers) {
        WorldSettings settings;
        settings.sleep.enabled = false;
        World world(settings);
        const SolidMesh torus{std::make_shared<const TriangleMesh>(make_torus(0.3f, 0.1f, 12, 8)),
                              {.levels = 3}};
        const float radius = make_collision_shape(torus)->ladder->ball(k_root_slot).radius;
        const ShapeId shape = *world.add_shape(torus);
        (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0})});
        std::vector<BodyId> tower;
        const int count = 5;
        for (int i = 0; i < count; ++i)
            tower.push_back(*world.add_body(
                {.shape = shape, .position = {0, radius * float(2 * i + 1), 0}, .mass = 1}));
        StepCut cut;
        cut.limited = true;
        cut.grants = 0;
        cut.plan = {0, 2, 1};
        std::uint32_t by_roots = 0;
        for (int i = 0; i < 60; ++i) {
            if (!remembers)
                for (BodyId& body : tower) {
                    BodyDefinition again{.shape = shape,
                                         .position = world.transform(body).position,
                                         .orientation = world.transform(body).orientation,
                                         .velocity = world.velocity(body),
                                         .angular_velocity = world.angular_velocity(body),
                                         .mass = 1};
                    REQUIRE(world.remove_body(body));
                    body = *world.add_body(again);
                }
            by_roots += world.step(k_step, cut).budget.pairs_at_rung[0];
        }
        // Boxes show gaps between the tori in the first steps.
        CHECK(by_roots >= 58 * std::uint32_t(count));
        return radius * float(2 * count - 1) - world.transform(tower.back()).position.y;
    };
    const float warm = sunk(true), cold = sunk(false);
    MESSAGE("the top sank by ", warm, " m, without memory by ", cold, " m");
    CHECK(warm < 0.25f * cold);
}
