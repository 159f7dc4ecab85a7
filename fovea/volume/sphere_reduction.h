// Few spheres for a share of the shape, chosen from many medial balls.
//
// The stand-off of a ball that is made to hold an element is radius + signed distance of its centre
// (ContentModel::protrusion): how far it then sticks out. Three reductions, after Bradshaw and
// O'Sullivan, "Adaptive medial-axis approximation for sphere-tree construction" (2004):
//
//   merge    joins the two neighbouring balls whose common ball stands off least, again and again
//   burst    drops the ball whose elements the others take over at least stand-off, again and again
//   expand   the least stand-off at which few enough balls, all grown to it, hold every element
#pragma once

#include "fovea/volume/cover_elements.h"

namespace fovea {

/// A sphere and the elements given to it.
struct ShareBall {
    Ball ball;
    std::vector<std::uint32_t> elements;
};

struct Reduction {
    bool merge = false, burst = false, expand = false; ///< the best of those asked for is taken
    bool cluster = false; ///< also tries plain k-means clusters of the elements
    bool adaptive = true; ///< balls are added where stand-off is largest; otherwise evenly
    bool by_mean = false; ///< best by mean error; otherwise by worst
    bool even = false;    ///< count it as an error if one ball gets most of the elements
};

/// 1 if the elements are evenly shared out among the balls, 2 if one ball has them all: a factor to
/// errors of balls that will be divided further.
double unevenness(std::span<const std::size_t> elements);

/// At most `count` balls that hold all of `share`, each with the elements it is responsible for.
std::vector<ShareBall> reduced(const ContentModel& content, const CoverElements& elements,
                               std::span<const Ball> medial, std::span<const std::uint32_t> share,
                               std::size_t count, const Reduction& how);

} // namespace fovea
