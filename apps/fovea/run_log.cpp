#include "run_log.h"

#include <cmath>

#include <fmt/format.h>

#include "percentiles.h"

namespace fovea::app {

namespace {

struct Measure {
    const char* name;
    double (*value)(const FrameRow&);
};

constexpr Measure k_times[] = {
    {"sim_ms", [](const FrameRow& r) { return r.step.wall_ms; }},
    {"cpu_ms", [](const FrameRow& r) { return r.step.cpu_ms; }},
    {"thread_ms", [](const FrameRow& r) { return r.step.thread_cpu_ms; }},
    {"broad_ms", [](const FrameRow& r) { return r.step.ms.broad; }},
    {"narrow_ms", [](const FrameRow& r) { return r.step.ms.narrow; }},
    {"response_ms", [](const FrameRow& r) { return r.step.ms.response; }},
    {"motion_ms", [](const FrameRow& r) { return r.step.ms.motion; }},
    {"render_ms", [](const FrameRow& r) { return r.render_ms; }},
};

constexpr Measure k_counts[] = {
    {"pairs", [](const FrameRow& r) { return double(r.step.pairs); }},
    {"tests", [](const FrameRow& r) { return double(r.step.tests); }},
    {"hits", [](const FrameRow& r) { return double(r.step.hits); }},
    {"swaps", [](const FrameRow& r) { return double(r.step.swaps); }},
    {"units", [](const FrameRow& r) { return double(r.step.budget.used_units); }},
    {"rungs", [](const FrameRow& r) { return double(r.step.budget.rungs_climbed); }},
    {"cut", [](const FrameRow& r) { return double(r.step.budget.pairs_cut); }},
};

/// What is counted of a step's pairs, in the statistics file and, summed up, in the report.
struct PairCount {
    const char* name;
    std::uint32_t BudgetReport::*count;
};
constexpr PairCount k_pair_counts[] = {
    {"exact_pairs", &BudgetReport::exact_pairs},
    {"pairs_apart", &BudgetReport::pairs_apart},
    {"pairs_suppressed", &BudgetReport::pairs_suppressed},
    {"pairs_dropped", &BudgetReport::pairs_dropped},
    {"pairs_cut", &BudgetReport::pairs_cut},
    {"late_by_clock", &BudgetReport::late_by_clock},
    {"late_by_steps", &BudgetReport::late_by_steps},
};

/// Blank in the statistics of frames in which it was not measured.
struct InaccuracyColumn {
    const char* name;
    double (*value)(const Inaccuracy&);
    bool largest; ///< of a run the largest is told, else the sum
};
constexpr InaccuracyColumn k_inaccuracy[] = {
    {"node_pairs", [](const Inaccuracy& i) { return double(i.touching); }, false},
    {"delta_m", [](const Inaccuracy& i) { return i.delta; }, false},
    {"repelled", [](const Inaccuracy& i) { return double(i.repelled); }, false},
    {"gap_m", [](const Inaccuracy& i) { return i.gap; }, false},
    {"worst_gap_m", [](const Inaccuracy& i) { return i.worst_gap; }, true},
    {"penetration_m", [](const Inaccuracy& i) { return i.penetration; }, true},
    {"left_out", [](const Inaccuracy& i) { return double(i.left_out); }, false},
    {"missed", [](const Inaccuracy& i) { return double(i.missed); }, false},
    {"missed_depth_m", [](const Inaccuracy& i) { return i.missed_depth; }, true},
};

} // namespace

Result<void> RunLog::open_stats(const std::string& path) {
    auto file = OutputFile::create(path);
    if (!file) return tl::unexpected(file.error());
    stats_.emplace(std::move(*file));
    stats_->write(
        "frame,sim_ms,cpu_ms,broad_ms,narrow_ms,response_ms,pairs,tests,hits,swaps,"
        "kinetic,potential,hash,thread_cpu_ms,budget_ms,budget_units,floor_ms,floor_fits,"
        "used_units,"
        "floor_units,spare_ms,climb_overrun_ms,rungs_climbed,pairs_brief,contacts_left_out,"
        "sub_steps_left_out,iterations_left_out,time_left_out_ms,sweeps_left_out,"
        "causality_p50_ms,causality_max_ms,held_max_ms");
    for (const PairCount& count : k_pair_counts) stats_->write(fmt::format(",{}", count.name));
    for (std::size_t i = 0; i < BudgetReport().pairs_at_rung.size(); ++i)
        stats_->write(fmt::format(",rung_{}", i));
    for (std::size_t i = 0; i < k_works; ++i)
        stats_->write(fmt::format(",{0}_units,{0}_ms,{0}_expected_ms", name_of(Work(i))));
    for (const InaccuracyColumn& column : k_inaccuracy)
        stats_->write(fmt::format(",{}", column.name));
    stats_->write("\n");
    return {};
}

void RunLog::add(const FrameRow& row) {
    rows_.push_back(row);
    if (!stats_) return;
    const StepReport& s = row.step;
    const BudgetReport& b = s.budget;
    const auto asked_units = Budget::work(b.asked_units).is_counted()
                                 ? std::to_string(b.asked_units)
                                 : std::string("inf");
    stats_->write(fmt::format("{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{},{},{},{},{:.9g},{:.9g},"
                              "{:016x},",
                              s.frame, s.wall_ms, s.cpu_ms, s.ms.broad, s.ms.narrow, s.ms.response,
                              s.pairs, s.tests, s.hits, s.swaps, row.energy.kinetic,
                              row.energy.potential, row.hash));
    stats_->write(fmt::format(
        "{:.6f},{},{},{:.6f},{:d},{},{},{:.6f},{:.6f},{},{},{},{},{},{:.6f},{},{:.6f},{:.6f},{:."
        "6f}",
        s.thread_cpu_ms, b.asked_ms, asked_units, b.floor_ms, b.floor_fits, b.used_units,
        b.floor_units, b.spare_ms, b.climb_overrun_ms, b.rungs_climbed, b.pairs_brief,
        b.contacts_left_out, b.sub_steps_left_out, b.iterations_left_out, b.time_left_out_ms,
        b.sweeps_left_out, b.causality_p50_ms, b.causality_max_ms, b.held_max_ms));
    for (const PairCount& count : k_pair_counts) stats_->write(fmt::format(",{}", b.*count.count));
    for (const std::uint32_t pairs : b.pairs_at_rung) stats_->write(fmt::format(",{}", pairs));
    for (const WorkDone& work : b.works)
        stats_->write(fmt::format(",{},{:.6f},{:.6f}", work.units, work.ms, work.expected_ms));
    for (const InaccuracyColumn& column : k_inaccuracy)
        stats_->write(row.inaccuracy ? fmt::format(",{:.9g}", column.value(*row.inaccuracy)) : ",");
    stats_->write("\n");
}

Result<void> RunLog::finish_stats() {
    if (!stats_) return {};
    return stats_->finish();
}

std::vector<double> RunLog::column(double (*value)(const FrameRow&)) const {
    std::vector<double> values;
    values.reserve(rows_.size());
    for (const FrameRow& row : rows_) values.push_back(value(row));
    return values;
}

nlohmann::ordered_json RunLog::report() const {
    nlohmann::ordered_json json;
    json["frames"] = rows_.size();
    for (const auto& measures :
         {std::span<const Measure>(k_times), std::span<const Measure>(k_counts)})
        for (const Measure& m : measures) {
            const Percentiles p = percentiles_of(column(m.value));
            json["totals"][m.name] = p.sum;
            json["per_frame"][m.name] = p;
        }
    auto warnings = nlohmann::ordered_json::array();
    float worst = 0;
    for (const FrameRow& row : rows_) {
        worst = std::max(worst, row.step.worst_depth);
        for (const std::string& text : row.step.warnings)
            warnings.push_back({{"frame", row.step.frame}, {"text", text}});
    }
    json["worst_depth"] = worst;
    json["budget"] = budget_report();
    if (const auto measured = inaccuracy_report(); !measured.empty()) json["inaccuracy"] = measured;
    if (!rows_.empty()) {
        const FrameRow& last = rows_.back();
        json["final"] = {{"time", last.step.time},
                         {"kinetic", last.energy.kinetic},
                         {"potential", last.energy.potential},
                         {"hash", fmt::format("{:016x}", last.hash)}};
    }
    json["warnings"] = warnings;
    return json;
}

RunLog::KeptBudgets RunLog::kept_budgets() const {
    KeptBudgets kept;
    for (const FrameRow& row : rows_) {
        const BudgetReport& budget = row.step.budget;
        if (!budget.limited) continue;
        const double share = std::max(row.step.thread_cpu_ms / budget.asked_ms,
                                      double(budget.used_units) / double(budget.asked_units));
        ++kept.limited;
        kept.fits += budget.floor_fits;
        kept.within += share <= 1;
        kept.worst_share = std::max(kept.worst_share, share);
        kept.timed |= std::isfinite(budget.asked_ms);
        kept.by_clock += row.step.wall_ms <= budget.asked_ms;
        kept.time_left_out_ms += budget.time_left_out_ms;
    }
    return kept;
}

std::string RunLog::KeptBudgets::describe() const {
    std::string text = fmt::format(
        "budget kept in {} of {} steps ({})", within, limited,
        timed ? fmt::format("CPU time of the stepping thread; by the clock in {}", by_clock)
              : "work units");
    if (std::isfinite(worst_share)) // of a budget of 0 there are no parts
        text += fmt::format(", the most that one took: {:.3g} of it", worst_share);
    text += '\n';
    if (fits < limited)
        text += fmt::format(
            "its floor alone was expected to be more in {} of them: these did the floor\n",
            limited - fits);
    if (time_left_out_ms > 0)
        text += fmt::format("steps that were held up ended early, by {:.3g} ms of simulated time\n",
                            time_left_out_ms);
    return text;
}

nlohmann::ordered_json RunLog::budget_report() const {
    const KeptBudgets kept = kept_budgets();
    std::size_t reduced = 0;
    for (const FrameRow& row : rows_) {
        const BudgetReport& budget = row.step.budget;
        reduced += budget.pairs_brief > 0 || budget.contacts_left_out > 0 ||
                   budget.sub_steps_left_out > 0 || budget.iterations_left_out > 0 ||
                   budget.sweeps_left_out > 0 || budget.time_left_out_ms > 0;
    }
    nlohmann::ordered_json json{
        {"steps", kept.limited},        {"floor_fitted", kept.fits},
        {"within_budget", kept.within}, {"worst_share_used", kept.worst_share},
        {"response_reduced", reduced},  {"time_left_out_ms", kept.time_left_out_ms}};
    if (kept.timed) json["within_budget_by_clock"] = kept.by_clock;
    for (const auto& [name, count] : k_pair_counts) {
        std::uint64_t sum = 0;
        for (const FrameRow& row : rows_) sum += row.step.budget.*count;
        json[name] = sum;
    }
    std::array<std::uint64_t, std::tuple_size_v<decltype(BudgetReport::pairs_at_rung)>> rungs{};
    for (const FrameRow& row : rows_)
        for (std::size_t i = 0; i < rungs.size(); ++i) rungs[i] += row.step.budget.pairs_at_rung[i];
    json["pairs_at_rung"] = rungs;
    return json;
}

nlohmann::ordered_json RunLog::inaccuracy_report() const {
    nlohmann::ordered_json json;
    std::size_t frames = 0;
    for (const FrameRow& row : rows_) frames += row.inaccuracy.has_value();
    if (frames == 0) return json;
    json["frames"] = frames;
    for (const auto& [name, value, largest] : k_inaccuracy) {
        double sum = 0;
        for (const FrameRow& row : rows_) {
            if (!row.inaccuracy) continue;
            const double now = value(*row.inaccuracy);
            sum = largest ? std::max(sum, now) : sum + now;
        }
        json[name] = sum;
    }
    return json;
}

std::string RunLog::table() const {
    std::string text = fmt::format("{:<12} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "per frame",
                                   "mean", "p50", "p99", "p99.9", "max");
    const auto add_rows = [&](std::span<const Measure> measures, int digits) {
        for (const Measure& m : measures) {
            const Percentiles p = percentiles_of(column(m.value));
            if (p.max == 0) continue;
            text += fmt::format("{:<12}", m.name);
            for (double value : {p.mean, p.p50, p.p99, p.p999, p.max})
                text += fmt::format(" {:>10.{}f}", value, digits);
            text += '\n';
        }
    };
    add_rows(k_times, 3);
    add_rows(k_counts, 0);
    if (const KeptBudgets kept = kept_budgets(); kept.limited > 0) text += kept.describe();
    return text;
}

} // namespace fovea::app
