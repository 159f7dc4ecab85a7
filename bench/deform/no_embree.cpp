// Stands in where Embree was not found.
#include "bench/deform/deform_subject.h"

namespace fovea {

std::vector<NamedMaker> embree_makers() {
    return {};
}

} // namespace fovea
