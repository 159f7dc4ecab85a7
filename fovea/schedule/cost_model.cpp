#include "fovea/schedule/cost_model.h"

#include <algorithm>

namespace fovea {

std::string_view name_of(Work work) {
    constexpr std::string_view k_names[k_works] = {"prepare", "open",  "climb", "model", "join",
                                                   "respond", "index", "sweep", "finish"};
    return k_names[std::size_t(work)];
}

CostModel::CostModel() {
    price_.fill(k_first_guess);
}

void CostModel::note(Work work, std::uint64_t units, double seconds) {
    if (units < k_least_units) return;
    Samples& samples = samples_[std::size_t(work)];
    samples.ring[samples.next] = float(seconds * 1e9 / double(units));
    samples.next = (samples.next + 1) % k_memory;
    samples.count = std::min(samples.count + 1, k_memory);

    std::array<float, k_memory> sorted = samples.ring;
    const auto percentile = [&](double share) {
        const auto rank = std::ptrdiff_t(share * double(samples.count - 1) + 0.5);
        std::nth_element(sorted.begin(), sorted.begin() + rank,
                         sorted.begin() + std::ptrdiff_t(samples.count));
        return double(sorted[std::size_t(rank)]);
    };
    price_[std::size_t(work)] = std::min(percentile(k_percentile), k_most * percentile(0.5));
}

} // namespace fovea
