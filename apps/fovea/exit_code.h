// The program's exit codes, all of them.
#pragma once

namespace fovea::app {

enum ExitCode {
    k_fine = 0,
    k_failed = 1,      ///< the run failed: an output could not be written, no display, ...
    k_wrong_usage = 2, ///< unknown option, value out of range
    k_bad_input = 3,   ///< the scene or mesh could not be read or understood
};

} // namespace fovea::app
