// Summary of a series of measurements.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace fovea::app {

struct Percentiles {
    double mean = 0, p50 = 0, p99 = 0, p999 = 0, max = 0, sum = 0;
};

/// Nearest-rank percentiles: each is a value that was measured. All zero for an empty series.
Percentiles percentiles_of(std::vector<double> values);

void to_json(nlohmann::ordered_json& json, const Percentiles& p);

} // namespace fovea::app
