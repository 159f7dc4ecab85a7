// Numbers as they appear in messages.
#pragma once

#include <cstdio>
#include <string>

#include "fovea/base/vec3.h"

namespace fovea {

/// The shortest of fixed and exponent notation, six significant digits: "0.25", "-1e+20", "nan".
inline std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

/// "(1, -0.5, 2)"
inline std::string vector_text(const Vec3& v) {
    char text[80];
    std::snprintf(text, sizeof text, "(%g, %g, %g)", double(v.x), double(v.y), double(v.z));
    return text;
}

} // namespace fovea
