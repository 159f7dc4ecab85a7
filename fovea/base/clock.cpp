#include "fovea/base/clock.h"

#include <ctime>

namespace fovea {

namespace {

double seconds_of(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

} // namespace

double wall_seconds() {
    return seconds_of(CLOCK_MONOTONIC);
}

double thread_cpu_seconds() {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double process_cpu_seconds() {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

} // namespace fovea
