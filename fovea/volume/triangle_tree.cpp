#include "fovea/volume/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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

double box_distance_squared(const Vec3d& low, const Vec3d& high, const Vec3d& p) {
    const Vec3d outside = max(max(low - p, p - high), Vec3d());
    return length_squared(outside);
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
    build(0, 0, std::uint32_t(count));
}

void TriangleTree::build(std::uint32_t node, std::uint32_t first, std::uint32_t count) {
    Node& n = nodes_[node];
    n.first = first;
    n.count = count <= k_leaf_size ? count : 0;
    n.right = 0;
    double weight = 0;
    n.dipole = {};
    if (n.count > 0) {
        n.low = n.high = triangles_[first][0];
        Vec3d sum, plain;
        for (std::uint32_t i = first; i < first + count; ++i) {
            const auto& [a, b, c] = triangles_[i];
            n.low = min(min(n.low, a), min(b, c));
            n.high = max(max(n.high, a), max(b, c));
            const Vec3d area = cross(b - a, c - a) * 0.5;
            const Vec3d centroid = (a + b + c) * (1.0 / 3);
            n.dipole += area;
            weight += length(area);
            sum += centroid * length(area);
            plain += centroid;
        }
        n.middle = weight > 0 ? sum / weight : plain / double(count);
    } else {
        const std::uint32_t half = count / 2;
        n.right = node + 1 + nodes_of(half);
        build(node + 1, first, half);
        build(n.right, first + half, count - half);
        const Node &a = nodes_[node + 1], &b = nodes_[n.right];
        n.low = min(a.low, b.low);
        n.high = max(a.high, b.high);
        n.dipole = a.dipole + b.dipole;
        // The middle serves only as the dipole's place; weights by count keep it simple.
        n.middle = (a.middle * double(half) + b.middle * double(count - half)) / double(count);
    }
    const Vec3d far = max(abs(n.low - n.middle), abs(n.high - n.middle));
    n.reach = length(far);
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3d& p, std::uint32_t guess,
                                            double slack) const {
    Nearest best{0, closest_point(triangles_[guess], p), guess};
    best.squared_distance = length_squared(best.point - p);
    search(p, (1 + slack) * (1 + slack), best);
    return best;
}

std::optional<TriangleTree::Nearest> TriangleTree::nearest_within(const Vec3d& p,
                                                                  double distance) const {
    const auto none = std::uint32_t(triangles_.size());
    Nearest best{distance * distance, p, none};
    search(p, 1, best);
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
    stack[depth++] = {box_distance_squared(nodes_[0].low, nodes_[0].high, p), 0};
    while (depth > 0) {
        const Entry entry = stack[--depth];
        if (entry.squared * stretch >= best.squared_distance) continue;
        const Node& n = nodes_[entry.node];
        if (n.count > 0) {
            for (std::uint32_t i = n.first; i < n.first + n.count; ++i) {
                const Vec3d q = closest_point(triangles_[i], p);
                const double squared = length_squared(q - p);
                if (squared < best.squared_distance) best = {squared, q, i};
            }
            continue;
        }
        const std::uint32_t left = entry.node + 1;
        Entry a{box_distance_squared(nodes_[left].low, nodes_[left].high, p), left};
        Entry b{box_distance_squared(nodes_[n.right].low, nodes_[n.right].high, p), n.right};
        if (a.squared < b.squared) std::swap(a, b);
        stack[depth++] = a;
        stack[depth++] = b;
    }
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
        const Vec3d to = n.middle - p;
        const double squared = length_squared(to);
        if (squared > k_far * k_far * n.reach * n.reach && squared > 0) {
            winding += dot(n.dipole, to) / (squared * std::sqrt(squared)) / (4 * std::numbers::pi);
        } else if (n.count > 0) {
            for (std::uint32_t i = n.first; i < n.first + n.count; ++i) {
                winding += solid_angle(triangles_[i], p);
            }
        } else {
            stack[depth++] = n.right;
            stack[depth++] = node + 1;
        }
    }
    return winding;
}

std::size_t TriangleTree::memory_bytes() const {
    return triangles_.size() * (sizeof(Triangle3d) + sizeof(std::uint32_t)) +
           nodes_.size() * sizeof(Node);
}

} // namespace fovea
