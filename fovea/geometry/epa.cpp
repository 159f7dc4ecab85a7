// EPA: a polytope inscribed in B - A, refined where it is nearest to the origin.
//
//        .---*---.           Each round takes the face nearest to the origin, asks for the support
//       /  next   \          point beyond it, and replaces all faces that see this point by a fan
//      *-----------*         around it. A face's distance bounds the depth from below, the
//      |     o     |         support beyond it from above; the search ends where both meet.
//      '-----------'
//
// Distances are signed, so an origin that rounding has put slightly outside does no harm.
#include "fovea/base/inplace_vector.h"
#include "fovea/geometry/core_proximity.h"

namespace fovea {

namespace {

constexpr int k_max_vertices = 192;
constexpr int k_max_faces = 2 * k_max_vertices; ///< Euler: 2 V - 4
constexpr double k_rounding = 1e-15; ///< error of a vertex, relative to the size of B - A
constexpr double k_infinity = std::numeric_limits<double>::infinity();

struct Face {
    std::array<std::int16_t, 3> corners;    ///< counter-clockwise from outside
    std::array<std::int16_t, 3> neighbours; ///< across the edge corners[i] -> corners[i + 1]
    bool removed;
    Vec3d normal;    ///< unit, outwards; zero for a face without area
    double distance; ///< of its plane from the origin; infinite for a face without area
    double fuzz;     ///< by how much rounding may have turned the normal, in radians
};

constexpr int next_corner(int i) {
    return i == 2 ? 0 : i + 1;
}

class Polytope {
  public:
    Polytope(const std::array<MinkowskiVertex, 4>& tetrahedron) {
        for (const MinkowskiVertex& v : tetrahedron) add_vertex(v);
        const bool inverted =
            dot(cross(tetrahedron[1].w - tetrahedron[0].w, tetrahedron[2].w - tetrahedron[0].w),
                tetrahedron[3].w - tetrahedron[0].w) > 0;
        if (inverted) std::swap(vertices_[0], vertices_[1]);
        set_face(new_slot(), {0, 1, 2}, {1, 2, 3});
        set_face(new_slot(), {0, 3, 1}, {3, 2, 0});
        set_face(new_slot(), {1, 3, 2}, {1, 3, 0});
        set_face(new_slot(), {2, 3, 0}, {2, 1, 0});
    }

    /// Index of the nearest face whose normal is within the cone about `axis`, -1 if none is.
    int nearest_face(const Vec3d& axis, double least_cosine) const {
        int best = -1;
        double least = k_infinity;
        for (int i = 0; i < int(distances_.size()); ++i)
            if (distances_[i] < least &&
                (least_cosine < -1 || dot(faces_[i].normal, axis) >= least_cosine)) {
                least = distances_[i];
                best = i;
            }
        return best;
    }

    int vertex_count() const { return int(vertices_.size()); }

    /// True if `w` does not lie beyond the face, but for `tolerance` and the rounding of vertices.
    bool reaches(int f, const Vec3d& w, double tolerance) const {
        return !(height_above(faces_[f], w) > tolerance + 4 * slack_);
    }

    /// True if the face is so thin that it cannot tell whether `w` lies beyond it.
    bool too_thin_for(int f, const Vec3d& w) const {
        return height_above(faces_[f], w) < fuzz_at(faces_[f], w);
    }

    /// Takes the face out of the search for the nearest; it stays part of the surface.
    void retire(int f) { distances_[f] = k_infinity; }

    const Face& face(int i) const { return faces_[i]; }

    std::array<MinkowskiVertex, 3> corners(const Face& f) const {
        return {vertices_[f.corners[0]], vertices_[f.corners[1]], vertices_[f.corners[2]]};
    }

