// Bodies sorted into draw calls: one run of instances for each mesh and level of detail.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/transform.h"
#include "fovea/render/draw_plan.h"

namespace fovea {

/// What the vertex shader reads per body.
struct Instance {
    Vec3 position;
    Vec3 orientation_vector;
    float orientation_scalar;
    Vec3 scale;
    Vec3 colour;
    float pattern;
};

/// Instances of one mesh, contiguous in InstanceList::instances.
struct InstanceRun {
    std::uint32_t family;
    int level;
    std::uint32_t first, count;
};

struct InstanceList {
    std::vector<Instance> instances;
    std::vector<InstanceRun> runs;
};

/// Fills an InstanceList; keeps its memory from picture to picture.
class InstanceSorter {
  public:
    /// Forgets what was added.
    void begin();
    void add(std::uint32_t family, int level, const Instance& instance);
    /// Puts what was added in order of family and level, the finest (nearest) level first; equal
    /// ones stay in order of addition.
    const InstanceList& finish(std::size_t family_count);

  private:
    std::vector<Instance> added_;
    std::vector<std::uint32_t> bucket_; ///< family * levels + level, per added instance
    std::vector<std::uint32_t> next_;   ///< per bucket
    InstanceList list_;
};

Instance instance_of(const BodyLook& look, const Transform& pose);

/// A cylinder from `from` to `to`, for a spring.
Instance rod(const Vec3& from, const Vec3& to, float radius);

} // namespace fovea
