#include "fovea/world/joint_table.h"

#include <algorithm>

namespace fovea {

JointId JointTable::add(const Joint& joint) {
    const JointId id = ids_.acquire();
    index_.resize(ids_.slots());
    index_[id.slot] = std::uint32_t(joints_.size());
    joints_.push_back(joint);
    id_of_.push_back(id);
    joined_valid_ = false;
    // Room for all to break in one step, so that a step need not make any.
    broken_.reserve(joints_.capacity());
    joined_.reserve(joints_.capacity());
    return id;
}

void JointTable::remove(JointId id) {
    erase(index_[id.slot]);
}

void JointTable::erase(std::size_t index) {
    ids_.release(id_of_[index]);
    joints_.erase(joints_.begin() + std::ptrdiff_t(index));
    id_of_.erase(id_of_.begin() + std::ptrdiff_t(index));
    for (std::size_t i = index; i < id_of_.size(); ++i) index_[id_of_[i].slot] = std::uint32_t(i);
    joined_valid_ = false;
}

void JointTable::remove_at(std::uint32_t slot) {
    for (std::size_t i = joints_.size(); i-- > 0;)
        if (joints_[i].a == slot || joints_[i].b == slot) erase(i);
}

void JointTable::remove_overloaded(const IdPool<struct BodyTag>& bodies) {
    broken_.clear();
    for (std::size_t i = 0; i < joints_.size();) {
        const Joint& joint = joints_[i];
        if (length(joint.force) <= joint.break_force &&
            length(joint.torque) <= joint.break_torque) {
            ++i;
            continue;
        }
        broken_.push_back(
            {id_of_[i], bodies.at(joint.a), bodies.at(joint.b), {joint.force, joint.torque}});
        erase(i);
    }
}

std::span<const ProxyPair> JointTable::without_joined(std::span<const ProxyPair> pairs) {
    if (!joined_valid_) {
        joined_.clear();
        for (const Joint& joint : joints_)
            if (!joint.collide_connected)
                joined_.push_back({std::min(joint.a, joint.b), std::max(joint.a, joint.b)});
        std::ranges::sort(joined_);
        joined_valid_ = true;
    }
    if (joined_.empty()) return pairs;
    kept_.clear();
    kept_.reserve(pairs.size());
    std::ranges::set_difference(pairs, joined_, std::back_inserter(kept_));
    return kept_;
}

} // namespace fovea
