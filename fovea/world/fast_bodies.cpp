// Bodies that went so far in a step that they may have passed through something.
//
//      start       wall      end             The way of the step is searched for the first touch
//        o - - - - -|- - - - ->o             with what lies around it, at rest where it is at the
//                  o                         end of the step. The body is put back to just before
//               put back                     that touch, with its velocity; the next step finds a
//                                            contact there. The impulse response, which knows of no
//                                            contact before bodies overlap, strikes at once.
//
// First all are found that have anything in the box around their way (which says more than the
// space-time sphere of Dingliana 5.2: it is as wide as the body, not as the way is long), then
// these are tested. Where a budget leaves no time for a test, or ends it, the body goes as far as
// bodies may that need none, and keeps its velocity, less what gravity added beyond that: it is
// late, but not where it must not be. Of what cannot move and is in its way already it has
// contacts. These are made for a whole step: a body that spins may get round them, bit by bit, in
// many short ones. So its centre goes no farther against them. Whatever hangs together with it is
// late as well: see late_bodies.h.
//
// A body that touches from the start, or is about to and comes on slowly, has contacts, which look
// after it. One that spins may still turn past them and get in: the ball inside it is what must not
// get through. Where even that touches, or a body comes on faster and cannot begin its way, it
// stays and loses the velocity with which it goes on against the obstacle. What is inside an
// obstacle already, by its middle, and on its way out is stopped by nothing of it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fovea/collide/shape_impact.h"
#include "fovea/collide/shape_query.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/world/ball_inside.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

/// Of its least half width: a body that goes farther in a step may get past the middle of a wall.
constexpr float k_far = 0.5f;

constexpr std::size_t k_search_block = 64; ///< fast bodies per job
constexpr std::size_t k_sweep_block = 1;

bool reaches(const Aabb& box, const HalfSpace& plane, const Transform& at) {
    const Vec3 normal = rotate(at.orientation, plane.normal);
    const Vec3 middle = (box.low + box.high) * 0.5f, half = (box.high - box.low) * 0.5f;
    return dot(normal, middle - at.position) - dot(abs(normal), half) <= plane.offset;
}

/// How far the rest of the step would press the body in.
float pressed_in(const Impact& impact, const Motion& motion, float h) {
    return dot(motion.velocity, impact.proximity.normal) * (h - float(impact.time));
}

} // namespace

bool World::goes_far(std::uint32_t slot, float way) const {
    return way > k_far * shape_half_width_[body_shape_[slot]];
}

QueryIndex::Layers World::layers_of(std::span<const FastBody> fast) const {
    const bool flagged = std::ranges::any_of(
        fast, [&](const FastBody& body) { return fast_flags_[body.slot] != 0; });
    return flagged ? QueryIndex::Layers::all : QueryIndex::Layers::immovable;
}

bool World::has_obstacles() const {
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (body_ids_.slot_in_use(slot) && !bodies_.movable(slot) && !sensors_[slot]) return true;
    return false;
}

void World::gather_fast_bodies(float h) {
    fast_.clear();
    const bool obstacles = has_obstacles();
    for (const std::uint32_t slot : awake_) {
        if (!bodies_.movable(slot) || sensors_[slot]) continue;
        if (!obstacles && !fast_flags_[slot]) continue;
        const float way = length(bodies_.velocity[slot]) * h;
        const float free = k_far * shape_half_width_[body_shape_[slot]];
        if (way > free) fast_.push_back({slot, free / way, shape_placement(slot)});
    }
}

std::size_t World::find_obstacles() {
    query_index_->set_moved();
    const QueryIndex::Layers layers = layers_of(fast_);
    const std::uint64_t units = index_units(fast_.size(), layers);
    if (!can_index(units)) return fast_.size();
    query_index(layers);
    query_index_->pay(layers);
    obstacles_.resize(std::max(obstacles_.size(), fast_.size() / k_search_block + 1));
    jobs_.for_blocks(fast_.size(), k_search_block, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t>& found = obstacles_[begin / k_search_block];
        found.clear();
        for (std::size_t i = begin; i < end; ++i) {
            fast_[i].first_obstacle = std::uint32_t(found.size());
            fast_[i].list = std::uint32_t(begin / k_search_block);
            add_obstacles(fast_[i], found);
            fast_[i].obstacles = std::uint32_t(found.size()) - fast_[i].first_obstacle;
        }
    });
    accounts_.done(Work::index, units);
    const auto free = std::partition(fast_.begin(), fast_.end(),
                                     [](const FastBody& body) { return body.obstacles > 0; });
    const auto blocked = std::size_t(free - fast_.begin());
    blocked_before_ = std::uint32_t(blocked);
    std::ranges::sort(std::span(fast_).first(blocked), [](const FastBody& a, const FastBody& b) {
        return a.free != b.free ? a.free < b.free : a.slot < b.slot;
    });
    return blocked;
}

