#include "fovea/dynamics/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "fovea/dynamics/angle.h"
#include "fovea/dynamics/skyline.h"

namespace fovea {

namespace {

constexpr Vec3 k_x(1, 0, 0), k_y(0, 1, 0), k_z(0, 0, 1);
constexpr Vec3 k_axes[] = {k_x, k_y, k_z};

/// A free motion of a joint: how far it is, and its row.
struct Freedom {
    double value;
    Vec3 linear, angular_a, angular_b;
    JointBlock::Tied tied = JointBlock::Tied::to_a;
};

class Writer {
  public:
    Writer(const JointPose& pose, const JointMass& mass, const Softness& rigid, float h,
           JointBlock* blocks)
        : pose_(pose)
        , mass_(mass)
        , rigid_(rigid)
        , h_(h)
        , blocks_(blocks) {}

    int count() const { return count_; }

    /// Makes single free rows act along what the joint leaves free: from their Jacobian j the part
    /// is taken away that the rigid rows J would take back,
    ///   j' = j - x^T J    with K x = c, the matrix K of the rigid rows and their couplings c to j.
    /// Their impulses then leave the rigid rows alone, and what they move, j' M^-1 j'^T, is what
    /// the joint lets them move: the masses that it drags along count.
    void condense() {
        if (std::all_of(blocks_, blocks_ + count_, is_rigid)) return;
        double values[k_rigid_rows * k_rigid_rows];
        std::uint32_t first[k_rigid_rows] = {}, offset[k_rigid_rows];
        std::uint32_t rows = 0;
        const auto for_rows = [&](const auto& visit) {
            std::uint32_t index = 0;
            for (int k = 0; k < count_; ++k)
                for (int i = 0; is_rigid(blocks_[k]) && i < blocks_[k].rows; ++i)
                    visit(blocks_[k], i, index++);
        };
        for_rows([&](const JointBlock& p, int i, std::uint32_t row) {
            offset[row] = row * k_rigid_rows;
            rows = row + 1;
            for_rows([&](const JointBlock& q, int j, std::uint32_t column) {
                if (column <= row) values[offset[row] + column] = double(coupling(p, i, q, j));
            });
        });
        if (rows == 0) return;
        const Skyline matrix{std::span(first, rows), std::span(offset, rows), values};
        factor(matrix);
        for (int k = 0; k < count_; ++k) {
            JointBlock& block = blocks_[k];
            if (is_rigid(block) || block.rows != 1 || !(block.mass.x.x > 0)) continue;
            double c[k_rigid_rows], x[k_rigid_rows];
            for_rows([&](const JointBlock& p, int i, std::uint32_t row) {
                c[row] = x[row] = double(coupling(p, i, block, 0));
            });
            solve(matrix, x);
            const double alone = 1 / double(block.mass.x.x);
            double left = alone;
            for (std::uint32_t row = 0; row < rows; ++row) left -= c[row] * x[row];
            for_rows([&](const JointBlock& p, int i, std::uint32_t row) {
                const auto part = float(x[row]);
                block.linear[0] -= p.linear[i] * part;
                block.angular_a[0] -= p.angular_a[i] * part;
                block.angular_b[0] -= p.angular_b[i] * part;
            });
            block.turn_a[0] = mass_.inertia_a * block.angular_a[0];
            block.turn_b[0] = mass_.inertia_b * block.angular_b[0];
            // Hardly anything left: the row says what the rigid ones say, and has nothing to do.
            block.mass.x.x = left > 1e-4 * alone ? 1 / coupling(block, 0, block, 0) : 0;
        }
    }

