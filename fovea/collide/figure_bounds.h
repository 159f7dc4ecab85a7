// The collision hierarchy of an articulated figure: spheres around groups of its segments.
//
// It is kept apart from the hierarchy that moves the segments (Dingliana 4.4): an arm hangs on the
// chest, but lies beside the thigh. Segments are put in an order in which those that lie near each
// other at rest are neighbours; a level halves the groups of the level above:
//
//   level 0   [ head chest arm hand | pelvis thigh shin foot ]
//   level 1   [ head chest | arm hand ]  [ pelvis thigh | shin foot ]
//   ...
//   segments  the balls swept along a line themselves
//
// Segments move against each other, so the spheres are fitted anew in every step, all of them: a
// figure has a few dozen. Two figures, or a figure and itself, are then taken down level by level,
// can be stopped before any test, and are answered from the last level that was completed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/volume/node_volume.h"

namespace fovea {

class FigureBounds {
  public:
    FigureBounds() = default;
    /// Of a figure at rest. At least one segment; all are points or segments swept by a ball.
    explicit FigureBounds(std::span<const NodeVolumed> segments);

    /// Around the same segments as they lie now.
    void refit(std::span<const NodeVolumed> segments);

    /// Of spheres; below the last come the segments.
    int levels() const { return levels_; }

    struct Ball {
        Vec3d centre;
        double radius = -1; ///< negative: there is nothing in it
    };
    const Ball& ball(int level, std::uint32_t node) const {
        return balls_[(std::size_t(1) << level) - 1 + node];
    }
    /// The segments, by their number in the figure.
    std::uint32_t size() const { return std::uint32_t(segments_.size()); }
    const NodeVolumed& segment(std::uint32_t number) const { return segments_[number]; }
    /// Numbers of the segments of a node.
    std::span<const std::uint32_t> members(int level, std::uint32_t node) const;

  private:
    void arrange(int level, std::uint32_t node);

    int levels_ = 0;
    std::vector<std::uint32_t> order_;
    std::vector<NodeVolumed> segments_;
    std::vector<Ball> balls_; ///< level after level
};

struct BonePair {
    std::uint32_t a, b;
    constexpr auto operator<=>(const BonePair&) const = default;
};

/// What is known of two figures.
struct FigureMeeting {
    Outcome outcome = Outcome::open;
    int level = -1; ///< completed; FigureBounds::levels() stands for the segments
    /// Nodes of that level, or segments, that touch.
    std::vector<BonePair> pairs;
    std::vector<BonePair> building; ///< scratch
};

/// Takes two figures down until they are decided or the budget ends. The roots are always tested.
void collide_figures(const FigureBounds& a, const FigureBounds& b, WorkMeter& work,
                     FigureMeeting& meeting);

/// The same of a figure with itself; pairs have a < b. `parent`: of each segment; those of parent
/// and child overlap by design and are never reported. A number out of range means none.
void collide_figure_with_itself(const FigureBounds& figure, std::span<const std::uint32_t> parent,
                                WorkMeter& work, FigureMeeting& meeting);

} // namespace fovea
