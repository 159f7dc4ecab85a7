// Solves joints within the sub-steps of soft_step.
//
//   begin                   rows at the start of the step
//   for each sub-step
//     warm start            the impulses of the sub-step before
//     solve, pushing        rates to zero, and errors a part of the way
//     (poses move on)
//     refresh               rows at the new poses
//     relax                 rates to zero at the new poses, without pushing
//   finish                  forces, for the caller
//
// Rigid rows look ahead: on its way round a pivot a body moves along the tangent and leaves the
// circle by h^2 w x (w x r) / 2. Taking that into the rate beforehand, and relaxing at the new
// pose, makes the scheme RATTLE (Andersen, J. Comput. Phys. 52, 1983): pendulums keep their energy.
//
// Joints that hang together are solved as a group: first limits, motors and springs one by one,
// then all rigid rows at once (joint_groups.h). Groups are solved side by side.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/joint_groups.h"

namespace fovea {

struct JointSettings {
    /// Stiffness of what should be rigid, cycles a second; at most a quarter of the sub-step rate
    /// is used. Stiffer joints drift less and tremble more.
    float hertz = 240;
    /// Damping ratio of the same.
    float damping = 2;
    /// Errors are corrected at most this fast, m/s or rad/s.
    float max_push = 10;
};

class JointSolver {
  public:
    /// Starts a step of sub-steps of `h` seconds. `row_of` gives the solver row of each body slot,
    /// or k_immovable. The joints must stay where they are until finish().
    void begin(const Bodies& bodies, std::span<Joint> joints, std::span<const std::uint32_t> row_of,
               const JointSettings& settings, float h, const Jobs& jobs);
    void warm_start(std::span<SolverBody> rows, const Jobs& jobs);
    void push(std::span<SolverBody> rows, const Jobs& jobs);
    /// Takes the bodies' new poses, then relaxes.
    void relax(std::span<SolverBody> rows, std::span<const Quat> orientations, const Jobs& jobs);
    /// Forces of the whole step, of `sub_steps` sub-steps.
    void finish(int sub_steps);
    /// Sub-step of the last step, s; 0 before the first.
    float& last_h() { return last_h_; }
    /// Joints at work.
    std::size_t size() const { return groups_.all().size(); }

  private:
    struct Motion;

    void refresh(WorkingJoint& joint, const Vec3& moved);
    void bend(JointBlock& block, const JointPose& pose, const Motion& motion) const;
    Vec3 pushing(const JointBlock& block) const;
    void visit(const JointBlock& block, const JointMass& mass, Vec3& impulse, Motion& motion,
               bool push) const;
    void solve_group(const JointGroup& group, std::span<SolverBody> rows, bool push);
    void solve_rigid_rows(const JointGroup& group, std::span<SolverBody> rows, bool push);
    void add_load(const WorkingJoint& joint);
    template <class Visit>
    void for_groups(const Jobs& jobs, const Visit& visit);
    std::span<JointBlock> blocks_of(const WorkingJoint& joint) {
        return std::span(blocks_).subspan(joint.first_block, joint.block_count);
    }

    const Bodies* bodies_ = nullptr;
    JointSettings settings_;
    Softness rigid_;
    float h_ = 0, last_h_ = 0;
    JointGroups groups_;
    std::vector<JointBlock> blocks_;
};

} // namespace fovea
