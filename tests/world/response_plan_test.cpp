// What of the response is left out when there is no time for all of it, and in which order.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "fovea/world/response_plan.h"
#include "tests/world/concave_box.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;

/// Of points at these separations, with the numbers of the points for features.
ContactPatch patch_of(std::uint32_t a, std::uint32_t b, std::initializer_list<float> separations) {
    ContactPatch patch{};
    patch.a = a, patch.b = b;
    for (const float separation : separations) {
        ContactPatch::Point& point = patch.points[std::size_t(patch.count)];
        point.separation = separation;
        point.feature = std::uint32_t(patch.count++);
    }
    return patch;
}

/// Every plan there is, from the full one down: contacts, then sub-steps, then iterations.
std::vector<ResponsePlan> all_plans(const ResponsePlan& full) {
    std::vector<ResponsePlan> plans{full};
    for (int contacts = 4; contacts >= 1; --contacts)
        plans.push_back({contacts, full.sub_steps, full.iterations});
    for (int sub_steps = full.sub_steps - 1; sub_steps >= 1; --sub_steps)
        plans.push_back({1, sub_steps, full.iterations});
    for (int iterations = full.iterations - 1; iterations >= 1; --iterations)
        plans.push_back({1, 1, iterations});
    return plans;
}

World crowd(Response response, float detection_share = 0) {
    WorldSettings settings;
    settings.response = response;
    settings.schedule.detection_share = detection_share;
    ConcaveBox scene(27, settings, 3);
    for (int i = 0; i < 45; ++i) scene.world.step(k_step, Budget::work(60000));
    return std::move(scene.world);
}

} // namespace

TEST_CASE("contacts per pair go first, then sub-steps, then iterations") {
    const ResponseLoad load{.bodies = 10, .joints = 2, .patches = 40, .points = 130, .pairs = 20};
    struct Case {
        ResponseUnits units_of;
        ResponsePlan full;
    };
    for (const auto& [units_of, full] :
         {Case{response_units, {0, 8, 10}}, Case{blow_units, {0, 1, 10}}}) {
        const std::vector<ResponsePlan> plans = all_plans(full);
        const std::uint64_t most = units_of(load, full);
        std::size_t reached = 0;
        for (std::uint64_t units = 0; units <= most + 10; ++units) {
            // The first that fits; if none does, the least.
            std::size_t first = 0;
            while (first + 1 < plans.size() && units_of(load, plans[first]) > units) ++first;
            const ResponsePlan chosen = affordable_plan(load, full, double(units), units_of);
            REQUIRE(chosen == plans[first]);
            reached = std::max(reached, first);
        }
        CHECK(affordable_plan(load, full, double(most), units_of) == full);
        CHECK(affordable_plan(load, full, -5, units_of) == least_plan(full));
        CHECK(reached + 1 == plans.size());
    }
}

TEST_CASE("the deepest contacts of each pair stay, and get their impulses back") {
    std::vector<ContactPatch> patches{patch_of(1, 2, {0, -0.3f, -0.1f, 0.01f}),
                                      patch_of(1, 2, {-0.2f, -0.05f}), patch_of(1, 3, {0.5f})};
    for (ContactPatch& patch : patches) {
        patch.friction_impulse = {7, 7, 7};
        for (int i = 0; i < patch.count; ++i) patch.points[std::size_t(i)].impulse = 9;
    }
    Bodies bodies;
    for (std::uint32_t slot = 0; slot < 4; ++slot) bodies.set(slot, {.mass = 1});
    ThinnedContacts thinned;
    const std::span<ContactPatch> kept = thinned.thin(bodies, patches, 3);
    REQUIRE(kept.size() == 3);
    // Of the first pair -0.3, -0.2 and -0.1; in their patches, in their order.
    REQUIRE(kept[0].count == 2);
    CHECK(kept[0].points[0].feature == 1);
    CHECK(kept[0].points[1].feature == 2);
    REQUIRE(kept[1].count == 1);
    CHECK(kept[1].points[0].feature == 0);
    CHECK(kept[2].count == 1);

    kept[0].points[0].impulse = 1, kept[0].points[1].impulse = 2;
    kept[1].points[0].impulse = 3, kept[2].points[0].impulse = 4;
    kept[0].friction_impulse = {1, 0, 0}, kept[0].lasting = true;
    thinned.hand_back(patches);
    const std::vector<std::vector<float>> expected{{0, 1, 2, 0}, {3, 0}, {4}};
    for (std::size_t i = 0; i < patches.size(); ++i)
        for (int k = 0; k < patches[i].count; ++k)
            CHECK(patches[i].points[std::size_t(k)].impulse == expected[i][std::size_t(k)]);
    CHECK(patches[0].friction_impulse == Vec3(1, 0, 0));
    CHECK(patches[0].lasting);

    // One per pair: the second patch of the first pair bears nothing any more.
    REQUIRE(thinned.thin(bodies, patches, 1).size() == 2);
    thinned.hand_back(patches);
    CHECK(patches[1].points[0].impulse == 0);
    CHECK(patches[1].friction_impulse == Vec3());
}

