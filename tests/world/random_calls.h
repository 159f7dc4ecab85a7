// A world full of everything, and random calls to it: for snapshots, recordings and stress.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/deforming_scenes.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/procedural.h"
#include "fovea/world/world.h"

namespace fovea::test {

/// Makes calls, right and wrong ones, drawn from `Source`, which offers below(n) and
/// uniform(low, high).
template <class Source>
class RandomCalls {
  public:
    RandomCalls(World& world, Source& source)
        : world_(world)
        , random_(source) {}

    /// A floor, and one shape of each kind.
    void furnish() {
        const auto sheet = std::make_shared<const TriangleMesh>(make_sheet(8, 5));
        auto targets = std::make_shared<MorphTargets>();
        for (int i = 0; i < 2; ++i) {
            targets->vertices.push_back(sheet->vertices);
            for (Vec3& v : targets->vertices.back()) v += vector(0.4f);
        }
        for (const DeformingMesh& mesh : {DeformingMesh{sheet}, DeformingMesh{sheet, targets}}) {
            add_shape(mesh);
            const Vec3 at(0, float(bodies_.size()), 0);
            if (const auto id = world_.add_body({.shape = shapes_.back(), .position = at}))
                bodies_.push_back(*id), deforming_.push_back(*id);
        }
        auto hills = std::make_shared<HeightField>(HeightField{7, 5, 1.5f, {}});
        for (int i = 0; i < 35; ++i) hills->heights.push_back(0.1f * float(i * i % 7));
        add_shape(HeightSurface{hills});
        static_cast<void>(world_.add_body({.shape = shapes_.back(), .position = {-9, 0, -9}}));
        std::vector<Vec3> corners;
        for (int i = 0; i < 12; ++i) corners.push_back(vector(0.6f));
        if (auto hull = make_convex_hull(corners))
            add_shape(Hull{std::make_shared<const ConvexHull>(std::move(*hull))});
        auto mesh = std::make_shared<TriangleMesh>();
        mesh->vertices = {{-9, 0.5f, -9}, {9, 0, -9}, {9, 0.5f, 9}, {-9, 0, 9}};
        mesh->triangles = {{0, 2, 1}, {0, 3, 2}};
        add_shape(MeshSurface{mesh});
        auto compound = std::make_shared<Compound>();
        compound->parts = {{Sphere{0.3f}, Transform({0.3f, 0, 0}, {})},
                           {Box{{0.4f, 0.1f, 0.1f}}, Transform({-0.2f, 0, 0}, {})}};
        add_shape(CompoundShape{compound});
        // A notched wedge: concave, and small enough to be built anew thousands of times.
        auto wedge = std::make_shared<TriangleMesh>(make_l_shape(0.8f, 0.3f, 0.4f));
        add_shape(SolidMesh{wedge, {SphereMethod::octree, 2, 8}});
        add_shape(Sphere{0.4f});
        add_shape(Box{{0.4f, 0.3f, 0.5f}});
        add_shape(Capsule{0.2f, 0.3f});
        add_shape(Cylinder{0.3f, 0.3f});
        add_shape(Cone{0.4f, 0.4f});
        add_shape(HalfSpace{{0, 1, 0}, 0});
        static_cast<void>(world_.add_body({.shape = shapes_.back()}));
        static_cast<void>(world_.add_body({.shape = shapes_[shapes_.size() - 9]}));
    }

    void call() {
        switch (random_.below(24)) {
        case 0:
            return add_shape(Box{abs(vector(0.5f)) + Vec3(0.05f, 0.05f, 0.05f)});
        case 1:
            static_cast<void>(world_.remove_shape(pick(shapes_)));
            return;
        case 2:
            static_cast<void>(world_.remove_body(pick(bodies_)));
            return;
        case 3: {
            const auto id = world_.add_spring({pick(bodies_), pick(bodies_), vector(0.3f),
                                               vector(0.3f), number(50), number(2), number(2)});
            if (id) springs_.push_back(*id);
            return;
        }
        case 4:
            static_cast<void>(world_.remove_spring(pick(springs_)));
            return;
        case 5:
        case 6:
        case 7:
            return add_joint();
        case 8:
            static_cast<void>(world_.remove_joint(pick(joints_)));
            return;
        case 9:
            static_cast<void>(world_.set_joint(pick(joints_), joint_type()));
            return;
        case 10:
            static_cast<void>(world_.wake(pick(bodies_)));
            return;
        case 11:
            static_cast<void>(
                world_.set_transform(pick(bodies_), {vector(4) + Vec3(0, 4, 0), rotation()}));
            return;
        case 12:
            static_cast<void>(world_.set_velocity(pick(bodies_), vector(5), vector(5)));
            return;
        case 13:
            static_cast<void>(world_.set_material(pick(bodies_), material()));
            return;
        case 14:
            static_cast<void>(world_.apply_force(pick(bodies_), vector(100), vector(4)));
            return;
        case 15:
            return query();
        case 16:
            static_cast<void>(world_.apply_force(pick(bodies_), Vec3(NAN, 0, 0), {}));
            return;
        case 17:
        case 18:
            return deform();
        default:
            return add_body();
        }
    }

