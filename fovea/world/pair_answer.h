// How each pair is to be answered in a step that may be short of time.
#pragma once

#include <span>

#include "fovea/collide/pair_descent.h"

namespace fovea {

struct PairAnswer {
    enum class Kind : std::uint8_t {
        exact, ///< by the narrow phase of its shapes, or what is still good of the last step
        rung,  ///< by the completed rung of its descent
        apart, ///< not at all
    };

    PairDescent descent;
    float margin = 0; ///< of the descent, m
    Kind kind = Kind::exact;

    /// Nothing finer could be known.
    bool at_top() const { return kind == Kind::exact || descent.finished; }
};

} // namespace fovea
