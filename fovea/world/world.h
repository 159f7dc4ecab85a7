// The world: bodies and shapes by id, moved forward step by step.
//
//   World world({.gravity = {0, -9.8f, 0}});
//   ShapeId ball = *world.add_shape(Sphere{0.5f});
//   BodyId body = *world.add_body({.shape = ball, .position = {0, 10, 0}, .mass = 1});
//   StepReport report = world.step(1.0f / 60);
//
// Everything that can be wrong with a caller's numbers comes back as an Error that names it; the
// world is then unchanged. Results depend on the inputs alone: not on the number of threads, the
// instruction set or the broad phase.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/clock.h"
#include "fovea/base/float_mode.h"
#include "fovea/base/ids.h"
#include "fovea/base/jobs.h"
#include "fovea/base/result.h"
#include "fovea/collide/broad_phase.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/collide/deforming_surface.h"
#include "fovea/contact/contact.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/soft_step.h"
#include "fovea/dynamics/springs.h"
#include "fovea/geometry/mass.h"
#include "fovea/geometry/motion.h"
#include "fovea/world/contact_store.h"
#include "fovea/world/definitions.h"
#include "fovea/world/events.h"
#include "fovea/world/fast_bodies.h"
#include "fovea/world/inaccuracy.h"
#include "fovea/world/islands.h"
#include "fovea/world/joint_table.h"
#include "fovea/world/late_bodies.h"
#include "fovea/world/narrow_phase.h"
#include "fovea/world/pair_changes.h"
#include "fovea/world/queries.h"
#include "fovea/world/random_spin.h"
#include "fovea/world/recorder.h"
#include "fovea/world/refinement.h"
#include "fovea/world/step_report.h"
#include "fovea/world/sweep_budget.h"

namespace fovea {

struct Energy {
    double kinetic, potential; ///< J; potential is of gravity (zero at the origin) and springs
};

class World {
  public:
    /// Settings from outside are for check_settings() first: those that it refuses are a mistake.
    explicit World(const WorldSettings& settings = {});

    const WorldSettings& settings() const { return settings_; }

    Result<ShapeId> add_shape(const Shape& shape);
    /// Refused while a body still has the shape.
    Result<void> remove_shape(ShapeId shape);

    Result<BodyId> add_body(const BodyDefinition& definition);
    /// Springs and joints attached to the body go with it.
    Result<void> remove_body(BodyId body);
    std::uint32_t body_count() const { return body_ids_.alive(); }
    bool contains(BodyId body) const { return body_ids_.contains(body); }

    Result<SpringId> add_spring(const SpringDefinition& definition);
    Result<void> remove_spring(SpringId spring);

    /// Needs the soft_step response.
    Result<JointId> add_joint(const JointDefinition& definition);
    Result<void> remove_joint(JointId joint);
    /// Other limits, motors, springs for a joint that stays of its type.
    Result<void> set_joint(JointId joint, const JointType& type);
    bool contains(JointId joint) const { return joints_.contains(joint); }
    std::uint32_t joint_count() const { return std::uint32_t(joints_.all().size()); }
    /// What the joint bore in the last step, on the mean; nothing if it is gone.
    JointLoad joint_load(JointId joint) const {
        if (!contains(joint)) return {};
        return {joints_.at(joint).force, joints_.at(joint).torque};
    }
    /// The definition of a joint at a world point, with its axis along `axis` and, where a second
    /// one matters (the spin of a wheel), that along `second`; for the bodies as they lie now.
    JointDefinition joint_at(BodyId a, BodyId b, const Vec3& anchor, const Vec3& axis,
                             const JointType& type, const Vec3& second = {0, 0, 1}) const;

    /// Placement of the body's shape. Of a body that is not alive this is the identity, and below
    /// zero and false.
    Transform transform(BodyId body) const {
        return contains(body) ? shape_placement(body.slot) : Transform();
    }
    Vec3 velocity(BodyId body) const {
        return contains(body) ? bodies_.velocity[body.slot] : Vec3();
    }
    Vec3 angular_velocity(BodyId body) const {
        return contains(body) ? bodies_.angular_velocity[body.slot] : Vec3();
    }

    bool is_awake(BodyId body) const { return contains(body) && islands_.awake(body.slot); }
    Result<void> wake(BodyId body);

