#include "fovea/dynamics/soft_step.h"

#include <algorithm>

#include "fovea/base/assert.h"
#include "fovea/base/clock.h"
#include "fovea/dynamics/contact_packing.h"

namespace fovea {

namespace {

constexpr std::size_t k_body_block = 256;
constexpr std::size_t k_group_block = 8;

} // namespace

void SoftStep::load_bodies(const Bodies& bodies, std::span<const std::uint32_t> awake,
                           const Jobs& jobs) {
    awake_.assign(awake.begin(), awake.end());
    body_rows_ = awake.size();
    row_of_.assign(bodies.size(), k_immovable);
    rows_.resize(awake.size());
    start_.resize(awake.size());
    borne_.assign(awake.size(), {});
    masses_.resize(awake.size());
    orientations_.resize(awake.size());
    jobs.for_blocks(awake.size(), k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const std::uint32_t slot = awake[row];
            row_of_[slot] = std::uint32_t(row);
            SolverBody body;
            body.velocity = bodies.velocity[slot];
            body.spin = bodies.angular_velocity[slot];
            rows_[row] = body;
            orientations_[row] = bodies.orientation[slot];
            const Mat3& m = bodies.inverse_inertia_world[slot];
            masses_[row] = {bodies.inverse_mass[slot], {m.x.x, m.y.y, m.z.z, m.x.y, m.x.z, m.y.z}};
        }
    });
}

void SoftStep::load_surfaces(const Bodies& bodies, std::span<const ContactPatch> patches,
                             std::span<const SurfaceMotion> surfaces) {
    for (const SurfaceMotion& surface : surfaces) {
        const ContactPatch& patch = patches[surface.patch];
        const std::uint32_t slot = surface.of_a ? patch.a : patch.b;
        awake_.push_back(slot);
        SolverBody row;
        row.velocity = bodies.velocity[slot] + surface.velocity;
        row.spin = bodies.angular_velocity[slot] + surface.spin;
        rows_.push_back(row);
        start_.push_back({});
        borne_.push_back({});
        masses_.push_back({});
        orientations_.push_back(bodies.orientation[slot]);
    }
}

void SoftStep::build_groups(const Bodies& bodies, std::span<const ContactPatch> patches,
                            std::span<const SurfaceMotion> surfaces,
                            const SoftStepSettings& settings, float h, const Jobs& jobs) {
    ends_.resize(patches.size());
    jobs.for_blocks(patches.size(), k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            ends_[i] = {row_of_[patches[i].a], row_of_[patches[i].b]};
    });
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
        ConstraintEnds& ends = ends_[surfaces[i].patch];
        (surfaces[i].of_a ? ends.a : ends.b) = std::uint32_t(body_rows_ + i);
    }
    colouring_.colour(ends_, std::uint32_t(rows_.size()));

    // Contacts that found no colour get a group each: groups of one colour run side by side, but
    // the overflow is run in order.
    std::uint32_t count = 0;
    for (int colour = 0; colour <= GraphColouring::k_overflow; ++colour) {
        group_start_[colour] = count;
        const auto patches_here = std::uint32_t(colouring_.of_colour(colour).size());
        const std::uint32_t per_group = colour == GraphColouring::k_overflow ? 1 : k_lanes;
        count += (patches_here + per_group - 1) / per_group;
    }
    group_start_[GraphColouring::k_overflow + 1] = count;
    groups_.resize(count);

    // Stiffer than an eighth of the sub-step rate, towers tremble.
    const float turn = turn_of(std::min(settings.contact_hertz, 0.125f / h), h);
    const ContactSoftness softness{turn, settings.contact_damping, h};
    const PackingContext context{bodies, patches, ends_};
    jobs.for_blocks(count, k_group_block, [&](std::size_t begin, std::size_t end) {
        int colour = 0;
        for (std::size_t i = begin; i < end; ++i) {
            while (group_start_[colour + 1] <= i) ++colour;
            const auto here = colouring_.of_colour(colour);
            const std::size_t per_group = colour == GraphColouring::k_overflow ? 1 : k_lanes;
            const std::size_t from = (i - group_start_[colour]) * per_group;
            pack_group(groups_[i], here.subspan(from, std::min(per_group, here.size() - from)),
                       context);
        }
        finish_groups(std::span(groups_).subspan(begin, end - begin), rows_, masses_, softness);
    });
}

