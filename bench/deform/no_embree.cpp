// Stands in where Embree was not found.
#include "bench/collide/deform_subject.h"

namespace fovea {

std::vector<NamedMaker> embree_makers() {
    return {};
}

} // namespace fovea
