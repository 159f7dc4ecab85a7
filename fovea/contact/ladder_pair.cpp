#include "fovea/contact/ladder_pair.h"

namespace fovea {

PairDescent LadderWorker::finish(const LadderPair& pair) {
    arena.reset();
    LadderDescent descent = climb(pair);
    WorkMeter work;
    PairDescent state;
    descent.open(work, arena, state);
    descent.finish(work, arena, state);
    return state;
}

void LadderWorker::model(const LadderPair& pair, const PairDescent& descent, bool two_sided,
                         const ReductionSettings& reduce) {
    manifolds.clear();
    contacts.model(pair.a, pair.b, descent,
                   {.reduce = reduce,
                    .margin = pair.margin,
                    .two_sided = two_sided,
                    .approach = pair.approach},
                   manifolds);
}

} // namespace fovea
