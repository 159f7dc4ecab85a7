// Space cut into cubic cells, each with sorted endpoint lists of its own.
//
// On one list for all of space, endpoints pass each other that are far apart on the other axes: at
// constant density a step costs O(n^(5/3)) exchanges. Within a cell few boxes meet, and the work
// per box no longer depends on their total number.
//
//   +-------+-------+-------+      box a is a member of one region, box b of two;
//   |  [a]  |     [b|  ]    |      two boxes that overlap share at least one cell, because cell
//   |       |       |    [c]|      numbers grow with the coordinate: none is lost to rounding
//   +-------+-------+-------+
//
// A grid without a cell size is one region for everything: plain sweep and prune.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/collide/cell_map.h"
#include "fovea/collide/sweep_region.h"

namespace fovea {

/// The cells from low to high, both included, on each axis.
struct CellRange {
    std::array<std::int32_t, 3> low{}, high{};

    std::uint64_t cells() const {
        return std::uint64_t(high[0] - low[0] + 1) * std::uint64_t(high[1] - low[1] + 1) *
               std::uint64_t(high[2] - low[2] + 1);
    }
    bool operator==(const CellRange&) const = default;
};

class SweepGrid {
  public:
    /// Empties the grid. `cell_size` in metres; 0 for a single region.
    void reset(float cell_size);
    float cell_size() const { return cell_size_; }

    CellRange range_of(const Aabb& box) const;

    void enter(std::uint32_t proxy, bool fixed, const CellRange& range);
    void leave(std::uint32_t proxy, const CellRange& range);
    /// Leaves and enters only where the ranges differ.
    void move(std::uint32_t proxy, bool fixed, const CellRange& from, const CellRange& to);

    /// Sorts the regions that need it (see SweepRegion::sort) and gives up empty ones.
    void sort(std::span<const Aabb> boxes, std::span<const std::uint8_t> moved, bool presort,
              const Jobs& jobs, PairLedger& ledger, BroadPhaseCounters& counters);

    /// Boxes in regions; a box that is in two of them counts twice.
    std::size_t memberships() const { return memberships_; }

  private:
    struct Region {
        SweepRegion lists;
        std::uint64_t cell = 0;
        bool used = false;
    };

    /// So many regions in a row are sorted by one job, side by side with others.
    static constexpr std::size_t k_block = 16;
    struct Block {
        SweepScratch scratch;
        PairNotes notes;
        BroadPhaseCounters counters;
    };

    std::uint32_t region_at(std::uint64_t cell);

    std::vector<Region> regions_;
    std::vector<std::uint32_t> free_; ///< regions not in use; they keep their memory
    CellMap cells_;
    std::vector<Block> blocks_;
    float cell_size_ = 0, cells_per_metre_ = 0;
    std::size_t memberships_ = 0;
};

} // namespace fovea