    Result<void> set_transform(BodyId body, const Transform& transform);
    Result<void> set_velocity(BodyId body, const Vec3& velocity, const Vec3& angular_velocity);
    /// Also wakes what touches the body.
    Result<void> set_material(BodyId body, const Material& material);
    /// Moves the vertices of a body whose shape is a DeformingMesh, given in the shape's frame and
    /// the mesh's order. The surface is there from then on; in the next step it goes as fast as
    /// they did since the last one, taking that for as long as the next, and pushes and drags what
    /// it touches.
    Result<void> set_vertices(BodyId body, std::span<const Vec3> vertices);
    /// The same of a mesh that morphs: a weight for each reference shape, in [0, 1], sum 1.
    Result<void> set_weights(BodyId body, std::span<const float> weights);
    /// Where they are now; none of a body whose shape does not deform.
    std::vector<Vec3> vertices(BodyId body) const;
    /// Adds a force (N) at a world point, for the next step alone, and for as long as that goes on:
    /// see BudgetReport::time_left_out_ms.
    Result<void> apply_force(BodyId body, const Vec3& force, const Vec3& point);

    /// Moves the world forward by `h` seconds, which must be positive and finite: else nothing
    /// happens and the report says so.
    ///
    /// A budget covers the whole step. Every pair of bodies is answered at least coarsely; what is
    /// left goes to finer answers, in the order of WorldSettings::schedule, after the time of the
    /// response was set aside. The report says what was cut. A step against the clock that is held
    /// up amid its response goes on for less than `h`: see BudgetReport::time_left_out_ms. With
    /// work units the result depends on the inputs alone, with time on the clock as well; a
    /// recording replays either.
    StepReport step(float h, const Budget& budget = Budget::unlimited());
    /// Takes a step as it was cut before; for replays.
    StepReport step(float h, const StepCut& cut);
    /// Where the last step was cut.
    const StepCut& cut() const { return cut_; }

    /// Says which pairs matter in steps with a budget; empty for the default, which prefers large
    /// bodies that close in fast.
    void set_priority(PriorityFunction priority) { priority_ = std::move(priority); }

    /// What happened in the last step.
    const StepEvents& events() const { return events_; }

    /// Number of steps taken.
    std::uint64_t frame() const { return frame_; }
    /// Seconds simulated.
    double time() const { return time_; }
    /// The contacts of the last step of the impulse response, as found (before it resolved them).
    std::span<const Contact> contacts() const { return narrow_.contacts(); }
    /// Those of the last step of soft_step, with the impulses it found.
    std::span<const ContactPatch> patches() const { return contacts_.patches(); }
    /// The pairs of body slots that the broad phase gave in the last step, and the filters let by.
    std::span<const ProxyPair> pairs() const {
        return chosen_ ? std::span<const ProxyPair>(chosen_pairs_) : broad_->pairs();
    }

    /// For ray and shape casts, overlaps and closest points. The first call after a change brings
    /// the search tree up to date: call it from one thread; many may use what it returns.
    Queries queries() const;

    /// The whole state as bytes. A world made from them goes on bit for bit as this one does; only
    /// the events of the last step are not in them.
    std::vector<std::byte> snapshot() const;
    /// Refuses bytes of another format version, cut short, damaged or otherwise senseless.
    static Result<World> from_snapshot(std::span<const std::byte> bytes, int threads = 1);

    /// Hands every call that changes the world to `sink` as bytes, in order and as soon as it was
    /// made, after a snapshot to start from; see Replay. An empty sink ends the recording: one that
    /// was not ended is replayed up to there, and counts as cut short.
    void record_to(RecordingSink sink);

    /// How each pair was answered in the last step, if it had a budget: which rung, and whether it
    /// was cut. Of bodies not both asleep, sorted by slot; none once a body is removed.
    std::vector<AnsweredPair> pair_answers() const;

    Energy energy() const;
    /// How wrong the answers of the last step were, if it had a budget. Right after it; nothing
    /// once a body is removed. Takes far longer than the step did.
    Inaccuracy inaccuracy() const {
        return measure_inaccuracy(pairs(), placed_shapes(0), answers());
    }
    /// Of the state of all bodies: equal for equal bits.
    std::uint64_t hash() const;

