// The joints of a world: by id, in order of creation, and which pairs they keep from colliding.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "fovea/base/ids.h"
#include "fovea/base/transform.h"
#include "fovea/collide/broad_phase.h"
#include "fovea/dynamics/joint.h"
#include "fovea/world/events.h"

namespace fovea {

class JointTable {
  public:
    JointId add(const Joint& joint);
    void remove(JointId id);
    /// Those at the body `slot`.
    void remove_at(std::uint32_t slot);
    /// Those at the body `slot` start from nothing.
    void forget(std::uint32_t slot);
    /// Removes those that bear too much, and appends them to `broken`.
    void remove_overloaded(const IdPool<struct BodyTag>& bodies, std::vector<BrokenJoint>& broken);

    bool contains(JointId id) const { return ids_.contains(id); }
    const Joint& at(JointId id) const { return joints_[index_[id.slot]]; }
    Joint& at(JointId id) { return joints_[index_[id.slot]]; }

    /// All, in order of creation.
    std::span<Joint> all() { return joints_; }
    std::span<const Joint> all() const { return joints_; }

    /// The pairs whose joints forbid them to collide, sorted.
    std::span<const ProxyPair> apart() const { return apart_; }
    bool keeps_apart(std::uint32_t slot, std::uint32_t other) const {
        return std::ranges::binary_search(apart_,
                                          ProxyPair{std::min(slot, other), std::max(slot, other)});
    }

    /// For base/bytes.h.
    template <class Bytes>
    friend void fields(Bytes& bytes, JointTable& table) {
        bytes(table.ids_, table.joints_, table.id_of_);
    }
    /// Derives what was not read; false if what was read from outside does not agree.
    bool rebuild();

  private:
    void erase(std::size_t index);

    IdPool<struct JointTag> ids_;
    std::vector<Joint> joints_;
    std::vector<JointId> id_of_;       ///< of each joint
    std::vector<std::uint32_t> index_; ///< into joints_, by id slot
    std::vector<ProxyPair> apart_;
};

} // namespace fovea