    void operator()(const BallJoint& ball) {
        friction(ball.friction);
        anchors({});
    }
    void operator()(const HingeJoint& hinge) {
        const Vec3 x = rotate(pose_.frame_a, k_x);
        drive(hinge.turn, turn(twist(), x));
        axes();
        anchors({});
    }
    void operator()(const SliderJoint& slider) {
        drive(slider.slide, shift());
        together({});
        across();
    }
    void operator()(const FixedJoint& fixed) {
        together(fixed.angular);
        anchors(fixed.linear);
    }
    void operator()(const DistanceJoint& distance) {
        // Anchors that coincide have no line between them: any direction is as good.
        const Vec3 n = normalized_or(pose_.apart, k_y);
        drive(distance.length, {double(length(pose_.apart)), n, cross(pose_.arm_a, n),
                                cross(pose_.arm_b, n), JointBlock::Tied::to_line});
    }
    void operator()(const ConeTwistJoint& joint) {
        spring_together(joint.spring);
        friction(joint.friction);
        const Vec3 a = rotate(pose_.frame_a, k_x), b = rotate(pose_.frame_b, k_x);
        // With the rotation split into a twist about a and the shortest swing from a to b, the
        // twist changes at the rate (a + b) . w / (1 + a . b) (Baerlocher and Boulic,
        // "Parametrization and Range of Motion of the Ball-and-Socket Joint", 2001). It loses its
        // meaning as b comes to point against a.
        const float closeness = std::max(1 + dot(a, b), 0.05f);
        drive(joint.twist, turn(twist(), (a + b) / closeness));
        const Vec3 across = cross(a, b);
        const double swing = angle_of(double(length(across)), double(dot(a, b)));
        limit(double(joint.cone) - swing, turn(0, -normalized_or(across, perpendicular(a))));
        anchors({});
    }
    void operator()(const WheelJoint& wheel) {
        const Vec3 up = rotate(pose_.frame_a, k_x), side = rotate(pose_.frame_a, k_y),
                   straight = rotate(pose_.frame_a, k_z), spin = rotate(pose_.frame_b, k_z);
        if (JointBlock* block = motor(wheel.spin)) finish(*block, turn(0, spin));
        drive(wheel.suspension, shift());
        drive(wheel.steering,
              turn(angle_of(-double(dot(spin, side)), double(dot(spin, straight))), up));
        // The spin axis stays across the suspension: d/dt (s . u) = (s x u) . (wB - wA).
        finish(next(JointBlock::Rule::rigid), turn(double(dot(spin, up)), cross(spin, up)));
        across();
    }

  private:
    static constexpr std::uint32_t k_rigid_rows = 6;

    static bool is_rigid(const JointBlock& block) { return block.rule == JointBlock::Rule::rigid; }
    /// Entry of J M^-1 J^T.
    float coupling(const JointBlock& p, int i, const JointBlock& q, int j) const {
        return (mass_.inverse_a + mass_.inverse_b) * dot(p.linear[i], q.linear[j]) +
               dot(p.angular_a[i], q.turn_a[j]) + dot(p.angular_b[i], q.turn_b[j]);
    }

    JointBlock& next(JointBlock::Rule rule) {
        JointBlock& block = blocks_[count_++];
        block = {};
        block.slot = slot_++;
        block.rule = rule;
        block.softness = rigid_;
        return block;
    }
    /// A block that is not at work still has its slot, so that impulses stay with their blocks.
    void skip() { ++slot_; }

    JointBlock* spring(const JointSpring& spring) {
        if (!(spring.hertz > 0)) return skip(), nullptr;
        JointBlock& block = next(JointBlock::Rule::spring);
        block.softness = make_soft(turn_of(spring.hertz, h_), spring.damping_ratio, h_);
        return &block;
    }
    JointBlock* motor(const JointMotor& motor) {
        if (!(motor.strength > 0)) return skip(), nullptr;
        JointBlock& block = next(JointBlock::Rule::motor);
        block.speed = motor.speed;
        block.strength = motor.strength;
        return &block;
    }

    static Freedom turn(double value, const Vec3& axis) { return {value, {}, axis, axis}; }
    /// Along A's x axis.
    Freedom shift() const {
        const Vec3 x = rotate(pose_.frame_a, k_x);
        return {double(dot(pose_.apart, x)), x, cross(pose_.arm_a + pose_.apart, x),
                cross(pose_.arm_b, x)};
    }
    /// Angle of B's frame about A's x axis.
    double twist() const {
        const Quatd q = conjugate(Quatd(pose_.frame_a)) * Quatd(pose_.frame_b);
        // q and -q are the same rotation: the one with w >= 0 turns by at most pi.
        return q.w < 0 ? 2 * angle_of(-q.x, -q.w) : 2 * angle_of(q.x, q.w);
    }

    void drive(const JointDrive& drive, const Freedom& freedom) {
        if (JointBlock* block = spring(drive.spring)) {
            Freedom off = freedom;
            off.value -= double(drive.target);
            finish(*block, off);
        }
        if (JointBlock* block = motor(drive.motor)) finish(*block, freedom);
        const auto [lower, upper] = drive.limits;
        Freedom beyond = freedom;
        if (lower == upper) {
            beyond.value -= double(lower);
            JointBlock& block = next(JointBlock::Rule::rigid);
            block.tied = freedom.tied;
            finish(block, beyond);
            skip();
            return;
        }
        beyond.value = freedom.value - double(lower);
        limit(beyond.value, beyond);
        const Freedom below{double(upper) - freedom.value, -freedom.linear, -freedom.angular_a,
                            -freedom.angular_b};
        limit(below.value, below);
    }
    /// Keeps `room` from falling below 0; the freedom's row is that of the room.
    void limit(double room, Freedom freedom) {
        if (!std::isfinite(room)) return skip();
        freedom.value = room;
        finish(next(JointBlock::Rule::limit), freedom);
    }

