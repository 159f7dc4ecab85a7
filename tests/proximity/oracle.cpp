#include "oracle.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace oracle {

namespace {

using Kind = Solid::Kind;

Vec3d unit(const Vec3d& v) {
    return v / std::sqrt(dot(v, v));
}

/// Directions spread evenly over the sphere.
const std::vector<Vec3d>& sphere_samples() {
    static const std::vector<Vec3d> samples = [] {
        constexpr int k_count = 160;
        std::vector<Vec3d> result;
        for (int i = 0; i < k_count; ++i) { // golden spiral
            const double y = 1 - (2 * i + 1.0) / k_count;
            const double across = std::sqrt(1 - y * y), turn = 2.399963229728653 * i;
            result.emplace_back(across * std::cos(turn), y, across * std::sin(turn));
        }
        return result;
    }();
    return samples;
}

} // namespace

Polytope make_polytope(const std::vector<Vec3d>& corners) {
    Polytope result;
    result.corners = corners;
    const std::size_t count = corners.size();
    double size = 0;
    for (const Vec3d& c : corners) size = std::max(size, length(c - corners[0]));
    std::vector<std::vector<std::size_t>> on_plane;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            for (std::size_t k = j + 1; k < count; ++k) {
                const Vec3d n = cross(corners[j] - corners[i], corners[k] - corners[i]);
                if (length(n) < 1e-12 * size * size) continue;
                for (const Vec3d& normal : {unit(n), -unit(n)}) {
                    const double offset = dot(normal, corners[i]);
                    std::vector<std::size_t> on;
                    bool outermost = true;
                    for (std::size_t m = 0; m < count; ++m) {
                        const double above = dot(normal, corners[m]) - offset;
                        if (above > 1e-9 * size) outermost = false;
                        if (above > -1e-9 * size) on.push_back(m);
                    }
                    const bool known = std::any_of(
                        result.planes.begin(), result.planes.end(),
                        [&](const Plane& p) { return length(p.normal - normal) < 1e-7; });
                    if (!outermost || known) continue;
                    result.planes.push_back({normal, offset});
                    on_plane.push_back(on);
                }
            }
    const auto is_edge = [&](std::size_t i, std::size_t j) {
        int shared = 0;
        for (const auto& on : on_plane)
            shared += std::count(on.begin(), on.end(), i) && std::count(on.begin(), on.end(), j);
        return shared >= 2;
    };
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            if (is_edge(i, j)) {
                const Vec3d direction = unit(corners[j] - corners[i]);
                const bool known =
                    std::any_of(result.edges.begin(), result.edges.end(),
                                [&](const Vec3d& e) { return length(cross(e, direction)) < 1e-9; });
                if (!known) result.edges.push_back(direction);
            }
    if (count == 3) {
        // The side planes of a triangle are the crosses of its edges and its normal.
        const Vec3d normal = result.planes.front().normal;
        for (std::size_t i = 0; i < 3; ++i)
            result.edges.push_back(unit(corners[(i + 1) % 3] - corners[i]));
        for (std::size_t i = 0; i < 3; ++i)
            result.planes.push_back({cross(result.edges[i], normal), 0});
    }
    return result;
}

Vec3d Solid::to_local(const Vec3d& v) const {
    const Vec3d d = v - position;
    return {dot(axes[0], d), dot(axes[1], d), dot(axes[2], d)};
}

Vec3d Solid::to_world(const Vec3d& v) const {
    return position + axes[0] * v.x + axes[1] * v.y + axes[2] * v.z;
}

