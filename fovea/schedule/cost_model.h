// What work takes in time: nanoseconds a unit, for each kind of work, learnt while running.
//
// Units are counted alike on every machine; how long one takes depends on the machine, the number
// of threads, caches, and a little on the scene. Each step's kinds of work are timed as a whole,
// and the price of a kind is an upper percentile of what it took in the last steps: a budget is
// kept by expecting the worse.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea {

/// Kinds of work of a step, in the order in which they are done.
enum class Work : std::uint8_t {
    prepare, ///< placements, broad phase
    open,    ///< every pair's first rung: the floor
    climb,   ///< further rungs
    model,   ///< contacts from rungs, exact contacts of solids
    join,    ///< islands
    respond, ///< the solver
    index,   ///< search trees of swept tests
    sweep,   ///< swept tests of fast bodies
    finish,  ///< fast bodies put back, sleep, events
};
constexpr std::size_t k_works = 9;
std::string_view name_of(Work work);

/// What a step did of a kind of work.
struct WorkDone {
    std::uint64_t units = 0;
    double ms = 0, expected_ms = 0; ///< expected: at the price of budgets in time
};

class CostModel {
  public:
    CostModel();

    /// A step did so many units of this kind, in so many seconds.
    void note(Work work, std::uint64_t units, double seconds);

    /// Expected, erring upward.
    double nanoseconds(Work work) const { return price_[std::size_t(work)]; }
    /// What it takes in most steps, or has of late.
    double usual_nanoseconds(Work work) const { return usual_[std::size_t(work)]; }

  private:
    static constexpr std::size_t k_memory = 64; ///< steps
    static constexpr double k_percentile = 0.98;
    /// Of the median, of all or of the last few. What took longer was held up by something else,
    /// which says nothing about the next step.
    static constexpr double k_most = 2.5;
    static constexpr std::size_t k_last_few = 5;
    /// Until something is known: four times what work takes on a machine of 2020. The first step
    /// also makes room in memory.
    static constexpr double k_first_guess = 8;
    /// Less is too little to be timed.
    static constexpr std::uint64_t k_least_units = 500;

    struct Samples {
        std::array<float, k_memory> ring;
        std::size_t count = 0, next = 0;
    };
    std::array<Samples, k_works> samples_;
    std::array<double, k_works> price_, usual_;
};

} // namespace fovea
