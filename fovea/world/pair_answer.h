// How each pair is answered in a step that may be short of time.
#pragma once

#include "fovea/base/ids.h"
#include "fovea/collide/pair_descent.h"

namespace fovea {

struct PairAnswer {
    enum class Kind : std::uint8_t {
        exact,      ///< by the narrow phase of its shapes, or what is still good of the last step
        rung,       ///< by the completed rung of its descent
        apart,      ///< not at all: nothing touches
        suppressed, ///< not at all: nodes touch, but a finer rung of an earlier step proved a gap
        dropped,    ///< not at all: undecided, and such pairs are to be dropped
    };

    PairDescent descent;
    float margin = 0; ///< of the descent, m
    Kind kind = Kind::exact;

    /// The pair may have contacts.
    bool responds() const { return kind == Kind::exact || kind == Kind::rung; }
    /// Nothing finer could be known.
    bool at_top() const { return kind == Kind::exact || descent.finished; }
};

/// How a pair of bodies was answered, for those who ask after the step: World::pair_answers().
struct AnsweredPair {
    BodyId a, b;
    PairAnswer::Kind kind; ///< exact: also by the exact rung of its ladders
    std::uint8_t rung;     ///< the last that was completed, counted from the roots' 0
    bool cut;              ///< it could have climbed on
    bool brief;            ///< its contacts were made of a few of its hits: time ran out
};

} // namespace fovea
