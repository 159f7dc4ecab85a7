#include "fovea/collide/overlap_depth.h"

#include "fovea/collide/ladder_search.h"

namespace fovea {

namespace {

/// The middle of a contour in a flat face may be just outside: by rounding, in parts of the mesh.
constexpr double k_nudge = 1e-5;

struct LookedAt {
    const Ladder& mesh;
    Transformd in_a;
    std::vector<std::uint32_t>& open;
    WorkMeter& work;

    double radius() const { return mesh.ball(k_root_slot).radius; }

    /// Where the line from `point` leaves the mesh; none if the point is outside.
    std::optional<double> exit(const Vec3d& point, const Vec3d& direction) const {
        FirstCrossing first({rotate_back(in_a.orientation, point - in_a.position),
                             rotate_back(in_a.orientation, direction), 4 * radius()});
        std::uint64_t shown = 0;
        if (!show_triangles(mesh, first, open, work, shown) || !first.outward) return std::nullopt;
        return first.distance;
    }
};

/// From the middle to where one mesh ends, and back from there to where the other does.
std::optional<double> there_and_back(const LookedAt& there, const LookedAt& back,
                                     const Vec3d& middle, const Vec3d& direction) {
    const double nudge = k_nudge * there.radius();
    const Vec3d start = middle - direction * nudge;
    const auto way = there.exit(start, direction);
    if (!way) return std::nullopt;
    return back.exit(start + direction * *way, -direction);
}

} // namespace

std::optional<double> overlap_depth(const Ladder& a, const Ladder& b, const Transformd& b_in_a,
                                    const Vec3d& middle, const Vec3d& a_to_b,
                                    std::vector<std::uint32_t>& open, WorkMeter& work) {
    const LookedAt of_a{a, Transformd(), open, work}, of_b{b, b_in_a, open, work};
    const auto depth = there_and_back(of_a, of_b, middle, a_to_b);
    return depth ? depth : there_and_back(of_b, of_a, middle, -a_to_b);
}

} // namespace fovea