void SoftStep::begin_sub_step(const Bodies& bodies, const MotionSettings& motion, float h,
                              std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t slot = awake_[i];
        SolverBody& body = rows_[i];
        if (masses_[i].inverse_mass > 0) {
            const FreeMotion& free = bodies.motion[slot];
            body.velocity += (motion.gravity * free.gravity_scale +
                              bodies.force[slot] * masses_[i].inverse_mass) *
                             h;
            if (bodies.torque[slot] != Vec3())
                body.spin += bodies.inverse_inertia_world[slot] * bodies.torque[slot] * h;
            if (motion.gyroscopic && body.spin != Vec3())
                body.spin = tumbled(body.spin, orientations_[i], bodies.inverse_inertia[slot], h);
            body.velocity *= FreeMotion::left(free.linear_damping, h);
            body.spin *= FreeMotion::left(free.angular_damping, h);
            body.velocity += borne_[i].velocity;
            body.spin += borne_[i].spin;
        }
        start_[i] = {body.velocity, body.spin};
    }
}

void SoftStep::pull(const Bodies& bodies, std::span<const Spring> springs, float h) {
    const auto end_at = [&](std::uint32_t slot) {
        const std::uint32_t row = row_of_[slot];
        if (row == k_immovable)
            return SpringEnd{bodies.pose(slot), bodies.velocity[slot],
                             bodies.angular_velocity[slot]};
        const SolverBody& body = rows_[row];
        return SpringEnd{
            {bodies.position[slot] + body.moved, orientations_[row]}, body.velocity, body.spin};
    };
    const auto give = [&](std::uint32_t slot, const Vec3& arm, const Vec3& impulse) {
        const std::uint32_t row = row_of_[slot];
        if (row == k_immovable || !(masses_[row].inverse_mass > 0)) return;
        const Vec3 change = impulse * masses_[row].inverse_mass;
        const Vec3 turn = bodies.inverse_inertia_world[slot] * cross(arm, impulse);
        rows_[row].velocity += change, rows_[row].spin += turn;
        // It is not the contacts' doing.
        start_[row].velocity += change, start_[row].spin += turn;
        pulled_[row] += change;
    };
    for (const Spring& spring : springs) {
        const SpringPull pull = pull_of(spring, end_at(spring.a), end_at(spring.b));
        give(spring.a, pull.arm_a, pull.force * h);
        give(spring.b, pull.arm_b, pull.force * -h);
    }
}

void SoftStep::integrate_poses(float h, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        SolverBody& body = rows_[i];
        body.moved += body.velocity * h;
        body.turned += body.spin * h;
        const Quat q = orientations_[i];
        orientations_[i] = normalized(q + Quat(0, body.spin * (0.5f * h)) * q);
    }
}

void SoftStep::end_sub_step(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        borne_[i].velocity += rows_[i].velocity - start_[i].velocity;
        borne_[i].spin += rows_[i].spin - start_[i].spin;
    }
}

int SoftStep::colours() const {
    int count = 0;
    for (int colour = 0; colour <= GraphColouring::k_overflow; ++colour)
        count += group_start_[colour + 1] > group_start_[colour];
    return count;
}

void SoftStep::plan(Task task) {
    if (task == Task::begin || task == Task::move || task == Task::end) {
        stages_.push_back({rows_.size(), k_body_block});
        tasks_.push_back({task, 0});
        return;
    }
    for (int colour = 0; colour <= GraphColouring::k_overflow; ++colour) {
        const std::uint32_t first = group_start_[colour];
        const std::size_t count = group_start_[colour + 1] - first;
        if (count == 0) continue;
        // Contacts of the overflow share bodies: one block, in order.
        stages_.push_back({count, colour == GraphColouring::k_overflow ? count : k_group_block});
        tasks_.push_back({task, first});
    }
}

void SoftStep::plan_pull(std::size_t springs) {
    if (springs == 0) return;
    stages_.push_back({springs, springs});
    tasks_.push_back({Task::pull, 0});
}

bool SoftStep::begins_sub_step(const SubStepLimit& limit) {
    const bool watched = limit.last_begin < std::numeric_limits<double>::infinity();
    if (begun_ > 0 && (begun_ >= limit.most || (watched && wall_seconds() > limit.last_begin)))
        return false;
    ++begun_;
    return true;
}

