// The step itself; adding, removing and changing things is in world_edit.cpp.
#include "fovea/world/world.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/clock.h"
#include "fovea/base/float_mode.h"
#include "fovea/base/hash.h"
#include "fovea/collide/deforming_surface.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/world/fields.h"

namespace fovea {

namespace {
constexpr std::size_t k_block = 512; ///< bodies per job
}

World::World(const WorldSettings& settings)
    : settings_(settings)
    , jobs_(settings.threads)
    , broad_(make_broad_phase(settings.broad_phase))
    , query_index_(std::make_unique<QueryIndex>()) {}

Aabb World::box_of(std::uint32_t slot) const {
    const Aabb tight = bounds(shapes_[body_shape_[slot]], placement_[slot]);
    // Pairs of soft_step meet a margin before they touch; immovable bodies have no rim.
    const bool rim = settings_.response == Response::soft_step && bodies_.moves(slot);
    return rim ? expanded(tight, settings_.contact.margin) : tight;
}

void World::place_shapes() {
    placement_.resize(bodies_.size());
    boxes_.resize(bodies_.size());
    if (cut_.limited) shifts_.resize(bodies_.size());
    jobs_.for_blocks(bodies_.size(), k_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto slot = std::uint32_t(i);
            if (cut_.limited) shifts_[i] = {};
            if (!bodies_.moves(slot) || !islands_.awake(slot)) continue;
            const Transform before = placement_[i];
            placement_[i] = shape_placement(slot);
            boxes_[i] = box_of(slot);
            if (cut_.limited) shifts_[i] = shift_of(slot, before);
        }
    });
}

PlacedShapes World::placed_shapes(float h) const {
    const ScheduleSettings& schedule = settings_.schedule;
    return {shapes_,
            body_shape_,
            placement_,
            bodies_.velocity,
            bodies_.angular_velocity,
            h,
            surface_speed_,
            settings_.coarse,
            body_centre_,
            schedule.exact ? schedule.tolerance : 0};
}

void World::place_nodes() {
    const bool turned = settings_.coarse.nodes == NodePlacing::turned && meshes_move_;
    nodes_.resize(turned ? bodies_.size() : 0);
    if (!turned) return;
    jobs_.for_blocks(bodies_.size(), k_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Ladder* ladder = shapes_[body_shape_[i]].ladder.get();
            if (ladder && !ladder->is_half_space())
                nodes_[i].place(*ladder, placement_[i].orientation, jobs_.threads() > 1);
            else
                nodes_[i] = TurnedNodes();
        }
    });
}

PlacedShapes World::placed_shapes_with_nodes(float h) {
    PlacedShapes bodies = placed_shapes(h);
    bodies.nodes = nodes_;
    return bodies;
}

std::optional<StepReport> World::refused_step(float h) const {
    StepReport report;
    report.frame = frame_;
    report.time = time_;
    if (!(h > 0) || !std::isfinite(h))
        report.warnings.push_back("the time step must be positive and finite, but is " +
                                  std::to_string(h) + " s: nothing was done");
    else if (const auto valid = check_settings(settings_); !valid)
        report.warnings.push_back(valid.error().message + ": nothing was done");
    else
        return std::nullopt;
    return report;
}

StepReport World::step(float h, const Budget& budget) {
    if (const auto refused = refused_step(h)) return *refused;
    cut_.clear();
    cut_.limited = !budget.is_unlimited();
    return take_step(h, budget);
}

StepReport World::step(float h, const StepCut& cut) {
    if (const auto refused = refused_step(h)) return *refused;
    cut_ = cut.limited ? cut : StepCut();
    // Whatever a recording says. Rungs that get nothing would be taken up again for ever.
    cut_.exact_units = std::max<std::uint64_t>(cut.exact_units, 1);
    for (std::uint32_t& batch : cut_.batches) batch = std::max(batch, 1u);
    const ResponsePlan full = full_plan();
    cut_.plan.contacts = std::clamp(cut.plan.contacts, 0, k_manifold_points);
    cut_.plan.sub_steps = std::clamp(cut.plan.sub_steps, 1, full.sub_steps);
    cut_.plan.iterations = std::clamp(cut.plan.iterations, 0, full.iterations);
    replaying_ = true;
    const StepReport report = take_step(h, Budget::unlimited());
    replaying_ = false;
    return report;
}

