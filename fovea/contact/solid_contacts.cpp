// Convex solids of any kind: the nearest or deepest place by GJK and EPA, and around it the area
// that the facing features have in common.
#include <algorithm>

#include "fovea/contact/overlap.h"
#include "fovea/contact/pair_contacts.h"
#include "fovea/geometry/point_distance.h"
#include "fovea/geometry/round_pairs.h"

namespace fovea {

namespace {

/// Gap, relative to the smaller core, at which closest points are looked for again.
constexpr double k_just_apart = 1e-4;

CorePair placed_cores(const ConvexCore& a, const ConvexCore& b, const PairPose& pose) {
    return {a, b, Mat3d{Vec3d(pose.rotation.x), Vec3d(pose.rotation.y), Vec3d(pose.rotation.z)},
            Vec3d(pose.position)};
}

/// True if the axis of the last step still keeps the pair apart.
bool still_apart(const CorePair& pair, const PairWork& work) {
    if (work.cache.state != PairCache::State::apart) return false;
    const Vec3d axis(work.cache.vector);
    const double gap =
        dot(axis, pair.support_b(-axis) - pair.support_a(axis)) - pair.a.rounding - pair.b.rounding;
    return gap >= work.margin;
}

/// Finds the points of overlapping cores again, as the closest points of the cores moved just
/// apart.
LocalProximity points_again(const CorePair& pair, LocalProximity p) {
    const double size = std::min(pair.a.size, pair.b.size);
    const double core_separation = p.separation + pair.a.rounding + pair.b.rounding;
    const Vec3d shift = p.normal * (k_just_apart * size - core_separation);
    const GjkResult found = gjk({pair.a, pair.b, pair.rotation, pair.position + shift});
    if (!found.apart) return p;
    const Vec3d midway = (found.proximity.point_a + found.proximity.point_b - shift) * 0.5 +
                         p.normal * (0.5 * (pair.a.rounding - pair.b.rounding));
    p.point_a = midway - p.normal * (0.5 * p.separation);
    p.point_b = midway + p.normal * (0.5 * p.separation);
    return p;
}

/// Nearest or deepest points whose difference is along the normal. EPA may end with points of two
/// flat parts that face each other but do not lie opposite.
LocalProximity opposite_points(const CorePair& pair, const LocalProximity& p) {
    const Vec3d sideways = p.point_b - p.point_a - p.normal * p.separation;
    const double size = std::min(pair.a.size, pair.b.size);
    return length(sideways) > k_contact_rounding * size ? points_again(pair, p) : p;
}

/// Corners of the area this near to the place of contact, relative to the smaller shape, give way
/// to it: two points in one place would make solvers slow.
constexpr float k_same_place = 0.05f;

/// Adds the place of contact. It takes the feature of the corner whose place it takes, so that it
/// keeps its name while a shape rocks.
void add_spot(const ManifoldPoint& spot, float same_place, Candidates& candidates) {
    ManifoldPoint* nearest = nullptr;
    float least = same_place * same_place;
    for (ManifoldPoint& c : candidates) {
        const float squared = length_squared(c.point - spot.point);
        if (squared < least) {
            least = squared;
            nearest = &c;
        }
    }
    if (nearest)
        *nearest = {spot.point, spot.separation, nearest->feature};
    else if (candidates.full())
        candidates[0] = spot;
    else
        candidates.push_back(spot);
}

/// `size` of the smaller shape sets what counts as rounding.
void meet(const LocalProximity& nearest, const Feature& a, const Feature& b, double size,
          const PairWork& work) {
    const Vec3 normal(nearest.normal);
    const auto tolerance = float(size) * k_contact_rounding;
    Candidates candidates;
    overlap_area(a, b, normal, work.margin, candidates);
    float deepest = work.margin;
    for (const ManifoldPoint& c : candidates) deepest = std::min(deepest, c.separation);
    // Curved surfaces and steep features: the area misses the very place of contact.
    if (candidates.empty() || deepest > float(nearest.separation) + tolerance)
        add_spot({Vec3((nearest.point_a + nearest.point_b) * 0.5), float(nearest.separation),
                  spot_feature(a.number, b.number)},
                 k_same_place * float(size), candidates);
    choose_points(candidates, normal, float(size) * k_equal_depth, work.manifold);
}

template <class Other>
void meet_or_part(const LocalProximity& nearest, const Shape& a, const Other& b, double size,
                  const PairWork& work) {
    const Vec3 normal(nearest.normal);
    if (!(nearest.separation < work.margin)) return work.found_apart(normal);
    Feature feature_a, feature_b;
    find_feature(a, normal, feature_a);
    find_feature(b, -transposed_times(work.pose.rotation, normal), feature_b);
    place(feature_b, work.pose);
    meet(nearest, feature_a, feature_b, size, work);
}

} // namespace

void collide_solids(const Shape& a, const Shape& b, const PairWork& work) {
    const ConvexCore core_a = make_core(a), core_b = make_core(b);
    const CorePair pair = placed_cores(core_a, core_b, work.pose);
    if (still_apart(pair, work)) return;
    meet_or_part(opposite_points(pair, core_proximity(pair)), a, b,
                 std::min(core_a.size, core_b.size), work);
}

void collide_solid_triangle(const Shape& a, const std::array<Vec3, 3>& b, const PairWork& work) {
    const ConvexCore core_a = make_core(a);
    const ConvexCore core_b = make_core(
        std::array{Vec3d(work.pose * b[0]), Vec3d(work.pose * b[1]), Vec3d(work.pose * b[2])});
    const CorePair pair{core_a, core_b, Mat3d::identity(), Vec3d()};
    if (still_apart(pair, work)) return;
    const double size = std::min(core_a.size, core_b.size);
    LocalProximity nearest = opposite_points(pair, core_proximity(pair));
    // Seen edge on, a triangle is so thin that EPA may put the point beside it.
    if (point_to_triangle(core_b.corners, nearest.point_b).distance > k_equal_depth * size)
        nearest = points_again(pair, nearest);
    meet_or_part(nearest, a, b, size, work);
}

void collide_round_solids(const Shape& a, const Shape& b, const PairWork& work) {
    const ConvexCore core_a = make_core(a), core_b = make_core(b);
    const CorePair pair = placed_cores(core_a, core_b, work.pose);
    if (still_apart(pair, work)) return;
    const auto parallel = parallel_round_cores(pair);
    meet_or_part(parallel ? rounded(pair, *parallel) : opposite_points(pair, core_proximity(pair)),
                 a, b, std::min(core_a.size, core_b.size), work);
}

void collide_capsules(const Shape& a, const Shape& b, const PairWork& work) {
    const auto& first = std::get<Capsule>(a);
    const auto& second = std::get<Capsule>(b);
    const LocalProximity nearest =
        capsule_capsule({first.radius, first.half_height}, {second.radius, second.half_height},
                        Vec3d(work.pose.rotation.y), Vec3d(work.pose.position));
    meet_or_part(nearest, a, b, std::min(first.radius, second.radius), work);
}

} // namespace fovea