  private:
    float number(float most) { return float(random_.uniform(0, double(most))); }
    Vec3 vector(float most) {
        const auto one = [&] { return float(random_.uniform(-double(most), double(most))); };
        const float x = one(), y = one(), z = one();
        return {x, y, z};
    }
    Quat rotation() {
        const Vec3 v = vector(1);
        return {number(1) + 0.1f, v};
    }
    bool one_in(std::uint32_t n) { return random_.below(n) == 0; }
    template <class Id>
    Id pick(const std::vector<Id>& ids) {
        return ids.empty() ? Id{} : ids[random_.below(std::uint32_t(ids.size()))];
    }
    Material material() {
        return {.friction = number(1),
                .elastic = number(1),
                .rolling = one_in(4) ? number(0.05f) : 0,
                .surface_velocity = one_in(8) ? vector(1) : Vec3(),
                .friction_rule = CombineRule(random_.below(k_combine_rules))};
    }
    JointType joint_type() {
        const JointDrive drive{.limits =
                                   one_in(2) ? JointLimits{-number(1), number(1)} : JointLimits{},
                               .motor = {number(4) - 2, one_in(2) ? number(20) : 0},
                               .spring = {one_in(2) ? number(5) : 0, number(1)}};
        switch (random_.below(7)) {
        case 0:
            return BallJoint{one_in(2) ? number(1) : 0};
        case 1:
            return HingeJoint{drive};
        case 2:
            return SliderJoint{drive};
        case 3:
            return FixedJoint{.angular = {one_in(2) ? number(5) : 0, number(1)}};
        case 4:
            return DistanceJoint{{.limits = {number(1), 1 + number(1)}}};
        case 5:
            return ConeTwistJoint{.cone = 0.1f + number(1), .twist = drive};
        default:
            return WheelJoint{.suspension = drive, .spin = {number(5), number(5)}};
        }
    }
    void add_shape(const Shape& shape) {
        if (const auto id = world_.add_shape(shape)) shapes_.push_back(*id);
    }
    void add_body() {
        if (world_.body_count() > 60) return;
        BodyDefinition d{.shape = pick(shapes_),
                         .position = vector(3) + Vec3(0, 4, 0),
                         .orientation = rotation(),
                         .velocity = vector(2),
                         .angular_velocity = vector(2),
                         .mass = one_in(8) ? 0 : 0.1f + number(5),
                         .material = material(),
                         .sensor = one_in(12),
                         .fast = one_in(8)};
        if (one_in(10)) d.mass = 0, d.kinematic = true;
        if (one_in(6)) d.filter = {1u << random_.below(4), random_.below(16), 0};
        if (one_in(6)) d.motion = {number(2), number(1), number(1)};
        if (one_in(30)) d.mass = -1;
        if (one_in(30)) d.position.x = NAN;
        if (const auto id = world_.add_body(d)) bodies_.push_back(*id);
    }
    void add_joint() {
        const BodyId a = pick(bodies_), b = pick(bodies_);
        const Vec3 middle = (world_.transform(a).position + world_.transform(b).position) * 0.5f;
        JointDefinition d = world_.joint_at(a, b, middle, vector(1), joint_type(), vector(1));
        if (one_in(4)) d.break_force = 10 + number(500);
        d.collide_connected = one_in(3);
        if (const auto id = world_.add_joint(d)) joints_.push_back(*id);
    }
    void deform() {
        const BodyId body = one_in(8) ? pick(bodies_) : pick(deforming_);
        std::vector<Vec3> vertices = world_.vertices(body);
        for (Vec3& v : vertices) v += vector(0.1f);
        if (one_in(10) && !vertices.empty()) vertices[0].y = NAN;
        if (one_in(10)) vertices.push_back({});
        static_cast<void>(world_.set_vertices(body, vertices));
        const float first = number(1), second = number(1 - first);
        const float weights[] = {1 - first - second, first, one_in(10) ? NAN : second};
        static_cast<void>(world_.set_weights(body, weights));
    }
    void query() {
        const Queries queries = world_.queries();
        static_cast<void>(queries.find(
            RayCast{.origin = vector(5), .direction = vector(1), .length = number(20)}));
        static_cast<void>(queries.find(ClosestPoint{.point = vector(5)}));
        static_cast<void>(queries.find(SphereCast{
            .centre = vector(5), .radius = number(1), .direction = vector(1), .length = 5}));
    }

    World& world_;
    Source& random_;
    std::vector<ShapeId> shapes_;
    std::vector<BodyId> bodies_, deforming_;
    std::vector<SpringId> springs_;
    std::vector<JointId> joints_;
};

} // namespace fovea::test
