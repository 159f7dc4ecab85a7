// What a budget does to a step: accounts, refinement, the response that can be afforded.
//
// Without a budget the accounts only learn prices, and the response is always the full one.
#include <algorithm>
#include <cmath>

#include "fovea/world/world.h"

namespace fovea {

namespace {

// Work units, about two nanoseconds each.
constexpr std::uint64_t k_place_units = 150; ///< of a body: placement, box, broad phase
constexpr std::uint64_t k_pair_units_broad = 25;
constexpr std::uint64_t k_model_units = 40; ///< of a pair, whatever is found
constexpr std::uint64_t k_join_units = 15;  ///< of a body: islands
constexpr std::uint64_t k_join_pair_units = 10;
constexpr std::uint64_t k_finish_units = 15; ///< of a body: sleep, events
constexpr std::uint64_t k_finish_pair_units = 10;

constexpr std::uint64_t k_sleeper_units = 5; ///< of a body or patch: who sleeps with whom

constexpr std::uint64_t k_points_of_patch = 3; ///< on the mean, until they are counted

/// An exact rung may take this part of the budget, but always some tens of microseconds' worth.
constexpr double k_exact_share = 1.0 / 16, k_least_exact_units = 16384;
/// Of a unit, ns: to say in units what part of a time that is.
constexpr double k_usual_price = 2;

std::uint64_t count_points(std::span<const ContactPatch> patches) {
    std::uint64_t count = 0;
    for (const ContactPatch& patch : patches) count += std::uint64_t(patch.count);
    return count;
}

void scale_impulses(ContactPatch& patch, float by) {
    for (int i = 0; i < patch.count; ++i) patch.points[i].impulse *= by;
    patch.friction_impulse *= by;
    patch.rolling_impulse *= by;
    patch.twist_impulse *= by;
    patch.support *= by;
}

} // namespace

BodyShift World::shift_of(std::uint32_t slot, const Transform& before) const {
    const Transform& now = placement_[slot];
    const auto& ladder = shapes_[body_shape_[slot]].ladder;
    const Quat turn = now.orientation * conjugate(before.orientation);
    const float chord = 2 * length(turn.vector());
    // The spheres of a mesh that deforms may be old.
    const Aabb& extent = shapes_[body_shape_[slot]].extent;
    const float reach = surface_of(slot) ? length(max(abs(extent.low), abs(extent.high)))
                        : ladder         ? ladder->reach
                                         : 0;
    return {now.position - before.position, chord * reach};
}

void World::begin_accounts(const Budget& budget, BudgetReport& report) {
    accounts_.begin(budget, jobs_.threads() == 1);
    report.limited = cut_.limited;
    report.asked_ms = budget.milliseconds();
    report.asked_units = budget.units();
    if (replaying_ || !cut_.limited) return;
    const double units =
        budget.is_timed() ? budget.milliseconds() * 1e6 / k_usual_price : double(budget.units());
    // More than any step does, and still a number of units.
    constexpr double k_most_units = double(std::uint64_t(1) << 62);
    cut_.exact_units = std::uint64_t(
        std::clamp(units * k_exact_share, k_least_exact_units, k_most_units * k_exact_share));
}

ResponsePlan World::full_plan() const {
    if (settings_.response == Response::impulse) return {0, 1, settings_.impulse.velocity_visits};
    return {0, settings_.soft_step.sub_steps, settings_.soft_step.restitution_passes};
}

ResponseUnits World::units_of_response() const {
    return settings_.response == Response::impulse ? blow_units : response_units;
}

std::span<const PairAnswer> World::answers() const {
    return cut_.limited ? refinement_.answers() : std::span<const PairAnswer>();
}

RefinementScene World::refinement_scene(float h) {
    const bool soft = settings_.response == Response::soft_step;
    const ResponsePlan plan = full_plan();
    const std::uint64_t patch_units = std::max<std::uint64_t>(
        units_of_response()({.patches = 1, .points = k_points_of_patch, .pairs = 1}, plan), 1);
    return {pairs(),
            placed_shapes_with_nodes(h),
            active_,
            shifts_,
            boxes_,
            soft ? &contacts_ : nullptr,
            soft ? settings_.contact : no_margin_,
            settings_.schedule,
            sleepers_,
            patch_units,
            {units_of_response(), plan, k_join_pair_units}};
}

std::uint64_t World::bodies_to_move() const {
    if (settings_.response == Response::impulse) return body_count();
    std::uint64_t count = 0;
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        count += bodies_.moves(slot) && islands_.awake(slot);
    return count;
}

void World::find_sleepers() {
    sleepers_.clear();
    const auto sleeps = [&](std::uint32_t slot) { return bodies_.movable(slot) && !active_[slot]; };
    bool any = false;
    for (std::uint32_t slot = 0; slot < bodies_.size() && !any; ++slot) any = sleeps(slot);
    if (!any) return;
    const auto may_wake = [&](const auto& two) {
        return (active_[two.a] && sleeps(two.b)) || (active_[two.b] && sleeps(two.a));
    };
    if (std::ranges::none_of(pairs(), may_wake) && std::ranges::none_of(springs_, may_wake) &&
        std::ranges::none_of(joints_.all(), may_wake))
        return;
    sleepers_.find({bodies_, active_, contacts_.patches(), springs_, joints_.all()});
    accounts_.ledger.spend(Work::open,
                           (bodies_.size() + contacts_.patches().size()) * k_sleeper_units);
}

void World::refine(float h, BudgetReport& report) {
    StepLedger& ledger = accounts_.ledger;
    accounts_.done(Work::prepare, body_count() * k_place_units +
                                      broad_->pairs().size() * k_pair_units_broad + refit_units_);
    RefinementScene scene = refinement_scene(h);
    history_.begin(pairs(), bodies_.size(), scene.contact.margin);
    ResponseLoad load{
        .bodies = bodies_to_move(), .joints = joint_count(), .springs = springs_.size()};
    ledger.set_aside(Work::model, pairs().size() * k_model_units);
    const bool joins = settings_.response == Response::soft_step; // blows know no islands
    if (joins) ledger.set_aside(Work::join, body_count() * k_join_units);
    const std::uint64_t bodies_alone = units_of_response()(load, full_plan());
    ledger.set_aside(Work::respond, bodies_alone);
    set_sweeps_aside(h);
    find_sleepers();
    ledger.set_aside(Work::finish,
                     body_count() * k_finish_units + pairs().size() * k_finish_pair_units);

    refinement_.open(scene, history_, ledger, jobs_);
    if (priority_ && !replaying_) {
        const std::span<PairView> views = refinement_.candidates();
        for (PairView& view : views) view.a = id_of(view.a.slot), view.b = id_of(view.b.slot);
        cut_.priorities.resize(views.size());
        const FloatModeScope as_host(host_mode_);
        priority_(views, cut_.priorities);
        // What is no number says nothing, and could not be recorded.
        for (float& priority : cut_.priorities)
            if (std::isnan(priority)) priority = 0;
    }
    refinement_.order(settings_.schedule, cut_, settings_.schedule.seed + frame_);
    accounts_.done(Work::open);
    const std::uint64_t patches = (ledger.aside(Work::respond) - bodies_alone) / scene.patch_units;
    if (joins) ledger.set_aside(Work::join, patches * k_join_pair_units);
    load += {.patches = patches, .points = patches, .pairs = patches};
    load += refinement_.waking();
    const double floor = note_floor(load, report);
    sweep_budget().fit(floor, fast_.tests_expected());
    scene.waking.floor_fits = report.floor_fits;
    refinement_.climb(scene, ledger, cut_, settings_.schedule.seed + frame_, jobs_);
    accounts_.done(Work::climb);
    refinement_.conclude(scene);

    const RefinementCounts& counts = refinement_.counts();
    report.pairs_at_rung = counts.rungs;
    report.exact_pairs = counts.exact;
    report.pairs_apart = counts.apart;
    report.pairs_suppressed = counts.suppressed;
    report.pairs_dropped = counts.dropped;
    report.pairs_cut = counts.cut;
    report.rungs_climbed = counts.grants;
    if (ledger.is_timed() && counts.grants > 0)
        report.climb_overrun_ms = refinement_.climbed_over() * 1e-6;
}

double World::note_floor(const ResponseLoad& load, BudgetReport& report) {
    const StepLedger& ledger = accounts_.ledger;
    least_response_ = units_of_response()(load, least_plan(full_plan()));
    const std::uint64_t waking_joins = refinement_.waking().pairs * k_join_pair_units;
    report.floor_units = ledger.spent_units() + least_response_ + waking_joins;
    double floor = ledger.used() + double(least_response_) * ledger.price(Work::respond) +
                   double(waking_joins) * ledger.price(Work::join);
    for (const Work work : {Work::model, Work::join, Work::finish}) {
        report.floor_units += ledger.aside(work);
        floor += ledger.reserved(work);
    }
    report.floor_ms = ledger.is_timed() ? floor * 1e-6 : 0;
    report.floor_fits = floor <= ledger.limit();
    return floor;
}

void World::begin_models() {
    if (!cut_.limited) return;
    const StepLedger& ledger = accounts_.ledger;
    if (replaying_) return brief_.begin_recorded(pairs().size(), cut_.brief);
    if (!ledger.is_timed() || !settings_.schedule.reserve_response)
        return brief_.begin_whole(pairs().size());
    brief_seconds_.resize(pairs().size());
    const double price = ledger.usual_price(Work::model) * 1e-9;
    for (std::size_t i = 0; i < brief_seconds_.size(); ++i)
        brief_seconds_[i] = float(double(k_model_units + refinement_.model_units(i, true)) * price);
    // Late is what ends later than was foreseen: by climbing for too long, or by modelling itself.
    const double climbed_over = refinement_.counts().grants > 0 ? refinement_.climbed_over() : 0;
    const double foreseen = ledger.used() + ledger.reserved(Work::model) - climbed_over;
    double left = ledger.limit();
    for (const Work work : {Work::join, Work::respond, Work::index, Work::sweep, Work::finish})
        left -= ledger.reserved(work);
    brief_.begin_timed(ledger.start() + std::max(left, foreseen) * 1e-9, brief_seconds_);
}

void World::note_model(float h, BudgetReport& report) {
    if (!cut_.limited) {
        history_.note_tested(pairs(), active_, settings_.contact.margin);
        return accounts_.skip();
    }
    cut_.brief.clear();
    cut_.brief.reserve(pairs().size());
    for (std::uint32_t i = 0; i < brief_.flags().size(); ++i)
        if (brief_.flags()[i]) cut_.brief.push_back(i);
    report.pairs_brief = std::uint32_t(cut_.brief.size());
    // Patches are of soft_step alone: of blows nothing but what was apart is remembered.
    refinement_.remember(refinement_scene(h), contacts_.patches(), brief_.flags(), history_);
    note_waiting_pairs(h, report);
    accounts_.done(Work::model,
                   pairs().size() * k_model_units + refinement_.model_units(brief_.flags()));
}

ResponseLoad World::soft_load() const {
    ResponseLoad load{.bodies = awake_.size(), .joints = joint_count(), .springs = springs_.size()};
    const auto moves = [&](std::uint32_t slot) {
        return bodies_.moves(slot) && islands_.awake(slot);
    };
    ProxyPair before{};
    for (const ContactPatch& patch : contacts_.patches()) {
        if (!moves(patch.a) && !moves(patch.b)) continue; // the solver leaves it out
        ++load.patches;
        load.points += std::uint64_t(patch.count);
        const ProxyPair pair{patch.a, patch.b};
        load.pairs += pair != before;
        before = pair;
    }
    return load;
}

ResponseLoad World::blow_load() const {
    const std::size_t contacts = narrow_.contacts().size();
    return {
        .bodies = body_count(), .patches = contacts, .points = contacts, .pairs = narrow_.hits()};
}

void World::plan_response(const ResponseLoad& load, BudgetReport& report) {
    const ResponsePlan full = full_plan();
    if (!cut_.limited) {
        cut_.plan = full;
        return;
    }
    StepLedger& ledger = accounts_.ledger;
    // Pairs may have more to be answered than was foreseen when there was still time to climb less.
    const std::uint64_t least = units_of_response()(load, least_plan(full));
    if (least > least_response_) {
        const std::uint64_t more = least - least_response_;
        report.floor_units += more;
        if (ledger.is_timed()) report.floor_ms += double(more) * ledger.price(Work::respond) * 1e-6;
        // Against the clock the floor is what it is without what held the step up.
        const double from_here = double(least + ledger.aside(Work::finish));
        const double needed = ledger.is_timed() ? report.floor_ms * 1e6 : ledger.used() + from_here;
        report.floor_fits = report.floor_fits && needed <= ledger.limit();
    }
    if (!replaying_) {
        cut_.plan = full;
        ledger.look();
        const ScheduleSettings& schedule = settings_.schedule;
        const double from = schedule.detection_share > 0
                                ? std::max(refinement_.detection_limit(), ledger.used())
                                : ledger.used();
        const double end = ledger.reserved(Work::index) + ledger.reserved(Work::sweep) +
                           ledger.reserved(Work::finish);
        if (schedule.reserve_response)
            cut_.plan = affordable_plan(load, full,
                                        (ledger.limit() - from - end) / ledger.price(Work::respond),
                                        units_of_response());
    }
    report.sub_steps_left_out = std::uint32_t(full.sub_steps - cut_.plan.sub_steps);
    report.iterations_left_out = std::uint32_t(full.iterations - cut_.plan.iterations);
}

SubStepLimit World::sub_step_limit(const ResponseLoad& load) const {
    if (!cut_.limited) return {};
    if (replaying_) return {.most = int(std::min(cut_.solved, std::uint32_t(cut_.plan.sub_steps)))};
    const StepLedger& ledger = accounts_.ledger;
    if (!ledger.is_timed() || !settings_.schedule.reserve_response) return {};
    // A sub-step is worth beginning if it is likely to end in time.
    double left =
        ledger.limit() - double(last_units(load, cut_.plan)) * ledger.usual_price(Work::respond);
    for (const Work work : {Work::index, Work::sweep, Work::finish}) left -= ledger.reserved(work);
    return {.last_begin = ledger.start() + left * 1e-9};
}

World::Solved World::solve_softly(float h, BudgetReport& report) {
    std::span<ContactPatch> patches = contacts_.patches();
    const ResponseLoad load = soft_load();
    accounts_.done(Work::join, body_count() * k_join_units + load.pairs * k_join_pair_units);
    plan_response(load, report);
    SoftStepSettings soft = settings_.soft_step;
    soft.sub_steps = cut_.plan.sub_steps;
    soft.restitution_passes = cut_.plan.iterations;
    // Impulses are remembered as of one sub-step.
    const auto sub_steps = std::uint32_t(soft.sub_steps);
    if (sub_steps_before_ > 0 && sub_steps_before_ != sub_steps)
        for (ContactPatch& patch : patches)
            scale_impulses(patch, float(sub_steps_before_) / float(sub_steps));
    sub_steps_before_ = sub_steps;

    std::span<ContactPatch> solved = patches;
    if (cut_.plan.contacts > 0) {
        solved = thinned_.thin(bodies_, patches, cut_.plan.contacts);
        report.contacts_left_out = count_points(patches) - count_points(solved);
    }
    refresh_inertia(bodies_, jobs_);
    begin_random_spin();
    if (cut_.limited) late_.begin(bodies_, joint_count() > 0 || !springs_.empty());
    const int done = soft_step_.run(bodies_, awake_, solved, joints_.all(), springs_,
                                    {settings_.gravity, settings_.gyroscopic}, soft, h, jobs_,
                                    surface_motions(solved, h), sub_step_limit(load));
    const float went = done < soft.sub_steps ? float(done) * (h / float(soft.sub_steps)) : h;
    end_random_spin(length(settings_.gravity) * went);
    if (cut_.plan.contacts > 0) thinned_.hand_back(patches);
    ResponsePlan did = cut_.plan;
    if (done < soft.sub_steps) {
        cut_.solved = std::uint32_t(done);
        did.sub_steps = done;
        report.time_left_out_ms = double(h - went) * 1e3;
    }
    return {response_units(load, did), went};
}

void World::begin_random_spin() {
    if (settings_.schedule.random_spin > 0)
        random_spin_.begin(bodies_, pairs(), answers(), joints_.all(), springs_);
}

void World::end_random_spin(float fallen) {
    const ScheduleSettings& schedule = settings_.schedule;
    if (schedule.random_spin > 0)
        random_spin_.end(bodies_, schedule.random_spin, fallen, schedule.seed + frame_);
}

void World::note_budget(BudgetReport& report) {
    accounts_.done(Work::finish,
                   body_count() * k_finish_units + pairs().size() * k_finish_pair_units);
    report.used_units = accounts_.ledger.spent_units();
    report.spare_ms = accounts_.ledger.spare() * 1e-6;
    report.works = accounts_.done();
}

} // namespace fovea
