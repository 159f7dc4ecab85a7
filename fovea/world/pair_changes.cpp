#include "fovea/world/pair_changes.h"

#include <algorithm>
#include <tuple>

namespace fovea {

bool comes_first(const BodyPair& p, const BodyPair& q) {
    const auto key = [](const BodyPair& pair) {
        return std::tuple(pair.a.slot, pair.b.slot, pair.a.generation, pair.b.generation);
    };
    return key(p) < key(q);
}

void PairChanges::update(const std::vector<BodyPair>& now, std::vector<BodyPair>& came,
                         std::vector<BodyPair>& went) {
    auto old = before_.begin();
    for (const BodyPair& pair : now) {
        while (old != before_.end() && comes_first(*old, pair)) went.push_back(*old++);
        if (old != before_.end() && *old == pair)
            ++old;
        else
            came.push_back(pair);
    }
    went.insert(went.end(), old, before_.end());
    before_.resize(now.size());
    std::ranges::copy(now, before_.begin());
}

} // namespace fovea
