#include "fovea/collide/pair_runs.h"

#include <algorithm>

namespace fovea {

void PairRuns::clear() {
    pairs_.clear();
    ends_.clear();
}

void PairRuns::end_run() {
    if (pairs_.size() > (ends_.empty() ? 0 : ends_.back())) ends_.push_back(pairs_.size());
}

ProxyPair* PairRuns::extend(std::size_t count) {
    const std::size_t size = pairs_.size();
    pairs_.resize(size + count);
    return pairs_.data() + size;
}

void PairRuns::merge() {
    scratch_.resize(pairs_.size());
    while (ends_.size() > 1) {
        std::size_t begin = 0, kept = 0;
        for (std::size_t i = 0; i < ends_.size(); i += 2) {
            const std::size_t middle = ends_[i];
            const std::size_t end = i + 1 < ends_.size() ? ends_[i + 1] : middle;
            const auto at = [&](std::size_t k) { return pairs_.begin() + std::ptrdiff_t(k); };
            std::merge(at(begin), at(middle), at(middle), at(end),
                       scratch_.begin() + std::ptrdiff_t(begin));
            ends_[kept++] = begin = end;
        }
        ends_.resize(kept);
        pairs_.swap(scratch_);
    }
}

} // namespace fovea