StepReport World::take_step(float h, const Budget& budget) {
    StepReport report;
    report.frame = frame_;
    report.time = time_;
    host_mode_ = FloatMode::of_this_thread();
    const FloatModeScope mode(FloatMode::of_steps());
    const double cpu_start = process_cpu_seconds(), thread_start = thread_cpu_seconds();
    const double wall_start = wall_seconds();
    begin_accounts(budget, report.budget);
    Stopwatch watch;
    events_.clear();
    report.taken_along = std::uint64_t(take_overrun_bodies_along());
    float went = h;
    if (settings_.response == Response::soft_step)
        went = respond_softly(h, report, watch);
    else
        respond_with_blows(h, report, watch);

    query_index_->set_moved();
    note_contacts();
    note_sensors();
    settle_surfaces(report);
    report.ms.events = watch.lap_ms();
    ++frame_;
    time_ += double(went);
    if (recorder_) {
        const FloatModeScope as_host(host_mode_);
        recorder_.note(RecordedCall::step, h, cut_, hash());
    }
    note_budget(report.budget);
    if (report.budget.floor_fits) accounts_.end(budget);

    report.time = time_;
    for (const TurnedNodes& nodes : nodes_) report.siblings_turned += nodes.turned_blocks();
    report.bodies = body_count();
    report.pairs = broad_->pairs().size();
    report.tests = broad_->counters().tests;
    report.swaps = broad_->counters().swaps;
    if (!runaways_.empty())
        report.warnings.push_back(std::to_string(runaways_.size()) +
                                  " bodies went beyond all bounds and were stopped");
    report.wall_ms = (wall_seconds() - wall_start) * 1e3;
    report.thread_cpu_ms = (thread_cpu_seconds() - thread_start) * 1e3;
    report.cpu_ms = (process_cpu_seconds() - cpu_start) * 1e3;
    return report;
}

void World::respond_with_blows(float h, StepReport& report, Stopwatch& watch) {
    const bool move_first = settings_.integrator == Integrator::semi_implicit_euler;
    if (cut_.limited) late_.begin(bodies_, !springs_.empty());
    if (move_first) accelerate(h);
    report.ms.motion += watch.lap_ms();

    place_shapes();
    move_surfaces(h);
    broad_->update(boxes_, jobs_);
    select_pairs();
    refit_ladders();
    place_nodes();
    report.ms.broad = watch.lap_ms();

    active_.assign(bodies_.size(), 1);
    if (cut_.limited) refine(h, report.budget);
    begin_models();
    narrow_.run(pairs(), placed_shapes_with_nodes(h), answers(), brief_, jobs_);
    note_model(h, report.budget);
    report.ms.narrow = watch.lap_ms();

    const ResponseLoad load = blow_load();
    plan_response(load, report.budget);
    if (cut_.plan.contacts > 0) narrow_.thin(cut_.plan.contacts);
    report.budget.contacts_left_out = load.points - narrow_.contacts().size();
    set_surface_velocities(narrow_.contacts(), h);
    ImpulseSettings impulse = settings_.impulse;
    impulse.velocity_visits = cut_.plan.iterations;
    refresh_inertia(bodies_, jobs_);
    begin_random_spin();
    respond_with_impulses(bodies_, narrow_.contacts(), impulse, scratch_);
    end_random_spin(0);
    report.ms.response = watch.lap_ms();
    advance_poses(bodies_, h);
    stop_runaways();
    report.ms.motion += watch.lap_ms();
    awake_.clear();
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_.movable(slot)) awake_.push_back(slot);
    fast_.gather(fast_scene(), awake_, has_obstacles(), h);
    accounts_.done(Work::respond, blow_units(load, cut_.plan));
    note_delays(report.budget);
    report.stopped_short = std::uint64_t(stop_fast_bodies(h, report.budget));
    report.ms.fast = watch.lap_ms();
    if (!move_first) accelerate_late(h);
    report.ms.motion += watch.lap_ms();

    report.hits = narrow_.hits();
    report.contacts = narrow_.contacts().size();
    for (const Contact& c : narrow_.contacts())
        report.worst_depth = std::max(report.worst_depth, -c.separation);
}