double Solid::height(const Vec3d& n, const Vec3d& origin) const {
    const double x = dot(axes[0], n), y = dot(axes[1], n), z = dot(axes[2], n);
    const double across = std::sqrt(x * x + z * z);
    const double base = dot(n, position - origin);
    switch (kind) {
    case Kind::sphere:
        return base + radius;
    case Kind::box:
        return base + half.x * std::abs(x) + half.y * std::abs(y) + half.z * std::abs(z);
    case Kind::cylinder:
        return base + radius * across + half_height * std::abs(y);
    case Kind::capsule:
        return base + radius + half_height * std::abs(y);
    case Kind::cone:
        return base + std::max(half_height * y, radius * across - half_height * y);
    case Kind::hull:
    case Kind::triangle: {
        double best = -std::numeric_limits<double>::infinity();
        for (const Vec3d& c : polytope->corners) best = std::max(best, c.x * x + c.y * y + c.z * z);
        return base + best;
    }
    case Kind::half_space:
        return dot(normal, position - origin) + offset;
    }
    return 0;
}

double Solid::off_surface(const Vec3d& world_point) const {
    const Vec3d p = to_local(world_point);
    const double across = std::sqrt(p.x * p.x + p.z * p.z);
    switch (kind) {
    case Kind::sphere:
        return length(p) - radius;
    case Kind::half_space:
        return dot(normal, world_point - position) - offset;
    case Kind::cylinder:
        return std::max(across - radius, std::abs(p.y) - half_height);
    case Kind::capsule:
        return length(p - Vec3d(0, std::clamp(p.y, -half_height, half_height), 0)) - radius;
    case Kind::cone: {
        const Vec3d slope = unit(Vec3d(2 * half_height, radius, 0));
        return std::max(-half_height - p.y, slope.x * across + slope.y * (p.y - half_height));
    }
    case Kind::triangle: {
        const auto& t = polytope->corners;
        const Vec3d n = polytope->planes.front().normal;
        double off = std::abs(dot(n, p - t[0]));
        for (std::size_t i = 0; i < 3; ++i) {
            Vec3d out = cross(unit(t[(i + 1) % 3] - t[i]), n);
            if (dot(out, t[(i + 2) % 3] - t[i]) > 0) out = -out;
            off = std::max(off, dot(out, p - t[i]));
        }
        return off;
    }
    case Kind::box:
    case Kind::hull: {
        double off = -std::numeric_limits<double>::infinity();
        for (const Plane& plane : polytope->planes)
            off = std::max(off, dot(plane.normal, p) - plane.offset);
        return off;
    }
    }
    return 0;
}

Solid place(const fovea::Shape& shape, const fovea::Transform& at,
            std::shared_ptr<const Polytope> hull) {
    using namespace fovea;
    Solid s{};
    const auto& q = at.orientation;
    const Eigen::Matrix3d m =
        Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
    for (int i = 0; i < 3; ++i) s.axes[std::size_t(i)] = {m(0, i), m(1, i), m(2, i)};
    s.position = Vec3d(at.position);
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
        s.kind = Kind::sphere;
        s.radius = s.size = sphere->radius;
    } else if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
        s.kind = Kind::half_space;
        const Vec3d n(plane->normal);
        s.normal = s.axes[0] * n.x + s.axes[1] * n.y + s.axes[2] * n.z;
        s.offset = plane->offset;
        s.size = 0;
    } else if (const auto* box = std::get_if<Box>(&shape)) {
        s.kind = Kind::box;
        s.half = Vec3d(box->half_extents);
        auto p = std::make_shared<Polytope>();
        for (int i = 0; i < 3; ++i) {
            const Vec3d axis(i == 0, i == 1, i == 2);
            p->planes.push_back({axis, dot(axis, s.half)});
            p->planes.push_back({-axis, dot(axis, s.half)});
            p->edges.push_back(axis);
        }
        s.polytope = p;
        s.size = length(s.half);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        s.kind = Kind::cylinder;
        s.radius = cylinder->radius, s.half_height = cylinder->half_height;
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
        s.kind = Kind::capsule;
        s.radius = capsule->radius, s.half_height = capsule->half_height;
    } else if (const auto* cone = std::get_if<Cone>(&shape)) {
        s.kind = Kind::cone;
        s.radius = cone->radius, s.half_height = cone->half_height;
    } else {
        s.kind = Kind::hull;
        s.polytope = hull;
        for (const Vec3d& c : hull->corners) s.size = std::max(s.size, length(c));
    }
    if (s.size == 0) s.size = s.radius + s.half_height;
    return s;
}

