#include "fovea/collide/sweep_grid.h"

#include <cmath>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

/// Cells are numbered with 21 bits per axis; whatever lies further out is in the outermost cell.
constexpr float k_outermost = float((1 << 20) - 1);

std::int32_t cell_number(float value, float cells_per_metre) {
    const float cell = value * cells_per_metre;
    if (!(cell > -k_outermost)) return -std::int32_t(k_outermost);
    if (!(cell < k_outermost)) return std::int32_t(k_outermost);
    const auto truncated = std::int32_t(cell);
    return truncated - (float(truncated) > cell);
}

std::uint64_t packed(std::int32_t x, std::int32_t y, std::int32_t z) {
    constexpr std::uint64_t k_mask = (1 << 21) - 1;
    return (std::uint64_t(x) & k_mask) << 42 | (std::uint64_t(y) & k_mask) << 21 |
           (std::uint64_t(z) & k_mask);
}

/// Calls `visit` for the cells of `range` that are not in `except`.
template <class Visit>
void for_cells(const CellRange& range, const CellRange* except, Visit&& visit) {
    const auto inside = [&](int axis, std::int32_t cell) {
        return except && except->low[axis] <= cell && cell <= except->high[axis];
    };
    for (std::int32_t x = range.low[0]; x <= range.high[0]; ++x)
        for (std::int32_t y = range.low[1]; y <= range.high[1]; ++y)
            for (std::int32_t z = range.low[2]; z <= range.high[2]; ++z)
                if (!(inside(0, x) && inside(1, y) && inside(2, z))) visit(packed(x, y, z));
}

} // namespace

void SweepGrid::reset(float cell_size) {
    FOVEA_ASSERT(cell_size >= 0);
    cell_size_ = cell_size;
    cells_per_metre_ = cell_size > 0 ? 1 / cell_size : 0;
    cells_.clear();
    free_.clear();
    for (std::size_t i = regions_.size(); i-- > 0;) {
        regions_[i].lists.clear();
        regions_[i].used = false;
        free_.push_back(std::uint32_t(i));
    }
    memberships_ = 0;
}

CellRange SweepGrid::range_of(const Aabb& box) const {
    CellRange range;
    for (int axis = 0; axis < 3; ++axis) {
        range.low[axis] = cell_number(box.low[axis], cells_per_metre_);
        range.high[axis] = cell_number(box.high[axis], cells_per_metre_);
    }
    return range;
}

std::uint32_t SweepGrid::region_at(std::uint64_t cell) {
    std::uint32_t region = cells_.find(cell);
    if (region != CellMap::k_none) return region;
    if (free_.empty()) {
        free_.push_back(std::uint32_t(regions_.size()));
        regions_.emplace_back();
    }
    region = free_.back();
    free_.pop_back();
    regions_[region].cell = cell;
    regions_[region].used = true;
    cells_.insert(cell, region);
    return region;
}

void SweepGrid::enter(std::uint32_t proxy, bool fixed, const CellRange& range) {
    for_cells(range, nullptr, [&](std::uint64_t cell) {
        regions_[region_at(cell)].lists.add(proxy, fixed);
        ++memberships_;
    });
}

void SweepGrid::leave(std::uint32_t proxy, const CellRange& range) {
    for_cells(range, nullptr, [&](std::uint64_t cell) {
        regions_[cells_.find(cell)].lists.remove(proxy);
        --memberships_;
    });
}

void SweepGrid::move(std::uint32_t proxy, bool fixed, const CellRange& from, const CellRange& to) {
    for_cells(from, &to, [&](std::uint64_t cell) {
        regions_[cells_.find(cell)].lists.remove(proxy);
        --memberships_;
    });
    for_cells(to, &from, [&](std::uint64_t cell) {
        regions_[region_at(cell)].lists.add(proxy, fixed);
        ++memberships_;
    });
}

void SweepGrid::sort(std::span<const Aabb> boxes, std::span<const std::uint8_t> moved, bool presort,
                     const Jobs& jobs, PairLedger& ledger, BroadPhaseCounters& counters) {
    const std::size_t count = regions_.size(), blocks = (count + k_block - 1) / k_block;
    if (blocks_.size() < blocks) blocks_.resize(blocks);
    jobs.for_blocks(count, k_block, [&](std::size_t begin, std::size_t end) {
        Block& block = blocks_[begin / k_block];
        block.counters = {};
        for (std::size_t i = begin; i < end; ++i) {
            Region& region = regions_[i];
            // Regions lie scattered in memory; while one is sorted the next are on their way.
            if (i + 2 < end) regions_[i + 2].lists.prefetch();
            if (i + 1 < end) regions_[i + 1].lists.prefetch(boxes);
            if (region.used && region.lists.needs_sort(moved))
                region.lists.sort(boxes, presort, block.scratch, block.notes, block.counters);
        }
    });
    for (std::size_t i = 0; i < blocks; ++i) {
        ledger.take(blocks_[i].notes);
        counters.tests += blocks_[i].counters.tests;
        counters.swaps += blocks_[i].counters.swaps;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        Region& region = regions_[i];
        if (!region.used || !region.lists.empty()) continue;
        cells_.erase(region.cell);
        region.used = false;
        free_.push_back(i);
    }
}

} // namespace fovea
