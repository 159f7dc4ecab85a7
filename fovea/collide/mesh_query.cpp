#include "fovea/collide/mesh_query.h"

#include <algorithm>

#include "fovea/base/clock.h"
#include "fovea/collide/mesh_descent.h"

namespace fovea {

namespace {

/// Starting points handed out to threads; a fixed number, so that answers do not depend on how
/// many threads there are.
constexpr std::size_t k_starts = 128;

} // namespace

MeshQueryCounters& MeshQueryCounters::operator+=(const MeshQueryCounters& b) {
    box_tests += b.box_tests;
    triangle_tests += b.triangle_tests;
    exact_tests += b.exact_tests;
    refits += b.refits;
    return *this;
}

const PairsAnswer& MeshQuery::all_pairs(const PlacedMesh& a, const PlacedMesh& b,
                                        const MeshQuerySettings& settings) {
    MeshDescent descent(a, b, settings.box_test, false);
    return find_pairs(descent, settings);
}

const PairsAnswer& MeshQuery::self_pairs(const PlacedMesh& mesh,
                                         const MeshQuerySettings& settings) {
    MeshDescent descent(mesh, mesh, settings.box_test, true);
    return find_pairs(descent, settings);
}

const PairsAnswer& MeshQuery::find_pairs(MeshDescent& descent, const MeshQuerySettings& settings) {
    WorkMeter work(settings.budget);
    pairs_.undecided.clear();
    std::swap(main_.pairs, pairs_.pairs); // takes the answer's memory back
    descent.start(main_);
    if (settings.jobs && !settings.budget.is_counted()) {
        spread(descent, *settings.jobs, settings.budget);
    } else {
        descent.walk(main_, work, false);
    }
    pairs_.undecided.insert(pairs_.undecided.end(), main_.stack.begin(), main_.stack.end());
    pairs_.undecided.insert(pairs_.undecided.end(), main_.leaf_pairs.begin(),
                            main_.leaf_pairs.end());
    pairs_.complete = pairs_.undecided.empty();
    std::swap(main_.pairs, pairs_.pairs);
    pairs_.counters = main_.counters;
    pairs_.work = work.spent();
    return pairs_;
}

/// Opens the first pairs breadth first until there are enough to share out, then walks each on
/// whatever thread is free. Their answers are joined in the order of the starts.
void MeshQuery::spread(const MeshDescent& descent, const Jobs& jobs, const Budget& budget) {
    const double began = wall_seconds();
    while (!main_.stack.empty() && main_.stack.size() < k_starts) {
        std::swap(starts_, main_.stack);
        main_.stack.clear();
        for (const SlotPair pair : starts_) descent.open_pair(pair, main_);
    }
    starts_ = main_.stack;
    main_.stack.clear();
    if (tasks_.size() < starts_.size()) tasks_.resize(starts_.size());
    jobs.for_blocks(starts_.size(), 1, [&](std::size_t i, std::size_t) {
        Task& task = tasks_[i];
        task.stack.assign(1, starts_[i]);
        task.leaf_pairs.clear(), task.pairs.clear(), task.batch.clear();
        task.counters = {};
        const double left = budget.milliseconds() - (wall_seconds() - began) * 1e3;
        WorkMeter work(budget.is_timed() ? Budget::milliseconds(left) : budget);
        descent.walk(task, work, false);
    });
    WorkMeter rest;
    descent.test_leaves(main_, rest, false, true);
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        const Task& task = tasks_[i];
        main_.pairs.insert(main_.pairs.end(), task.pairs.begin(), task.pairs.end());
        main_.stack.insert(main_.stack.end(), task.stack.begin(), task.stack.end());
        main_.leaf_pairs.insert(main_.leaf_pairs.end(), task.leaf_pairs.begin(),
                                task.leaf_pairs.end());
        main_.counters += task.counters;
    }
}

FirstPairAnswer MeshQuery::first_pair(const PlacedMesh& a, const PlacedMesh& b,
                                      const MeshQuerySettings& settings,
                                      std::optional<SlotPair> guess) {
    MeshDescent descent(a, b, settings.box_test, false);
    WorkMeter work(settings.budget);
    FirstPairAnswer answer;
    const bool usable = guess && guess->a < descent.hierarchy_a.triangles.size() &&
                        guess->b < descent.hierarchy_b.triangles.size();
    if (usable) {
        work.charge(4);
        ++answer.counters.triangle_tests, ++answer.counters.exact_tests;
        if (triangles_overlap(descent.corners_a(guess->a, answer.counters.refits),
                              descent.corners_b(guess->b, answer.counters.refits))) {
            answer.meeting = Meeting::found;
            answer.leaves = *guess;
            answer.pair = {descent.hierarchy_a.triangle_order[guess->a],
                           descent.hierarchy_b.triangle_order[guess->b]};
            answer.work = work.spent();
            return answer;
        }
    }
    descent.start(main_);
    const bool finished = descent.walk(main_, work, true) && main_.leaf_pairs.empty();
    if (!main_.pairs.empty()) {
        answer.meeting = Meeting::found;
        answer.pair = main_.pairs[0];
        answer.leaves = main_.first_leaves;
    } else {
        answer.meeting = finished ? Meeting::none : Meeting::unknown;
    }
    answer.counters += main_.counters;
    answer.work = work.spent();
    return answer;
}

} // namespace fovea
