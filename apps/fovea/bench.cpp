// fovea bench: measures Fovea beside its peers. Each benchmark is a program of its own beside this
// one, so that this one does not depend on the peers' libraries.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "commands.h"
#include "exit_code.h"

namespace fovea::app {

namespace {

constexpr const char* k_names[] = {"engine", "deform", "spheres", "ladder", "impacts", "machine"};

bool known(const std::string& name) {
    for (const char* other : k_names)
        if (name == other) return true;
    return false;
}

/// Becomes the benchmark's program; returns only if that fails.
int run_bench(std::vector<std::string> arguments) {
    if (arguments.empty() || !known(arguments.front())) {
        fmt::print(stderr, "fovea bench: {}; there are {}\n",
                   arguments.empty() ? "which one?"
                                     : fmt::format("no benchmark '{}'", arguments.front()),
                   fmt::join(k_names, ", "));
        return k_wrong_usage;
    }
    const std::string name = arguments.front();
    const auto program =
        std::filesystem::canonical("/proc/self/exe").parent_path() / ("fovea-bench-" + name);
    arguments.front() = "fovea bench " + name;
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    ::execv(program.c_str(), pointers.data());
    fmt::print(stderr, "fovea bench: {}: {} (benchmarks are built with -DFOVEA_BENCH=ON)\n",
               program.string(), std::strerror(errno));
    return k_failed;
}

} // namespace

void add_bench(CLI::App& app, Command& chosen) {
    CLI::App* bench =
        app.add_subcommand("bench", "NAME: measure Fovea beside its peers, and the machine");
    bench->footer(fmt::format("NAME is one of {}; for its options: fovea bench NAME --help.",
                              fmt::join(k_names, ", ")));
    bench->prefix_command();
    bench->final_callback(
        [bench, &chosen] { chosen = [rest = bench->remaining()] { return run_bench(rest); }; });
}

} // namespace fovea::app
