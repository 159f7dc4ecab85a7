#include "fovea/contact/coarse_contact_settings.h"

#include <string>

namespace fovea {

Result<void> check_settings(const CoarseContactSettings& s) {
    const auto one_of = [](const char* what, auto value, std::uint32_t count) -> Result<void> {
        if (std::uint32_t(value) < count) return {};
        return failure(std::string("the ") + what + " must be one of " + std::to_string(count) +
                       ", numbered from 0, but is " + std::to_string(std::uint32_t(value)));
    };
    for (const Result<void>& valid :
         {one_of("descent of coarse contacts", s.descent, k_descent_policies),
          one_of("reduction of coarse contacts", s.reduction, k_reductions),
          one_of("point formula of coarse contacts", s.point, k_point_formulas),
          one_of("placing of nodes", s.nodes, k_node_placings)})
        if (!valid) return valid;
    return {};
}

} // namespace fovea
