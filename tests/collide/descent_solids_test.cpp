// Completed descents with solids and half-spaces, and of solids inside each other.
#include <set>

#include "fovea/collide/node_shapes.h"
#include "fovea/geometry/proximity.h"
#include "tests/collide/descent_cases.h"
#include "tests/collide/mesh_points.h"
#include "tests/oracles/fcl_mesh_oracle.h"

using namespace fovea;
using namespace fovea::test;

TEST_CASE("solids: leaves, elements and compounds agree with proximity()") {
    Random random(16);
    int meet = 0, miss = 0;
    std::vector<const LadderBody*> all;
    for (const LadderBody& body : bodies()) all.push_back(&body);
    for (const LadderBody& body : solids()) all.push_back(&body);
    for (const LadderBody& solid : solids()) {
        for (const LadderBody* other : all) {
            for (const bool swapped : {false, true}) {
                for (int i = 0; i < 12 / k_share + 1; ++i) {
                    const LadderBody& a = swapped ? *other : solid;
                    const LadderBody& b = swapped ? solid : *other;
                    const Transform at_a, at_b = random_pose(random, 1.4);
                    const DescentPolicy policy = k_policies[i % 2];
                    const Run run(a.ladder, at_a, b.ladder, at_b, {.policy = policy});
                    // Everything in A's frame, all parts against all parts.
                    SlotSet expected;
                    bool close = false;
                    const Transformd pose = b_in_a(at_a, at_b);
                    const auto judge = [&](float separation, std::uint32_t x, std::uint32_t y) {
                        close |= std::abs(separation) < 1e-5f;
                        if (separation <= 0) expected.push_back({x, y});
                    };
                    if (a.mesh.triangles.empty() && b.mesh.triangles.empty()) {
                        for (std::uint32_t x = 0; x < a.ladder.solids.size(); ++x)
                            for (std::uint32_t y = 0; y < b.ladder.solids.size(); ++y)
                                judge(
                                    proximity(
                                        a.ladder.solids[x].shape, a.ladder.solids[x].placement,
                                        b.ladder.solids[y].shape,
                                        Transform(pose * Transformd(b.ladder.solids[y].placement)))
                                        .separation,
                                    x, y);
                    } else if (b.mesh.triangles.empty()) {
                        for (std::uint32_t x = 0; x < a.mesh.triangles.size(); ++x)
                            for (std::uint32_t y = 0; y < b.ladder.solids.size(); ++y)
                                judge(proximity(b.ladder.solids[y].shape,
                                                Transform(pose *
                                                          Transformd(b.ladder.solids[y].placement)),
                                                corners(a.mesh, x))
                                          .separation,
                                      x, y);
                    } else {
                        for (std::uint32_t x = 0; x < a.ladder.solids.size(); ++x)
                            for (std::uint32_t y = 0; y < b.mesh.triangles.size(); ++y)
                                judge(proximity(a.ladder.solids[x].shape,
                                                a.ladder.solids[x].placement,
                                                corners_in(b.mesh, y, pose))
                                          .separation,
                                      x, y);
                    }
                    if (close) continue;
                    INFO(a.name, " with ", b.name);
                    if (expected.empty()) {
                        ++miss;
                        CHECK((run.pair.count == 0 || run.pair.enclosed != Enclosed::none));
                    } else if (run.pair.enclosed == Enclosed::none) {
                        ++meet;
                        CHECK(sorted_pairs(run.pair) == expected);
                    }
                }
            }
        }
    }
    CHECK(meet * k_share > 300);
    CHECK(miss * k_share > 150);
}

