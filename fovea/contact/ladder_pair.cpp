#include "fovea/contact/ladder_pair.h"

namespace fovea {

PairDescent LadderWorker::finish(const LadderPair& pair) {
    arena.reset();
    WorkMeter work;
    PairDescent state;
    LadderDescent nodes = climb(pair);
    nodes.open(work, arena, state);
    while (!state.finished && !at_leaves(pair.a.ladder, pair.b.ladder, state))
        nodes.advance(work, arena, state);
    if (!state.finished) climb(pair, state).advance(work, arena, state);
    return state;
}

void LadderWorker::model(const LadderPair& pair, const PairDescent& descent, bool two_sided,
                         bool brief) {
    manifolds.clear();
    // What is exact is reduced alike, whatever nodes are reduced by.
    const ReductionSettings reduce{.reduction = descent.exact ? ReductionSettings().reduction
                                                              : pair.coarse.reduction};
    const TreeContactSettings usual;
    contacts.model(pair.a, pair.b, descent,
                   {.reduce = reduce,
                    .point = pair.coarse.point,
                    .most_hits = brief ? k_brief_hits : usual.most_hits,
                    .most_exact_hits = brief ? k_brief_hits : usual.most_exact_hits,
                    .margin = descent.exact ? pair.exact_margin : pair.margin,
                    .doubt = descent.finished ? 0 : pair.doubt,
                    .two_sided = two_sided,
                    .approach = pair.approach,
                    .centre_a = pair.centre_a,
                    .centre_b = pair.centre_b},
                   manifolds);
}

} // namespace fovea