Solid place_triangle(const std::array<Vec3, 3>& t) {
    Solid s{};
    s.kind = Kind::triangle;
    s.axes = {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)};
    s.position = Vec3d(t[0]);
    const std::vector<Vec3d> corners{Vec3d(), Vec3d(t[1]) - Vec3d(t[0]), Vec3d(t[2]) - Vec3d(t[0])};
    s.polytope = std::make_shared<Polytope>(make_polytope(corners));
    s.size = std::max(length(corners[1]), length(corners[2]));
    return s;
}

double gap(const Solid& a, const Solid& b, const Vec3d& n) {
    // Heights are taken relative to one of the solids, so that they keep their precision far from
    // the world's origin.
    const Vec3d& origin = a.kind == Kind::half_space ? b.position : a.position;
    return -b.height(-n, origin) - a.height(n, origin);
}

Vec3d climb(const Solid& a, const Solid& b, Vec3d n, double step) {
    double best = gap(a, b, n);
    double angle = 0.3;
    for (int round = 0; step > 1e-9 && round < 120; ++round) {
        const Vec3d u = fovea::perpendicular(n);
        const Vec3d v = cross(n, u);
        bool better = false;
        for (int i = 0; i < 8; ++i) {
            const double turn = angle + i * 0.7853981633974483;
            const Vec3d there = unit(n + (u * std::cos(turn) + v * std::sin(turn)) * step);
            const double value = gap(a, b, there);
            if (value > best) {
                best = value, n = there, better = true;
                break;
            }
        }
        angle += 0.47; // so that no ridge hides between the spokes for long
        step *= better ? 1.5 : 0.5;
    }
    return n;
}

double largest_gap_of_polytopes(const Solid& a, const Solid& b) {
    double best = -std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3d& axis) {
        const double squared = dot(axis, axis);
        if (squared < 1e-20) return;
        const Vec3d n = axis / std::sqrt(squared);
        best = std::max({best, gap(a, b, n), gap(a, b, -n)});
    };
    for (const Solid* s : {&a, &b})
        for (const Plane& plane : s->polytope->planes)
            consider(s->to_world(plane.normal) - s->position);
    std::vector<Vec3d> edges;
    for (const Vec3d& edge : b.polytope->edges) edges.push_back(b.to_world(edge) - b.position);
    for (const Vec3d& local : a.polytope->edges) {
        const Vec3d edge = a.to_world(local) - a.position;
        for (const Vec3d& other : edges) consider(cross(edge, other));
    }
    return best;
}

double largest_gap(const Solid& a, const Solid& b, bool climbing) {
    std::array<std::pair<double, Vec3d>, 4> tops;
    tops.fill({-std::numeric_limits<double>::infinity(), {}});
    const auto consider = [&](const Vec3d& n) {
        const double value = gap(a, b, n);
        if (value <= tops.back().first) return;
        tops.back() = {value, n};
        for (std::size_t i = tops.size() - 1; i > 0 && tops[i].first > tops[i - 1].first; --i)
            std::swap(tops[i], tops[i - 1]);
    };
    for (const Vec3d& n : sphere_samples()) consider(n);
    double best = -std::numeric_limits<double>::infinity();
    const auto special = [&](const Vec3d& axis) {
        const double squared = dot(axis, axis);
        if (!(squared > 1e-16)) return;
        const Vec3d n = axis / std::sqrt(squared);
        best = std::max({best, gap(a, b, n), gap(a, b, -n)});
    };
    special(b.position - a.position);
    for (const Vec3d& axis : a.axes) {
        special(axis);
        for (const Vec3d& other : b.axes) special(cross(axis, other));
    }
    for (const Vec3d& axis : b.axes) special(axis);
    best = std::max(best, tops.front().first);
    if (climbing)
        for (const auto& [value, n] : tops) best = std::max(best, gap(a, b, climb(a, b, n, 0.1)));
    return best;
}

} // namespace oracle
