#include "fovea/volume/sphere_tree_settings.h"

#include <array>
#include <cmath>
#include <string>

#include "fovea/geometry/number_text.h"

namespace fovea {

namespace {

constexpr std::array<std::string_view, k_sphere_methods> k_method_names = {
    "octree", "grid", "hubbard", "medial", "best"};

} // namespace

Result<void> check_settings(const SphereTreeSettings& settings) {
    if (settings.levels < 1 || settings.levels > 8) {
        return failure("levels is " + std::to_string(settings.levels) + "; it must be 1 to 8");
    }
    if (settings.branching < 2 || settings.branching > 64) {
        return failure("branching is " + std::to_string(settings.branching) +
                       "; it must be 2 to 64");
    }
    if (settings.target_error && settings.target_count) {
        return failure("a target error and a target count cannot both be met; give one");
    }
    if (settings.target_error &&
        !(*settings.target_error > 0 && std::isfinite(*settings.target_error))) {
        return failure("target error is " + number_text(*settings.target_error) +
                       "; it must be positive and finite");
    }
    if (settings.target_count && (*settings.target_count < 1 || *settings.target_count > 1000000)) {
        return failure("target count is " + std::to_string(*settings.target_count) +
                       "; it must be 1 to 1000000");
    }
    if (!(settings.effort >= 0.1 && settings.effort <= 10)) {
        return failure("effort is " + number_text(settings.effort) + "; it must be 0.1 to 10");
    }
    if (settings.threads < 0) {
        return failure("threads is " + std::to_string(settings.threads) +
                       "; it must be 0 (one per core) or more");
    }
    return {};
}

std::string_view name_of(SphereMethod method) {
    return k_method_names[std::size_t(method)];
}

std::vector<std::string_view> sphere_method_names() {
    return {k_method_names.begin(), k_method_names.end()};
}

Result<SphereMethod> sphere_method(std::string_view name) {
    std::string known;
    for (std::size_t i = 0; i < k_method_names.size(); ++i) {
        if (name == k_method_names[i]) return SphereMethod(i);
        known += (i ? ", " : "") + std::string(k_method_names[i]);
    }
    return failure("unknown method \"" + std::string(name) + "\"; known are " + known);
}

} // namespace fovea
