#include "fovea/scene/diagnostic.h"

#include <iterator>

#include <fmt/format.h>

namespace fovea {

namespace {

constexpr std::size_t k_readable_length = 40;

std::string located(std::string_view file, SourcePlace place) {
    return fmt::format("{}:{}:{}", file, place.line, place.column);
}

} // namespace

std::string describe(const Diagnostic& diagnostic, std::string_view file) {
    const std::string what =
        diagnostic.declaration.empty() ? "" : readable(diagnostic.declaration) + ": ";
    if (diagnostic.faults.size() == 1 && diagnostic.faults_left_out == 0) {
        const Fault& fault = diagnostic.faults.front();
        return fmt::format("{}: {}{}", located(file, fault.place), what, fault.message);
    }
    std::string text = fmt::format("{}: {}{} faults", located(file, diagnostic.place), what,
                                   diagnostic.faults.size() + diagnostic.faults_left_out);
    for (const Fault& fault : diagnostic.faults)
        fmt::format_to(std::back_inserter(text), "\n    {}: {}", located(file, fault.place),
                       fault.message);
    if (diagnostic.faults_left_out > 0)
        fmt::format_to(std::back_inserter(text), "\n    ... and {} more",
                       diagnostic.faults_left_out);
    return text;
}

std::string readable(std::string_view text) {
    std::string result;
    for (char c : text.substr(0, k_readable_length)) {
        if (c >= ' ' && c <= '~')
            result += c;
        else
            fmt::format_to(std::back_inserter(result), "\\x{:02x}", static_cast<unsigned char>(c));
    }
    if (text.size() > k_readable_length) result += "...";
    return result;
}

} // namespace fovea