    /// Of the faces about in the plane of `f`, the one that holds the foot of the origin: a flat
    /// or little curved side of B - A consists of several triangles.
    std::array<MinkowskiVertex, 3> foot_holder(int f) const {
        constexpr double k_same_side = 0.9999;
        const Vec3d normal = faces_[f].normal;
        const Vec3d foot = normal * faces_[f].distance;
        int best = f;
        double least = k_infinity;
        for (int i = 0; i < int(faces_.size()); ++i) {
            const Face& other = faces_[i];
            if (other.removed || dot(other.normal, normal) < k_same_side) continue;
            const Vec3d& a = vertices_[other.corners[0]].w;
            const Vec3d& b = vertices_[other.corners[1]].w;
            const Vec3d& c = vertices_[other.corners[2]].w;
            const auto weights = nearest_on_thin_triangle(a - foot, b - foot, c - foot);
            const double squared =
                length_squared(a * weights[0] + b * weights[1] + c * weights[2] - foot);
            if (squared < least) {
                least = squared;
                best = i;
            }
        }
        return corners(faces_[best]);
    }

    /// Takes in `vertex`, which lies beyond `seen`. False if rounding or lack of room forbids.
    bool grow(int seen, const MinkowskiVertex& vertex) {
        if (vertices_.full()) return false;
        horizon_.clear();
        remove(seen);
        for (int e = 0; e < 3; ++e)
            if (!walk(seen, e, vertex.w)) return false;
        const int rim = int(horizon_.size());
        if (rim < 3) return false;
        for (int i = 0; i < rim; ++i)
            if (horizon_[i].to != horizon_[i + 1 == rim ? 0 : i + 1].from) return false;

        const auto apex = std::int16_t(vertices_.size());
        add_vertex(vertex);
        InplaceVector<std::int16_t, k_max_faces> fan;
        for (int i = 0; i < rim; ++i) {
            const int slot = new_slot();
            if (slot < 0) return false;
            fan.push_back(std::int16_t(slot));
        }
        for (int i = 0; i < rim; ++i) {
            const HorizonEdge& edge = horizon_[i];
            const std::int16_t before = fan[i == 0 ? rim - 1 : i - 1];
            const std::int16_t after = fan[i + 1 == rim ? 0 : i + 1];
            set_face(fan[i], {edge.from, edge.to, apex}, {edge.outer, after, before});
            Face& outer = faces_[edge.outer];
            for (int e = 0; e < 3; ++e)
                if (outer.corners[e] == edge.to) outer.neighbours[e] = fan[i];
        }
        return true;
    }

  private:
    struct HorizonEdge {
        std::int16_t from, to, outer; ///< along the removed face; the face that stays
    };

    void add_vertex(const MinkowskiVertex& v) {
        vertices_.push_back(v);
        extent_ = std::max(extent_, length_squared(v.w));
        slack_ = k_rounding * std::sqrt(extent_);
    }

    void remove(int f) {
        faces_[f].removed = true;
        distances_[f] = k_infinity;
        free_.push_back(std::int16_t(f));
    }

    /// Index for a new face, -1 if there is no room.
    int new_slot() {
        if (!free_.empty()) {
            const int slot = free_[free_.size() - 1];
            free_.pop_back();
            return slot;
        }
        if (faces_.full()) return -1;
        faces_.push_back({});
        distances_.push_back(k_infinity);
        return int(faces_.size()) - 1;
    }

    void set_face(int slot, std::array<std::int16_t, 3> corners,
                  std::array<std::int16_t, 3> neighbours) {
        const Vec3d& a = vertices_[corners[0]].w;
        const Vec3d& b = vertices_[corners[1]].w;
        const Vec3d& c = vertices_[corners[2]].w;
        const Vec3d ab = b - a, ac = c - a;
        const Vec3d normal = cross(ab, ac);
        const double area = length(normal);
        const double longest =
            std::max({length_squared(ab), length_squared(ac), length_squared(c - b)});
        Face f{corners, neighbours, false, {}, k_infinity, 0};
        if (area > 1e-14 * longest) {
            f.normal = normal / area;
            f.distance = dot(f.normal, a + b + c) * (1.0 / 3);
            f.fuzz = slack_ * std::sqrt(longest) / area;
        }
        faces_[slot] = f;
        distances_[slot] = f.distance;
    }

