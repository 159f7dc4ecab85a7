#include "engine_subject.h"

namespace fovea::bench {

bool has_bullet() {
    return false;
}

std::unique_ptr<EngineSubject> make_bullet(const EngineScene&) {
    return nullptr;
}

} // namespace fovea::bench
