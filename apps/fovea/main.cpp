// fovea: the command line program.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "commands.h"
#include "exit_code.h"

using namespace fovea::app;

int main(int argc, char** argv) {
    CLI::App app("A physics and collision engine that is given a budget and keeps it.");
    app.name("fovea");
    app.set_version_flag("--version", FOVEA_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 fine, 1 the run failed, 2 wrong usage, 3 bad input.");

    Command chosen;
    add_run(app, chosen);
    add_generate(app, chosen);
    add_spheres(app, chosen);
    add_replay(app, chosen);
    add_bench(app, chosen);
#ifdef FOVEA_HAVE_RENDER
    add_view(app, chosen);
#endif

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& done) { // --help, --version
        return app.exit(done);
    } catch (const CLI::ParseError& error) {
        const auto commands = app.get_subcommands();
        if (commands.empty() && argc > 1 && argv[1][0] != '-')
            std::fprintf(stderr, "fovea: there is no command %s\n", argv[1]);
        else
            std::fprintf(stderr, "fovea: %s\n", error.what());
        const std::string of = commands.empty() ? "" : commands.front()->get_name() + " ";
        std::fprintf(stderr, "fovea: see fovea %s--help\n", of.c_str());
        return k_wrong_usage;
    }
    try {
        return chosen();
    } catch (const std::exception& error) { // out of memory, for example
        std::fprintf(stderr, "fovea: %s\n", error.what());
        return k_failed;
    }
}
