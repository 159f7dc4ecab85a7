#include "fovea/volume/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "fovea/geometry/rounding.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_leaf_size = 4;

/// Spreads the low 21 bits of `v` three apart.
std::uint64_t spread_bits(std::uint64_t v) {
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffff;
    v = (v | v << 16) & 0x1f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    v = (v | v << 2) & 0x1249249249249249;
    return v;
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

} // namespace

Vec3d closest_point(const Triangle3d& triangle, const Vec3d& p) {
    // Voronoi regions of corners, then edges, then the face (Ericson, "Real-Time Collision
    // Detection", 5.1.5). Edges of no length fall to their first corner.
    const auto& [a, b, c] = triangle;
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 - d3 > 0) return a + ab * (d1 / (d1 - d3));
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + ac * ratio(d2, d2 - d6);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        return b + (c - b) * ratio(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    const double sum = va + vb + vc;
    return a + ab * ratio(vb, sum) + ac * ratio(vc, sum);
}

Vec3d corner_weights(const Triangle3d& t, const Vec3d& p) {
    const Vec3d u = t[1] - t[0], v = t[2] - t[0], w = p - t[0];
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const double determinant = uu * vv - uv * uv;
    if (!(determinant > 1e-12 * uu * vv)) {
        const double along = uu > 0 ? std::clamp(dot(w, u) / uu, 0.0, 1.0) : 0;
        return {1 - along, along, 0};
    }
    const double second = (vv * dot(w, u) - uv * dot(w, v)) / determinant;
    const double third = (uu * dot(w, v) - uv * dot(w, u)) / determinant;
    return {1 - second - third, second, third};
}

double longest_edge(const Triangle3d& t) {
    return std::sqrt(std::max(
        {length_squared(t[1] - t[0]), length_squared(t[2] - t[1]), length_squared(t[0] - t[2])}));
}

std::array<Triangle3d, 2> halves(const Triangle3d& t) {
    int longest = 0;
    for (int i = 1; i < 3; ++i) {
        if (length_squared(t[(i + 1) % 3] - t[i]) >
            length_squared(t[(longest + 1) % 3] - t[longest])) {
            longest = i;
        }
    }
    const Vec3d &a = t[longest], &b = t[(longest + 1) % 3], &c = t[(longest + 2) % 3];
    const Vec3d middle = (a + b) * 0.5;
    return {Triangle3d{a, middle, c}, Triangle3d{middle, b, c}};
}

double solid_angle(const Triangle3d& triangle, const Vec3d& p) {
    const Vec3d a = triangle[0] - p, b = triangle[1] - p, c = triangle[2] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double numerator = dot(a, cross(b, c));
    const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    if (numerator == 0 && denominator == 0) return 0;
    return std::atan2(numerator, denominator) / (2 * std::numbers::pi);
}

std::uint32_t TriangleTree::nodes_of(std::uint32_t count) {
    if (count <= k_leaf_size) return 1;
    return 1 + nodes_of(count / 2) + nodes_of(count - count / 2);
}

TriangleTree::TriangleTree(std::span<const Triangle3d> triangles, const Jobs& jobs) {
    const std::size_t count = triangles.size();
    Vec3d low = triangles[0][0], high = low;
    for (const Triangle3d& t : triangles) {
        for (const Vec3d& p : t) low = min(low, p), high = max(high, p);
    }
    const Vec3d extent = high - low;
    const double size = std::max({extent.x, extent.y, extent.z});
    const double scale = size > 0 ? double((1 << 21) - 1) / size : 0;

    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(count);
    jobs.for_blocks(count, 8192, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Triangle3d& t = triangles[i];
            const Vec3d q = ((t[0] + t[1] + t[2]) * (1.0 / 3) - low) * scale;
            const auto key = spread_bits(std::uint64_t(std::max(0.0, q.x))) |
                             spread_bits(std::uint64_t(std::max(0.0, q.y))) << 1 |
                             spread_bits(std::uint64_t(std::max(0.0, q.z))) << 2;
            keys[i] = {key, std::uint32_t(i)};
        }
    });
    std::sort(keys.begin(), keys.end());

    triangles_.resize(count);
    source_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        source_[i] = keys[i].second;
        triangles_[i] = triangles[source_[i]];
    }
    nodes_.resize(nodes_of(std::uint32_t(count)));
    dipoles_.resize(nodes_.size());
    build(0, 0, std::uint32_t(count));
}

