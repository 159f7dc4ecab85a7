// Joints at work in a step, in groups that hang together through movable bodies.
//
//   wall = 1 = 2 = 3       4 = 5       two groups; the wall does not connect
//
// The rigid rows of a group are the unknowns of one system of equations, J M^-1 J^T. Rows of joints
// without a common body do not meet in it: with joints in order along a chain it is a narrow band,
// and solving it exactly costs little more than visiting the joints once (compare Baraff,
// "Linear-Time Dynamics using Lagrange Multipliers", SIGGRAPH 1996). So chains and ragdolls hold
// whatever their length and masses. Groups whose band is too wide, such as nets, are left to
// Gauss-Seidel visits.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "fovea/base/disjoint_sets.h"
#include "fovea/dynamics/joint_rows.h"
#include "fovea/dynamics/skyline.h"
#include "fovea/dynamics/solver_bodies.h"

namespace fovea {

struct WorkingJoint {
    Joint* joint;
    std::uint32_t row_a, row_b;        ///< solver rows, or k_immovable
    Vec3 apart;                        ///< of the centres of mass, at the start of the step
    Quat orientation_a, orientation_b; ///< present
    JointPose pose;
    JointMass mass;
    std::uint32_t first_block, block_count;
    std::uint32_t first_row, row_count; ///< rigid rows, within the group's
    std::uint32_t earliest;             ///< joint of the group that has a body in common
};

struct JointGroup {
    std::uint32_t first_joint, joint_count;
    std::uint32_t first_row, row_count;
    bool direct; ///< solved exactly
};

/// Calls visit(block, row, index) for the joint's rigid rows; the index is within the group's.
template <class Visit>
void for_rigid_rows(const WorkingJoint& joint, std::span<const JointBlock> blocks,
                    const Visit& visit) {
    std::uint32_t index = joint.first_row;
    for (const JointBlock& block : blocks.subspan(joint.first_block, joint.block_count))
        if (block.rule == JointBlock::Rule::rigid)
            for (int row = 0; row < block.rows; ++row) visit(block, row, index++);
}

class JointGroups {
  public:
    /// Sorts the joints that have something to move into groups, in order of creation.
    void sort(std::span<Joint> joints, std::span<const std::uint32_t> row_of);
    /// Lays out the equations; the joints' blocks must be there.
    void lay_out(std::span<const JointBlock> blocks);

    std::span<const JointGroup> groups() const { return groups_; }
    std::span<WorkingJoint> all() { return joints_; }
    std::span<const WorkingJoint> all() const { return joints_; }
    std::span<WorkingJoint> joints_of(const JointGroup& group) {
        return std::span(joints_).subspan(group.first_joint, group.joint_count);
    }
    /// Room for the group's unknowns.
    std::span<double> unknowns(const JointGroup& group) {
        return std::span(unknowns_).subspan(group.first_row, group.row_count);
    }
    /// What an impulse takes away from the rate of its own row, relatively: makes superfluous
    /// equations, as those of closed loops, share their load instead of fighting.
    static constexpr double k_give = 1e-4;
    /// Computes and factors the group's matrix for the present blocks.
    void factor_matrix(const JointGroup& group, std::span<const JointBlock> blocks);
    /// The row's own entry in the matrix, before it was factored.
    double diagonal(const JointGroup& group, std::uint32_t row) const {
        return diagonal_[group.first_row + row];
    }
    /// Replaces the group's unknowns, right hand sides, by the solution.
    void solve_matrix(const JointGroup& group);

  private:
    Skyline matrix(const JointGroup& group);

    std::vector<JointGroup> groups_;
    std::vector<WorkingJoint> joints_; ///< group by group
    DisjointSets joined_;              ///< rows
    std::vector<std::uint32_t> number_;
    std::vector<std::uint32_t> first_at_; ///< first joint of a group at each body
    std::vector<std::uint32_t> first_column_, offset_;
    std::vector<double> values_, unknowns_, diagonal_;
};

} // namespace fovea
