#include "fovea/dynamics/joint_groups.h"

#include <algorithm>

namespace fovea {

namespace {

constexpr std::uint32_t k_none = 0xffffffffu;
/// Mean length of a matrix row beyond which Gauss-Seidel visits are cheaper.
constexpr std::uint32_t k_widest = 64;

/// One end of a rigid row: its Jacobian at a body.
struct End {
    float sign;
    const Vec3 *linear, *angular, *turn;
    float inverse_mass;
};

End end_a(const WorkingJoint& joint, const JointBlock& block, int row) {
    return {-1, &block.linear[row], &block.angular_a[row], &block.turn_a[row],
            joint.mass.inverse_a};
}
End end_b(const WorkingJoint& joint, const JointBlock& block, int row) {
    return {1, &block.linear[row], &block.angular_b[row], &block.turn_b[row], joint.mass.inverse_b};
}
double coupling(const End& p, const End& q) {
    return double(p.sign * q.sign) *
           double(p.inverse_mass * dot(*p.linear, *q.linear) + dot(*p.angular, *q.turn));
}

bool meet(const WorkingJoint& p, const WorkingJoint& q) {
    const auto at = [&](std::uint32_t row) {
        return row != k_immovable && (row == q.row_a || row == q.row_b);
    };
    return at(p.row_a) || at(p.row_b);
}

} // namespace

void JointGroups::sort(std::span<Joint> joints, std::span<const std::uint32_t> row_of) {
    joined_.reset(row_of.size());
    for (const Joint& joint : joints) {
        const std::uint32_t a = row_of[joint.a], b = row_of[joint.b];
        if (a != k_immovable && b != k_immovable) joined_.join(a, b);
    }
    const auto lowest = [&](const Joint& joint) {
        const std::uint32_t a = row_of[joint.a], b = row_of[joint.b];
        if (a == k_immovable && b == k_immovable) return k_none;
        return joined_.lowest(a != k_immovable ? a : b);
    };
    // Groups are numbered as they first appear, counted, and then filled.
    number_.assign(row_of.size(), k_none);
    groups_.clear();
    for (const Joint& joint : joints) {
        const std::uint32_t group = lowest(joint);
        if (group == k_none) continue;
        if (number_[group] == k_none) {
            number_[group] = std::uint32_t(groups_.size());
            groups_.push_back({});
        }
        ++groups_[number_[group]].joint_count;
    }
    std::uint32_t total = 0;
    for (JointGroup& group : groups_) {
        group.first_joint = total;
        total += std::exchange(group.joint_count, 0);
    }
    joints_.resize(total);
    for (Joint& joint : joints) {
        const std::uint32_t number = lowest(joint);
        if (number == k_none) continue;
        JointGroup& group = groups_[number_[number]];
        WorkingJoint& working = joints_[group.first_joint + group.joint_count++];
        working.joint = &joint;
        working.row_a = row_of[joint.a];
        working.row_b = row_of[joint.b];
    }
    first_at_.resize(row_of.size());
}

void JointGroups::lay_out(std::span<const JointBlock> blocks) {
    first_column_.clear();
    offset_.clear();
    std::uint32_t values = 0;
    for (JointGroup& group : groups_) {
        group.first_row = std::uint32_t(first_column_.size());
        group.row_count = 0;
        const std::span<WorkingJoint> joints = joints_of(group);
        for (const WorkingJoint& joint : joints)
            for (const std::uint32_t row : {joint.row_a, joint.row_b})
                if (row != k_immovable) first_at_[row] = k_none;
        const std::uint32_t values_before = values;
        for (std::uint32_t i = 0; i < joints.size(); ++i) {
            WorkingJoint& joint = joints[i];
            joint.first_row = group.row_count;
            std::uint32_t earliest = i;
            for (const std::uint32_t row : {joint.row_a, joint.row_b}) {
                if (row == k_immovable) continue;
                if (first_at_[row] == k_none) first_at_[row] = i;
                earliest = std::min(earliest, first_at_[row]);
            }
            joint.earliest = earliest;
            const std::uint32_t first = joints[earliest].first_row;
            for_rigid_rows(joint, blocks, [&](const JointBlock&, int, std::uint32_t index) {
                first_column_.push_back(first);
                offset_.push_back(values - first);
                values += index - first + 1;
                ++group.row_count;
            });
            joint.row_count = group.row_count - joint.first_row;
        }
        group.direct = values - values_before <= k_widest * group.row_count;
        if (!group.direct) values = values_before;
    }
    values_.resize(values);
    unknowns_.resize(first_column_.size());
    diagonal_.resize(first_column_.size());
}

Skyline JointGroups::matrix(const JointGroup& group) {
    return {std::span(first_column_).subspan(group.first_row, group.row_count),
            std::span(offset_).subspan(group.first_row, group.row_count), values_.data()};
}

void JointGroups::factor_matrix(const JointGroup& group, std::span<const JointBlock> blocks) {
    const Skyline m = matrix(group);
    const std::span<const WorkingJoint> joints = joints_of(group);
    for (std::uint32_t i = 0; i < m.size(); ++i)
        std::fill(&m.at(i, m.first[i]), &m.at(i, i) + 1, 0.0);
    for (const WorkingJoint& p : joints) {
        if (p.row_count == 0) continue;
        const auto here = std::uint32_t(&p - joints.data());
        for (const WorkingJoint& q : joints.subspan(p.earliest, here + 1 - p.earliest)) {
            if (!meet(p, q)) continue;
            for_rigid_rows(p, blocks, [&](const JointBlock& block, int row, std::uint32_t i) {
                const End pa = end_a(p, block, row), pb = end_b(p, block, row);
                for_rigid_rows(q, blocks, [&](const JointBlock& other, int k, std::uint32_t j) {
                    if (j > i) return;
                    const End qa = end_a(q, other, k), qb = end_b(q, other, k);
                    double sum = 0;
                    if (p.row_a != k_immovable) {
                        if (p.row_a == q.row_a) sum += coupling(pa, qa);
                        if (p.row_a == q.row_b) sum += coupling(pa, qb);
                    }
                    if (p.row_b != k_immovable) {
                        if (p.row_b == q.row_a) sum += coupling(pb, qa);
                        if (p.row_b == q.row_b) sum += coupling(pb, qb);
                    }
                    m.at(i, j) = sum;
                });
            });
        }
    }
    for (std::uint32_t i = 0; i < m.size(); ++i) {
        diagonal_[group.first_row + i] = m.at(i, i);
        m.at(i, i) *= 1 + k_give;
    }
    factor(m);
}

void JointGroups::solve_matrix(const JointGroup& group) {
    solve(matrix(group), unknowns(group).data());
}

} // namespace fovea
