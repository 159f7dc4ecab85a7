// Several sorted lists of pairs merged into one.
//
// Every source of pairs (the sorted box pairs, each half-space, each oversized box) meets its
// partners in order of their numbers, so it yields a sorted run. Runs are merged two by two:
//
//   [run 0][run 1][run 2][run 3][run 4]  ->  [ 0+1 ][ 2+3 ][4]  ->  [ 0+1+2+3 ][4]  ->  [ all ]
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/collide/broad_phase.h"

namespace fovea {

class PairRuns {
  public:
    void clear();

    /// The pairs appended between two calls make up one run and must be sorted.
    void end_run();
    void append(const ProxyPair& pair) { pairs_.push_back(pair); }

    /// Room for `count` more pairs, to be filled in place; give back what was not needed with
    /// shrink_to().
    ProxyPair* extend(std::size_t count);
    void shrink_to(const ProxyPair* end) { pairs_.resize(std::size_t(end - pairs_.data())); }

    /// Merges all runs. No pair may be in two of them.
    void merge();

    std::span<const ProxyPair> pairs() const { return pairs_; }

  private:
    std::vector<ProxyPair> pairs_, scratch_;
    std::vector<std::size_t> ends_; ///< of each run
};

} // namespace fovea
