// The continuous query: vertices move straight through the step; when do the meshes first touch?
#include <algorithm>
#include <cmath>

#include "fovea/base/assert.h"
#include "fovea/collide/mesh_descent.h"
#include "fovea/geometry/triangle_distance.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_width = MeshHierarchy::k_block_width;
using Corners = std::array<Vec3d, 3>;

/// A triangle on its way from one place to another.
struct MovingTriangle {
    Corners start, motion;

    Corners at(double t) const {
        return {start[0] + motion[0] * t, start[1] + motion[1] * t, start[2] + motion[2] * t};
    }
};

MovingTriangle moving(const TriangleCorners& from, const TriangleCorners& to) {
    MovingTriangle m;
    for (int i = 0; i < 3; ++i) {
        m.start[i] = Vec3d(from[i]);
        m.motion[i] = Vec3d(to[i]) - m.start[i];
    }
    return m;
}

double fastest(const Corners& motion, const Vec3d& reference) {
    double squared = 0;
    for (const Vec3d& v : motion) squared = std::max(squared, length_squared(v - reference));
    return std::sqrt(squared);
}

/// Conservative advancement (Mirtich, "Impulse-based Dynamic Simulation", 1996; for deforming
/// meshes Tang, Kim and Manocha, "C2A", 2009): while two triangles are d apart and approach at no
/// more than `speed`, nothing happens for d / speed. Returns the time at which they are within the
/// tolerance, or `until` if that is not before it.
double first_contact(const MovingTriangle& a, const MovingTriangle& b, double tolerance,
                     double until) {
    // Motion common to both does not bring them together.
    const Vec3d reference =
        (a.motion[0] + a.motion[1] + a.motion[2] + b.motion[0] + b.motion[1] + b.motion[2]) / 6.0;
    const double speed = fastest(a.motion, reference) + fastest(b.motion, reference);
    constexpr int k_most_steps = 200;
    double t = 0;
    for (int i = 0; i < k_most_steps; ++i) {
        const double distance = triangle_feature_gap(a.at(t), b.at(t)).distance;
        if (distance <= tolerance) return t;
        if (!(speed > 0)) return until;
        // Half the tolerance is kept in hand, so that each step makes headway and none overshoots.
        t += (distance - tolerance / 2) / speed;
        if (t >= until) return until;
    }
    return t; // not decided: counted as a contact, which is the safe side
}

/// World box of a box of the mesh's frame over the step.
Aabb world_box(const PlacedMesh& mesh, const Aabb& box, bool moved, float pad) {
    if (!moved) return expanded(box, pad);
    const float reach = std::max(length(box.low), length(box.high));
    const auto placed_box = [&](const Transform& t) {
        return turned(frame_pair({}, t, reach), box).around;
    };
    return expanded(merged(placed_box(mesh.placement), placed_box(mesh.previous_placement)), pad);
}

} // namespace

SweptAnswer MeshQuery::swept(const PlacedMesh& a, const PlacedMesh& b, float tolerance,
                             const MeshQuerySettings& settings) {
    FOVEA_ASSERT(tolerance > 0);
    WorkMeter work(settings.budget);
    SweptAnswer answer;
    MeshQueryCounters& counters = answer.counters;
    const bool moved_a = !is_identity(a.placement) || !is_identity(a.previous_placement);
    const bool moved_b = !is_identity(b.placement) || !is_identity(b.previous_placement);
    const MeshHierarchy &hierarchy_a = a.tree.hierarchy(), &hierarchy_b = b.tree.hierarchy();
    a.tree.prepare_swept();
    b.tree.prepare_swept();
    const auto box_of_a = [&](std::uint32_t slot) {
        const Aabb box = a.tree.open_swept(slot / k_width, counters.refits).lane(slot % k_width);
        return world_box(a, box, moved_a, tolerance);
    };
    const auto box_of_b = [&](std::uint32_t slot) {
        const Aabb box = b.tree.open_swept(slot / k_width, counters.refits).lane(slot % k_width);
        return world_box(b, box, moved_b, tolerance);
    };
    const auto triangle = [&](const PlacedMesh& mesh, bool moved, std::uint32_t leaf) {
        return moving(placed(mesh.tree.previous_corners(leaf, counters.refits),
                             mesh.previous_placement, moved),
                      placed(mesh.tree.corners(leaf, counters.refits), mesh.placement, moved));
    };

    std::vector<SlotPair>& stack = main_.stack;
    stack.clear();
    ++counters.box_tests;
    if (overlap(box_of_a(0), box_of_b(0))) stack.push_back({0, 0});
    while (!stack.empty() && !work.exhausted()) {
        const SlotPair slots = stack.back();
        stack.pop_back();
        const ChildPair child(hierarchy_a, hierarchy_b, slots);
        if (child.both_leaves()) {
            const std::uint32_t i = MeshHierarchy::leaf_of(child.a);
            const std::uint32_t j = MeshHierarchy::leaf_of(child.b);
            ++counters.triangle_tests;
            work.charge(64);
            const double t = first_contact(triangle(a, moved_a, i), triangle(b, moved_b, j),
                                           tolerance, answer.free_until);
            if (t < answer.free_until) {
                answer.free_until = t;
                answer.pair = {hierarchy_a.triangle_order[i], hierarchy_b.triangle_order[j]};
            }
            continue;
        }
        const Aabb box_a = box_of_a(slots.a), box_b = box_of_b(slots.b);
        const bool open_a = child.opens_a(box_a, box_b);
        const std::uint32_t block = open_a ? child.a : child.b;
        const std::uint32_t count = (open_a ? hierarchy_a : hierarchy_b).child_count[block];
        counters.box_tests += count;
        work.charge(2 * count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t slot = block * k_width + i;
            if (!overlap(open_a ? box_of_a(slot) : box_of_b(slot), open_a ? box_b : box_a))
                continue;
            stack.push_back(open_a ? SlotPair{slot, slots.b} : SlotPair{slots.a, slot});
        }
    }
    // What was not looked at may touch at any time.
    answer.complete = stack.empty();
    if (!answer.complete) answer.free_until = 0;
    answer.work = work.spent();
    return answer;
}

} // namespace fovea
