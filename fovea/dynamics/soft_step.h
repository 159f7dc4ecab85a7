// The `soft_step` response: sub-steps with soft contacts (Catto, "Solver2D", 2024).
//
//   prepare                 masses, colours, groups of eight contacts
//   for each sub-step h
//     velocities            gravity, forces, tumbling; springs, as they are stretched now
//     warm start            the impulses of the sub-step before; joints first, here and below.
//                           Contacts stay where they are during a step, so that what their
//                           impulses did to a body is what they will do again: it is kept per
//                           body, and only the first sub-step goes through the contacts
//     solve, pushing        overlaps act like stiff, strongly damped springs
//     poses                 moved += h v, turned += h w
//     relax                 solve again without pushing: takes out the speed that pushing put in
//   restitution             after the last, for what came fast; makes no energy
//   store                   impulses back to the patches, poses back to the bodies
//
// A soft contact gives way under its load by load / stiffness, a tower by the sum of it all. So
// each point remembers the load it bears (its support) and acts as a spring only on the difference,
// as an augmented Lagrangian does with its multiplier. What is remembered is the mean over the
// patch: against tilting the contact stays a spring, or towers would slowly buckle.
//
// A step may be ended after any of its sub-steps: what is left of its time is then not simulated.
//
// Many small steps with one visit each converge better than one step with many visits
// (Macklin et al., "Small Steps in Physics Simulation", SCA 2019): a stack's error falls with the
// square of the step.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/contact/contact_patch.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/contact_group.h"
#include "fovea/dynamics/graph_colouring.h"
#include "fovea/dynamics/integrate.h"
#include "fovea/dynamics/joint_solver.h"
#include "fovea/dynamics/rebound_limit.h"
#include "fovea/dynamics/springs.h"

namespace fovea {

struct SoftStepSettings {
    /// Sub-steps a step. More make stacks and chains stiffer; the cost is nearly proportional.
    int sub_steps = 8;
    /// Stiffness of contacts, cycles a second; at most an eighth of the sub-step rate is used.
    /// Contacts with immovable bodies are twice as stiff.
    float contact_hertz = 60;
    /// Damping ratio of contacts; large, so that overlaps creep apart instead of springing.
    float contact_damping = 10;
    /// Overlap that is left alone, m: contacts that just touch would open and close all the time.
    float slop = 0.0001f;
    /// How fast contacts learn to bear their load without giving way, 1/s. Slow, so that a pile
    /// does not swing.
    float recovery = 1;
    /// Overlaps are pushed apart at most this fast, m/s.
    float max_push = 3;
    /// Slower approaches do not rebound, m/s: lets things come to rest.
    float restitution_threshold = 1;
    /// How often all rebounds are visited: bodies that strike several others at once lose less
    /// energy with more visits.
    int restitution_passes = 4;
    JointSettings joints{};
};

/// When to end a step before all its sub-steps are done; one of them always is.
struct SubStepLimit {
    int most = std::numeric_limits<int>::max();
    /// Of which none begins after this moment, in wall_seconds().
    double last_begin = std::numeric_limits<double>::infinity();
};

/// How the surface of a body that deforms moves at one of its contacts, beside the body's own
/// motion: its points x go at velocity + spin x (x - the body's position).
struct SurfaceMotion {
    std::uint32_t patch;
    bool of_a; ///< it is body A's
    Vec3 velocity, spin;
};

class SoftStep {
  public:
    /// Moves the bodies `awake` (slots of movable and kinematic ones) forward by `dt` seconds under
    /// their contacts, joints and springs, or by as many sub-steps as the limit grants. Returns how
    /// many.
    int run(Bodies& bodies, std::span<const std::uint32_t> awake, std::span<ContactPatch> patches,
            std::span<Joint> joints, std::span<const Spring> springs, const MotionSettings& motion,
            const SoftStepSettings& settings, float dt, const Jobs& jobs,
            std::span<const SurfaceMotion> surfaces = {}, const SubStepLimit& limit = {});