TEST_CASE("half-spaces from either side") {
    Random random(17);
    std::vector<const LadderBody*> all;
    for (const LadderBody& body : bodies()) all.push_back(&body);
    for (const LadderBody& body : solids()) all.push_back(&body);
    int meet = 0, miss = 0;
    for (const LadderBody* body : all) {
        for (int i = 0; i < 40; ++i) {
            const Vec3 normal = Vec3(random.direction());
            const LadderBody plane = solid_body("half-space", HalfSpace{normal, 0.3f});
            const Transform at_plane = random_pose(random, 2);
            const Vec3d n = rotate(normalized(Quatd(at_plane.orientation)), Vec3d(normal));
            const double level = 0.3f + dot(n, Vec3d(at_plane.position));
            const Transform at = {Vec3(n * (level + random.uniform(-0.2, 0.9))),
                                  random_turn(random)};
            const bool swapped = i % 2 == 1;
            const Run run(swapped ? plane.ladder : body->ladder, swapped ? at_plane : at,
                          swapped ? body->ladder : plane.ladder, swapped ? at : at_plane, {});
            std::vector<std::uint32_t> expected, maybe;
            const auto judge = [&](double height, std::uint32_t number) {
                if (height < -1e-5) expected.push_back(number);
                if (height < 1e-5) maybe.push_back(number);
            };
            const Transformd pose(Vec3d(at.position), normalized(Quatd(at.orientation)));
            for (std::uint32_t t = 0; t < body->mesh.triangles.size(); ++t) {
                double least = 1e9;
                for (const Vec3& p : corners(body->mesh, t))
                    least = std::min(least, dot(n, pose * Vec3d(p)) - level);
                judge(least, t);
            }
            for (std::uint32_t s = 0; s < body->ladder.solids.size(); ++s) {
                const auto& [shape, placement] = body->ladder.solids[s];
                judge(proximity(shape, Transform(pose * Transformd(placement)),
                                HalfSpace{normal, 0.3f}, at_plane)
                          .separation,
                      s);
            }
            std::vector<std::uint32_t> found;
            if (run.pair.exact)
                for (std::uint32_t k = 0; k < run.pair.count; ++k)
                    found.push_back(swapped ? run.pair.b[k] : run.pair.a[k]);
            std::sort(found.begin(), found.end());
            INFO(body->name);
            CHECK(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
            CHECK(std::includes(maybe.begin(), maybe.end(), found.begin(), found.end()));
            (expected.empty() ? miss : meet) += 1;
        }
    }
    CHECK(meet > 200);
    CHECK(miss > 60);
}

TEST_CASE("what is inside a mesh is found inside, what is in its hollows is not") {
    Random random(21);
    const LadderBody pebble =
        sphere_body("icosphere", 1, SphereMethod::medial, 2, 8, Nesting::cover_share, 0.04f);
    const float size = 0.03f;
    auto two = std::make_shared<Compound>();
    two->parts.push_back({Sphere{0.5f}, Transform({5, 5, 5})});
    two->parts.push_back({Capsule{0.5f * size, 0.3f * size}, {}});
    const LadderBody others[] = {solid_body("ball", Sphere{size}),
                                 solid_body("box", Box{Vec3(1, 1, 1) * (0.55f * size)}),
                                 solid_body("cone", Cone{0.5f * size, 0.5f * size}),
                                 solid_body("compound", CompoundShape{two})};
    int inside = 0, hollow = 0;
    for (const char* name : {"jack", "bowl", "lshape", "torusknot"}) {
        for (const SphereMethod method : {SphereMethod::grid, SphereMethod::octree}) {
            const LadderBody rock = sphere_body(name, 1, method, 4, 8, Nesting::inside_parent);
            for (int i = 0; i < 4000 / k_share; ++i) {
                const Vec3d at = Vec3d(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6),
                                       random.uniform(-0.6, 0.6));
                // Nothing of the pebble, 0.02 across, or of the others may reach the surface.
                const double turns = winding(rock.mesh, at);
                if (turns < 0.5 && random.uniform(0, 1) > 0.1) continue;
                if (distance_to(rock.mesh, Vec3(at)) < 1.01 * size) continue;
                (turns > 0.5 ? inside : hollow) += 1;
                const Transform pose(Vec3(at), random_turn(random));
                INFO(rock.name, " at ", at.x, " ", at.y, " ", at.z);
                const auto check = [&](const LadderBody& body, bool swapped, float margin) {
                    const Run run(swapped ? body.ladder : rock.ladder, swapped ? pose : Transform(),
                                  swapped ? rock.ladder : body.ladder, swapped ? Transform() : pose,
                                  {.margin = margin});
                    const bool found = run.pair.enclosed != Enclosed::none;
                    CHECK(found == (turns > 0.5));
                    if (!found) return;
                    CHECK(run.pair.enclosed == (swapped ? Enclosed::a : Enclosed::b));
                    CHECK(run.pair.outcome == Outcome::colliding);
                    CHECK(run.pair.count == 1);
                };
                check(pebble, false, 0);
                check(pebble, true, 2 * size); // triangles are near then, but do not cross
                check(others[i % std::size(others)], i % 3 == 0, 0);
            }
        }
    }
    CHECK(inside * k_share > 400);
    CHECK(hollow * k_share > 200);
}

TEST_CASE("bodies just apart are apart on the exact rung, however full their leaves") {
    // The leaves of a ring are balls that fill its tube and stick out by a hair.
    const LadderBody ring =
        sphere_body("torus", 2, SphereMethod::medial, 4, 8, Nesting::cover_share);
    const FclMesh fcl(ring.mesh);
    Random random(20);
    int near = 0;
    while (near * k_share < 40) {
        Transform at_b({}, random_turn(random));
        const Vec3d direction = random.direction();
        const auto move_to = [&](double distance) { at_b.position = Vec3(direction * distance); };
        double touching = 0.1, parted = 1.2;
        for (int i = 0; i < 16; ++i) {
            const double middle = 0.5 * (touching + parted);
            move_to(middle);
            (fcl.collides({}, fcl, at_b) ? touching : parted) = middle;
        }
        move_to(parted + 0.002);
        if (fcl.distance({}, fcl, at_b) < 1e-4) continue;
        ++near;
        CHECK(Run(ring.ladder, {}, ring.ladder, at_b, {}).pair.outcome == Outcome::apart);
    }
}
