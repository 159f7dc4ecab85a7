#include "fovea/volume/mesh_topology.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "fovea/volume/mesh_sides.h"

namespace fovea {

namespace {

using Triangle = TriangleMesh::Triangle;

using Side = MeshSide;

/// Calls visit(begin, end) for the sides along each edge; stops when it returns false.
template <class Visit>
bool for_each_edge(const std::vector<Side>& sides, Visit&& visit) {
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].same_edge(sides[i])) ++end;
        if (!visit(i, end)) return false;
        i = end;
    }
    return true;
}

bool is_balanced(const std::vector<Side>& sides) {
    return !sides.empty() && for_each_edge(sides, [&](std::size_t begin, std::size_t end) {
        std::ptrdiff_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += sides[i].forward ? 1 : -1;
        return sum == 0;
    });
}

/// Two triangles across an edge; `agree` if they walk it in opposite senses.
struct Neighbour {
    std::uint32_t triangle;
    bool agree;
};

} // namespace

std::vector<std::uint32_t> weld(std::span<const Vec3d> points) {
    struct Cell {
        std::int32_t x, y, z;
        std::uint32_t point;
        bool operator<(const Cell& o) const {
            return std::tie(x, y, z, point) < std::tie(o.x, o.y, o.z, o.point);
        }
    };
    std::vector<Cell> cells(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d q = points[i] * double(1 << 20);
        cells[i] = {std::int32_t(std::lround(q.x)), std::int32_t(std::lround(q.y)),
                    std::int32_t(std::lround(q.z)), std::uint32_t(i)};
    }
    std::sort(cells.begin(), cells.end());
    std::vector<std::uint32_t> first(points.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool again = i > 0 && cells[i].x == cells[i - 1].x && cells[i].y == cells[i - 1].y &&
                           cells[i].z == cells[i - 1].z;
        first[cells[i].point] = again ? first[cells[i - 1].point] : cells[i].point;
    }
    return first;
}

void drop_repeated(std::vector<Triangle>& triangles) {
    struct Key {
        Triangle corners;
        std::uint32_t index;
        bool operator<(const Key& o) const {
            return std::tie(corners, index) < std::tie(o.corners, o.index);
        }
    };
    std::vector<Key> keys(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        keys[i] = {triangles[i], std::uint32_t(i)};
        std::sort(keys[i].corners.begin(), keys[i].corners.end());
    }
    std::sort(keys.begin(), keys.end());
    std::vector<char> keep(triangles.size(), 1);
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].corners == keys[i - 1].corners) keep[keys[i].index] = 0;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (keep[i]) triangles[kept++] = triangles[i];
    }
    triangles.resize(kept);
}

bool close_by_orienting(std::vector<Triangle>& triangles, std::size_t vertices) {
    const std::vector<Side> sides = sorted_sides(triangles, vertices);
    if (is_balanced(sides)) return true;

    std::vector<std::array<Neighbour, 3>> neighbours(triangles.size());
    std::vector<std::uint8_t> degree(triangles.size(), 0);
    const bool paired = for_each_edge(sides, [&](std::size_t begin, std::size_t end) {
        if (end - begin != 2) return false;
        const Side &a = sides[begin], &b = sides[begin + 1];
        const bool agree = a.forward != b.forward;
        neighbours[a.triangle][degree[a.triangle]++] = {b.triangle, agree};
        neighbours[b.triangle][degree[b.triangle]++] = {a.triangle, agree};
        return true;
    });
    if (!paired || sides.empty()) return false;

    enum : char { unseen, kept, turned };
    std::vector<char> state(triangles.size(), unseen);
    std::vector<std::uint32_t> open;
    for (std::uint32_t seed = 0; seed < triangles.size(); ++seed) {
        if (state[seed] != unseen || is_collapsed(triangles[seed])) continue;
        state[seed] = kept;
        open.push_back(seed);
        while (!open.empty()) {
            const std::uint32_t t = open.back();
            open.pop_back();
            for (const Neighbour& n : neighbours[t]) {
                const bool turn = (state[t] == turned) != !n.agree;
                const char wanted = turn ? turned : kept;
                if (state[n.triangle] == unseen) {
                    state[n.triangle] = wanted;
                    open.push_back(n.triangle);
                } else if (state[n.triangle] != wanted) {
                    return false; // one-sided, like a Klein bottle
                }
            }
        }
    }
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (state[i] == turned) std::swap(triangles[i][1], triangles[i][2]);
    }
    return true;
}

} // namespace fovea
