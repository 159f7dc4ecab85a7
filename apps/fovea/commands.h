// The commands of the program. Each adds itself with its options to the command line; `chosen`
// is set to what is to be run when its name was given.
#pragma once

#include <functional>

#include <CLI/App.hpp>

namespace fovea::app {

using Command = std::function<int()>; ///< returns an ExitCode

void add_run(CLI::App& app, Command& chosen);
void add_generate(CLI::App& app, Command& chosen);
void add_spheres(CLI::App& app, Command& chosen);
void add_replay(CLI::App& app, Command& chosen);
void add_bench(CLI::App& app, Command& chosen);
#ifdef FOVEA_HAVE_RENDER
void add_view(CLI::App& app, Command& chosen);
#endif

} // namespace fovea::app
