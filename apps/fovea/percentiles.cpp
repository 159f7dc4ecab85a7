#include "percentiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

namespace fovea::app {

Percentiles percentiles_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    const auto rank = [&](double fraction) {
        const auto n = std::size_t(std::ceil(fraction * double(values.size())));
        return values[std::max<std::size_t>(n, 1) - 1];
    };
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {sum / double(values.size()), rank(0.5), rank(0.99), rank(0.999), values.back(), sum};
}

void to_json(nlohmann::ordered_json& json, const Percentiles& p) {
    json = {{"mean", p.mean}, {"p50", p.p50}, {"p99", p.p99}, {"p99.9", p.p999}, {"max", p.max}};
}

} // namespace fovea::app
