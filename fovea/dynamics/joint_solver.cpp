#include "fovea/dynamics/joint_solver.h"

#include <algorithm>

namespace fovea {

namespace {

constexpr std::size_t k_joint_block = 64, k_group_block = 2;
constexpr float k_far_turn = 0.25f; ///< in a sub-step, rad

Mat3 world_inertia(const Mat3& inverse_inertia, const Quat& orientation) {
    const Mat3 r = to_matrix(orientation);
    return r * (inverse_inertia * transposed(r));
}

Vec3 shortened(const Vec3& v, float longest) {
    const float l = length(v);
    return l > longest ? v * (longest / l) : v;
}

struct Velocity {
    Vec3 linear, spin;
};

} // namespace

/// The velocities of the two bodies of a joint; those of immovable ones are 0 and stay so.
struct JointSolver::Motion {
    Velocity a, b;

    Motion(const WorkingJoint& joint, std::span<const SolverBody> rows) {
        if (joint.row_a != k_immovable) a = {rows[joint.row_a].velocity, rows[joint.row_a].spin};
        if (joint.row_b != k_immovable) b = {rows[joint.row_b].velocity, rows[joint.row_b].spin};
    }
    void store(const WorkingJoint& joint, std::span<SolverBody> rows) const {
        if (joint.row_a != k_immovable)
            rows[joint.row_a].velocity = a.linear, rows[joint.row_a].spin = a.spin;
        if (joint.row_b != k_immovable)
            rows[joint.row_b].velocity = b.linear, rows[joint.row_b].spin = b.spin;
    }
    float rate(const JointBlock& block, int row) const {
        return dot(block.linear[row], b.linear - a.linear) + dot(block.angular_b[row], b.spin) -
               dot(block.angular_a[row], a.spin);
    }
    /// How far the bodies turn in `h` seconds.
    float turn_squared(float h) const {
        return (length_squared(a.spin) + length_squared(b.spin)) * h * h;
    }
    void push(const JointBlock& block, const JointMass& mass, int row, float impulse) {
        a.linear -= block.linear[row] * (impulse * mass.inverse_a);
        b.linear += block.linear[row] * (impulse * mass.inverse_b);
        a.spin -= block.turn_a[row] * impulse;
        b.spin += block.turn_b[row] * impulse;
    }
};

void JointSolver::begin(const Bodies& bodies, std::span<Joint> joints,
                        std::span<const std::uint32_t> row_of, const JointSettings& settings,
                        float h, const Jobs& jobs) {
    bodies_ = &bodies;
    settings_ = settings;
    h_ = h;
    rigid_ = make_soft(turn_of(std::min(settings.hertz, 0.25f / h), h), settings.damping, h);
    const float rescale = last_h_ > 0 ? h / last_h_ : 1;
    last_h_ = h;
    groups_.sort(joints, row_of);

    std::uint32_t total = 0;
    for (WorkingJoint& working : groups_.all()) {
        working.first_block = total;
        total += std::uint32_t(block_count(working.joint->type));
    }
    blocks_.resize(total);
    jobs.for_blocks(groups_.all().size(), k_joint_block, [&](std::size_t begin, std::size_t end) {
        for (WorkingJoint& working : groups_.all().subspan(begin, end - begin)) {
            Joint& joint = *working.joint;
            joint.force = joint.torque = {};
            working.apart = bodies.position[joint.b] - bodies.position[joint.a];
            working.orientation_a = bodies.orientation[joint.a];
            working.orientation_b = bodies.orientation[joint.b];
            refresh(working, {});
            Vec3 kept[Joint::k_blocks] = {};
            for (const JointBlock& block : blocks_of(working))
                kept[block.slot] = joint.impulse[block.slot] * rescale;
            std::ranges::copy(kept, joint.impulse);
        }
    });
    groups_.lay_out(blocks_);
    for_groups(jobs, [&](const JointGroup& group) {
        if (group.direct) groups_.factor_matrix(group, blocks_);
    });
}

/// Rows at the present poses. `moved`: of B relative to A since the start of the step.
void JointSolver::refresh(WorkingJoint& w, const Vec3& moved) {
    const Joint& joint = *w.joint;
    w.pose.arm_a = rotate(w.orientation_a, joint.anchor_a);
    w.pose.arm_b = rotate(w.orientation_b, joint.anchor_b);
    w.pose.apart = w.apart + moved + w.pose.arm_b - w.pose.arm_a;
    w.pose.frame_a = w.orientation_a * joint.frame_a;
    w.pose.frame_b = w.orientation_b * joint.frame_b;
    w.mass = {};
    if (w.row_a != k_immovable) {
        w.mass.inverse_a = bodies_->inverse_mass[joint.a];
        w.mass.inertia_a = world_inertia(bodies_->inverse_inertia[joint.a], w.orientation_a);
    }
    if (w.row_b != k_immovable) {
        w.mass.inverse_b = bodies_->inverse_mass[joint.b];
        w.mass.inertia_b = world_inertia(bodies_->inverse_inertia[joint.b], w.orientation_b);
    }
    w.block_count = std::uint32_t(
        build_blocks(joint, w.pose, w.mass, rigid_, h_, blocks_.data() + w.first_block));
}

/// What the errors of rigid rows gain in a sub-step to second order, as a rate.
void JointSolver::bend(JointBlock& block, const JointPose& pose, const Motion& motion) const {
    if (block.rule != JointBlock::Rule::rigid) return;
    const auto& [a, b] = motion;
    const Vec3 inward =
        cross(b.spin, cross(b.spin, pose.arm_b)) - cross(a.spin, cross(a.spin, pose.arm_a));
    const Vec3 parting =
        b.linear + cross(b.spin, pose.arm_b) - a.linear - cross(a.spin, pose.arm_a);
    // Of bodies that turn far in a sub-step the parabola says little. Looking ahead less, joints
    // lose energy to the corrections: the crack of a whip dies away instead of spoiling the chain.
    const float trust = 1 / (1 + motion.turn_squared(h_) / (k_far_turn * k_far_turn));
    for (int i = 0; i < block.rows; ++i) {
        const Vec3& l = block.linear[i];
        float second = dot(l, inward);
        if (block.tied == JointBlock::Tied::to_a) {
            const Vec3 swing = cross(a.spin, l);
            second += 2 * dot(swing, parting) + dot(cross(a.spin, swing), pose.apart);
        } else if (block.tied == JointBlock::Tied::to_line) {
            const float distance = length(pose.apart);
            const Vec3 sideways = parting - l * dot(l, parting);
            if (distance > 0) second += dot(sideways, sideways) / distance;
        }
        block.curvature[i] = 0.5f * h_ * second * trust;
    }
}

/// What pushing adds to the rates of a rigid block.
Vec3 JointSolver::pushing(const JointBlock& block) const {
    return shortened(block.error * block.softness.bias_rate, settings_.max_push) + block.curvature;
}

/// One Gauss-Seidel visit.
void JointSolver::visit(const JointBlock& block, const JointMass& mass, Vec3& impulse,
                        Motion& motion, bool push) const {
    Vec3 rate;
    for (int i = 0; i < block.rows; ++i) rate[i] = motion.rate(block, i);
    const Softness& soft = block.softness;
    Vec3 next;
    switch (block.rule) {
    case JointBlock::Rule::rigid:
        // Visited one by one rigid joints must give a little, or long chains would start to swing.
        next = push ? impulse * (1 - soft.impulse_scale) -
                          block.mass * (rate + pushing(block)) * soft.mass_scale
                    : impulse - block.mass * rate;
        break;
    case JointBlock::Rule::spring:
        if (!push) return; // acts once in a sub-step, as a force does
        next = impulse * (1 - soft.impulse_scale) -
               block.mass * (rate + block.error * soft.bias_rate) * soft.mass_scale;
        break;
    case JointBlock::Rule::motor:
        rate.x -= block.speed;
        next = shortened(impulse - block.mass * rate, block.strength * h_);
        break;
    case JointBlock::Rule::limit: {
        const float room = block.error.x;
        float closing = 0; // how fast the limit may be approached, or must be left
        float mass_scale = 1, impulse_scale = 0;
        if (room > 0) {
            closing = room / h_;
        } else if (push) {
            closing = std::max(room * soft.bias_rate, -settings_.max_push);
            // Soft as contacts are, with which loaded limits would wrestle else.
            mass_scale = soft.mass_scale;
            impulse_scale = soft.impulse_scale;
        }
        next.x = std::max(impulse.x * (1 - impulse_scale) -
                              block.mass.x.x * (rate.x + closing) * mass_scale,
                          0.0f);
        break;
    }
    }
    for (int i = 0; i < block.rows; ++i) motion.push(block, mass, i, next[i] - impulse[i]);
    impulse = next;
}

/// All rigid rows of the group at once.
void JointSolver::solve_rigid_rows(const JointGroup& group, std::span<SolverBody> rows, bool push) {
    const std::span<double> unknowns = groups_.unknowns(group);
    for (const WorkingJoint& joint : groups_.joints_of(group)) {
        const Motion motion(joint, rows);
        for_rigid_rows(joint, blocks_, [&](const JointBlock& block, int row, std::uint32_t index) {
            const float wanted = push ? -pushing(block)[row] : 0;
            unknowns[index] = double(wanted - motion.rate(block, row));
            // Impulses so far were made for poses that are left behind when relaxing: to take from
            // them there would bring in energy.
            if (push)
                unknowns[index] -= JointGroups::k_give * groups_.diagonal(group, index) *
                                   double(joint.joint->impulse[block.slot][row]);
        });
    }
    groups_.solve_matrix(group);
    for (const WorkingJoint& joint : groups_.joints_of(group)) {
        Motion motion(joint, rows);
        for_rigid_rows(joint, blocks_, [&](const JointBlock& block, int row, std::uint32_t index) {
            const auto impulse = float(unknowns[index]);
            joint.joint->impulse[block.slot][row] += impulse;
            motion.push(block, joint.mass, row, impulse);
        });
        motion.store(joint, rows);
    }
}

void JointSolver::solve_group(const JointGroup& group, std::span<SolverBody> rows, bool push) {
    const auto visit_joint = [&](const WorkingJoint& joint) {
        Motion motion(joint, rows);
        for (const JointBlock& block : blocks_of(joint))
            if (!group.direct || block.rule != JointBlock::Rule::rigid)
                visit(block, joint.mass, joint.joint->impulse[block.slot], motion, push);
        motion.store(joint, rows);
    };
    // There and back, so that neither end of a chain is always the last to know.
    const std::span<WorkingJoint> joints = groups_.joints_of(group);
    if (push)
        for (std::size_t i = 0; i < joints.size(); ++i) visit_joint(joints[i]);
    else
        for (std::size_t i = joints.size(); i-- > 0;) visit_joint(joints[i]);
    if (group.direct) solve_rigid_rows(group, rows, push);
}

/// Calls visit(group) for all groups, side by side.
template <class Visit>
void JointSolver::for_groups(const Jobs& jobs, const Visit& visit) {
    const std::span<const JointGroup> groups = groups_.groups();
    jobs.for_blocks(groups.size(), k_group_block, [&](std::size_t begin, std::size_t end) {
        for (const JointGroup& group : groups.subspan(begin, end - begin)) visit(group);
    });
}

void JointSolver::warm_start(std::span<SolverBody> rows, const Jobs& jobs) {
    for_groups(jobs, [&](const JointGroup& group) {
        // All look ahead before any impulse acts: halfway through, velocities mean nothing.
        for (const WorkingJoint& joint : groups_.joints_of(group)) {
            const Motion motion(joint, rows);
            for (JointBlock& block : blocks_of(joint)) bend(block, joint.pose, motion);
        }
        for (const WorkingJoint& joint : groups_.joints_of(group)) {
            Motion motion(joint, rows);
            for (const JointBlock& block : blocks_of(joint))
                for (int i = 0; i < block.rows; ++i)
                    motion.push(block, joint.mass, i, joint.joint->impulse[block.slot][i]);
            motion.store(joint, rows);
        }
    });
}

void JointSolver::push(std::span<SolverBody> rows, const Jobs& jobs) {
    for_groups(jobs, [&](const JointGroup& group) { solve_group(group, rows, true); });
}

void JointSolver::relax(std::span<SolverBody> rows, std::span<const Quat> orientations,
                        const Jobs& jobs) {
    for_groups(jobs, [&](const JointGroup& group) {
        for (WorkingJoint& joint : groups_.joints_of(group)) {
            Vec3 moved;
            if (joint.row_a != k_immovable) {
                moved -= rows[joint.row_a].moved;
                joint.orientation_a = orientations[joint.row_a];
            }
            if (joint.row_b != k_immovable) {
                moved += rows[joint.row_b].moved;
                joint.orientation_b = orientations[joint.row_b];
            }
            refresh(joint, moved);
        }
        if (group.direct) groups_.factor_matrix(group, blocks_);
        solve_group(group, rows, false);
        for (const WorkingJoint& joint : groups_.joints_of(group)) add_load(joint);
    });
}

/// Adds the impulses of the sub-step to the joint's load.
void JointSolver::add_load(const WorkingJoint& working) {
    Joint& joint = *working.joint;
    Vec3 force, torque; // about the centre of mass
    for (const JointBlock& block : blocks_of(working))
        for (int i = 0; i < block.rows; ++i) {
            force += block.linear[i] * joint.impulse[block.slot][i];
            torque += block.angular_b[i] * joint.impulse[block.slot][i];
        }
    joint.force += force;
    joint.torque += torque - cross(working.pose.arm_b, force);
}

void JointSolver::finish(int sub_steps) {
    const float per_second = 1 / (float(sub_steps) * h_);
    for (WorkingJoint& working : groups_.all()) {
        working.joint->force *= per_second;
        working.joint->torque *= per_second;
    }
}

} // namespace fovea
