// Checks of numbers that come from outside, shared by everything that takes them.
#pragma once

#include <cmath>
#include <string>

#include "fovea/base/quat.h"
#include "fovea/base/result.h"
#include "fovea/dynamics/integrate.h"
#include "fovea/geometry/number_text.h"

namespace fovea {

inline Result<void> check_finite(const char* what, const Vec3& v) {
    const Vec3 a = abs(v);
    if (a.x < k_motion_limit && a.y < k_motion_limit && a.z < k_motion_limit) return {};
    return failure(std::string(what) + " must be finite and below 2^50, but is " + vector_text(v));
}

/// `whose`: "of the joint's first frame".
inline Result<void> check_orientation(const Quat& q, const char* whose = "") {
    const float size = norm_squared(q);
    if (size > 1e-12f && std::isfinite(size)) return {};
    return failure(std::string("the orientation ") + whose + (*whose ? " " : "") +
                   "must be finite and not zero, and so must its square");
}

inline tl::unexpected<Error> unknown(const char* what) {
    return failure(std::string("there is no such ") + what + ": it was removed, or never added");
}

/// The first failure among several checks.
template <class... Checks>
Result<void> first_failure(Checks&&... checks) {
    Result<void> result;
    static_cast<void>(((result = checks, bool(result)) && ...));
    return result;
}

} // namespace fovea
