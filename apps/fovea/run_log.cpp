#include "run_log.h"

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
};

} // namespace

Result<void> RunLog::open_stats(const std::string& path) {
    auto file = OutputFile::create(path);
    if (!file) return tl::unexpected(file.error());
    stats_.emplace(std::move(*file));
    stats_->write("frame,sim_ms,cpu_ms,broad_ms,narrow_ms,response_ms,pairs,tests,hits,swaps,"
                  "kinetic,potential,hash\n");
    return {};
}

void RunLog::add(const FrameRow& row) {
    rows_.push_back(row);
    if (!stats_) return;
    const StepReport& s = row.step;
    stats_->write(fmt::format("{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{},{},{},{},{:.9g},{:.9g},"
                              "{:016x}\n",
                              s.frame, s.wall_ms, s.cpu_ms, s.ms.broad, s.ms.narrow, s.ms.response,
                              s.pairs, s.tests, s.hits, s.swaps, row.energy.kinetic,
                              row.energy.potential, row.hash));
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
    return text;
}

} // namespace fovea::app