std::size_t World::sweep_fast_bodies(std::size_t blocked, float h) {
    std::size_t done = 0;
    while (const std::size_t more = affordable_sweeps(done, blocked)) {
        const double deadline = sweep_deadline();
        jobs_.for_blocks(more, k_sweep_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                WorkMeter work(std::numeric_limits<std::uint64_t>::max(), deadline);
                fast_[done + i].known = find_impact(fast_[done + i], h, work);
            }
        });
        note_sweeps(more);
        // Those behind the first that was cut do not count, so that a number says which do.
        std::size_t known = 0;
        while (known < more && fast_[done + known].known) ++known;
        done += known;
        if (known < more) break;
    }
    return done;
}

int World::stop_fast_bodies(float h, BudgetReport& report) {
    if (fast_.empty()) {
        blocked_before_ = 0;
        return 0;
    }
    const std::size_t blocked = find_obstacles();
    const std::size_t swept = cut_.searched ? sweep_fast_bodies(blocked, h) : 0;
    const bool whole = std::ranges::all_of(fast_, &FastBody::known);
    whole ? accounts_.done(Work::sweep) : accounts_.cut(Work::sweep);
    cut_.sweeps = swept;
    report.sweeps_left_out = std::uint32_t(blocked - swept);
    int stopped = 0;
    for (const FastBody& body : std::span(fast_).first(swept)) {
        if (body.time >= double(h)) continue;
        const Transform at(pose_at(motion_of(body, h), body.time));
        bodies_.position[body.slot] = at * body_centre_[body.slot];
        bodies_.orientation[body.slot] = normalized(at.orientation);
        if (body.time > 0) take_back_gravity(body.slot, body.normal, h - float(body.time));
        if (body.time == 0) {
            Vec3& velocity = bodies_.velocity[body.slot];
            velocity -= body.against * std::max(dot(velocity, body.against), 0.0f);
        }
        ++stopped;
    }
    hold_late_bodies(std::span(fast_).subspan(swept, blocked - swept), h);
    if (settings_.response == Response::impulse && stopped > 0)
        strike_obstacles(std::span(fast_).first(swept), h);
    return stopped;
}

/// Of a body that went so much less far in time than the step: what gravity gave it for that, on
/// its way in this direction, would be energy from nothing. What is held from falling did not get
/// any.
void World::take_back_gravity(std::uint32_t slot, const Vec3& direction, float missed) {
    const Vec3 gravity = settings_.gravity * bodies_.motion[slot].gravity_scale;
    Vec3& velocity = bodies_.velocity[slot];
    const float given = std::min(dot(gravity, direction) * missed, dot(velocity, direction));
    velocity -= direction * std::max(given, 0.0f);
}

void World::hold_late_bodies(std::span<const FastBody> fast, float h) {
    if (fast.empty()) return;
    for (const FastBody& late : fast) late_.note(late.slot, late.free);
    late_.find_groups({bodies_, joints_.all(), springs_, contacts_.patches(), h});
    for (const std::uint32_t slot : awake_) {
        const float part = late_.part(slot);
        if (part == 1) continue;
        const Transform& start = placement_[slot];
        const Vec3 from = start * body_centre_[slot];
        bodies_.position[slot] = from + (bodies_.position[slot] - from) * part;
        bodies_.orientation[slot] = between(start.orientation, bodies_.orientation[slot], part);
        const float missed = h * (1 - part);
        if (late_.slowed(slot))
            late_.slow(bodies_, slot);
        else
            take_back_gravity(slot, normalized_or(settings_.gravity, Vec3()), missed);
        history_.hold_up(slot, missed);
    }
    const auto hold = [&](std::uint32_t a, std::uint32_t b, const Vec3& normal, float separation) {
        if (late_.is_late(a)) hold_late_body(a, b, normal, separation);
        if (late_.is_late(b)) hold_late_body(b, a, -normal, separation);
    };
    if (settings_.response == Response::impulse) {
        for (const Contact& contact : narrow_.contacts())
            hold(contact.a, contact.b, contact.normal, contact.separation);
        return;
    }
    for (const ContactPatch& patch : contacts_.patches())
        for (int i = 0; i < patch.count; ++i)
            hold(patch.a, patch.b, patch.normal, patch.points[i].separation);
}

