// The part of a step that a budget cuts: every pair is opened, then as many as can be afforded
// climb their ladders, in the order of the schedule.
//
//   open       every pair: carried along, proven apart, exact at once (round shapes), or rung 0
//   climb      batch = next candidates for which used + promised + set aside <= limit
//              each climbs one rung, side by side; what it found changes what is set aside
//              ... until the first that does not fit
//
// Batches depend on the budget, not on the number of threads, and candidates come in an order that
// depends on nothing but what earlier batches found. So a cut is the list of the batches' sizes:
// with it the same step can be taken again.
//
// A pair of solids has two rungs, their spheres and their exact contacts. The second has a cost
// that is known, so climbing it means no more than to set that aside.
#pragma once

#include <functional>
#include <memory>

#include "fovea/base/ids.h"
#include "fovea/schedule/refinement_order.h"
#include "fovea/schedule/step_accounts.h"
#include "fovea/world/contact_store.h"
#include "fovea/world/pair_history.h"
#include "fovea/world/step_cut.h"
#include "fovea/world/waking_heaps.h"

namespace fovea {

/// A pair that may climb, as a priority sees it.
struct PairView {
    BodyId a, b;
    Vec3 centre;    ///< between the bounding spheres, world space
    float radius;   ///< of the smaller bounding sphere, m
    float approach; ///< speed at which their centres close in, m/s; negative: they part
};

/// Fills in how important each pair is; greater comes first.
using PriorityFunction = std::function<void(std::span<const PairView>, std::span<float>)>;

/// How a body's placement changed since the last step.
struct BodyShift {
    Vec3 shift;      ///< of the shape's origin, m
    float swing = 0; ///< that turning moved any of its points by at most, m
};

/// What the pairs are, and what is remembered of them.
struct RefinementScene {
    std::span<const ProxyPair> pairs;
    PlacedShapes bodies;
    std::span<const std::uint8_t> active; ///< per slot; pairs of two that are not stay as they are
    std::span<const BodyShift> shifts;    ///< per slot
    std::span<const Aabb> boxes; ///< per slot; those of active bodies have a rim of a margin
    const ContactStore* memory;  ///< of soft_step; else none
    const ContactSettings& contact;
    const ScheduleSettings& schedule;
    const Sleepers& sleepers;  ///< whom pairs may wake
    std::uint64_t patch_units; ///< of responding to one patch
    WakingUnits waking;
};

struct RefinementCounts {
    static constexpr std::size_t k_rungs = 16; ///< the last stands for all above

    std::array<std::uint32_t, k_rungs> rungs{}; ///< pairs answered by that rung of nodes
    std::uint32_t exact = 0;                    ///< pairs answered by exact geometry
    std::uint32_t apart = 0;                    ///< pairs found apart on any rung
    std::uint32_t suppressed = 0; ///< pairs whose coarse rungs overlap, but which were proven apart
    std::uint32_t dropped = 0;    ///< undecided pairs, if they are to be dropped
    std::uint32_t cut = 0;        ///< pairs that did not reach their top
    std::uint64_t grants = 0;     ///< rungs climbed beyond the first
};

class Refinement {
  public:
    /// The floor. Sets aside what models and answers it.
    void open(const RefinementScene& scene, PairHistory& history, StepLedger& ledger,
              const Jobs& jobs);

    /// The pairs that may climb, for a host's priorities. Their ids are mere slots.
    std::span<PairView> candidates() { return views_; }

    /// Puts them in order: by the priorities of `cut`, if it has any.
    void order(const ScheduleSettings& schedule, const StepCut& cut, std::uint64_t seed);

    /// Climbs until the ledger, or `cut`, ends it; the cut taken is left in `cut`. All pairs climb
    /// to their leaves, then to their triangles: one exact rung takes the time of leaves for many.
    void climb(const RefinementScene& scene, StepLedger& ledger, StepCut& cut, std::uint64_t seed,
               const Jobs& jobs);

    /// Proofs of the last step, undecided pairs that are dropped, and counts.
    void conclude(const RefinementScene& scene);

    /// Of each pair.
    std::span<const PairAnswer> answers() const { return answers_; }
    /// Whether the pair of this number could have climbed on.
    bool was_cut(std::size_t pair) const;
    /// Units of modelling the pair of this number, briefly or not.
    std::uint64_t model_units(std::size_t pair, bool brief) const;
    /// Of all pairs, with a flag for each.
    std::uint64_t model_units(std::span<const std::uint8_t> brief) const;
    /// Notes what this step proved of each pair; of those that stayed as they are, nothing new.
    /// `patches`: found with the scene's margin, sorted by pair. `brief`: a flag per pair; a few of
    /// its hits prove nothing.
    void remember(const RefinementScene& scene, std::span<const ContactPatch> patches,
                  std::span<const std::uint8_t> brief, PairHistory& history) const;

