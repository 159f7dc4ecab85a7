// Articulated figures: poses, self-collision, forbidden angles, falling down.
#include <doctest/doctest.h>

#include "fovea/world/figure.h"

using namespace fovea;

namespace {

constexpr std::uint32_t k_none = Bone::k_no_parent;

/// A torso, an arm in two parts stretched out to +x, and a head.
std::vector<Bone> torso_with_arm() {
    return {{.parent = k_none, .from = {0, 0, 0}, .to = {0, 0.6f, 0}, .radius = 0.15f, .mass = 30},
            {.parent = 0,
             .from = {0.25f, 0.6f, 0},
             .to = {0.55f, 0.6f, 0},
             .radius = 0.05f,
             .mass = 3,
             .anchor = {0.2f, 0.6f, 0}},
            {.parent = 1,
             .from = {0.65f, 0.6f, 0},
             .to = {1.15f, 0.6f, 0},
             .radius = 0.04f,
             .mass = 2,
             .anchor = {0.6f, 0.6f, 0},
             .least_angle = 0.7f},
            {.parent = 0,
             .from = {0, 0.9f, 0},
             .to = {0, 0.9f, 0}, // a ball
             .radius = 0.1f,
             .mass = 5,
             .anchor = {0, 0.75f, 0}}};
}

Quat about_z(float angle) {
    return {std::cos(angle / 2), {0, 0, std::sin(angle / 2)}};
}

std::vector<BonePair> touching(const Figure& figure) {
    WorkMeter work;
    FigureMeeting meeting;
    figure.touching(work, meeting);
    return meeting.pairs;
}

} // namespace

TEST_CASE("a pose runs down the bones: the hand follows shoulder and elbow") {
    World world({.gravity = {}});
    Figure figure = *Figure::add(world, torso_with_arm(), {{1, 2, 3}, {}});
    constexpr float k_right = 1.5707963f;
    // The shoulder turns the arm up, the elbow turns the hand back to +x; all is moved by (1, 2,
    // 3).
    const Quat turns[] = {{}, about_z(k_right), about_z(-k_right), {}};
    REQUIRE(figure.pose(world, {{1, 2, 3}, {}}, turns));
    const Vec3 arm = world.transform(figure.bodies()[1]).position;
    const Vec3 hand = world.transform(figure.bodies()[2]).position;
    CHECK(length(arm - Vec3(1.2f, 2.6f + 0.2f, 3)) < 1e-5f);         // 0.2 beyond the shoulder
    CHECK(length(hand - Vec3(1.2f + 0.3f, 2.6f + 0.4f, 3)) < 1e-5f); // 0.3 beyond the elbow
    // Anchors of joints stay together, so that a step does not pull.
    world.step(1.0f / 60);
    CHECK(length(world.velocity(figure.bodies()[2])) < 1e-2f);
}

TEST_CASE("an arm through the torso is found, neighbours are not") {
    World world({.gravity = {}});
    Figure figure = *Figure::add(world, torso_with_arm());
    CHECK(touching(figure).empty()); // torso and upper arm overlap at the shoulder alone
    // The elbow folds the hand back into the chest.
    const Quat folded[] = {{}, {}, about_z(3.1415927f), {}};
    REQUIRE(figure.pose(world, {}, folded));
    REQUIRE(figure.look(world));
    const auto found = touching(figure);
    REQUIRE(found.size() == 1);
    CHECK(found[0] == BonePair{0, 2});
}

TEST_CASE("joints folded further than allowed are reported") {
    World world({.gravity = {}});
    Figure figure = *Figure::add(world, torso_with_arm());
    // The elbow is straight at pi; 0.7 rad is the least.
    for (const auto& [bend, flagged] :
         {std::pair{0.0f, false}, {2.0f, false}, {2.4f, false}, {2.48f, true}, {3.0f, true}}) {
        const Quat turns[] = {about_z(0.3f), about_z(-0.5f), about_z(bend), {}};
        REQUIRE(figure.pose(world, {{4, 5, 6}, about_z(1)}, turns));
        REQUIRE(figure.look(world));
        CHECK(figure.folded().size() == (flagged ? 1 : 0));
        if (flagged) CHECK(figure.folded()[0] == 2);
    }
}

TEST_CASE("a figure falls on the floor, holds together and comes to rest") {
    World world;
    const auto floor = world.add_shape(HalfSpace{{0, 1, 0}, 0});
    REQUIRE(world.add_body({.shape = *floor}));
    Figure figure = *Figure::add(world, torso_with_arm(), {{0, 1, 0}, about_z(0.4f)});
    for (int i = 0; i < 600; ++i) world.step(1.0f / 60);
    REQUIRE(figure.look(world));
    for (const BodyId bone : figure.bodies()) {
        CHECK(world.transform(bone).position.y > 0.03f);
        CHECK(length(world.velocity(bone)) < 0.1f);
    }
    // Shoulder to elbow: the two parts of the arm are as far apart as their joint lets them.
    const float apart = length(world.transform(figure.bodies()[1]).position -
                               world.transform(figure.bodies()[2]).position);
    CHECK(apart < 0.501f);
}

TEST_CASE("figures without sense are refused and leave nothing behind") {
    World world;
    const auto refused = [&](std::size_t bone, auto&& spoil) {
        std::vector<Bone> bones = torso_with_arm();
        spoil(bones[bone]);
        const auto figure = Figure::add(world, bones);
        REQUIRE(!figure);
        CHECK(world.body_count() == 0);
        CHECK(world.joint_count() == 0);
        return figure.error().message;
    };
    CHECK(refused(2, [](Bone& b) { b.parent = 2; }) ==
          "bone 2: its parent must be an earlier bone, but is 2");
    CHECK(refused(0, [](Bone& b) { b.parent = 1; }) == "bone 0: the first bone has no parent");
    CHECK(refused(3, [](Bone& b) { b.mass = 0; }) == "bone 3: its mass must be positive");
    CHECK(refused(1, [](Bone& b) { b.radius = -1; }).find("bone 1: ") == 0);
    CHECK(refused(1, [](Bone& b) { b.to.x = NAN; }).find("finite") != std::string::npos);
    CHECK(refused(2, [](Bone& b) { b.least_angle = 4; }).find("least angle") != std::string::npos);
    CHECK(refused(3, [](Bone& b) {
              b.joint = HingeJoint{{.limits = {2, 1}}};
          }).find("bone 3") == 0);
    CHECK(Figure::add(world, {}).error().message == "a figure needs at least one bone");

    Figure figure = *Figure::add(world, torso_with_arm());
    const Quat turns[] = {{}, {}};
    CHECK(figure.pose(world, {}, turns).error().message == "a figure of 4 bones was given 2 turns");
    REQUIRE(world.remove_body(figure.bodies()[1]));
    CHECK(!figure.look(world));
}