    double height_above(const Face& f, const Vec3d& w) const {
        return dot(f.normal, w - vertices_[f.corners[0]].w);
    }
    double fuzz_at(const Face& f, const Vec3d& w) const {
        return 4 * (slack_ + f.fuzz * length(w - vertices_[f.corners[0]].w));
    }

    /// Depth-first over the faces that see `w`, collecting the rim of their union in order.
    bool walk(int from, int edge, const Vec3d& w) {
        const int f = faces_[from].neighbours[edge];
        Face& face = faces_[f];
        if (face.removed) return true;
        const std::int16_t a = faces_[from].corners[edge];
        const std::int16_t b = faces_[from].corners[next_corner(edge)];
        // A face coplanar with w is taken as seeing it: the fan then spans the whole flat region
        // and has no slivers.
        if (face.distance < k_infinity && height_above(face, w) < -fuzz_at(face, w)) {
            if (horizon_.full()) return false;
            horizon_.push_back({a, b, std::int16_t(f)});
            return true;
        }
        remove(f);
        int entered = 0;
        while (entered < 3 && face.corners[entered] != b) ++entered;
        if (entered == 3) return false;
        const int second = next_corner(entered);
        return walk(f, second, w) && walk(f, next_corner(second), w);
    }

    InplaceVector<MinkowskiVertex, k_max_vertices> vertices_;
    InplaceVector<Face, k_max_faces> faces_;
    InplaceVector<double, k_max_faces> distances_; ///< of the faces; infinite for removed ones
    InplaceVector<std::int16_t, k_max_faces> free_;
    InplaceVector<HorizonEdge, k_max_faces> horizon_;
    double extent_ = 0;
    double slack_ = 0;
};

/// Where to look for the next face, given the number of vertices so far: at first everywhere. If
/// curved sides are about equally near all around (a small solid on the axis of a large cylinder),
/// refining them all would never end, so the view narrows upon the best direction known.
double view_cosine(int vertices) {
    constexpr std::array k_cosines{-2.0, -2.0, 0.98, 0.999, 0.99998, 0.9999996};
    constexpr int k_stage = k_max_vertices / int(k_cosines.size());
    return k_cosines[std::min(vertices / k_stage, int(k_cosines.size()) - 1)];
}

/// Fills `simplex` up to four vertices that span a volume. If B - A is flat, returns false and
/// leaves its normal in `flat_normal`.
bool span_volume(const CorePair& pair, Simplex& simplex, Vec3d& flat_normal) {
    constexpr double k_flat = 1e-10; // relative thickness
    auto& v = simplex.vertices;
    const auto farthest = [&](const Vec3d& direction, auto measure) {
        const MinkowskiVertex there = minkowski_support(pair, direction);
        const MinkowskiVertex back = minkowski_support(pair, -direction);
        return measure(there.w) >= measure(back.w) ? there : back;
    };
    if (simplex.count == 4) {
        const Vec3d normal = cross(v[1].w - v[0].w, v[2].w - v[0].w);
        const double area = length(normal);
        const double height = std::abs(dot(normal, v[3].w - v[0].w));
        if (height > k_flat * area * std::sqrt(area)) return true;
        simplex.count = 3;
    }
    if (simplex.count == 3) {
        const Vec3d ab = v[1].w - v[0].w, ac = v[2].w - v[0].w;
        const double longest = std::max(length_squared(ab), length_squared(ac));
        if (!(length(cross(ab, ac)) > k_flat * longest)) {
            if (length_squared(ac) > length_squared(ab)) std::swap(v[1], v[2]);
            simplex.count = 2;
        }
    }
    if (simplex.count == 2 && v[0].w == v[1].w) simplex.count = 1;
    if (simplex.count == 1) {
        const auto away = [&](const Vec3d& w) { return length_squared(w - v[0].w); };
        v[1] = farthest({1, 0, 0}, away);
        for (const Vec3d& axis : {Vec3d(0, 1, 0), Vec3d(0, 0, 1)}) {
            const MinkowskiVertex other = farthest(axis, away);
            if (away(other.w) > away(v[1].w)) v[1] = other;
        }
        simplex.count = 2;
    }
    if (simplex.count == 2) {
        const Vec3d edge = v[1].w - v[0].w;
        const double squared = length_squared(edge);
        const Vec3d along = normalized_or(edge, Vec3d(0, 1, 0));
        const auto away = [&](const Vec3d& w) { return length_squared(cross(w - v[0].w, along)); };
        const Vec3d side = perpendicular(along);
        v[2] = farthest(side, away);
        const MinkowskiVertex other = farthest(cross(along, side), away);
        if (away(other.w) > away(v[2].w)) v[2] = other;
        if (!(away(v[2].w) > k_flat * k_flat * squared)) {
            flat_normal = side;
            return false;
        }
        simplex.count = 3;
    }
    const Vec3d normal = cross(v[1].w - v[0].w, v[2].w - v[0].w);
    const Vec3d unit = normalized_or(normal, Vec3d(0, 1, 0));
    const auto away = [&](const Vec3d& w) { return std::abs(dot(w - v[0].w, unit)); };
    v[3] = farthest(unit, away);
    simplex.count = 4;
    flat_normal = unit;
    return away(v[3].w) > k_flat * std::sqrt(length(normal));
}

/// Puts the points found for the outward normal `outward` of B - A on the supporting planes of A
/// and B, one straight above the other, so that the reported depth parts the cores even if the
/// search ended early.
LocalProximity on_supporting_planes(const MinkowskiVertex& extreme, const Vec3d& outward, Vec3d a,
                                    Vec3d b) {
    const double depth = dot(outward, extreme.w);
    const Vec3d aside = (b - a) - outward * dot(outward, b - a);
    a += outward * dot(outward, extreme.a - a) + aside * 0.5;
    b = a + outward * depth;
    return {a, b, -outward, -depth};
}

/// How far the foot of the origin on the face's plane lies outside the face.
double foot_miss(const std::array<MinkowskiVertex, 3>& corners, const Vec3d& outward) {
    const Vec3d foot = outward * dot(outward, corners[0].w);
    const Vec3d a = corners[0].w - foot, b = corners[1].w - foot, c = corners[2].w - foot;
    const auto weights = nearest_on_thin_triangle(a, b, c);
    return length(a * weights[0] + b * weights[1] + c * weights[2]);
}

LocalProximity on_face(const std::array<MinkowskiVertex, 3>& corners, const Vec3d& outward,
                       const MinkowskiVertex& extreme) {
    // The foot of the origin on the face's plane, in barycentric coordinates.
    const Vec3d foot = outward * dot(outward, corners[0].w);
    const auto weights =
        nearest_on_thin_triangle(corners[0].w - foot, corners[1].w - foot, corners[2].w - foot);
    Vec3d a, b;
    for (int i = 0; i < 3; ++i) {
        a += corners[i].a * weights[i];
        b += corners[i].b * weights[i];
    }
    return on_supporting_planes(extreme, outward, a, b);
}

/// The least depth known: every support along a normal bounds it from above.
struct Best {
    double depth = k_infinity;
    Vec3d normal{0, 1, 0}; ///< out of B - A
    MinkowskiVertex extreme{};
    std::array<MinkowskiVertex, 3> corners{}; ///< of the face with this normal
    bool on_face = false;                     ///< there is such a face
};

/// Where a solid of revolution surrounds another, its side or slope is about equally near all
/// around: the normals of that ring, and of both ends, are tried in turn. `depth_along` takes a
/// normal in the solid's frame.
template <class DepthAlong>
void search_ring(const ConvexCore& core, DepthAlong depth_along) {
    if (core.kind != ConvexCore::Kind::cylinder && core.kind != ConvexCore::Kind::cone) return;
    depth_along(Vec3d(0, 1, 0));
    depth_along(Vec3d(0, -1, 0));
    const double rise = core.kind == ConvexCore::Kind::cone ? core.half.x / (2 * core.half.y) : 0;
    const auto on_ring = [&](const Vec3d& outward) {
        return depth_along(normalized(outward + Vec3d(0, rise, 0)));
    };
    constexpr int k_samples = 64;
    constexpr double k_cosine = 0.99518472667219693; // of a 64th of a turn
    constexpr double k_sine = 0.098017140329560604;
    Vec3d outward(1, 0, 0), best = outward;
    double least = k_infinity;
    for (int i = 0; i < k_samples; ++i) {
        const double depth = on_ring(outward);
        if (depth < least) least = depth, best = outward;
        outward = {outward.x * k_cosine - outward.z * k_sine, 0,
                   outward.x * k_sine + outward.z * k_cosine};
    }
    for (double step = k_sine / 2; step > 1e-7; step /= 2)
        for (double side : {step, -step}) {
            const Vec3d there = normalized(best + Vec3d(-best.z, 0, best.x) * side);
            const double depth = on_ring(there);
            if (depth < least) least = depth, best = there;
        }
}

void consider_likely_normals(const CorePair& pair, Best& best) {
    const auto consider = [&](const Vec3d& outward) {
        const MinkowskiVertex extreme = minkowski_support(pair, outward);
        const double depth = dot(extreme.w, outward);
        if (depth < best.depth) best = {depth, outward, extreme, {}, false};
        return depth;
    };
    search_ring(pair.a, [&](const Vec3d& n) { return consider(-n); });
    search_ring(pair.b, [&](const Vec3d& n) { return consider(pair.rotation * n); });
}

/// The witness for a normal without a face: the middle of the smaller of both extreme patches.
LocalProximity on_smaller(const CorePair& pair, const Vec3d& outward,
                          const MinkowskiVertex& extreme) {
    const Vec3d a = support_middle(pair.a, -outward);
    const Vec3d b =
        pair.rotation * support_middle(pair.b, transposed_times(pair.rotation, outward)) +
        pair.position;
    const bool a_smaller = length_squared(extreme.a - a) < length_squared(extreme.b - b);
    const Vec3d point = a_smaller ? a : b;
    return on_supporting_planes(extreme, outward, point, point);
}

} // namespace

LocalProximity epa(const CorePair& pair, const Simplex& start) {
    Simplex simplex = start;
    Vec3d flat_normal;
    if (!span_volume(pair, simplex, flat_normal)) {
        const MinkowskiVertex extreme = minkowski_support(pair, flat_normal);
        return on_supporting_planes(extreme, flat_normal, start.nearest_a(), start.nearest_b());
    }

    const double tolerance = k_convergence * std::min(pair.a.size, pair.b.size);
    Polytope polytope(simplex.vertices);
    Best best;
    bool seeded = false;
    for (;;) {
        const double view = view_cosine(polytope.vertex_count());
        if (view > -1 && !seeded) {
            consider_likely_normals(pair, best);
            seeded = true;
        }
        const int f = polytope.nearest_face(best.normal, view);
        if (f < 0) break;
        const Vec3d normal = polytope.face(f).normal;
        const MinkowskiVertex extreme = minkowski_support(pair, normal);
        const double depth = dot(extreme.w, normal);
        const double enough = tolerance + k_convergence * std::abs(depth);
        const bool converged = polytope.reaches(f, extreme.w, enough);
        if (depth < best.depth || (converged && depth < best.depth + enough)) {
            // While the search is wide it is sure to come back to the face it ends with.
            const bool final = converged || view > -1;
            best = {depth, normal, extreme,
                    final ? polytope.foot_holder(f) : polytope.corners(polytope.face(f)), true};
        }
        if (converged || polytope.face(f).distance > best.depth + enough) break;
        if (polytope.too_thin_for(f, extreme.w)) {
            // As good as converged, provided that its plane's foot lies on it.
            const auto corners = polytope.foot_holder(f);
            if (foot_miss(corners, normal) < 1e-7 * (pair.a.size + pair.b.size)) {
                if (depth < best.depth + enough) best = {depth, normal, extreme, corners, true};
                break;
            }
            polytope.retire(f);
        } else if (!polytope.grow(f, extreme)) {
            break;
        }
    }
    return best.on_face ? on_face(best.corners, best.normal, best.extreme)
                        : on_smaller(pair, best.normal, best.extreme);
}

} // namespace fovea
