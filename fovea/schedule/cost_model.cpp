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
    usual_.fill(k_first_guess);
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
    const double high = percentile(k_percentile);
    double usual = percentile(0.5);
    if (samples.count >= k_last_few) {
        // Where work has become dearer, the last few say so long before all do.
        std::array<float, k_last_few> last;
        for (std::size_t i = 0; i < k_last_few; ++i)
            last[i] = samples.ring[(samples.next + k_memory - 1 - i) % k_memory];
        std::ranges::sort(last);
        usual = std::max(usual, double(last[k_last_few / 2]));
    }
    usual_[std::size_t(work)] = usual;
    price_[std::size_t(work)] = std::min(high, k_most * usual);
}

} // namespace fovea
