// What the programs behind `fovea bench` measured, as a file beside what they print.
#pragma once

#include <cstdio>
#include <fstream>
#include <string>

namespace fovea::bench {

/// Writes the report, if a file is named. The program's exit code.
int write_report(const char* program, const std::string& path, const auto& report) {
    if (path.empty()) return 0;
    std::ofstream file(path);
    file << report.dump(1) << std::endl;
    if (file) return 0;
    std::fprintf(stderr, "%s: cannot write %s\n", program, path.c_str());
    return 1;
}

} // namespace fovea::bench
