// Stands in where FCL was not found.
#include "bench/deform/deform_subject.h"

namespace fovea {

std::vector<NamedMaker> fcl_makers() {
    return {};
}

} // namespace fovea
