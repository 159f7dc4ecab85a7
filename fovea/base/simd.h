// The instruction sets that SIMD kernels were compiled for, and the choice among them.
//
// A kernel is written once with Highway and compiled for every instruction set; the best one that
// the processor has is chosen when the program runs. Rules for simulation kernels, so that every
// instruction set gives the same bits: multiply and add apart (never MulAdd), no horizontal sums
// of floats, no approximate reciprocals; lanes stay independent.
//
// A kernel file looks like this (see base/stream_kernels.cpp):
//
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "fovea/base/stream_kernels.cpp"   the file itself
//   #include <hwy/foreach_target.h>                              re-includes it per target
//   #include <hwy/highway.h>
//   HWY_BEFORE_NAMESPACE(); namespace fovea::HWY_NAMESPACE { kernels } HWY_AFTER_NAMESPACE();
//   #if HWY_ONCE ... HWY_EXPORT, HWY_DYNAMIC_DISPATCH ... #endif
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fovea {

/// One instruction set, for example "AVX2".
struct SimdTarget {
    std::int64_t code; ///< Highway's bit
    std::string name;
};

/// The instruction sets both compiled in and present on this processor, best first.
std::vector<SimdTarget> simd_targets();

/// Makes all kernels use `target` alone. Not to be called while kernels run.
void use_simd_target(const SimdTarget& target);

/// Back to the best that the processor has.
void use_best_simd_target();

} // namespace fovea
