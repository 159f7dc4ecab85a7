// Time measured for reports: wall-clock and the calling thread's or process's CPU time.
#pragma once

namespace fovea {

/// Seconds since some fixed moment; never goes backwards.
double wall_seconds();

/// CPU seconds used by all threads of this process.
double process_cpu_seconds();

/// CPU seconds used by the calling thread.
double thread_cpu_seconds();

/// Measures wall-clock milliseconds since it was made or last lapped.
class Stopwatch {
  public:
    Stopwatch()
        : start_(wall_seconds()) {}
    /// Milliseconds since the last lap; starts the next one.
    double lap_ms() {
        const double now = wall_seconds();
        const double ms = (now - start_) * 1e3;
        start_ = now;
        return ms;
    }

  private:
    double start_;
};

} // namespace fovea
