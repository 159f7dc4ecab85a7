#include "fovea/world/fast_bodies.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/collide/shape_impact.h"
#include "fovea/collide/shape_query.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/world/ball_inside.h"

namespace fovea {

namespace {

/// Of its least half width: a body that goes farther in a step may get past the middle of a wall.
constexpr float k_far = 0.5f;

/// Of so many fast bodies one is expected to find something in its way that had nothing in the step
/// before; of fewer none. What is too few makes bodies late; what is too much is time that nothing
/// else may use.
constexpr std::uint64_t k_newly_blocked = 8;

constexpr std::size_t k_search_block = 64; ///< fast bodies per job
constexpr std::size_t k_test_block = 1;

bool reaches(const Aabb& box, const HalfSpace& plane, const Transform& at) {
    const Vec3 normal = rotate(at.orientation, plane.normal);
    const Vec3 middle = (box.low + box.high) * 0.5f, half = (box.high - box.low) * 0.5f;
    return dot(normal, middle - at.position) - dot(abs(normal), half) <= plane.offset;
}

/// How far the rest of the step would press the body in.
float pressed_in(const Impact& impact, const Motion& motion, float h) {
    return dot(motion.velocity, impact.proximity.normal) * (h - float(impact.time));
}

/// Whether there is anything that the body must not pass through.
bool needs_tests(const FastScene& scene, std::uint32_t slot, bool obstacles) {
    return scene.bodies.movable(slot) && !scene.sensors[slot] && (obstacles || scene.fast[slot]);
}

/// A box that holds all places the body is in on its way.
Aabb box_of_way(const FastScene& scene, const FastBody& body) {
    const CollisionShape& shape = scene.shape(body.slot);
    const Transform& start = scene.placement[body.slot];
    const Aabb before = bounds(shape, start), after = bounds(shape, body.end);
    // A point that turns by an angle leaves the chord of its arc by radius (1 - cos(angle / 2)).
    const float cosine = std::abs(dot(start.orientation, body.end.orientation));
    const bool turns = type_of(shape.shape) != ShapeType::sphere;
    const float bulge = turns ? scene.islands.radius(body.slot) * std::max(1 - cosine, 0.0f) : 0;
    return expanded({min(before.low, after.low), max(before.high, after.high)}, bulge);
}

void add_obstacles(const FastScene& scene, const FastBody& body,
                   std::vector<std::uint32_t>& obstacles) {
    const Aabb way = box_of_way(scene, body);
    const auto first = std::ptrdiff_t(obstacles.size());
    const auto note = [&](std::uint32_t other, float limit) {
        if (other != body.slot && !scene.sensors[other] &&
            collide(scene.filters[body.slot], scene.filters[other]) &&
            !scene.joints.keeps_apart(body.slot, other))
            obstacles.push_back(other);
        return limit;
    };
    scene.index.immovable().near(way, 0, note);
    // The impulse response parts half-spaces from what is in them, however deep.
    for (const std::uint32_t other : scene.index.half_spaces())
        if (!scene.blows && reaches(way, std::get<HalfSpace>(scene.shape(other).shape),
                                    scene.index.placement(other)))
            note(other, 0);
    if (scene.fast[body.slot]) scene.index.movable().near(way, 0, note);
    // Trees differ between a world and its copy; what is found must not.
    std::sort(obstacles.begin() + first, obstacles.end());
}

/// False if the meter ended it: nothing is known then.
bool find_impact(const FastScene& scene, std::span<const std::uint32_t> obstacles, FastBody& body,
                 float h, WorkMeter& work) {
    const CollisionShape& shape = scene.shape(body.slot);
    const Motion motion = scene.motion_of(body, h);
    // A whole body that slides over a surface would run into the edge of every next triangle, and a
    // mesh that rolls over anything would do so with its own triangles: there the ball inside it is
    // sent instead.
    const auto ball = ball_inside(shape, scene.centre[body.slot]);
    const BoundingBall inner = ball.value_or(BoundingBall{});
    const CollisionShape sphere{Sphere{inner.radius}, nullptr, nullptr};
    const bool mesh = has_triangles(type_of(shape.shape));
    // What comes on so slowly that it was within the contacts' margin when the step began has been
    // looked after by these. Contacts of blows have no margin.
    const float margin = scene.blows ? 0 : scene.margin;
    const float slow =
        ball ? std::min(margin, inner.radius) / h : -std::numeric_limits<float>::infinity();
    const Motion ball_motion{
        Transform(scene.placement[body.slot] * inner.centre, motion.start.orientation),
        motion.centre - inner.centre, motion.velocity,
        inner.centre != motion.centre ? motion.angular_velocity : Vec3()};
    const Vec3 ball_velocity =
        motion.velocity + cross(ball_motion.angular_velocity,
                                rotate(motion.start.orientation, inner.centre - motion.centre));
    body.time = double(h);
    for (const std::uint32_t other : obstacles) {
        if (work.exhausted()) return false;
        const CollisionShape& obstacle = scene.shape(other);
        const Motion still = at_rest(scene.index.placement(other));
        // A mesh is costly to follow, and where a half-space begins is never in doubt.
        const bool ball_alone = ball && mesh && type_of(obstacle.shape) == ShapeType::half_space;
        const ShapeImpact whole = ball_alone ? ShapeImpact{.impact = {}, .passed_over = true}
                                             : time_of_impact(shape, motion, obstacle, still,
                                                              float(body.time), {}, slow, &work);
        if (whole.cut) return false;
        Impact impact = whole.impact;
        const bool edges = mesh || has_triangles(type_of(obstacle.shape));
        // What touches from the start has contacts, but a body that spins may turn past them.
        if (ball && (impact.stops() ? edges && pressed_in(impact, motion, h) < inner.radius
                                    : whole.passed_over)) {
            constexpr ImpactSettings k_touch;
            const float reach = inner.radius + k_touch.target + k_touch.tolerance;
            const auto near =
                closest_point(ball_motion.start.position, reach, obstacle, still.start);
            if (near && dot(ball_velocity, near->normal) < 0) {
                body.time = 0;
                body.obstacle = other, body.point = near->point, body.normal = -near->normal;
                // What moves would have to be pushed in return.
                if (!scene.bodies.movable(other)) body.against = -near->normal;
                continue;
            }
            const ShapeImpact of_ball =
                time_of_impact(sphere, ball_motion, obstacle, still, float(body.time), {},
                               -std::numeric_limits<float>::infinity(), &work);
            if (of_ball.cut) return false;
            impact = of_ball.impact;
        }
        if (!impact.stops()) continue;
        if (impact.time == 0) {
            const auto within = closest_point(ball_motion.start.position, 0, obstacle, still.start);
            if (within && within->inside && dot(ball_velocity, within->normal) >= 0) continue;
        }
        if (impact.time < body.time) {
            body.obstacle = other;
            body.point = (impact.proximity.point_a + impact.proximity.point_b) * 0.5f;
            body.normal = impact.proximity.normal;
        }
        body.time = std::min(body.time, impact.time);
        // A body that cannot even begin its way would try the same in every step. Blows turn it
        // back; along the edges of surfaces it finds a way.
        if ((mesh || (!edges && !scene.blows)) && impact.time == 0 && !scene.bodies.movable(other))
            body.against = impact.proximity.normal;
    }
    return true;
}

} // namespace

float FastScene::free_way(std::uint32_t slot) const {
    return k_far * half_width[shape_of[slot]];
}

FastBodies::Foreseen FastBodies::foresee(const FastScene& scene,
                                         std::span<const std::uint8_t> active, bool obstacles,
                                         float gain, float h) {
    Foreseen foreseen;
    for (std::uint32_t slot = 0; slot < scene.bodies.size(); ++slot) {
        if (!active[slot] || !needs_tests(scene, slot, obstacles)) continue;
        const float way = (length(scene.bodies.velocity[slot]) + gain) * h;
        if (way <= scene.free_way(slot)) continue;
        ++foreseen.bodies;
        if (scene.fast[slot]) foreseen.layers = QueryIndex::Layers::all;
    }
    foreseen_ = foreseen.bodies;
    return foreseen;
}

std::uint64_t FastBodies::tests_expected() const {
    return std::min<std::uint64_t>(foreseen_, blocked_before_ + foreseen_ / k_newly_blocked);
}

void FastBodies::gather(const FastScene& scene, std::span<const std::uint32_t> slots,
                        bool obstacles, float h) {
    bodies_.clear();
    for (const std::uint32_t slot : slots) {
        if (!needs_tests(scene, slot, obstacles)) continue;
        const float way = length(scene.bodies.velocity[slot]) * h, free = scene.free_way(slot);
        if (way > free)
            bodies_.push_back({slot, free / way, scene.bodies.frame(slot, scene.centre[slot])});
    }
    blocked_ = bodies_.size();
    if (bodies_.empty()) blocked_before_ = 0;
}

QueryIndex::Layers FastBodies::layers(const FastScene& scene) const {
    const bool all = std::ranges::any_of(
        bodies_, [&](const FastBody& body) { return scene.fast[body.slot] != 0; });
    return all ? QueryIndex::Layers::all : QueryIndex::Layers::immovable;
}

void FastBodies::find_obstacles(const FastScene& scene, const Jobs& jobs) {
    obstacles_.resize(std::max(obstacles_.size(), bodies_.size() / k_search_block + 1));
    jobs.for_blocks(bodies_.size(), k_search_block, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t>& found = obstacles_[begin / k_search_block];
        found.clear();
        for (std::size_t i = begin; i < end; ++i) {
            bodies_[i].first_obstacle = std::uint32_t(found.size());
            bodies_[i].list = std::uint32_t(begin / k_search_block);
            add_obstacles(scene, bodies_[i], found);
            bodies_[i].obstacles = std::uint32_t(found.size()) - bodies_[i].first_obstacle;
        }
    });
    const auto free = std::partition(bodies_.begin(), bodies_.end(),
                                     [](const FastBody& body) { return body.obstacles > 0; });
    blocked_ = std::size_t(free - bodies_.begin());
    blocked_before_ = std::uint32_t(blocked_);
    std::sort(bodies_.begin(), free, [](const FastBody& a, const FastBody& b) {
        return a.free != b.free ? a.free < b.free : a.slot < b.slot;
    });
}

std::size_t FastBodies::test(const FastScene& scene, std::size_t first, std::size_t count, float h,
                             double deadline, const Jobs& jobs) {
    const std::span<FastBody> tested = std::span(bodies_).subspan(first, count);
    jobs.for_blocks(count, k_test_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            FastBody& body = tested[i];
            WorkMeter work(std::numeric_limits<std::uint64_t>::max(), deadline);
            const auto obstacles =
                std::span(obstacles_[body.list]).subspan(body.first_obstacle, body.obstacles);
            body.known = find_impact(scene, obstacles, body, h, work);
        }
    });
    return std::size_t(std::ranges::find(tested, false, &FastBody::known) - tested.begin());
}

bool FastBodies::all_known() const {
    return std::ranges::all_of(bodies_, &FastBody::known);
}

} // namespace fovea
