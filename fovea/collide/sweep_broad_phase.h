// Sweep and prune after Baraff (Stokes 4.5), over a grid of regions.
//
// Boxes live in the cells of a SweepGrid, which note the pairs that begin and cease to overlap in
// a PairLedger. The cell size follows the boxes: a few times their median size, so that most are
// in one or two cells. The few boxes that are far larger than that would be in a great many cells;
// these oversized ones are kept out of the grid and tested against all others in a linear pass,
// like half-spaces.
#pragma once

#include "fovea/collide/sweep_grid.h"
#include "fovea/collide/table_broad_phase.h"

namespace fovea {

struct SweepSettings {
    /// Cut space into cells. Off: one region, the plain algorithm; a step then costs O(n^(5/3))
    /// exchanges at constant density, but box sizes may differ at will.
    bool regions = true;
    /// Sort many added boxes at once in O(n log n) and find their pairs by a sweep. Off: they are
    /// inserted one by one, O(n^2) exchanges in the first step.
    bool presort = true;
};

class SweepBroadPhase final : public TableBroadPhase {
  public:
    explicit SweepBroadPhase(const SweepSettings& settings = {});

    void add(std::uint32_t proxy, const Aabb& box, bool fixed) override;
    void add_half_space(std::uint32_t proxy, const HalfSpace& plane) override;
    void remove(std::uint32_t proxy) override;
    void update(std::span<const Aabb> boxes, const Jobs& jobs) override;

    /// Edge of the cells, metres; 0 while there is one region for all.
    float cell_size() const { return grid_.cell_size(); }
    /// Number of boxes kept out of the grid.
    std::size_t oversized() const { return oversized_.size(); }

  private:
    /// Where a proxy is kept.
    enum class Home : std::uint8_t { nowhere, grid, oversized };

    void take_boxes(std::span<const Aabb> boxes);
    void settle_newcomers();
    void place(std::uint32_t proxy);
    void withdraw(std::uint32_t proxy);
    void choose_cells();
    bool out_of_proportion() const;
    void append_oversized_pairs();

    SweepSettings settings_;
    SweepGrid grid_;
    PairLedger ledger_;

    std::vector<Home> homes_;              ///< by proxy number, as are the next two
    std::vector<CellRange> ranges_;        ///< of those in the grid
    std::vector<std::uint8_t> moved_;      ///< in this step
    std::vector<std::uint32_t> newcomers_; ///< added since the last update
    std::vector<std::uint32_t> oversized_;

    /// What the cell size was chosen for.
    struct Proportions {
        std::size_t bounded = 0, memberships = 0, oversized = 0;
    } chosen_for_;
    std::vector<float> sizes_; ///< scratch of choose_cells
};

} // namespace fovea