TEST_CASE("contacts of blows are thinned out likewise") {
    const auto contact = [](std::uint32_t a, std::uint32_t b, float separation) {
        return Contact{a, b, 0, {}, {}, {0, 1, 0}, separation};
    };
    const std::vector<Contact> all{contact(1, 2, -0.1f), contact(1, 2, -0.4f), contact(1, 2, -0.2f),
                                   contact(1, 2, -0.3f), contact(2, 3, -0.1f), contact(2, 4, -0.2f),
                                   contact(2, 4, -0.1f)};
    const std::size_t left[] = {0, 3, 5, 6, 7};
    for (const int per_pair : {1, 2, 3, 4}) {
        std::vector<Contact> contacts = all;
        contacts.resize(thin_contacts(contacts, per_pair));
        REQUIRE(contacts.size() == left[per_pair]);
        std::multiset<float> of_first;
        for (const Contact& c : contacts)
            if (c.b == 2) of_first.insert(c.separation);
        // The deepest of -0.4, -0.3, -0.2, -0.1.
        float expected = -0.4f;
        for (const float separation : of_first) {
            CHECK(separation == doctest::Approx(expected));
            expected += 0.1f;
        }
        CHECK(of_first.size() == std::size_t(per_pair));
    }
}

TEST_CASE("a step says how much of its response was left out") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        const bool soft = response == Response::soft_step;
        int fewer_contacts = 0, fewer_sub_steps = 0, fewer_iterations = 0, full = 0;
        // Where detection has a share of its own it leaves less for the response than it needs.
        for (const float share : {0.0f, 0.95f}) {
            const std::vector<std::byte> start = crowd(response, share).snapshot();
            World world = *World::from_snapshot(start), again = *World::from_snapshot(start);
            const int sub_steps = soft ? world.settings().soft_step.sub_steps : 1;
            const int iterations = soft ? world.settings().soft_step.restitution_passes
                                        : world.settings().impulse.velocity_visits;
            for (int i = 0; i < 150; ++i) {
                const BudgetReport report =
                    world.step(k_step, Budget::work(500 * std::uint64_t(i))).budget;
                const ResponsePlan plan = world.cut().plan;
                CHECK(int(report.sub_steps_left_out) == sub_steps - plan.sub_steps);
                CHECK(int(report.iterations_left_out) == iterations - plan.iterations);
                // The same step once more. Patches have all their points, solved or not.
                again.step(k_step, world.cut());
                REQUIRE(again.hash() == world.hash());
                std::map<std::pair<std::uint32_t, std::uint32_t>, int> points;
                for (const ContactPatch& patch : world.patches())
                    points[{patch.a, patch.b}] += patch.count;
                std::uint64_t left_out = 0;
                for (const auto& [pair, count] : points)
                    if (plan.contacts > 0 && count > plan.contacts)
                        left_out += std::uint64_t(count - plan.contacts);
                if (soft) REQUIRE(report.contacts_left_out == left_out);
                if (plan.contacts == 0) CHECK(report.contacts_left_out == 0);
                // Later cuts only after earlier ones.
                if (plan.iterations < iterations) CHECK(plan.sub_steps == 1);
                if (plan.sub_steps < sub_steps) CHECK(plan.contacts == 1);
                fewer_contacts += report.contacts_left_out > 0;
                fewer_sub_steps += report.sub_steps_left_out > 0;
                fewer_iterations += report.iterations_left_out > 0;
                full += plan.contacts == 0;
            }
        }
        CHECK(fewer_contacts > 0);
        CHECK(fewer_iterations > 0);
        CHECK(full > 0);
        if (soft) CHECK(fewer_sub_steps > 0);
    }
}

TEST_CASE("a step of blows says how many contacts it left out") {
    // Meshes in meshes, which have several contacts each; contacts() has those that were kept.
    World world({.gravity = {}, .response = Response::impulse});
    const ShapeId shape = *world.add_shape(SolidMesh{
        std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.2f, 0.2f)), {.levels = 3}});
    for (int i = 0; i < 6; ++i)
        (void)*world.add_body(
            {.shape = shape,
             .position = {float(i / 2), 0.1f * float(i % 2), 0.05f * float(i % 2)},
             .orientation = normalized(Quat(1, {0.3f * float(i % 2), 0.2f, 0.1f})),
             .mass = 1});
    const std::vector<std::byte> start = world.snapshot();
    std::set<int> plans;
    for (std::uint64_t units = 0; units < 40'000; units += 400) {
        World thinned = *World::from_snapshot(start), whole = *World::from_snapshot(start);
        const StepReport report = thinned.step(k_step, Budget::work(units));
        StepCut cut = thinned.cut();
        cut.plan.contacts = 0;
        const StepReport all = whole.step(k_step, cut);
        REQUIRE(all.contacts >= 3);
        CHECK(all.budget.contacts_left_out == 0);
        CHECK(report.contacts + report.budget.contacts_left_out == all.contacts);
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> points;
        for (const Contact& c : thinned.contacts()) ++points[{c.a, c.b}];
        CHECK(points.size() == all.hits);
        const int most = thinned.cut().plan.contacts;
        for (const auto& [pair, count] : points)
            if (most > 0) CHECK(count <= most);
        if (report.budget.contacts_left_out > 0) plans.insert(most);
    }
    CHECK(plans.size() > 0);
    CHECK_FALSE(plans.contains(0));
}

TEST_CASE("blows are timed from finding to response") {
    World world = crowd(Response::impulse);
    int timed = 0;
    for (int i = 0; i < 20; ++i) {
        const BudgetReport report = world.step(k_step, Budget::work(60'000)).budget;
        std::uint32_t by_nodes = 0;
        for (const std::uint32_t pairs : report.pairs_at_rung) by_nodes += pairs;
        if (by_nodes == 0) continue;
        CHECK(report.causality_p50_ms > 0);
        CHECK(report.causality_max_ms >= report.causality_p50_ms);
        ++timed;
    }
    CHECK(timed > 5);
}