void World::hold_late_body(std::uint32_t slot, std::uint32_t other, const Vec3& to_other,
                           float separation) {
    if (bodies_.movable(other)) return;
    const Vec3 from = placement_[slot] * body_centre_[slot];
    const float way = dot(bodies_.position[slot] - from, to_other);
    const float speed = dot(bodies_.velocity[slot], to_other);
    if (speed <= 0 || way <= separation) return;
    bodies_.velocity[slot] -= to_other * speed;
    bodies_.position[slot] -= to_other * (way - std::max(separation, 0.0f));
}

void World::strike_obstacles(std::span<const FastBody> swept, float h) {
    struck_.clear();
    for (const FastBody& body : swept)
        if (body.time < double(h))
            struck_.push_back(
                {body.slot, body.obstacle, 0, body.point, body.point, body.normal, 0});
    refresh_inertia(bodies_, jobs_);
    respond_with_impulses(bodies_, struck_, settings_.impulse, scratch_);
}

Motion World::motion_of(const FastBody& body, float h) const {
    return motion_between(placement_[body.slot], body.end, body_centre_[body.slot], h);
}

void World::add_obstacles(const FastBody& body, std::vector<std::uint32_t>& obstacles) const {
    const CollisionShape& shape = shapes_[body_shape_[body.slot]];
    const Aabb before = bounds(shape, placement_[body.slot]);
    const Aabb after = bounds(shape, body.end);
    // A point that turns by an angle leaves the chord of its arc by radius (1 - cos(angle / 2)).
    const float cosine = std::abs(dot(placement_[body.slot].orientation, body.end.orientation));
    const bool turns = type_of(shape.shape) != ShapeType::sphere;
    const float bulge = turns ? islands_.radius(body.slot) * std::max(1 - cosine, 0.0f) : 0;
    const Aabb way = expanded({min(before.low, after.low), max(before.high, after.high)}, bulge);
    const auto first = std::ptrdiff_t(obstacles.size());
    const auto note = [&](std::uint32_t other, float limit) {
        if (other != body.slot && !sensors_[other] &&
            collide(filters_[body.slot], filters_[other]) && !joints_.keeps_apart(body.slot, other))
            obstacles.push_back(other);
        return limit;
    };
    query_index_->immovable().near(way, 0, note);
    // The impulse response parts half-spaces from what is in them, however deep.
    for (const std::uint32_t other : query_index_->half_spaces())
        if (settings_.response != Response::impulse &&
            reaches(way, std::get<HalfSpace>(shapes_[body_shape_[other]].shape),
                    query_index_->placement(other)))
            note(other, 0);
    if (fast_flags_[body.slot]) query_index_->movable().near(way, 0, note);
    // Trees differ between a world and its copy; what is found must not.
    std::sort(obstacles.begin() + first, obstacles.end());
}

bool World::find_impact(FastBody& body, float h, WorkMeter& work) const {
    const CollisionShape& shape = shapes_[body_shape_[body.slot]];
    const Motion motion = motion_of(body, h);
    // A whole body that slides over a surface would run into the edge of every next triangle, and a
    // mesh that rolls over anything would do so with its own triangles: there the ball inside it is
    // sent instead.
    const auto ball = ball_inside(shape, body_centre_[body.slot]);
    const BoundingBall inner = ball.value_or(BoundingBall{});
    const CollisionShape sphere{Sphere{inner.radius}, nullptr, nullptr};
    const bool mesh = has_triangles(type_of(shape.shape));
    // What comes on so slowly that it was within the contacts' margin when the step began has been
    // looked after by these. Contacts of blows have no margin.
    const float margin = settings_.response == Response::impulse ? 0 : settings_.contact.margin;
    const float slow =
        ball ? std::min(margin, inner.radius) / h : -std::numeric_limits<float>::infinity();
    const Motion ball_motion{
        Transform(placement_[body.slot] * inner.centre, motion.start.orientation),
        motion.centre - inner.centre, motion.velocity,
        inner.centre != motion.centre ? motion.angular_velocity : Vec3()};
    const Vec3 ball_velocity =
        motion.velocity + cross(ball_motion.angular_velocity,
                                rotate(motion.start.orientation, inner.centre - motion.centre));
    body.time = double(h);
    const auto obstacles =
        std::span(obstacles_[body.list]).subspan(body.first_obstacle, body.obstacles);
    for (const std::uint32_t other : obstacles) {
        if (work.exhausted()) return false;
        const CollisionShape& obstacle = shapes_[body_shape_[other]];
        const Motion still = at_rest(query_index_->placement(other));
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
                if (!bodies_.movable(other)) body.against = -near->normal;
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
        if ((mesh || (!edges && settings_.response != Response::impulse)) && impact.time == 0 &&
            !bodies_.movable(other))
            body.against = impact.proximity.normal;
    }
    return true;
}

} // namespace fovea
