// What a run leaves behind: a row per frame and a report of the whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fovea/world/world.h"
#include "output_file.h"

namespace fovea::app {

/// One frame as the statistics file has it.
struct FrameRow {
    StepReport step;
    Energy energy;
    std::uint64_t hash;
    double render_ms;                     ///< not in the statistics file, only in the report
    std::optional<Inaccuracy> inaccuracy; ///< where it was measured
};

class RunLog {
  public:
    /// Starts the statistics file, if one is wanted; its first line names the columns.
    Result<void> open_stats(const std::string& path);
    void add(const FrameRow& row);
    Result<void> finish_stats();

    /// Totals, percentiles over the frames, the final state.
    nlohmann::ordered_json report() const;
    /// The percentiles as a table for people.
    std::string table() const;
    std::size_t frames() const { return rows_.size(); }

  private:
    /// How many steps kept their budget, by CPU time of the stepping thread or units.
    struct KeptBudgets {
        std::size_t limited = 0;  ///< steps that had one
        std::size_t fits = 0;     ///< of these: whose floor is no more than it
        std::size_t within = 0;   ///< that took no more, whether its floor fitted or not
        std::size_t by_clock = 0; ///< that took no more by the clock; of budgets in time
        bool timed = false;
        double worst_share = 0;      ///< of its budget, that any of the steps took
        double time_left_out_ms = 0; ///< simulated
        std::string describe() const;
    };
    KeptBudgets kept_budgets() const;
    nlohmann::ordered_json budget_report() const;
    /// Over the frames in which it was measured.
    nlohmann::ordered_json inaccuracy_report() const;
    std::vector<double> column(double (*value)(const FrameRow&)) const;

    std::optional<OutputFile> stats_;
    std::vector<FrameRow> rows_;
};

} // namespace fovea::app
