#include "fovea/world/joint_table.h"

#include <algorithm>

namespace fovea {

namespace {

ProxyPair pair_of(const Joint& joint) {
    return {std::min(joint.a, joint.b), std::max(joint.a, joint.b)};
}

} // namespace

JointId JointTable::add(const Joint& joint) {
    const JointId id = ids_.acquire();
    index_.resize(ids_.slots());
    index_[id.slot] = std::uint32_t(joints_.size());
    joints_.push_back(joint);
    id_of_.push_back(id);
    if (!joint.collide_connected) {
        const ProxyPair pair = pair_of(joint);
        apart_.insert(std::ranges::upper_bound(apart_, pair), pair);
    }
    return id;
}

void JointTable::remove(JointId id) {
    erase(index_[id.slot]);
}

void JointTable::erase(std::size_t index) {
    if (!joints_[index].collide_connected)
        apart_.erase(std::ranges::lower_bound(apart_, pair_of(joints_[index])));
    ids_.release(id_of_[index]);
    joints_.erase(joints_.begin() + std::ptrdiff_t(index));
    id_of_.erase(id_of_.begin() + std::ptrdiff_t(index));
    for (std::size_t i = index; i < id_of_.size(); ++i) index_[id_of_[i].slot] = std::uint32_t(i);
}

void JointTable::remove_at(std::uint32_t slot) {
    for (std::size_t i = joints_.size(); i-- > 0;)
        if (joints_[i].a == slot || joints_[i].b == slot) erase(i);
}

void JointTable::forget(std::uint32_t slot) {
    for (Joint& joint : joints_)
        if (joint.a == slot || joint.b == slot) std::ranges::fill(joint.impulse, Vec3());
}

void JointTable::remove_overloaded(const IdPool<struct BodyTag>& bodies,
                                   std::vector<BrokenJoint>& broken) {
    for (std::size_t i = 0; i < joints_.size();) {
        const Joint& joint = joints_[i];
        if (!(length(joint.force) > joint.break_force ||
              length(joint.torque) > joint.break_torque)) {
            ++i;
            continue;
        }
        broken.push_back(
            {id_of_[i], bodies.at(joint.a), bodies.at(joint.b), {joint.force, joint.torque}});
        erase(i);
    }
}

bool JointTable::rebuild() {
    if (!ids_.consistent() || ids_.alive() != joints_.size() || id_of_.size() != joints_.size())
        return false;
    index_.assign(ids_.slots(), 0);
    std::vector<bool> seen(ids_.slots());
    apart_.clear();
    for (std::size_t i = 0; i < joints_.size(); ++i) {
        if (!ids_.contains(id_of_[i]) || seen[id_of_[i].slot]) return false;
        seen[id_of_[i].slot] = true;
        index_[id_of_[i].slot] = std::uint32_t(i);
        if (!joints_[i].collide_connected) apart_.push_back(pair_of(joints_[i]));
    }
    std::ranges::sort(apart_);
    return true;
}

} // namespace fovea