TriangleTree::Box TriangleTree::build(std::uint32_t node, std::uint32_t first,
                                      std::uint32_t count) {
    Node& n = nodes_[node];
    Dipole& d = dipoles_[node];
    Box box;
    n.count = count <= k_leaf_size ? count : 0;
    d.moment = {};
    if (n.count > 0) {
        n.next = first;
        box.low = box.high = triangles_[first][0];
        double weight = 0;
        Vec3d sum, plain;
        for (std::uint32_t i = first; i < first + count; ++i) {
            const auto& [a, b, c] = triangles_[i];
            box.low = min(min(box.low, a), min(b, c));
            box.high = max(max(box.high, a), max(b, c));
            const Vec3d area = cross(b - a, c - a) * 0.5;
            const Vec3d centroid = (a + b + c) * (1.0 / 3);
            const double size = length(area);
            d.moment += area;
            weight += size;
            sum += centroid * size;
            plain += centroid;
        }
        d.middle = weight > 0 ? sum / weight : plain / double(count);
    } else {
        const std::uint32_t half = count / 2;
        n.next = node + 1 + nodes_of(half);
        const Box left = build(node + 1, first, half);
        const Box right = build(n.next, first + half, count - half);
        box = {min(left.low, right.low), max(left.high, right.high)};
        const Dipole &a = dipoles_[node + 1], &b = dipoles_[n.next];
        d.moment = a.moment + b.moment;
        // The middle serves only as the dipole's place; weights by count keep it simple.
        d.middle = (a.middle * double(half) + b.middle * double(count - half)) / double(count);
    }
    d.reach = length(max(abs(box.low - d.middle), abs(box.high - d.middle)));
    for (int axis = 0; axis < 3; ++axis) {
        n.low[axis] = -rounded_up(-box.low[axis]);
        n.high[axis] = rounded_up(box.high[axis]);
    }
    return box;
}

double TriangleTree::box_distance_squared(const Node& node, const Vec3d& p) {
    const Vec3d low(node.low[0], node.low[1], node.low[2]);
    const Vec3d high(node.high[0], node.high[1], node.high[2]);
    return length_squared(max(max(low - p, p - high), Vec3d()));
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3d& p, std::uint32_t guess,
                                            double slack) const {
    Nearest best{0, closest_point(triangles_[guess], p), guess};
    best.squared_distance = length_squared(best.point - p);
    search(p, (1 + slack) * (1 + slack), best);
    return best;
}

std::optional<TriangleTree::Nearest> TriangleTree::nearest_within(const Vec3d& p, double distance,
                                                                  double slack) const {
    const auto none = std::uint32_t(triangles_.size());
    Nearest best{distance * distance, p, none};
    search(p, (1 + slack) * (1 + slack), best);
    if (best.triangle == none) return std::nullopt;
    return best;
}

void TriangleTree::search(const Vec3d& p, double stretch, Nearest& best) const {
    struct Entry {
        double squared;
        std::uint32_t node;
    };
    Entry stack[64];
    int depth = 0;
    stack[depth++] = {box_distance_squared(nodes_[0], p), 0};
    while (depth > 0) {
        const Entry entry = stack[--depth];
        if (entry.squared * stretch >= best.squared_distance) continue;
        const Node& n = nodes_[entry.node];
        if (n.count > 0) {
            for (std::uint32_t i = n.next; i < n.next + n.count; ++i) {
                const Vec3d q = closest_point(triangles_[i], p);
                const double squared = length_squared(q - p);
                if (squared < best.squared_distance) best = {squared, q, i};
            }
            continue;
        }
        const std::uint32_t left = entry.node + 1;
        Entry a{box_distance_squared(nodes_[left], p), left};
        Entry b{box_distance_squared(nodes_[n.next], p), n.next};
        if (a.squared < b.squared) std::swap(a, b);
        stack[depth++] = a;
        stack[depth++] = b;
    }
}

bool TriangleTree::any_within(const Vec3d& p, double distance, std::uint32_t guess) const {
    const double limit = distance * distance;
    const auto is_near = [&](std::uint32_t i) {
        return length_squared(closest_point(triangles_[i], p) - p) < limit;
    };
    if (is_near(guess)) return true;
    std::uint32_t stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t node = stack[--depth];
        const Node& n = nodes_[node];
        if (n.count > 0) {
            for (std::uint32_t i = n.next; i < n.next + n.count; ++i) {
                if (is_near(i)) return true;
            }
            continue;
        }
        std::uint32_t near = node + 1, far = n.next;
        double to_near = box_distance_squared(nodes_[near], p);
        double to_far = box_distance_squared(nodes_[far], p);
        if (to_far < to_near) std::swap(near, far), std::swap(to_near, to_far);
        if (to_far < limit) stack[depth++] = far;
        if (to_near < limit) stack[depth++] = near;
    }
    return false;
}

double TriangleTree::winding_number(const Vec3d& p) const {
    // The factor that Barill et al. recommend.
    constexpr double k_far = 2;
    double winding = 0;
    std::uint32_t stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t node = stack[--depth];
        const Node& n = nodes_[node];
        const Dipole& d = dipoles_[node];
        const Vec3d to = d.middle - p;
        const double squared = length_squared(to);
        if (squared > k_far * k_far * d.reach * d.reach && squared > 0) {
            winding += dot(d.moment, to) / (squared * std::sqrt(squared)) / (4 * std::numbers::pi);
        } else if (n.count > 0) {
            for (std::uint32_t i = n.next; i < n.next + n.count; ++i) {
                winding += solid_angle(triangles_[i], p);
            }
        } else {
            stack[depth++] = n.next;
            stack[depth++] = node + 1;
        }
    }
    return winding;
}

std::size_t TriangleTree::memory_bytes() const {
    return triangles_.size() * (sizeof(Triangle3d) + sizeof(std::uint32_t)) +
           nodes_.size() * (sizeof(Node) + sizeof(Dipole));
}

} // namespace fovea
