#include "fovea/volume/solid_proof.h"

#include <array>
#include <numeric>

#include "fovea/volume/sphere_neighbours.h"

namespace fovea {

namespace {

/// A corner counts as covered only if it lies this deep in another ball: far above the rounding of
/// the computed corner, far below anything that matters.
constexpr double k_depth = 1e-8;

/// A ball grows by at most this factor to fill a hole of several corners.
constexpr double k_most_growth = 1.25;

struct Corner {
    Vec3d point;
    std::array<std::uint32_t, 3> balls;
};

/// The two points that three spheres have in common; false if there are none.
bool meet(const Ball& a, const Ball& b, const Ball& c, Vec3d (&points)[2]) {
    // In the frame of the centres: u along a->b, v in the plane of the three, w normal to it.
    const Vec3d ab = b.centre - a.centre, ac = c.centre - a.centre;
    const double d = length(ab);
    if (d < 1e-12) return false;
    const Vec3d u = ab / d;
    const double i = dot(u, ac);
    const Vec3d across = ac - u * i;
    const double j = length(across);
    if (j < 1e-12) return false;
    const Vec3d v = across / j;
    const double ra = a.radius * a.radius;
    const double x = (ra - b.radius * b.radius + d * d) / (2 * d);
    const double y = (ra - c.radius * c.radius + i * i + j * j - 2 * i * x) / (2 * j);
    const double height = ra - x * x - y * y;
    // Spheres that only just meet: better a corner too many than a hole overlooked.
    if (height < -1e-12) return false;
    const Vec3d middle = a.centre + u * x + v * y;
    const Vec3d w = cross(u, v) * std::sqrt(std::max(0.0, height));
    points[0] = middle + w;
    points[1] = middle - w;
    return true;
}

std::vector<Corner> find_corners(const ContentModel& content, std::span<const Ball> balls,
                                 const Jobs& jobs) {
    const auto near = overlapping(balls, 1e-9, jobs);
    std::vector<std::vector<Corner>> found(balls.size());
    jobs.for_blocks(balls.size(), 4, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> common;
        for (std::size_t i = begin; i < end; ++i) {
            for (const std::uint32_t j : near[i]) {
                if (j <= i) continue;
                common.clear();
                std::set_intersection(near[i].begin(), near[i].end(), near[j].begin(),
                                      near[j].end(), std::back_inserter(common));
                std::uint32_t last_cover = std::uint32_t(i);
                for (const std::uint32_t k : common) {
                    if (k <= j) continue;
                    Vec3d points[2];
                    if (!meet(balls[i], balls[j], balls[k], points)) continue;
                    for (const Vec3d& p : points) {
                        const auto covers = [&](std::uint32_t m) {
                            const double reach = balls[m].radius - k_depth;
                            return m != i && m != j && m != k && reach > 0 &&
                                   length_squared(p - balls[m].centre) < reach * reach;
                        };
                        // A covering ball meets all three, so it is among the common ones.
                        if (covers(last_cover)) continue;
                        const auto cover = std::find_if(common.begin(), common.end(), covers);
                        if (cover != common.end()) {
                            last_cover = *cover;
                        } else if (content.inside(p)) {
                            found[i].push_back({p, {std::uint32_t(i), j, k}});
                        }
                    }
                }
            }
        }
    });
    std::vector<Corner> corners;
    for (const auto& part : found) corners.insert(corners.end(), part.begin(), part.end());
    return corners;
}

/// True if the arc between two corners on the circle in which balls a and b meet runs through a
/// hole: its middle lies in no ball.
bool is_edge_of_hole(std::span<const Ball> balls, std::uint32_t a, std::uint32_t b, const Vec3d& p,
                     const Vec3d& q) {
    const Vec3d axis = balls[b].centre - balls[a].centre;
    const double d = length(axis);
    if (d < 1e-12) return true;
    const double along = dot(p - balls[a].centre, axis) / d;
    const Vec3d middle = balls[a].centre + axis * (along / d);
    // The arc turns from p to q in the positive sense about the axis.
    const Vec3d u = p - middle, v = q - middle;
    Vec3d half = normalized_or(u, Vec3d()) + normalized_or(v, Vec3d());
    const double turn = dot(cross(u, v), axis);
    if (length(half) < 1e-6) half = cross(axis, u);
    const Vec3d at = middle + normalized_or(half, Vec3d()) * (turn >= 0 ? length(u) : -length(u));
    return std::none_of(balls.begin(), balls.end(), [&](const Ball& ball) {
        return &ball != &balls[a] && &ball != &balls[b] &&
               length_squared(at - ball.centre) < ball.radius * ball.radius;
    });
}

/// Corners of the same hole: joined along the arcs in which two spheres meet.
std::vector<std::vector<std::uint32_t>> holes_of(const std::vector<Corner>& corners,
                                                 std::span<const Ball> balls) {
    std::vector<std::uint32_t> leader(corners.size());
    std::iota(leader.begin(), leader.end(), 0u);
    const auto find = [&](std::uint32_t i) {
        while (leader[i] != i) i = leader[i] = leader[leader[i]];
        return i;
    };
    struct Arc {
        std::uint32_t a, b, corner;
        bool operator<(const Arc& o) const {
            return std::tie(a, b, corner) < std::tie(o.a, o.b, o.corner);
        }
    };
    std::vector<Arc> arcs;
    for (std::uint32_t i = 0; i < corners.size(); ++i) {
        const auto& [a, b, c] = corners[i].balls;
        arcs.push_back({a, b, i});
        arcs.push_back({b, c, i});
        arcs.push_back({a, c, i});
    }
    std::sort(arcs.begin(), arcs.end());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        for (std::size_t k = i + 1;
             k < arcs.size() && arcs[k].a == arcs[i].a && arcs[k].b == arcs[i].b; ++k) {
            const Vec3d &p = corners[arcs[i].corner].point, &q = corners[arcs[k].corner].point;
            if (!is_edge_of_hole(balls, arcs[i].a, arcs[i].b, p, q) &&
                !is_edge_of_hole(balls, arcs[i].a, arcs[i].b, q, p)) {
                continue;
            }
            const std::uint32_t x = find(arcs[i].corner), y = find(arcs[k].corner);
            leader[std::max(x, y)] = std::min(x, y);
        }
    }
    std::vector<std::vector<std::uint32_t>> holes(corners.size());
    for (std::uint32_t i = 0; i < corners.size(); ++i) holes[find(i)].push_back(i);
    std::erase_if(holes, [](const auto& hole) { return hole.empty(); });
    return holes;
}