bool SoftStep::carry_out(const Plan& plan, const Jobs& jobs) {
    bool ended = false;
    const auto begins = [&](std::size_t stage) {
        ended = tasks_[stage].task == Task::begin && !begins_sub_step(plan.limit);
        return !ended;
    };
    const auto work = [&](std::size_t stage, std::size_t begin, std::size_t end) {
        const auto [task, first] = tasks_[stage];
        const auto groups = std::span(groups_).subspan(first);
        const auto some = [&] { return groups.subspan(begin, end - begin); };
        switch (task) {
        case Task::begin:
            return begin_sub_step(plan.bodies, plan.motion, plan.step.h, begin, end);
        case Task::pull:
            return pull(plan.bodies, plan.springs, plan.step.h);
        case Task::warm:
            return warm_start(some(), rows_);
        case Task::push:
            return solve_contacts(some(), rows_, plan.step, true);
        case Task::move:
            return integrate_poses(plan.step.h, begin, end);
        case Task::relax:
            return solve_contacts(some(), rows_, plan.step, false);
        case Task::rebound:
            return apply_restitution(some(), rows_, plan.step);
        case Task::end:
            return end_sub_step(begin, end);
        }
    };
    jobs.for_stages_while(stages_, work, begins);
    stages_.clear();
    tasks_.clear();
    return !ended;
}

template <class Solve>
bool SoftStep::solve_joints(const Plan& plan, const Jobs& jobs, const Solve& solve) {
    if (joints_.size() == 0) return true;
    if (!carry_out(plan, jobs)) return false;
    before_.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) before_[i] = {rows_[i].velocity, rows_[i].spin};
    solve();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        start_[i].velocity += rows_[i].velocity - before_[i].velocity;
        start_[i].spin += rows_[i].spin - before_[i].spin;
    }
    return true;
}

void SoftStep::store(Bodies& bodies, std::span<ContactPatch> patches, const Jobs& jobs) {
    jobs.for_blocks(groups_.size(), k_group_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) unpack_impulses(groups_[i], patches);
    });
    jobs.for_blocks(body_rows_, k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const std::uint32_t slot = awake_[row];
            bodies.velocity[slot] = rows_[row].velocity;
            bodies.angular_velocity[slot] = rows_[row].spin;
            bodies.position[slot] += rows_[row].moved;
            bodies.orientation[slot] = orientations_[row];
        }
    });
    // Forces are for one step, also those on bodies that sleep or cannot move.
    std::ranges::fill(bodies.force, Vec3());
    std::ranges::fill(bodies.torque, Vec3());
}

int SoftStep::run(Bodies& bodies, std::span<const std::uint32_t> awake,
                  std::span<ContactPatch> patches, std::span<Joint> joints,
                  std::span<const Spring> springs, const MotionSettings& motion,
                  const SoftStepSettings& settings, float dt, const Jobs& jobs,
                  std::span<const SurfaceMotion> surfaces, const SubStepLimit& limit) {
    FOVEA_ASSERT(settings.sub_steps > 0);
    const float h = dt / float(settings.sub_steps);
    const Plan plan_of_step{bodies,
                            springs,
                            motion,
                            {h, settings.slop, settings.recovery * h, settings.max_push,
                             settings.restitution_threshold},
                            limit};
    load_bodies(bodies, awake, jobs);
    load_surfaces(bodies, patches, surfaces);
    build_groups(bodies, patches, surfaces, settings, h, jobs);
    joints_.begin(bodies, joints, row_of_, settings.joints, h, jobs);
    pulled_.assign(springs.empty() ? 0 : rows_.size(), {});
    begun_ = 0;
    for (int i = 0; i < settings.sub_steps; ++i) {
        plan(Task::begin);
        plan_pull(springs.size());
        if (i == 0) plan(Task::warm);
        const bool begun = solve_joints(plan_of_step, jobs, [&] {
            joints_.warm_start(rows_, jobs);
            joints_.push(rows_, jobs);
        });
        if (!begun) break;
        plan(Task::push);
        plan(Task::move);
        solve_joints(plan_of_step, jobs, [&] { joints_.relax(rows_, orientations_, jobs); });
        plan(Task::relax);
        plan(Task::end);
    }
    carry_out(plan_of_step, jobs);
    const int done = rows_.empty() ? settings.sub_steps : begun_;
    const float went = done < settings.sub_steps ? float(done) * h : dt;
    if (std::ranges::any_of(groups_, &ContactGroup::any_restitution)) {
        rebound_limit_.begin(rows_);
        for (int i = 0; i < settings.restitution_passes; ++i) plan(Task::rebound);
        carry_out(plan_of_step, jobs);
        rebound_limit_.end({bodies, awake_, orientations_, ends_, pulled_}, motion, went, rows_);
    }
    joints_.finish(done);
    store(bodies, patches, jobs);
    return done;
}

} // namespace fovea
