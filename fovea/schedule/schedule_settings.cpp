#include "fovea/schedule/schedule_settings.h"

#include <array>
#include <string>

namespace fovea {

namespace {

constexpr std::array<std::string_view, k_schedule_policies> k_names{
    "round-robin",    "sequential",         "sorted", "two-queues",
    "several-queues", "sorted-inner-queue", "random", "depth-first"};

} // namespace

std::string_view name_of(SchedulePolicy policy) {
    return k_names[std::size_t(policy)];
}

std::vector<std::string_view> schedule_policy_names() {
    return {k_names.begin(), k_names.end()};
}

Result<SchedulePolicy> schedule_policy(std::string_view name) {
    std::string known;
    for (std::size_t i = 0; i < k_names.size(); ++i) {
        if (k_names[i] == name) return SchedulePolicy(i);
        known += (i == 0 ? "" : ", ") + std::string(k_names[i]);
    }
    return failure("there is no schedule \"" + std::string(name) + "\", only " + known);
}

Result<void> check_settings(const ScheduleSettings& s) {
    const auto share = [](const char* what, float value) -> Result<void> {
        if (value >= 0 && value <= 1) return {};
        return failure(std::string(what) + " must lie within 0 and 1, but is " +
                       std::to_string(value));
    };
    if (std::size_t(s.policy) >= k_schedule_policies)
        return failure("there is no schedule of number " + std::to_string(int(s.policy)));
    for (const Result<void>& valid : {share("the share of the first queue", s.inner_share),
                                      share("the share of detection", s.detection_share),
                                      share("the tolerance of pairs found apart", s.tolerance),
                                      share("the share of random spin", s.random_spin)})
        if (!valid) return valid;
    if (s.queues < 2 || s.queues > 64)
        return failure("the number of queues must lie within 2 and 64, but is " +
                       std::to_string(s.queues));
    if (!(s.hysteresis >= 1 && s.hysteresis <= 1000))
        return failure("the hysteresis must lie within 1 and 1000, but is " +
                       std::to_string(s.hysteresis));
    return {};
}

} // namespace fovea