/// The ball that sticks out of the solid least when it is made to hold the given corners, and the
/// radius that this takes.
std::pair<std::uint32_t, double> cheapest_filling(const ContentModel& content,
                                                  std::span<const Ball> balls,
                                                  const std::vector<Corner>& corners,
                                                  std::span<const std::uint32_t> hole) {
    std::pair<std::uint32_t, double> cheapest{0, 0};
    double least = 1e300;
    for (const std::uint32_t i : hole) {
        for (const std::uint32_t b : corners[i].balls) {
            Ball ball = balls[b];
            for (const std::uint32_t k : hole) {
                ball.radius = std::max(ball.radius, length(corners[k].point - ball.centre));
            }
            const double out = content.protrusion(ball);
            if (out < least) least = out, cheapest = {b, ball.radius};
        }
    }
    return cheapest;
}

} // namespace

std::vector<Vec3d> hole_corners(const ContentModel& content, std::span<const Ball> balls,
                                const Jobs& jobs) {
    std::vector<Vec3d> points;
    for (const Corner& corner : find_corners(content, balls, jobs)) points.push_back(corner.point);
    return points;
}

SolidProof prove_solid(const ContentModel& content, std::span<Ball> balls, const Jobs& jobs) {
    constexpr int k_most_rounds = 40;
    SolidProof proof;
    double extra = 1e-6;
    for (int round = 0; round < k_most_rounds; ++round, extra *= 1.5) {
        const std::vector<Corner> corners = find_corners(content, balls, jobs);
        if (corners.empty()) {
            proof.holds = true;
            return proof;
        }
        for (const auto& hole : holes_of(corners, balls)) {
            const auto [ball, radius] = cheapest_filling(content, balls, corners, hole);
            if (radius <= k_most_growth * balls[ball].radius) {
                // A hair more, and more each round, so that rounding cannot keep a hole alive.
                balls[ball].radius = std::max(balls[ball].radius, radius + extra);
                ++proof.grown;
                continue;
            }
            // Spheres of a regular lattice meet in so many points that unrelated corners seem to
            // belong together: each is then covered by itself.
            for (const std::uint32_t corner : hole) {
                const std::uint32_t alone[1] = {corner};
                const auto [one, reach] = cheapest_filling(content, balls, corners, alone);
                balls[one].radius = std::max(balls[one].radius, reach + extra);
                ++proof.grown;
            }
        }
    }
    return proof;
}

} // namespace fovea
