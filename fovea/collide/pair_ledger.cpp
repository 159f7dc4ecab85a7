#include "fovea/collide/pair_ledger.h"

#include <algorithm>

#include "fovea/base/assert.h"

namespace fovea {

void PairLedger::take(PairNotes& notes) {
    notes_.insert(notes_.end(), notes.all().begin(), notes.all().end());
    notes.clear();
}

void PairLedger::settle() {
    if (notes_.empty()) return;
    std::sort(notes_.begin(), notes_.end(),
              [](const PairCount& x, const PairCount& y) { return x.key < y.key; });
    scratch_.clear();
    auto kept = kept_.begin();
    for (auto note = notes_.begin(); note != notes_.end();) {
        PairCount sum{note->key, 0};
        for (; note != notes_.end() && note->key == sum.key; ++note) sum.count += note->count;
        const auto begin = kept;
        while (kept != kept_.end() && kept->key < sum.key) ++kept;
        scratch_.insert(scratch_.end(), begin, kept);
        if (kept != kept_.end() && kept->key == sum.key) sum.count += (kept++)->count;
        FOVEA_ASSERT(sum.count >= 0);
        if (sum.count > 0) scratch_.push_back(sum);
    }
    scratch_.insert(scratch_.end(), kept, kept_.end());
    kept_.swap(scratch_);
    notes_.clear();
}

void PairLedger::clear() {
    kept_.clear();
    notes_.clear();
}

void PairLedger::append_to(PairRuns& runs) const {
    ProxyPair* out = runs.extend(kept_.size());
    for (const PairCount& entry : kept_)
        *out++ = {std::uint32_t(entry.key >> 32), std::uint32_t(entry.key)};
    runs.end_run();
}

} // namespace fovea
