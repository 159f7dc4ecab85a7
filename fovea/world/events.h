// What happened in a step, as arrays to be read after it.
#pragma once

#include <vector>

#include "fovea/base/ids.h"
#include "fovea/base/vec3.h"

namespace fovea {

struct BodyPair {
    BodyId a, b;
    constexpr bool operator==(const BodyPair&) const = default;
};

/// What a joint bears: acts on B at its anchor, and the reverse on A. World axes.
struct JointLoad {
    Vec3 force;  ///< N
    Vec3 torque; ///< N m
};

/// A joint that broke, and is gone.
struct BrokenJoint {
    JointId joint;
    BodyId a, b;
    JointLoad load; ///< that broke it
};

/// Valid until the next step. A body that was removed since is named by its old, dead id.
struct StepEvents {
    std::vector<BodyPair> contact_began; ///< pairs that touch now and did not before
    std::vector<BodyPair> contact_ended;
    std::vector<BodyPair> sensor_entered; ///< the sensor comes first
    std::vector<BodyPair> sensor_left;
    std::vector<BodyId> fell_asleep;
    std::vector<BodyId> woke;
    std::vector<BrokenJoint> joints_broke;

    void clear() {
        for (auto* pairs : {&contact_began, &contact_ended, &sensor_entered, &sensor_left})
            pairs->clear();
        fell_asleep.clear();
        woke.clear();
        joints_broke.clear();
    }
};

} // namespace fovea
