// Articulated figures: bones that hang together, as bodies and joints of a world.
//
// Two hierarchies over the same bones, kept apart (Dingliana 4.4):
//
//   transform   pelvis > chest > upper arm > hand        who carries whom: pose()
//   collision   spheres around bones that lie together   what is near what: FigureBounds
//
// A bone is a ball swept along a line: a capsule with a mass, joined to its parent. In the world's
// steps bones are bodies like any other and collide with each other, but for parent and child,
// which overlap at their joint by design. For these a least angle can be set: folded further, they
// are reported.
//
//   Figure figure = *Figure::add(world, bones);
//   world.step(...);
//   figure.look(world);                                  bones as they lie now
//   figure.touching(work, meeting);                      bones of it that touch each other
//   figure.folded()                                      joints bent too far
#pragma once

#include <span>
#include <vector>

#include "fovea/collide/figure_bounds.h"
#include "fovea/world/world.h"

namespace fovea {

struct Bone {
    static constexpr std::uint32_t k_no_parent = 0xffffffffu;

    std::uint32_t parent = k_no_parent; ///< an earlier one; only the first has none
    Vec3 from, to;                      ///< ends of the line, at rest, in the figure's frame
    float radius = 0;                   ///< of the ball, m
    float mass = 0;                     ///< kg
    JointType joint = BallJoint{};      ///< with the parent
    Vec3 anchor{};                      ///< of the joint, at rest
    Vec3 axis{1, 0, 0};                 ///< likewise
    /// Between the directions from the joint to the far ends of both bones, rad; 0: any.
    float least_angle = 0;
    Material material{};
};

class Figure {
  public:
    /// Adds bodies and joints, at rest at `at`. Refuses what the world refuses, and bones in an
    /// order without sense; the world is then as it was.
    static Result<Figure> add(World& world, std::span<const Bone> bones, const Transform& at = {});

    std::span<const BodyId> bodies() const { return bodies_; }
    std::span<const JointId> joints() const { return joints_; } ///< one less than bodies
    const FigureBounds& bounds() const { return bounds_; }

    /// Places the bones: `turns` about their joints, one for each bone and relative to rest, in the
    /// figure's axes; that of the first about the figure's origin. Velocities stay.
    Result<void> pose(World& world, const Transform& at, std::span<const Quat> turns) const;

    /// Takes note of where the bones are. False if one of them is gone.
    bool look(const World& world);

    /// Bones that touch each other, as of the last look.
    void touching(WorkMeter& work, FigureMeeting& meeting) const {
        collide_figure_with_itself(bounds_, parents_, work, meeting);
    }
    /// Bones that are folded against their parents further than allowed, likewise.
    std::span<const std::uint32_t> folded() const { return folded_; }

  private:
    void find_folded();

    struct Hinge {
        Vec3 own_joint, own_end;         ///< in the bone's frame
        Vec3 parents_joint, parents_end; ///< in the parent's
        float most_cosine = 2;           ///< of the angle between the two; above 1: any
    };

    std::vector<BodyId> bodies_;
    std::vector<JointId> joints_;
    std::vector<std::uint32_t> parents_;
    std::vector<Transform> rest_; ///< of the bones, in the figure's frame
    std::vector<Vec3> anchors_;   ///< in the figure's frame
    std::vector<Hinge> hinges_;
    std::vector<Transform> placed_; ///< as of the last look
    std::vector<NodeVolumed> segments_;
    std::vector<float> half_, radius_;
    std::vector<std::uint32_t> folded_;
    FigureBounds bounds_;
};

} // namespace fovea
