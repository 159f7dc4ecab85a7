#include "fovea/world/definitions.h"

#include <cmath>
#include <initializer_list>

#include "fovea/world/checks.h"

namespace fovea {

namespace {

struct Setting {
    const char* name;
    float value;
};

} // namespace

Result<void> check_settings(const WorldSettings& s) {
    if (Result<void> valid = check_finite("the gravity", s.gravity); !valid) return valid;
    for (const auto& [name, value] : std::initializer_list<Setting>{
             {"contact stiffness", s.soft_step.contact_hertz},
             {"contact damping", s.soft_step.contact_damping},
             {"slop", s.soft_step.slop},
             {"recovery", s.soft_step.recovery},
             {"speed of pushing", s.soft_step.max_push},
             {"restitution threshold", s.soft_step.restitution_threshold},
             {"joint stiffness", s.soft_step.joints.hertz},
             {"joint damping", s.soft_step.joints.damping},
             {"speed of pushing joints", s.soft_step.joints.max_push},
             {"speed of still contacts", s.impulse.still_speed},
             {"contact margin", s.contact.margin},
             {"recycling distance", s.contact.recycle.distance},
             {"recycling angle", s.contact.recycle.angle},
             {"speed of sleepers", s.sleep.speed},
             {"time until sleep", s.sleep.seconds}})
        if (!(value >= 0 && std::isfinite(value)))
            return failure(std::string("the ") + name +
                           " must be finite and not negative, but is " +
                           number_text(double(value)));
    if (Result<void> valid = check_settings(s.schedule); !valid) return valid;
    if (Result<void> valid = check_settings(s.coarse); !valid) return valid;
    struct Count {
        const char* name;
        int value, least;
    };
    for (const auto& [name, value, least] : std::initializer_list<Count>{
             {"number of sub-steps", s.soft_step.sub_steps, 1},
             {"number of restitution passes", s.soft_step.restitution_passes, 0},
             {"number of velocity passes", s.impulse.velocity_passes, 0},
             {"number of velocity visits", s.impulse.velocity_visits, 0},
             {"number of position passes", s.impulse.position_passes, 0}})
        if (value < least || value > 10000)
            return failure(std::string("the ") + name + " must lie within " +
                           std::to_string(least) + " and 10000, but is " + std::to_string(value));
    return {};
}

} // namespace fovea
