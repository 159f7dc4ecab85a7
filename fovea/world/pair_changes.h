// Which pairs came and which went since the step before.
#pragma once

#include <vector>

#include "fovea/world/events.h"

namespace fovea {

/// By slots, then by generations.
bool comes_first(const BodyPair& p, const BodyPair& q);

class PairChanges {
  public:
    /// Takes this step's pairs, sorted, and appends the differences to the lists. Bodies
    /// are compared by id: another body in the same slot is another pair.
    void update(const std::vector<BodyPair>& now, std::vector<BodyPair>& came,
                std::vector<BodyPair>& went);

    /// For base/bytes.h.
    template <class Bytes>
    friend void fields(Bytes& bytes, PairChanges& changes) {
        bytes(changes.before_);
    }

  private:
    std::vector<BodyPair> before_;
};

} // namespace fovea
