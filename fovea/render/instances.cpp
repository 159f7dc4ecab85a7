#include "fovea/render/instances.h"

namespace fovea {

namespace {
constexpr auto k_levels = std::uint32_t(k_level_segments.size());
}

void InstanceSorter::begin() {
    added_.clear();
    bucket_.clear();
}

void InstanceSorter::add(std::uint32_t family, int level, const Instance& instance) {
    added_.push_back(instance);
    bucket_.push_back(family * k_levels + std::uint32_t(level));
}

const InstanceList& InstanceSorter::finish(std::size_t family_count) {
    next_.assign(family_count * k_levels, 0);
    for (const std::uint32_t bucket : bucket_) ++next_[bucket];
    list_.runs.clear();
    std::uint32_t first = 0;
    for (std::uint32_t bucket = std::uint32_t(next_.size()); bucket-- > 0;) {
        const std::uint32_t count = next_[bucket];
        if (count > 0)
            list_.runs.push_back({bucket / k_levels, int(bucket % k_levels), first, count});
        next_[bucket] = first;
        first += count;
    }
    list_.instances.resize(added_.size());
    for (std::size_t i = 0; i < added_.size(); ++i)
        list_.instances[next_[bucket_[i]]++] = added_[i];
    return list_;
}

Instance instance_of(const BodyLook& look, const Transform& pose) {
    return {pose.position, pose.orientation.vector(), pose.orientation.w, look.scale, look.colour,
            look.pattern};
}

Instance rod(const Vec3& from, const Vec3& to, float radius) {
    const Vec3 axis = normalized_or(to - from, Vec3(0, 1, 0));
    BodyLook look;
    look.scale = {radius, length(to - from) / 2, radius};
    look.colour = {0.35f, 0.36f, 0.38f};
    return instance_of(look, {(from + to) * 0.5f, rotation_between(Vec3(0, 1, 0), axis)});
}

} // namespace fovea
