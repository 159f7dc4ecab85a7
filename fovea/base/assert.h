// FOVEA_ASSERT catches a caller's mistake in debug builds. What can go wrong with correct callers
// (files, numbers from outside) is reported through Result instead.
#pragma once

namespace fovea {

/// Prints the failed condition with its place to standard error and aborts.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

} // namespace fovea

#ifdef NDEBUG
#define FOVEA_ASSERT(condition) static_cast<void>(0)
#else
#define FOVEA_ASSERT(condition)                                                                    \
    static_cast<void>((condition) ||                                                               \
                      (::fovea::assertion_failed(#condition, __FILE__, __LINE__), false))
#endif
