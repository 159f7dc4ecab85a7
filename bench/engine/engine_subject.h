// An engine under test.
#pragma once

#include <memory>
#include <string>

#include "engine_scene.h"
#include "fovea/world/step_report.h"

namespace fovea::bench {

class EngineSubject {
  public:
    virtual ~EngineSubject() = default;
    virtual std::string name() const = 0;
    virtual void step(float h) = 0;
    /// Points of contact in the last step.
    virtual std::size_t contacts() const = 0;
    /// Where the last step's time went; nothing if the engine does not say.
    virtual const PhaseTimes* phases() const { return nullptr; }
    virtual Vec3 position(std::size_t body) const = 0;
    virtual Vec3 velocity(std::size_t body) const = 0;
};

/// `threads` and `sub_steps` as in WorldSettings.
std::unique_ptr<EngineSubject> make_fovea(const EngineScene& scene, int threads, int sub_steps);
/// Whether Bullet was there when this was built.
bool has_bullet();
/// Absent where Bullet was not there when this was built.
std::unique_ptr<EngineSubject> make_bullet(const EngineScene& scene);

} // namespace fovea::bench
