#include "fovea/base/simd.h"

#include <bit>

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace fovea {

std::vector<SimdTarget> simd_targets() {
    std::vector<SimdTarget> targets;
    // Highway gives better instruction sets of one architecture the lower bits.
    for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
        const std::int64_t code = std::int64_t(1) << std::countr_zero(std::uint64_t(left));
        targets.push_back({code, hwy::TargetName(code)});
    }
    return targets;
}

void use_simd_target(const SimdTarget& target) {
    hwy::SetSupportedTargetsForTest(target.code);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

void use_best_simd_target() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

} // namespace fovea
