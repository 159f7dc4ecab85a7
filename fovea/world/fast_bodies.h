// Bodies that went so far in a step that they may have passed through something.
//
//      start       wall      end             The way of the step is searched for the first touch
//        o - - - - -|- - - - ->o             with what lies around it, at rest where it is at the
//                  o                         end of the step.
//             first touch
//
// First all are found that have anything in the box around their way (which says more than the
// space-time sphere of Dingliana 5.2: it is as wide as the body, not as the way is long), then
// these are tested, the farthest ways first. What comes of it for the bodies is in world_fast.cpp.
//
// A body that touches from the start, or is about to and comes on slowly, has contacts, which look
// after it. One that spins may still turn past them and get in: the ball inside it is what must not
// get through. Where even that touches, or a body comes on faster and cannot begin its way, it
// stays and loses the velocity with which it goes on against the obstacle. What is inside an
// obstacle already, by its middle, and on its way out is stopped by nothing of it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/geometry/motion.h"
#include "fovea/world/islands.h"
#include "fovea/world/joint_table.h"
#include "fovea/world/query_index.h"

namespace fovea {

struct FastBody {
    std::uint32_t slot;
    float free = 1;  ///< part of its way that needs no test
    Transform end{}; ///< of the shape, as the step left it
    double time = 0; ///< of the first touch, s; the step's length if there is none
    Vec3 against{};  ///< unit, to an immovable obstacle that was touched from the start
    /// What may lie in its way: so many of the obstacles in this list.
    std::uint32_t list = 0, first_obstacle = 0, obstacles = 0;
    std::uint32_t obstacle = 0; ///< that is touched first, if any is
    Vec3 point{}, normal{};     ///< where, and unit, to the obstacle
    bool known = true;          ///< the test was not cut
};

/// What the search reads of the world; by body slot, if not said otherwise.
struct FastScene {
    const Bodies& bodies; ///< as the step left them
    std::span<const CollisionShape> shapes;
    std::span<const std::uint32_t> shape_of;
    std::span<const float> half_width;    ///< of each of `shapes`, the least, m
    std::span<const Vec3> centre;         ///< of mass, in the shape's frame
    std::span<const Transform> placement; ///< of the shape when the step began
    const Islands& islands;
    std::span<const CollisionFilter> filters;
    std::span<const std::uint8_t> sensors; ///< flags
    std::span<const std::uint8_t> fast;    ///< flags: must not pass through what is movable either
    const JointTable& joints;
    const QueryIndex& index;
    bool blows;   ///< the `impulse` response, which knows no contacts before bodies overlap
    float margin; ///< of contacts, m

    const CollisionShape& shape(std::uint32_t slot) const { return shapes[shape_of[slot]]; }
    /// How far a body may go before it needs a test.
    float free_way(std::uint32_t slot) const;
    Motion motion_of(const FastBody& body, float h) const {
        return motion_between(placement[body.slot], body.end, centre[body.slot], h);
    }
};

class FastBodies {
  public:
    /// How many of the active will need a test in a step of `h` seconds in which none gains more
    /// speed than `gain`, and of what they will have to know. `obstacles`: there is something
    /// immovable.
    struct Foreseen {
        std::size_t bodies = 0;
        QueryIndex::Layers layers = QueryIndex::Layers::immovable;
    };
    Foreseen foresee(const FastScene& scene, std::span<const std::uint8_t> active, bool obstacles,
                     float gain, float h);
    /// Of those that were foreseen, how many will have something in their way, going by the step
    /// before.
    std::uint64_t tests_expected() const;

    /// Notes which of `slots` went far. Any of them may have something in its way.
    void gather(const FastScene& scene, std::span<const std::uint32_t> slots, bool obstacles,
                float h);
    bool empty() const { return bodies_.empty(); }
    std::size_t size() const { return bodies_.size(); }
    QueryIndex::Layers layers(const FastScene& scene) const;
    /// Finds which have. The index must be up to date.
    void find_obstacles(const FastScene& scene, const Jobs& jobs);
    /// Those that may have something in their way, in the order in which they are to be tested.
    std::span<const FastBody> blocked() const { return std::span(bodies_).first(blocked_); }
    /// Tests `count` of them from number `first` on, until `deadline` (wall_seconds()). Returns how
    /// many there are before the first whose test was cut: so a number says which count.
    std::size_t test(const FastScene& scene, std::size_t first, std::size_t count, float h,
                     double deadline, const Jobs& jobs);
    /// Whether no test was cut.
    bool all_known() const;

    /// For base/bytes.h.
    template <class Bytes>
    friend void fields(Bytes& bytes, FastBodies& fast) {
        bytes(fast.blocked_before_);
    }

  private:
    std::vector<FastBody> bodies_;
    std::size_t blocked_ = 0, foreseen_ = 0;
    std::vector<std::vector<std::uint32_t>> obstacles_; ///< a list per job
    /// Of the last step whose obstacles were found; at first all may be.
    std::uint32_t blocked_before_ = std::numeric_limits<std::uint32_t>::max();
};

} // namespace fovea
