#include "fovea/dynamics/soft_step.h"

#include <algorithm>

#include "fovea/base/assert.h"
#include "fovea/dynamics/contact_packing.h"

namespace fovea {

namespace {

constexpr std::size_t k_body_block = 256;
constexpr std::size_t k_group_block = 16;

} // namespace

void SoftStep::load_bodies(const Bodies& bodies, std::span<const std::uint32_t> awake) {
    awake_.assign(awake.begin(), awake.end());
    row_of_.assign(bodies.size(), k_immovable);
    rows_.resize(awake.size());
    masses_.resize(awake.size());
    orientations_.resize(awake.size());
    for (std::uint32_t row = 0; row < awake.size(); ++row) {
        const std::uint32_t slot = awake[row];
        row_of_[slot] = row;
        SolverBody body;
        body.velocity = bodies.velocity[slot];
        body.spin = bodies.angular_velocity[slot];
        rows_[row] = body;
        orientations_[row] = bodies.orientation[slot];
        const Mat3& m = bodies.inverse_inertia_world[slot];
        masses_[row] = {bodies.inverse_mass[slot], {m.x.x, m.y.y, m.z.z, m.x.y, m.x.z, m.y.z}};
    }
}

void SoftStep::build_groups(const Bodies& bodies, std::span<const ContactPatch> patches,
                            const SoftStepSettings& settings, float h, const Jobs& jobs) {
    ends_.resize(patches.size());
    for (std::size_t i = 0; i < patches.size(); ++i)
        ends_[i] = {row_of_[patches[i].a], row_of_[patches[i].b]};
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
    const PackingContext context{bodies, patches, row_of_, masses_, turn, settings.contact_damping,
                                 h};
    for (int colour = 0; colour <= GraphColouring::k_overflow; ++colour) {
        const auto here = colouring_.of_colour(colour);
        const std::size_t per_group = colour == GraphColouring::k_overflow ? 1 : k_lanes;
        const std::uint32_t first = group_start_[colour];
        jobs.for_blocks(
            group_start_[colour + 1] - first, k_group_block,
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    const std::size_t from = i * per_group;
                    pack_group(groups_[first + i],
                               here.subspan(from, std::min(per_group, here.size() - from)),
                               context);
                }
                finish_groups(std::span(groups_).subspan(first + begin, end - begin), rows_);
            });
    }
}

void SoftStep::integrate_velocities(const Bodies& bodies, const MotionSettings& motion, float h,
                                    const Jobs& jobs) {
    jobs.for_blocks(rows_.size(), k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t slot = awake_[i];
            SolverBody& body = rows_[i];
            if (masses_[i].inverse_mass == 0) continue;
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
        }
    });
}

void SoftStep::integrate_poses(float h, const Jobs& jobs) {
    jobs.for_blocks(rows_.size(), k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            SolverBody& body = rows_[i];
            body.moved += body.velocity * h;
            body.turned += body.spin * h;
            const Quat q = orientations_[i];
            orientations_[i] = normalized(q + Quat(0, body.spin * (0.5f * h)) * q);
        }
    });
}

int SoftStep::colours() const {
    int count = 0;
    for (int colour = 0; colour <= GraphColouring::k_overflow; ++colour)
        count += group_start_[colour + 1] > group_start_[colour];
    return count;
}

/// Calls visit(groups) for all groups: colour after colour, those of a colour side by side.
template <class Visit>
void SoftStep::for_colours(const Jobs& jobs, const Visit& visit) {
    const std::span<ContactGroup> groups(groups_);
    for (int colour = 0; colour < GraphColouring::k_overflow; ++colour) {
        const std::uint32_t first = group_start_[colour];
        jobs.for_blocks(group_start_[colour + 1] - first, k_group_block,
                        [&](std::size_t begin, std::size_t end) {
                            visit(groups.subspan(first + begin, end - begin));
                        });
    }
    const std::uint32_t first = group_start_[GraphColouring::k_overflow];
    visit(groups.subspan(first));
}

/// Visits all contacts and adds up what that does to the bodies.
template <class Visit>
void SoftStep::visit_contacts(const Jobs& jobs, const Visit& visit) {
    before_.resize(rows_.size());
    jobs.for_blocks(rows_.size(), k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) before_[i] = {rows_[i].velocity, rows_[i].spin};
    });
    for_colours(jobs, visit);
    jobs.for_blocks(rows_.size(), k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            borne_[i].velocity += rows_[i].velocity - before_[i].velocity;
            borne_[i].spin += rows_[i].spin - before_[i].spin;
        }
    });
}

void SoftStep::warm_start_contacts(bool first, const Jobs& jobs) {
    if (first) {
        borne_.assign(rows_.size(), {});
        return visit_contacts(jobs,
                              [&](std::span<ContactGroup> groups) { warm_start(groups, rows_); });
    }
    jobs.for_blocks(rows_.size(), k_body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            rows_[i].velocity += borne_[i].velocity;
            rows_[i].spin += borne_[i].spin;
        }
    });
}

void SoftStep::store(Bodies& bodies, std::span<ContactPatch> patches, const Jobs& jobs) {
    jobs.for_blocks(groups_.size(), k_group_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) unpack_impulses(groups_[i], patches);
    });
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
        const std::uint32_t slot = awake_[row];
        bodies.velocity[slot] = rows_[row].velocity;
        bodies.angular_velocity[slot] = rows_[row].spin;
        bodies.position[slot] += rows_[row].moved;
        bodies.orientation[slot] = orientations_[row];
    }
    // Forces are for one step, also those on bodies that sleep or cannot move.
    std::ranges::fill(bodies.force, Vec3());
    std::ranges::fill(bodies.torque, Vec3());
}

void SoftStep::run(Bodies& bodies, std::span<const std::uint32_t> awake,
                   std::span<ContactPatch> patches, std::span<Joint> joints,
                   const MotionSettings& motion, const SoftStepSettings& settings, float dt,
                   const Jobs& jobs) {
    FOVEA_ASSERT(settings.sub_steps > 0);
    const float h = dt / float(settings.sub_steps);
    const SubStep step{h, settings.slop, settings.recovery * h, settings.max_push,
                       settings.restitution_threshold};
    load_bodies(bodies, awake);
    build_groups(bodies, patches, settings, h, jobs);
    joints_.begin(bodies, joints, row_of_, settings.joints, h, jobs);
    for (int i = 0; i < settings.sub_steps; ++i) {
        integrate_velocities(bodies, motion, h, jobs);
        joints_.warm_start(rows_, jobs);
        warm_start_contacts(i == 0, jobs);
        joints_.push(rows_, jobs);
        visit_contacts(jobs, [&](std::span<ContactGroup> groups) {
            solve_contacts(groups, rows_, step, true);
        });
        integrate_poses(h, jobs);
        joints_.relax(rows_, orientations_, jobs);
        visit_contacts(jobs, [&](std::span<ContactGroup> groups) {
            solve_contacts(groups, rows_, step, false);
        });
    }
    for (int i = 0; i < settings.restitution_passes; ++i)
        for_colours(
            jobs, [&](std::span<ContactGroup> groups) { apply_restitution(groups, rows_, step); });
    joints_.finish(settings.sub_steps);
    store(bodies, patches, jobs);
}

} // namespace fovea
