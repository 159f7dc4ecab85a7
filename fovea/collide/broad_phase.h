// Which bodies might touch: the pairs whose boxes overlap.
//
// Three methods behind one interface give the same pairs, in the same order, every step:
// brute force (the reference), Baraff's sweep and prune, and a dynamic tree of boxes.
// Half-spaces have no box worth sorting: each method tests them against all boxes directly, one
// linear pass, so an infinite floor costs neither swaps nor tree nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "fovea/base/jobs.h"
#include "fovea/geometry/aabb.h"
#include "fovea/geometry/shape.h"

namespace fovea {

/// Two proxies that may touch, a < b. Proxy numbers are body slots.
struct ProxyPair {
    std::uint32_t a, b;
    constexpr auto operator<=>(const ProxyPair&) const = default;
};

/// What the last update cost; machine-independent evidence.
struct BroadPhaseCounters {
    std::uint64_t tests = 0;            ///< box against box or node
    std::uint64_t half_space_tests = 0; ///< box against half-space
    std::uint64_t swaps = 0; ///< exchanges of neighbouring endpoints (sweep and prune only)
};

class BroadPhase {
  public:
    virtual ~BroadPhase() = default;

    /// Adds a bounded proxy; its box must be finite and not empty. `fixed` proxies are never paired
    /// with each other.
    virtual void add(std::uint32_t proxy, const Aabb& box, bool fixed) = 0;
    /// Adds a half-space, which is fixed.
    virtual void add_half_space(std::uint32_t proxy, const HalfSpace& plane) = 0;
    virtual void remove(std::uint32_t proxy) = 0;

    /// Takes this step's boxes, indexed by proxy number, and finds the pairs. The boxes of fixed
    /// proxies and half-spaces, and of numbers not in use, are not read. Additions and removals
    /// show in pairs() from the next update on.
    virtual void update(std::span<const Aabb> boxes, const Jobs& jobs) = 0;

    /// All pairs of proxies whose boxes overlap, except fixed ones among themselves; sorted. A box
    /// meets a half-space if its corner furthest against the normal is not above the plane.
    virtual std::span<const ProxyPair> pairs() const = 0;

    virtual BroadPhaseCounters counters() const = 0;
};

enum class BroadPhaseMethod {
    brute,       ///< every box against every other: the reference
    sweep,       ///< sweep and prune, region by region
    plain_sweep, ///< the source's: one region, sorted from nothing in the first step; to compare
    tree,        ///< dynamic tree of boxes
};

std::unique_ptr<BroadPhase> make_broad_phase(BroadPhaseMethod method);

} // namespace fovea
