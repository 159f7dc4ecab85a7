#include "engine_subject.h"

namespace fovea::bench {

std::unique_ptr<EngineSubject> make_bullet(const EngineScene&) {
    return nullptr;
}

} // namespace fovea::bench
