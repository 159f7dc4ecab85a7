// The area that two facing features have in common, as contact points.
//
//        .-----------.
//        |  incident |.---.       The incident feature is clipped against the sides of the
//        |     o=====o|   |       reference face, taken parallel to the contact normal
//        |     |     ||   |       (Sutherland and Hodgman 1974); what remains is measured against
//        '-----o=====o'   |       the plane of the reference face.
//         reference   '---'
//
#pragma once

#include "fovea/contact/candidates.h"
#include "fovea/contact/feature.h"

namespace fovea {

/// Appends the corners of the common area of `a` and `b`, both in the frame of A, that are nearer
/// than `margin` along the unit vector `normal` from A to B. Features that do not face each other
/// (steep faces, crossing edges) give nothing.
void overlap_area(const Feature& a, const Feature& b, const Vec3& normal, float margin,
                  Candidates& candidates);

} // namespace fovea
