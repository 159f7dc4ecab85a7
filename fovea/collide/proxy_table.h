// What every broad phase knows of its proxies: which numbers are in use, their kind and box.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/assert.h"
#include "fovea/collide/half_space_set.h"

namespace fovea {

enum class ProxyKind : std::uint8_t { absent, movable, fixed, half_space };

class ProxyTable {
  public:
    void add(std::uint32_t proxy, const Aabb& box, bool fixed) {
        FOVEA_ASSERT(is_finite(box.low) && is_finite(box.high) && !box.empty());
        claim(proxy, fixed ? ProxyKind::fixed : ProxyKind::movable);
        boxes_[proxy] = box;
    }

    void add_half_space(std::uint32_t proxy, const HalfSpace& plane) {
        claim(proxy, ProxyKind::half_space);
        half_spaces_.add(proxy, plane);
    }

    void remove(std::uint32_t proxy) {
        FOVEA_ASSERT(kind(proxy) != ProxyKind::absent);
        if (kind(proxy) == ProxyKind::half_space) half_spaces_.remove(proxy);
        kinds_[proxy] = ProxyKind::absent;
        boxes_[proxy] = {};
        stale_ = true;
    }

    /// Proxy numbers are below this.
    std::uint32_t size() const { return std::uint32_t(kinds_.size()); }
    ProxyKind kind(std::uint32_t proxy) const {
        return proxy < kinds_.size() ? kinds_[proxy] : ProxyKind::absent;
    }
    bool fixed(std::uint32_t proxy) const { return kinds_[proxy] == ProxyKind::fixed; }

    /// By proxy number. Numbers not in use and half-spaces have an empty box, which overlaps none.
    std::span<const Aabb> boxes() const { return boxes_; }
    void set_box(std::uint32_t proxy, const Aabb& box) {
        FOVEA_ASSERT(is_finite(box.low) && is_finite(box.high) && !box.empty());
        boxes_[proxy] = box;
    }

    /// Ascending numbers of the proxies that move, and of all that have a box.
    std::span<const std::uint32_t> movable() { return refresh(), movable_; }
    std::span<const std::uint32_t> bounded() { return refresh(), bounded_; }

    const HalfSpaceSet& half_spaces() const { return half_spaces_; }

  private:
    void claim(std::uint32_t proxy, ProxyKind kind) {
        if (proxy >= kinds_.size()) {
            kinds_.resize(proxy + 1, ProxyKind::absent);
            boxes_.resize(proxy + 1);
        }
        FOVEA_ASSERT(kinds_[proxy] == ProxyKind::absent);
        kinds_[proxy] = kind;
        stale_ = true;
    }

    void refresh() {
        if (!stale_) return;
        stale_ = false;
        movable_.clear();
        bounded_.clear();
        for (std::uint32_t i = 0; i < size(); ++i) {
            if (kinds_[i] == ProxyKind::movable) movable_.push_back(i);
            if (kinds_[i] == ProxyKind::movable || fixed(i)) bounded_.push_back(i);
        }
    }

    std::vector<ProxyKind> kinds_;
    std::vector<Aabb> boxes_;
    std::vector<std::uint32_t> movable_, bounded_;
    HalfSpaceSet half_spaces_;
    bool stale_ = false; ///< the lists of numbers are out of date
};

} // namespace fovea