    void friction(float torque) {
        if (JointBlock* block = motor({0, torque})) {
            for (int i = 0; i < 3; ++i) block->angular_a[i] = block->angular_b[i] = k_axes[i];
            finish(*block, 3);
        }
    }
    /// Turns B's frame onto A's: about the world's axes by twice the vector of the rotation
    /// between.
    void together_rows(JointBlock& block) const {
        const Quat q = pose_.frame_b * conjugate(pose_.frame_a);
        const Vec3 rotation = q.vector() * (q.w < 0 ? -2.0f : 2.0f);
        for (int i = 0; i < 3; ++i) block.angular_a[i] = block.angular_b[i] = k_axes[i];
        block.error = rotation;
        finish(block, 3);
    }
    void spring_together(const JointSpring& soft) {
        if (JointBlock* block = spring(soft)) together_rows(*block);
    }
    void together(const JointSpring& soft) {
        if (soft.hertz > 0) return spring_together(soft);
        together_rows(next(JointBlock::Rule::rigid));
    }
    /// x axes together: B's may not turn about A's y and z.
    void axes() {
        const Vec3 off = cross(rotate(pose_.frame_a, k_x), rotate(pose_.frame_b, k_x));
        JointBlock& block = next(JointBlock::Rule::rigid);
        for (int i = 0; i < 2; ++i) {
            const Vec3 axis = rotate(pose_.frame_a, k_axes[i + 1]);
            block.angular_a[i] = block.angular_b[i] = axis;
            block.error[i] = dot(off, axis);
        }
        finish(block, 2);
    }
    /// Anchors together.
    void anchors(const JointSpring& soft) {
        JointBlock& block = soft.hertz > 0 ? *spring(soft) : next(JointBlock::Rule::rigid);
        for (int i = 0; i < 3; ++i) {
            block.linear[i] = k_axes[i];
            block.angular_a[i] = cross(pose_.arm_a, k_axes[i]);
            block.angular_b[i] = cross(pose_.arm_b, k_axes[i]);
        }
        block.error = pose_.apart;
        finish(block, 3);
    }
    /// B's anchor on A's x axis.
    void across() {
        JointBlock& block = next(JointBlock::Rule::rigid);
        block.tied = JointBlock::Tied::to_a;
        for (int i = 0; i < 2; ++i) {
            const Vec3 axis = rotate(pose_.frame_a, k_axes[i + 1]);
            block.linear[i] = axis;
            block.angular_a[i] = cross(pose_.arm_a + pose_.apart, axis);
            block.angular_b[i] = cross(pose_.arm_b, axis);
            block.error[i] = dot(pose_.apart, axis);
        }
        finish(block, 2);
    }

    void finish(JointBlock& block, const Freedom& freedom) const {
        block.linear[0] = freedom.linear;
        block.angular_a[0] = freedom.angular_a;
        block.angular_b[0] = freedom.angular_b;
        block.error.x = float(freedom.value);
        finish(block, 1);
    }
    void finish(JointBlock& block, int rows) const {
        block.rows = rows;
        for (int i = 0; i < rows; ++i) {
            block.turn_a[i] = mass_.inertia_a * block.angular_a[i];
            block.turn_b[i] = mass_.inertia_b * block.angular_b[i];
        }
        Mat3 k{};
        float largest = 0;
        for (int j = 0; j < rows; ++j) {
            Vec3& column = j == 0 ? k.x : j == 1 ? k.y : k.z;
            for (int i = 0; i < rows; ++i) column[i] = coupling(block, i, block, j);
            largest = std::max(largest, column[j]);
        }
        if (!(largest > 0)) return;
        // Scaled, so that very heavy and very light bodies neither under- nor overflow.
        if (rows < 2) k.y.y = largest;
        if (rows < 3) k.z.z = largest;
        const Mat3 scaled = k * (1 / largest);
        if (!(determinant(scaled) > 0)) return;
        block.mass = inverse(scaled) * (1 / largest);
        if (rows < 2) block.mass.y.y = 0;
        if (rows < 3) block.mass.z.z = 0;
    }

    const JointPose& pose_;
    const JointMass& mass_;
    const Softness& rigid_;
    float h_;
    JointBlock* blocks_;
    int count_ = 0, slot_ = 0;
};

} // namespace

int block_count(const JointType& type) {
    constexpr int k_drive = 4; // spring, motor, lower, upper
    constexpr int k_counts[] = {2,       k_drive + 2, k_drive + 2,    2,
                                k_drive, k_drive + 4, 2 * k_drive + 3};
    static_assert(*std::max_element(std::begin(k_counts), std::end(k_counts)) <= Joint::k_blocks);
    return k_counts[type.index()];
}

int build_blocks(const Joint& joint, const JointPose& pose, const JointMass& mass,
                 const Softness& rigid, float h, JointBlock* blocks) {
    Writer writer(pose, mass, rigid, h, blocks);
    std::visit(writer, joint.type);
    writer.condense();
    return writer.count();
}

} // namespace fovea