    /// For base/bytes.h: what the next step needs to know of this one.
    template <class Bytes>
    friend void fields(Bytes& bytes, SoftStep& step) {
        bytes(step.joints_.last_h());
    }
    /// How many groups of contacts the last run solved one after the other.
    int colours() const;
    /// How many joints of the last run had a body to move.
    std::size_t joints_solved() const { return joints_.size(); }

  private:
    void load_bodies(const Bodies& bodies, std::span<const std::uint32_t> awake, const Jobs& jobs);
    /// A row each, driven, in place of their bodies'.
    void load_surfaces(const Bodies& bodies, std::span<const ContactPatch> patches,
                       std::span<const SurfaceMotion> surfaces);
    void build_groups(const Bodies& bodies, std::span<const ContactPatch> patches,
                      std::span<const SurfaceMotion> surfaces, const SoftStepSettings& settings,
                      float h, const Jobs& jobs);
    /// Forces, and the impulses of contacts so far, act on the bodies.
    void begin_sub_step(const Bodies& bodies, const MotionSettings& motion, float h,
                        std::size_t begin, std::size_t end);
    /// Springs act on the bodies, one after the other: they share them.
    void pull(const Bodies& bodies, std::span<const Spring> springs, float h);
    void integrate_poses(float h, std::size_t begin, std::size_t end);
    /// Adds up what contacts did to the bodies.
    void end_sub_step(std::size_t begin, std::size_t end);
    void store(Bodies& bodies, std::span<ContactPatch> patches, const Jobs& jobs);

    /// What is done to all bodies (begin, move, end), with all springs (pull) or to all contacts,
    /// colour after colour.
    enum class Task : std::uint8_t { begin, pull, warm, push, move, relax, end, rebound };
    struct Plan {
        const Bodies& bodies;
        std::span<const Spring> springs;
        const MotionSettings& motion;
        SubStep step;
        SubStepLimit limit;
    };
    /// Appends to what is to be done.
    void plan(Task task);
    void plan_pull(std::size_t springs);
    /// Whether the limit grants another sub-step, which then counts as begun.
    bool begins_sub_step(const SubStepLimit& limit);
    /// Does what was planned. False if the limit ended it.
    bool carry_out(const Plan& plan, const Jobs& jobs);
    /// Does what was planned, then solves joints; what they do is not the contacts' doing. False if
    /// the limit ended it.
    template <class Solve>
    bool solve_joints(const Plan& plan, const Jobs& jobs, const Solve& solve);

    std::vector<std::uint32_t> awake_;  ///< body slot of each row; rows of surfaces come last
    std::vector<std::uint32_t> row_of_; ///< solver row of each body slot, or k_immovable
    std::size_t body_rows_ = 0;         ///< those that are not of surfaces
    std::vector<SolverBody> rows_;
    std::vector<SolverMass> masses_;
    std::vector<Quat> orientations_;
    struct Change {
        Vec3 velocity, spin;
    };
    std::vector<Change> start_;  ///< velocities at the start of the sub-step, warmed up
    std::vector<Change> borne_;  ///< what all impulses of contacts do to the rows
    std::vector<Change> before_; ///< velocities before joints are solved
    std::vector<Vec3> pulled_;   ///< what springs do to the rows' velocities; empty without any
    std::vector<ConstraintEnds> ends_;
    JointSolver joints_;
    ReboundLimit rebound_limit_;
    GraphColouring colouring_;
    std::vector<ContactGroup> groups_;
    struct PlannedTask {
        Task task;
        std::uint32_t first_group;
    };
    std::vector<WorkStage> stages_;  ///< what is planned: how much of it
    std::vector<PlannedTask> tasks_; ///< and what
    int begun_ = 0;                  ///< sub-steps of this run
    std::uint32_t group_start_[GraphColouring::k_colours + 2] = {};
};

} // namespace fovea