  private:
    Transform shape_placement(std::uint32_t slot) const;
    void keep_shape(std::uint32_t slot, CollisionShape shape);
    /// Around the body's shape, where it was noted.
    Aabb box_of(std::uint32_t slot) const;
    /// Notes where the body's shape is.
    void place(std::uint32_t slot);
    void enter_broad_phase(std::uint32_t slot);
    void leave_broad_phase(std::uint32_t slot);
    void erase_spring(std::size_t index);
    /// Whether not all pairs of the broad phase count.
    bool selective() const { return choosy_ > 0 || !joints_.apart().empty(); }
    /// 1 if the body's pairs need a look of their own, else 0.
    std::uint32_t choosy(std::uint32_t slot) const;
    /// What touches the body or hangs on it has to look for another hold.
    void wake_leaning_on(std::uint32_t slot);
    void wake_ends(const Joint& joint);
    BodyId id_of(std::uint32_t slot) const { return body_ids_.at(slot); }
    /// Brings placements and boxes of all bodies that moved up to date.
    void place_shapes();
    PlacedShapes placed_shapes(float h) const;
    /// Within a step, after place_nodes().
    PlacedShapes placed_shapes_with_nodes(float h);
    /// Nodes of this step, if they are to be turned, are turned anew.
    void place_nodes();
    /// Sorts what the broad phase gave into pairs to collide and pairs with a sensor.
    void select_pairs();
    void note_contacts();
    // Of bodies that go far in a step: see world_fast.cpp.
    /// Whether there is anything immovable, which fast bodies might pass through.
    bool has_obstacles() const;
    FastScene fast_scene() const;
    SweepBudget sweep_budget();
    /// Sets aside what bodies will need that are fast, unless the response changes them.
    void set_sweeps_aside(float h);
    /// Returns for how many it is known what they run into.
    std::size_t test_fast_bodies(float h);
    /// Puts bodies back that passed through something; returns how many.
    int stop_fast_bodies(float h, BudgetReport& report);
    void take_back_gravity(std::uint32_t slot, const Vec3& direction, float missed);
    /// Takes these only as far as slow bodies may go.
    void hold_late_bodies(std::span<const FastBody> fast, float h);
    /// One that is late goes no farther against what cannot move and is in its way.
    void hold_late_body(std::uint32_t slot, std::uint32_t other, const Vec3& to_other,
                        float separation);
    /// The impulse response to what those met that were put back.
    void strike_obstacles(std::span<const FastBody> swept, float h);
    QueryIndex::Mobility mobility(std::uint32_t slot) const;
    QueryIndex::Bodies indexed_bodies() const;
    /// Brought up to date.
    const QueryIndex& query_index(QueryIndex::Layers layers) const;
    void note_sensors();
    // Of bodies that deform: see world_deform.cpp.
    DeformingSurface* surface_of(std::uint32_t slot) const {
        return shapes_[body_shape_[slot]].deforming.get();
    }
    Result<DeformingSurface*> deforming_of(BodyId body) const;
    /// The body's shape has changed.
    void note_deformed(std::uint32_t slot);
    /// Keeps bodies on their side of surfaces that have gone far; returns how many it moved.
    int take_overrun_bodies_along();
    /// Notes how fast surfaces are in this step.
    void move_surfaces(float h);
    /// Brings those up to date that pairs are going to climb.
    void refit_ladders();
    void wake_on_surfaces();
    std::span<const SurfaceMotion> surface_motions(std::span<const ContactPatch> patches, float h);
    void set_surface_velocities(std::span<Contact> contacts, float h) const;
    void settle_surfaces(StepReport& report);
    std::optional<StepReport> refused_step(float h) const;
    StepReport take_step(float h, const Budget& budget);
    /// Both move the bodies. The first returns for how many seconds, at most `h`.
    float respond_softly(float h, StepReport& report, Stopwatch& watch);
    void respond_with_blows(float h, StepReport& report, Stopwatch& watch);
    // Of steps with a budget: see world_budget.cpp.
    RefinementScene refinement_scene(float h);
    void begin_accounts(const Budget& budget, BudgetReport& report);
    /// Opens all pairs and climbs as far as the budget goes.
    void refine(float h, BudgetReport& report);
    ResponsePlan full_plan() const;
    BodyShift shift_of(std::uint32_t slot, const Transform& before) const;
    std::span<const PairAnswer> answers() const;
    /// Whose contacts are to be modelled briefly.
    void begin_models();
    /// Contacts were modelled.
    void note_model(float h, BudgetReport& report);
    /// For how long pairs that are answered now, or are not, have been waiting.
    void note_waiting_pairs(float h, BudgetReport& report);
    ResponseLoad soft_load() const;
    ResponseLoad blow_load() const;
    ResponseUnits units_of_response() const;
    /// Decides what of the response fits, and says so.
    void plan_response(const ResponseLoad& load, BudgetReport& report);
    struct Solved {
        std::uint64_t units; ///< of work
        float seconds;       ///< for which the world went on
    };
    Solved solve_softly(float h, BudgetReport& report);
    /// When the soft_step response is to end although it is not done.
    SubStepLimit sub_step_limit(const ResponseLoad& load) const;
    void begin_random_spin();
    /// `fallen`: see RandomSpin.
    void end_random_spin(float fallen);
    /// Whom the pairs of this step may wake.
    void find_sleepers();
    /// Bodies that the response moves, as far as is known before contacts are.
    std::uint64_t bodies_to_move() const;
    /// Returns the floor, in what the ledger counts.
    double note_floor(const ResponseLoad& load, BudgetReport& report);
    /// After the response: how long ago its contacts were found.
    void note_delays(BudgetReport& report);
    void note_budget(BudgetReport& report);
    /// Forces, gravity and springs change the velocities.
    void accelerate(float h);
    /// The same at the end of a step, in which some may be slower.
    void accelerate_late(float h);
    /// Stops what is beyond all bounds.
    void stop_runaways();

