// What swept tests (fast_bodies.h) do to bodies, and what becomes of those without one.
//
// A body that would run into something is put back to just before the first touch, with its
// velocity; the next step finds a contact there. The impulse response, which knows of no contact
// before bodies overlap, strikes at once.
//
// Where a budget leaves no time for a test, or ends it, the body goes as far as bodies may that
// need none, and keeps its velocity, less what gravity added beyond that: it is late, but not where
// it must not be. Of what cannot move and is in its way already it has contacts. These are made for
// a whole step: a body that spins may get round them, bit by bit, in many short ones. So its centre
// goes no farther against them. Whatever hangs together with it is late as well: see
// late_bodies.h.
#include <algorithm>

#include "fovea/world/world.h"

namespace fovea {

bool World::has_obstacles() const {
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (body_ids_.slot_in_use(slot) && !bodies_.movable(slot) && !sensors_[slot]) return true;
    return false;
}

FastScene World::fast_scene() const {
    return {bodies_,
            shapes_,
            body_shape_,
            shape_half_width_,
            body_centre_,
            placement_,
            islands_,
            filters_,
            sensors_,
            fast_flags_,
            joints_,
            *query_index_,
            settings_.response == Response::impulse,
            settings_.contact.margin};
}

SweepBudget World::sweep_budget() {
    return {accounts_.ledger, cut_, settings_.schedule.reserve_response, replaying_};
}

void World::set_sweeps_aside(float h) {
    const FastBodies::Foreseen foreseen =
        fast_.foresee(fast_scene(), active_, has_obstacles(), length(settings_.gravity) * h, h);
    if (foreseen.bodies == 0) return;
    query_index_->set_moved();
    sweep_budget().set_aside(search_units(query_index_->owed(foreseen.layers), foreseen.bodies),
                             fast_.tests_expected());
}

std::size_t World::test_fast_bodies(float h) {
    const FastScene scene = fast_scene();
    SweepBudget budget = sweep_budget();
    query_index_->set_moved();
    const QueryIndex::Layers layers = fast_.layers(scene);
    const std::uint64_t units = search_units(query_index_->owed(layers), fast_.size());
    if (!budget.can_search(units)) return 0;
    query_index(layers);
    query_index_->pay(layers);
    fast_.find_obstacles(scene, jobs_);
    accounts_.done(Work::index, units);
    const std::size_t all = fast_.blocked().size();
    std::size_t done = 0;
    while (const std::size_t more = budget.affordable(done, all, jobs_.threads())) {
        const std::size_t known = fast_.test(scene, done, more, h, budget.deadline(), jobs_);
        budget.spend(more);
        done += known;
        if (known < more) break;
    }
    return done;
}

int World::stop_fast_bodies(float h, BudgetReport& report) {
    if (fast_.empty()) return 0;
    const std::size_t tested = test_fast_bodies(h);
    fast_.all_known() ? accounts_.done(Work::sweep) : accounts_.cut(Work::sweep);
    const std::span<const FastBody> swept = fast_.blocked().first(tested),
                                    late = fast_.blocked().subspan(tested);
    cut_.sweeps = swept.size();
    report.sweeps_left_out = std::uint32_t(late.size());
    const FastScene scene = fast_scene();
    int stopped = 0;
    for (const FastBody& body : swept) {
        if (body.time >= double(h)) continue;
        const Transform at(pose_at(scene.motion_of(body, h), body.time));
        bodies_.position[body.slot] = at * body_centre_[body.slot];
        bodies_.orientation[body.slot] = normalized(at.orientation);
        if (body.time > 0) take_back_gravity(body.slot, body.normal, h - float(body.time));
        if (body.time == 0) {
            Vec3& velocity = bodies_.velocity[body.slot];
            velocity -= body.against * std::max(dot(velocity, body.against), 0.0f);
        }
        ++stopped;
    }
    hold_late_bodies(late, h);
    if (settings_.response == Response::impulse && stopped > 0) strike_obstacles(swept, h);
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
    late_.find_groups({bodies_, joints_.all(), springs_, contacts_.patches(), narrow_.contacts()});
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

} // namespace fovea