float World::respond_softly(float h, StepReport& report, Stopwatch& watch) {
    place_shapes();
    move_surfaces(h);
    broad_->update(boxes_, jobs_);
    select_pairs();
    refit_ladders();
    place_nodes();
    report.ms.broad = watch.lap_ms();

    active_.resize(bodies_.size());
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        active_[slot] = bodies_.movable(slot) ? islands_.awake(slot) : bodies_.driven(slot);
    for (const std::uint32_t slot : deforming_)
        if (surface_speed_[slot] > 0) active_[slot] = 1;
    if (cut_.limited) refine(h, report.budget);
    begin_models();
    contacts_.update(pairs(), placed_shapes_with_nodes(h), active_, bodies_.material,
                     settings_.contact, answers(), brief_, jobs_);
    note_model(h, report.budget);
    report.ms.narrow = watch.lap_ms();

    islands_.clear();
    islands_.join(bodies_, contacts_.patches());
    wake_on_surfaces();
    for (const Spring& spring : springs_) islands_.join(bodies_, spring.a, spring.b);
    for (const Joint& joint : joints_.all()) islands_.join(bodies_, joint.a, joint.b);
    slots_.clear();
    islands_.wake_neighbours(bodies_, slots_);
    for (const std::uint32_t slot : slots_) events_.woke.push_back(id_of(slot));
    report.islands = islands_.count(bodies_);
    report.ms.islands = watch.lap_ms();

    awake_.clear();
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_.moves(slot) && islands_.awake(slot)) awake_.push_back(slot);
    const auto [response_units, went] = solve_softly(h, report.budget);
    joints_.remove_overloaded(body_ids_, events_.joints_broke);
    for (const BrokenJoint& joint : events_.joints_broke) {
        history_.forget(joint.a.slot);
        history_.forget(joint.b.slot);
    }
    stop_runaways();
    fast_.gather(fast_scene(), awake_, has_obstacles(), went);
    accounts_.done(Work::respond, response_units);
    note_delays(report.budget);
    report.ms.response = watch.lap_ms();

    report.stopped_short = std::uint64_t(stop_fast_bodies(went, report.budget));
    report.ms.fast = watch.lap_ms();

    slots_.clear();
    islands_.settle(bodies_, contacts_.patches(), went, settings_.sleep, slots_);
    for (const std::uint32_t slot : slots_) events_.fell_asleep.push_back(id_of(slot));
    report.ms.islands += watch.lap_ms();

    report.awake = awake_.size();
    report.joints = soft_step_.joints_solved();
    report.colours = std::uint64_t(soft_step_.colours());
    report.hits = contacts_.touching_pairs();
    report.recycled = contacts_.recycled();
    for (const ContactPatch& patch : contacts_.patches())
        for (int i = 0; i < patch.count; ++i) {
            ++report.contacts;
            report.worst_depth = std::max(report.worst_depth, -patch.points[i].separation);
        }
    return went;
}

void World::accelerate(float h) {
    apply_springs(bodies_, springs_);
    integrate_velocities(bodies_, {settings_.gravity, settings_.gyroscopic}, h, jobs_);
}

void World::accelerate_late(float h) {
    const bool slowed = cut_.limited && late_.any_slowed();
    if (slowed) late_.mark(bodies_);
    accelerate(h);
    if (!slowed) return;
    for (const std::uint32_t slot : awake_)
        if (late_.slowed(slot)) late_.slow(bodies_, slot);
}

void World::stop_runaways() {
    fovea::stop_runaways(bodies_, runaways_);
    for (const std::uint32_t slot : runaways_) {
        contacts_.forget(slot);
        history_.forget(slot);
        joints_.forget(slot);
        if (cut_.limited) late_.forget(slot);
    }
}

Energy World::energy() const {
    return {kinetic_energy(bodies_),
            gravitational_energy(bodies_, settings_.gravity) + spring_energy(bodies_, springs_)};
}

std::uint64_t World::hash() const {
    Hasher hasher;
    for (std::uint32_t slot = 0; slot < body_ids_.slots(); ++slot) {
        if (!body_ids_.slot_in_use(slot)) continue;
        hasher.add(std::uint64_t(slot));
        hasher.add(bodies_.position[slot]);
        hasher.add(bodies_.orientation[slot]);
        hasher.add(bodies_.velocity[slot]);
        hasher.add(bodies_.angular_velocity[slot]);
    }
    for (const std::uint32_t slot : deforming_)
        for (const Vec3& vertex : surface_of(slot)->all_vertices()) hasher.add(vertex);
    return hasher.value();
}

} // namespace fovea