    template <class Bytes>
    void exchange(Bytes& bytes);
    template <class Bytes>
    void exchange_surfaces(Bytes& bytes);
    /// Everything that follows from what a snapshot holds.
    Result<void> rebuild();

    WorldSettings settings_;
    Jobs jobs_;
    Recorder recorder_;

    IdPool<struct ShapeTag> shape_ids_;
    std::vector<CollisionShape> shapes_;
    std::vector<std::uint32_t> shape_users_;            ///< bodies per shape
    std::vector<float> shape_half_width_;               ///< the least, m: see FastScene
    std::vector<std::optional<Moments>> shape_moments_; ///< once a body asked
    bool meshes_move_ = false; ///< there was a solid mesh: all shapes need ladders

    IdPool<struct BodyTag> body_ids_;
    Bodies bodies_;
    std::vector<std::uint32_t> body_shape_; ///< shape slot
    std::vector<Vec3> body_centre_;         ///< centre of mass in the shape's frame
    std::vector<Transform> placement_;      ///< of the shape, as of the last detection
    std::vector<Aabb> boxes_;
    std::vector<TurnedNodes> nodes_; ///< per slot, if nodes are to be turned and meshes move
    std::vector<CollisionFilter> filters_;
    std::vector<std::uint8_t> sensors_;    ///< flags
    std::vector<std::uint8_t> fast_flags_; ///< of BodyDefinition::fast
    std::uint32_t choosy_ = 0; ///< bodies with a filter, sensors, kinematic and deforming ones

    std::vector<std::uint32_t> deforming_; ///< slots of bodies that deform, in order
    std::vector<Vec3> ways_along_;         ///< of bodies that a surface takes along
    std::vector<float> surface_speed_;     ///< per slot: see PlacedShapes
    std::vector<SurfaceMotion> surface_motions_;
    std::uint64_t refit_units_ = 0;           ///< of this step
    std::vector<SurfaceState> read_surfaces_; ///< of a snapshot, until rebuild()
    bool immovable_owed_ = true;              ///< on its way into a snapshot, or out of one

    IdPool<struct SpringTag> spring_ids_;
    std::vector<Spring> springs_;     ///< dense
    std::vector<SpringId> spring_of_; ///< id of each dense spring

    JointTable joints_;

    std::unique_ptr<BroadPhase> broad_;
    std::vector<ProxyPair> chosen_pairs_, sensor_pairs_;
    bool chosen_ = false; ///< what pairs() gave in the last step, though a joint broke in it
    NarrowPhase narrow_;  ///< of the impulse response
    ImpulseScratch scratch_;
    ContactStore contacts_; ///< of soft_step
    SoftStep soft_step_;
    Islands islands_;
    Sleepers sleepers_; ///< of steps with a budget
    StepAccounts accounts_;
    Refinement refinement_; ///< of steps with a budget
    PairHistory history_;
    BriefModels brief_;
    std::vector<float> brief_seconds_; ///< scratch
    std::vector<BodyShift> shifts_;    ///< per slot
    PriorityFunction priority_;
    StepCut cut_;
    bool replaying_ = false;                 ///< cut_ says where to cut
    std::uint32_t sub_steps_before_ = 0;     ///< of the last step; 0: none yet
    FloatMode host_mode_;                    ///< of whoever called the step
    std::uint64_t least_response_ = 0;       ///< units, as the floor foresaw it
    ContactSettings no_margin_{.margin = 0}; ///< for the impulse response
    ThinnedContacts thinned_;
    RandomSpin random_spin_;
    std::vector<std::uint32_t> awake_;    ///< slots
    std::vector<std::uint8_t> active_;    ///< per slot: may move in this step
    FastBodies fast_;                     ///< of this step
    LateBodies late_;                     ///< of this step
    std::vector<Contact> struck_;         ///< by fast bodies, in the impulse response
    std::vector<std::uint32_t> slots_;    ///< scratch
    std::vector<std::uint32_t> runaways_; ///< of this step: see stop_runaways()
    std::vector<BodyPair> touching_;      ///< scratch
    std::vector<PartMeeting> meetings_;   ///< scratch
    PairChanges contact_changes_, sensor_changes_;
    StepEvents events_;
    std::unique_ptr<QueryIndex> query_index_;
    std::uint64_t frame_ = 0;
    double time_ = 0;
};

} // namespace fovea
