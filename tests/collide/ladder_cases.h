// Bodies with ladders of every kind, poses near contact, and answers found the plain way.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/triangle_overlap.h"
#include "fovea/volume/volume_tree.h"

namespace fovea::test {

using SlotSet = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct LadderBody {
    std::string name;
    TriangleMesh mesh; ///< empty for solids
    Ladder ladder;
    bool nested = false; ///< every node's children lie inside it
};

inline LadderBody sphere_body(const std::string& mesh, int detail, SphereMethod method, int levels,
                              int branching, Nesting nesting, float scale = 1) {
    LadderBody body{mesh + " in spheres", *make_procedural(mesh, detail), {}, false};
    for (Vec3& vertex : body.mesh.vertices) vertex *= scale;
    SphereTreeSettings settings;
    settings.method = method;
    settings.levels = levels;
    settings.branching = branching;
    settings.nesting = nesting;
    settings.threads = 1;
    settings.effort = 0.25; // tests want any tree, soon
    const auto tree = SphereTree::build(body.mesh, settings);
    body.nested = tree->proof().children_inside;
    body.ladder = *make_ladder(*tree, body.mesh);
    return body;
}

inline LadderBody cube_body(const std::string& mesh, int levels, int divisions) {
    LadderBody body{mesh + " in cubes", *make_procedural(mesh, 1), {}, false};
    body.ladder =
        *make_ladder(*VolumeTree::build_cubes(
                         body.mesh, {.levels = levels, .divisions = divisions, .threads = 1}),
                     body.mesh);
    return body;
}

inline LadderBody swept_body(const std::string& mesh, int levels) {
    LadderBody body{mesh + " in swept spheres", *make_procedural(mesh, 1), {}, false};
    SweptTreeSettings settings;
    settings.levels = levels;
    settings.threads = 1;
    body.ladder = *make_ladder(*VolumeTree::build_swept(body.mesh, settings), body.mesh);
    return body;
}

inline LadderBody surface_body(const std::string& mesh) {
    LadderBody body{mesh + " as a surface", *make_procedural(mesh, 1), {}, false};
    body.ladder = *make_surface_ladder(body.mesh);
    return body;
}

inline LadderBody solid_body(const std::string& name, const Shape& shape) {
    return {name, {}, *make_ladder(shape), false};
}

inline Shape compound_shape() {
    auto parts = std::make_shared<Compound>();
    parts->parts.push_back({Box{{0.4f, 0.1f, 0.1f}}, Transform({0.3f, 0, 0})});
    parts->parts.push_back({Capsule{0.1f, 0.3f}, Transform({-0.1f, 0.3f, 0})});
    parts->parts.push_back({Sphere{0.2f}, Transform({-0.1f, -0.2f, 0.1f})});
    return CompoundShape{parts};
}

inline Quat random_turn(Random& random) {
    return normalized(Quat(float(random.uniform(-1, 1)), Vec3(random.direction())));
}

/// Somewhere near a body of one metre at the origin, about as often touching as not.
inline Transform random_pose(Random& random, double reach = 1) {
    return {Vec3(random.direction() * random.uniform(0.2, reach)), random_turn(random)};
}

/// B seen from A, in double.
inline Transformd b_in_a(const Transform& a, const Transform& b) {
    const Quatd qa = normalized(Quatd(a.orientation)), qb = normalized(Quatd(b.orientation));
    return relative(Transformd(Vec3d(a.position), qa), Transformd(Vec3d(b.position), qb));
}

inline TriangleCorners corners_in(const TriangleMesh& mesh, std::size_t i, const Transformd& pose) {
    const auto t = corners(mesh, i);
    return {Vec3(pose * Vec3d(t[0])), Vec3(pose * Vec3d(t[1])), Vec3(pose * Vec3d(t[2]))};
}

/// Every pair of triangles that meet, all against all.
inline SlotSet meeting_triangles(const TriangleMesh& a, const TriangleMesh& b,
                                 const Transformd& pose) {
    SlotSet found;
    std::vector<TriangleCorners> of_b;
    std::vector<Aabb> boxes;
    for (std::size_t k = 0; k < b.triangles.size(); ++k) {
        of_b.push_back(corners_in(b, k, pose));
        const auto& [p, q, r] = of_b.back();
        boxes.push_back({min(p, min(q, r)), max(p, max(q, r))});
    }
    for (std::uint32_t i = 0; i < a.triangles.size(); ++i) {
        const auto t = corners(a, i);
        const Aabb box = {min(t[0], min(t[1], t[2])), max(t[0], max(t[1], t[2]))};
        for (std::uint32_t k = 0; k < b.triangles.size(); ++k)
            if (overlap(box, boxes[k]) && triangles_overlap(t, of_b[k])) found.push_back({i, k});
    }
    return found;
}

inline SlotSet sorted_pairs(const PairDescent& pair) {
    SlotSet pairs;
    for (std::uint32_t i = 0; i < pair.count; ++i) pairs.push_back({pair.a[i], pair.b[i]});
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

/// Slots in use on a level of a ladder.
inline std::vector<std::uint32_t> slots_of(const Ladder& ladder, int level) {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = ladder.level_block[level] * LadderBlock::k_width;
         slot < ladder.level_block[level + 1] * LadderBlock::k_width; ++slot)
        if (ladder.ball(slot).centre.x < LadderBlock::k_nowhere) slots.push_back(slot);
    return slots;
}

} // namespace fovea::test
