// Runs one scripted scene through several methods, step by step and side by side.
#pragma once

#include <string>
#include <vector>

#include "bench/deform/deform_subject.h"
#include "fovea/geometry/deforming_scenes.h"

namespace fovea {

/// What one method did in one mode over a run. Times are CPU milliseconds per step.
struct MethodResult {
    std::string scene, method, mode; ///< mode: "all" or "first"
    int triangles = 0;               ///< per body
    int steps = 0;
    std::vector<double> update_ms, query_ms;
    MeshQueryCounters counters; ///< summed over the run
    std::uint64_t hash = 0;     ///< of all pair sets (all) or of all yes/no answers (first)
    std::uint64_t pairs = 0;    ///< summed over the run
    std::uint64_t last_pairs = 0;
    int first_contact = -1; ///< step

    double mean_update() const;
    double mean_query() const;
    double mean_total() const { return mean_update() + mean_query(); }
    /// Of update + query.
    double percentile(double fraction) const;
};

struct RunSettings {
    int stride = 1; ///< take every stride-th step
    bool all = true, first = true;
};

/// What producing the world vertices cost per step, not charged to the methods above.
struct RunResult {
    std::vector<MethodResult> methods;
    double vertices_ms = 0;
};

/// `make`: the methods for the bodies' meshes, in the order that suits our trees.
RunResult run_rippling(const RipplingScene& scene, int triangles,
                       const std::vector<NamedMaker>& makers, const RunSettings& settings);

/// `morph_makers` get the references instead of the bodies' meshes.
RunResult run_morphing(const MorphingScene& scene, const std::vector<NamedMaker>& makers,
                       const std::vector<NamedMaker>& morph_makers, const RunSettings& settings);

} // namespace fovea
