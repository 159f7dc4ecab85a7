#include "fovea/world/inaccuracy.h"

#include <algorithm>
#include <limits>

#include "fovea/geometry/triangle_distance.h"

namespace fovea {

namespace {

constexpr double k_far = std::numeric_limits<double>::infinity();

TriangleCorners corners(const PlacedLadder& body, std::uint32_t element) {
    const SurfaceTriangle& triangle = body.ladder.triangles[element];
    return {body.at * triangle.corners[0], body.at * triangle.corners[1],
            body.at * triangle.corners[2]};
}

LadderPair at_margin(LadderPair pair, double margin) {
    pair.margin = pair.exact_margin = float(margin);
    return pair;
}

/// The deepest point of the manifolds made last.
double deepest(const PairManifolds& manifolds) {
    double separation = k_far;
    for (const Manifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            separation = std::min(separation, double(manifold.points[std::size_t(i)].separation));
    return separation;
}

Vec3d centre(const PlacedLadder& body, std::uint32_t slot) {
    return Vec3d(body.at * body.ladder.ball(slot).centre);
}

/// Between the centres of the last two nodes in the list; of a half-space to its plane.
double centre_distance(const LadderPair& pair, const PairDescent& descent) {
    const std::uint32_t last = descent.count - 1;
    const Ladder &a = pair.a.ladder, &b = pair.b.ladder;
    const auto to_plane = [](const PlacedLadder& plane, const Vec3d& p) {
        const Vec3 local = inverse(plane.at) * Vec3(p);
        return std::abs(double(dot(plane.ladder.plane.normal, local) - plane.ladder.plane.offset));
    };
    if (a.is_half_space()) return to_plane(pair.a, centre(pair.b, descent.b[last]));
    if (b.is_half_space()) return to_plane(pair.b, centre(pair.a, descent.a[last]));
    return length(centre(pair.b, descent.b[last]) - centre(pair.a, descent.a[last]));
}

} // namespace

double exact_separation(const LadderPair& pair, double reach, LadderWorker& worker) {
    const LadderPair touching = at_margin(pair, 0);
    const PairDescent crossing = worker.finish(touching);
    const bool triangles =
        pair.a.ladder.top == LadderTop::triangles && pair.b.ladder.top == LadderTop::triangles;
    if (crossing.count > 0) {
        worker.model(touching, crossing, true);
        const double depth = deepest(worker.manifolds);
        if (depth < k_far) return depth;
        if (triangles) return 0;
    }
    // Outward until something is found: the nearest may lie anywhere within the last margin.
    for (double margin = reach / 16; margin <= 2 * reach; margin *= 2) {
        const LadderPair near = at_margin(pair, margin);
        const PairDescent found = worker.finish(near);
        if (found.count == 0) continue;
        double least = k_far;
        if (triangles) {
            for (std::uint32_t i = 0; i < found.count; ++i)
                least = std::min(
                    least, triangle_gap(corners(pair.a, found.a[i]), corners(pair.b, found.b[i]))
                               .distance);
        } else {
            worker.model(near, found, true);
            least = deepest(worker.manifolds);
        }
        if (least < k_far) return least;
    }
    return k_far;
}

Inaccuracy measure_inaccuracy(std::span<const ProxyPair> pairs, const PlacedShapes& bodies,
                              std::span<const PairAnswer> answers) {
    Inaccuracy sum;
    LadderWorker worker;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const PairAnswer& answer = answers[i];
        const bool left_out =
            answer.kind == PairAnswer::Kind::suppressed || answer.kind == PairAnswer::Kind::dropped;
        const bool by_nodes = answer.kind == PairAnswer::Kind::rung && !answer.descent.exact;
        if ((!by_nodes && !left_out) || answer.descent.count == 0) continue;
        const LadderPair pair = ladder_pair(bodies, pairs[i].a, pairs[i].b, 0);
        const auto size = [](const Ladder& ladder, std::uint8_t level) {
            return ladder.is_half_space() ? 0 : double(ladder.largest_radius[level]);
        };
        sum.left_out += left_out;
        sum.touching += by_nodes;
        if (by_nodes) sum.delta += centre_distance(pair, answer.descent);
        // Two nodes that touch are no wider than this, and both have surface in them.
        const double reach = 2 * (size(pair.a.ladder, answer.descent.level_a) +
                                  size(pair.b.ladder, answer.descent.level_b)) +
                             double(answer.margin);
        const double separation = exact_separation(pair, reach, worker);
        if (separation == k_far || (left_out && separation > 0)) continue;
        if (separation > 0) {
            ++sum.repelled;
            sum.gap += separation;
            sum.worst_gap = std::max(sum.worst_gap, separation);
        } else {
            sum.penetration = std::max(sum.penetration, -separation);
            sum.missed += left_out;
            if (left_out) sum.missed_depth = std::max(sum.missed_depth, -separation);
        }
    }
    return sum;
}

} // namespace fovea
