// The top rung of a descent: triangles and solids below the leaves that overlap.
#include <algorithm>
#include <bit>
#include <utility>

#include "fovea/base/assert.h"
#include "fovea/collide/node_shapes.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/collide/triangle_batch.h"
#include "fovea/geometry/proximity.h"

namespace fovea {

namespace {

/// In double, then rounded: the exact tests should not depend on which body is called A.
TriangleCorners carried(const TriangleCorners& triangle, const Mat3d& turn, const Vec3d& offset) {
    return {Vec3(turn * Vec3d(triangle[0]) + offset), Vec3(turn * Vec3d(triangle[1]) + offset),
            Vec3(turn * Vec3d(triangle[2]) + offset)};
}

} // namespace

/// Below leaves that touch: groups of elements of A against leaves of B, groups of B against those
/// left, elements likewise, all by their spheres; then exactly. Where no surfaces meet, one body
/// may be inside the other. False if the budget ended it.
bool LadderDescent::exact_rung(const PairDescent& pair, WorkMeter& work, List*& result,
                               Enclosed& enclosed) {
    List* list = &scratch_.lists_[0];
    List* next = &scratch_.lists_[1];
    // Leaves to groups, then groups to elements.
    auto from_a = pair.of_a(), from_b = pair.of_b();
    for (int level = 0; level < 2; ++level) {
        for (const Side side : {k_a, k_b}) {
            if (ladder(side).is_half_space()) continue;
            if (!pass(side, Below::leaves, from_a, from_b, *next, work)) return false;
            std::swap(list, next);
            from_a = {list->a.data(), list->count}, from_b = {list->b.data(), list->count};
        }
    }
    result = list;
    if (!to_elements(*list, work)) return false;
    meets_ = false;
    const bool triangles = a_.top == LadderTop::triangles && b_.top == LadderTop::triangles;
    if (!(triangles ? keep_touching_triangles(*list, work) : keep_touching_elements(*list, work)))
        return false;
    return meets_ || find_enclosed(pair, *list, work, enclosed);
}

bool LadderDescent::to_elements(List& list, WorkMeter& work) {
    const bool repeats = a_.repeats_elements || b_.repeats_elements;
    if (repeats) scratch_.seen_.reset(list.count);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < list.count; ++i) {
        if (work.exhausted()) return false;
        work.charge(k_element_units);
        const std::uint32_t a = a_.is_half_space() ? 0 : a_.element(list.a[i]);
        const std::uint32_t b = b_.is_half_space() ? 0 : b_.element(list.b[i]);
        if (repeats && !scratch_.seen_.insert(std::uint64_t(a) << 32 | b)) continue;
        list.a[kept] = a;
        list.b[kept++] = b;
    }
    list.count = kept;
    return true;
}

const TriangleCorners& LadderDescent::carried_triangle(std::uint32_t number) {
    auto& place = scratch_.carried_[number % scratch_.carried_.size()];
    if (place.number != number) {
        const Relation& to_a = relation();
        place = {number, carried(b_.triangles[number].corners, to_a.turn, to_a.b_in_a.position)};
        ++scratch_.counters.transforms;
    }
    return place.corners;
}

bool LadderDescent::keep_touching_triangles(List& list, WorkMeter& work) {
    constexpr std::uint32_t k_none = 0xffffffffu;
    for (auto& place : scratch_.carried_) place.number = k_none;
    TriangleBatch batch, near;
    std::uint32_t kept = 0;
    for (std::uint32_t first = 0; first < list.count; first += batch.size()) {
        if (work.exhausted()) return false;
        batch.clear();
        const std::uint32_t end = std::min(list.count, first + TriangleBatch::k_capacity);
        for (std::uint32_t i = first; i < end; ++i)
            batch.add(a_.triangles[list.a[i]].corners, carried_triangle(list.b[i]), i - first, 0);
        work.charge(k_triangle_test_units * batch.size());
        scratch_.counters.triangle_tests += batch.size();
        std::uint32_t touch = 0; // a bit for each
        batch.for_overlapping([&](std::uint32_t i, std::uint32_t) {
            touch |= 1u << i;
            return meets_ = true;
        });
        if (settings_.margin > 0) {
            // Planes part most pairs for a fraction of the price of the distance.
            near.clear();
            for (std::uint32_t rest = batch.between_planes(slack_) & ~touch; rest != 0;
                 rest &= rest - 1)
                near.add(batch, std::uint32_t(std::countr_zero(rest)));
            if (work.exhausted()) return false;
            work.charge(k_triangle_gap_units * near.size());
            for (std::uint32_t rest = near.within(slack_); rest != 0; rest &= rest - 1)
                touch |= 1u << near.leaf_a(std::uint32_t(std::countr_zero(rest)));
        }
        for (; touch != 0; touch &= touch - 1) {
            const std::uint32_t i = first + std::uint32_t(std::countr_zero(touch));
            list.a[kept] = list.a[i];
            list.b[kept++] = list.b[i];
        }
    }
    list.count = kept;
    return true;
}

/// Pairs in which at least one is a solid or the half-space.
bool LadderDescent::keep_touching_elements(List& list, WorkMeter& work) {
    const bool plane = a_.is_half_space() || b_.is_half_space();
    const Side side = a_.is_half_space() ? k_b : k_a;
    const NodePlane boundary = plane ? plane_for(side) : NodePlane{};
    const auto below_plane = [&](std::uint32_t number) {
        const Ladder& ladder = this->ladder(side);
        if (ladder.top == LadderTop::triangles) {
            float least = LadderBlock::k_nowhere;
            for (const Vec3& p : ladder.triangles[number].corners)
                least = std::min(least, dot(boundary.normal, p));
            return least <= boundary.offset;
        }
        const Ladder::Solid& solid = ladder.solids[number];
        const HalfSpace below{boundary.normal, boundary.offset};
        return proximity(solid.shape, solid.placement, below, Transform()).separation <= 0;
    };
    const auto touch_triangle = [&](const Ladder::Solid& solid, const Transform& at,
                                    const TriangleCorners& triangle, bool closed) {
        const Proximity near = proximity(solid.shape, at, triangle);
        const bool touch = near.separation <= settings_.margin;
        if (touch && (!closed || facing(near, triangle) >= k_face_to_face)) meets_ = true;
        return touch;
    };
    const auto touch = [&](std::uint32_t number_a, std::uint32_t number_b) {
        if (plane) return below_plane(side == k_a ? number_a : number_b);
        const auto at_b = [&](const Ladder::Solid& solid) {
            return Transform(relation().b_in_a * Transformd(solid.placement));
        };
        if (a_.top == LadderTop::triangles) {
            const Ladder::Solid& solid = b_.solids[number_b];
            return touch_triangle(solid, at_b(solid), a_.triangles[number_a].corners,
                                  a_.encloses_space);
        }
        const Ladder::Solid& solid = a_.solids[number_a];
        if (b_.top == LadderTop::triangles) {
            const Relation& to_a = relation();
            const auto triangle =
                carried(b_.triangles[number_b].corners, to_a.turn, to_a.b_in_a.position);
            return touch_triangle(solid, solid.placement, triangle, b_.encloses_space);
        }
        const Ladder::Solid& other = b_.solids[number_b];
        return proximity(solid.shape, solid.placement, other.shape, at_b(other)).separation <=
               settings_.margin;
    };
    return keep(list, plane ? k_triangle_test_units : k_solid_test_units,
                scratch_.counters.triangle_tests, work, touch);
}

} // namespace fovea