    const RefinementCounts& counts() const { return counts_; }
    /// Of sleepers who wake if nobody climbs.
    const ResponseLoad& waking() const { return waking_.on_floor(); }

    /// When the contacts that answer the pairs were found.
    struct Found {
        double at; ///< in wall_seconds()
        std::uint32_t pairs;
    };
    std::span<const Found> found() const { return found_; }

    /// Of the ledger: what separate schedules give to detection.
    double detection_limit() const { return detection_limit_; }
    /// Of the ledger: by so much climbing took more than was left for it.
    double climbed_over() const { return climbed_over_; }

  private:
    static constexpr std::size_t k_batch = 32;      ///< rungs granted at once
    static constexpr std::size_t k_climb_block = 4; ///< of these per job

    /// What climbing one rung would take.
    struct Claim {
        std::uint64_t climb = 0;   ///< units at once
        std::uint64_t model = 0;   ///< units more to be set aside
        std::uint64_t respond = 0; ///< likewise
        bool exact = false;        ///< what is found is modelled from what `climb` leaves
    };

    /// What an exact test that found nothing proves, and a little more: see
    /// ScheduleSettings::tolerance.
    static float exact_gap(const RefinementScene& scene, const LadderPair& pair, bool by_ladder);
    /// The recursion cap: whether no ladder has nodes left to open that are as large as the way.
    /// One that has goes on alone.
    static bool capped(const LadderPair& pair, PairDescent& descent);
    void open_pair(const RefinementScene& scene, const PairMemory& before, PairHistory& history,
                   std::size_t i, LadderWorker& worker);
    /// What is left of what the pair's history proves.
    void recall(const RefinementScene& scene, const PairRecord& known, std::size_t i);
    LadderPair ladders_of(const RefinementScene& scene, std::size_t i) const;
    Claim claim_of(const RefinementScene& scene, std::uint32_t pair,
                   std::uint64_t exact_share) const;
    /// Whether the next rung of the pair is one of triangles.
    bool is_at_leaves(const RefinementScene& scene, std::uint32_t pair) const;
    /// Whether it has to wait there until all others have climbed to theirs.
    bool waits_at_leaves(const RefinementScene& scene, std::uint32_t pair) const;
    /// When all have climbed as far as they may: those with a rung left, or one that was granted
    /// too little, become the candidates. False if there are none.
    bool take_up_again(const ScheduleSettings& schedule, std::uint64_t seed);
    /// One rung, or as much of it as the meter allows.
    void climb_pair(const RefinementScene& scene, std::uint32_t pair, WorkMeter work,
                    LadderWorker& worker);
    /// What modelling and answering the completed rung takes.
    void set_units(std::size_t pair);
    LadderWorker& worker(std::size_t block, const Jobs& jobs);

    struct Pair {
        std::uint64_t next_units = 0; ///< of the next rung; 0: there is none, or not to be climbed
        std::uint64_t spent = 0;      ///< on the rung just climbed
        std::uint32_t model_units = 0, exact_units = 0;
        std::uint32_t hit_units = 0; ///< of modelling a hit of nodes
        float gap = 0;               ///< m; proven
        AxisGap along{};             ///< likewise
        std::uint32_t found = 0;     ///< in found_
        std::uint8_t patches = 0;
        bool by_ladder = false;    ///< climbs node by node; else a pair of solids
        bool climbs = false;       ///< is a candidate
        bool was_at_top = false;   ///< in the step before
        bool suppressed = false;   ///< proven apart: coarse rungs do not count
        bool late = false;         ///< the clock cut the rung
        bool interrupted = false;  ///< the rung was cut
        std::uint64_t granted = 0; ///< units, to a rung that was cut
    };
    struct Root {
        Vec3 centre;
        float radius; ///< negative: none
    };

    std::vector<PairAnswer> answers_;
    std::vector<Pair> pairs_;
    std::vector<Root> roots_; ///< per slot, world space
    std::vector<std::unique_ptr<LadderWorker>> workers_;
    std::vector<std::uint64_t> block_units_;
    std::vector<std::uint32_t> candidates_; ///< pair of each
    std::vector<PairView> views_;
    std::vector<float> priorities_;
    std::vector<std::uint8_t> done_;
    std::vector<std::uint32_t> batch_; ///< candidates
    struct Grant {
        std::uint64_t units;       ///< of climbing
        std::uint64_t model_units; ///< set aside before it climbed, and claimed
        std::uint32_t model_before;
        std::uint8_t patches_before;
    };
    std::array<Grant, k_batch> granted_{}; ///< to each of the batch
    double detection_limit_ = 0, climbed_over_ = 0;
    WakingHeaps waking_;
    std::vector<Found> found_;
    RefinementOrder order_;
    RefinementCounts counts_;
    /// The list of a pair that knows its roots alone; it stays where it is if the world is moved.
    std::vector<std::uint32_t> roots_alone_ = {k_root_slot};
};

} // namespace fovea
