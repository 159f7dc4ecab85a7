// How much better an axis must be to be taken instead of a face's normal, or of the axis of the
// last step. Faces carry whole areas and keep resting bodies still, so they win over edges that
// are only better by a hair.
#pragma once

namespace fovea {

/// Relative to the smaller shape: half a millimetre for boxes of one metre.
constexpr float k_face_preference = 1e-3f;

/// `small` is the half width of the narrower shape; `large` some length of the wider one, to whose
/// rounding the preference must not fall.
constexpr float face_preference(float small, float large) {
    return k_face_preference * small + 1e-6f * large;
}

} // namespace fovea
