// Two stages.
//
// 1. Triangles exactly in one plane of the lattice form a facet: a convex polygon, by exactness.
// 2. Facets, largest first, swallow neighbours all of whose corners lie within the tolerance of
//    their plane. That need not leave a convex polygon behind (a patch of a finely sampled sphere
//    with bites taken out by its neighbours does not), so every such union is examined, and
//    refused where its outline is not a simple, convex cycle.
//
// Should the second stage ever leave faces that do not fit together, its result is dropped in
// favour of the first stage's, which always fits.
#include "fovea/geometry/hull_facets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/geometry/hull_assembly.h"
#include "fovea/geometry/rounding.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

class FacetJoiner {
  public:
    FacetJoiner(const HullPoints& points, std::span<const HullTriangle> triangles,
                const HullTolerance& tolerance)
        : points_(points)
        , triangles_(triangles)
        , tolerance_(tolerance)
        , successor_(points.exact.size(), k_none) {
        find_exact_facets();
    }

    ConvexHull build() {
        join_near_facets();
        ConvexHull hull = assembled_hull(points_.exact, faces());
        if (fits_together(hull)) return hull;
        leave_facets_apart();
        return assembled_hull(points_.exact, faces());
    }

  private:
    struct Facet {
        std::vector<std::uint32_t> triangles;
        Vec3d normal; ///< unit
        double area = 0;
    };

    Vec3d point(std::uint32_t index) const { return Vec3d(points_.exact[index]); }

    void find_exact_facets() {
        facet_of_.assign(triangles_.size(), k_none);
        for (std::uint32_t seed = 0; seed < triangles_.size(); ++seed) {
            if (facet_of_[seed] != k_none) continue;
            const auto number = std::uint32_t(facets_.size());
            Facet facet{{seed}, unit_normal(triangles_[seed]), 0};
            facet_of_[seed] = number;
            for (std::size_t i = 0; i < facet.triangles.size(); ++i) {
                facet.area += area(triangles_[facet.triangles[i]]);
                for (const std::uint32_t neighbour : triangles_[facet.triangles[i]].neighbours) {
                    if (facet_of_[neighbour] != k_none || !coplanar(seed, neighbour)) continue;
                    facet_of_[neighbour] = number;
                    facet.triangles.push_back(neighbour);
                }
            }
            facets_.push_back(std::move(facet));
        }
    }

    /// A lattice plane n.(s x) = c with s the scale has the normal s n in space.
    Vec3d unit_normal(const HullTriangle& triangle) const {
        const Vec3d n(double(triangle.normal[0]), double(triangle.normal[1]),
                      double(triangle.normal[2]));
        return normalized_or(scale(n, points_.lattice_scale), Vec3d(0, 1, 0));
    }

    double area(const HullTriangle& t) const {
        const Vec3d a = point(t.vertices[0]);
        return length(cross(point(t.vertices[1]) - a, point(t.vertices[2]) - a)) / 2;
    }

    bool coplanar(std::uint32_t seed, std::uint32_t other) const {
        for (const std::uint32_t vertex : triangles_[other].vertices) {
            if (height_above(triangles_[seed], points_.lattice, vertex) != 0) return false;
        }
        return true;
    }

    void leave_facets_apart() {
        members_.assign(facets_.size(), {});
        seed_of_.assign(facets_.size(), k_none);
        for (std::uint32_t i = 0; i < facets_.size(); ++i) leave_alone(i);
    }

    void leave_alone(std::uint32_t seed) {
        members_[seed] = {seed};
        seed_of_[seed] = seed;
    }

    void join_near_facets() {
        members_.assign(facets_.size(), {});
        seed_of_.assign(facets_.size(), k_none);
        std::vector<std::uint32_t> order(facets_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return facets_[a].area > facets_[b].area;
        });
        for (const std::uint32_t seed : order) {
            if (seed_of_[seed] != k_none) continue;
            const double tolerance = tolerance_.along(facets_[seed].normal);
            leave_alone(seed);
            grow(seed, tolerance);
            if (members_[seed].size() > 1 && !convex_outline(seed, tolerance)) {
                for (const std::uint32_t facet : members_[seed]) seed_of_[facet] = k_none;
                leave_alone(seed);
            }
        }
    }

    /// Adds the free facets around `seed` that lie in its plane within the tolerance.
    void grow(std::uint32_t seed, double tolerance) {
        std::vector<std::uint32_t>& members = members_[seed];
        for (std::size_t i = 0; i < members.size(); ++i) {
            for (const std::uint32_t triangle : facets_[members[i]].triangles) {
                for (const std::uint32_t beyond : triangles_[triangle].neighbours) {
                    const std::uint32_t other = facet_of_[beyond];
                    if (seed_of_[other] != k_none || !nearly_coplanar(seed, other, tolerance)) {
                        continue;
                    }
                    seed_of_[other] = seed;
                    members.push_back(other);
                }
            }
        }
    }

    bool nearly_coplanar(std::uint32_t seed, std::uint32_t other, double tolerance) const {
        const Vec3d& normal = facets_[seed].normal;
        if (dot(normal, facets_[other].normal) <= 0) return false;
        const Vec3d origin = point(triangles_[facets_[seed].triangles[0]].vertices[0]);
        for (const std::uint32_t triangle : facets_[other].triangles) {
            for (const std::uint32_t vertex : triangles_[triangle].vertices) {
                if (std::abs(dot(normal, point(vertex) - origin)) > tolerance) return false;
            }
        }
        return true;
    }

    bool convex_outline(std::uint32_t seed, double tolerance) {
        const std::vector<std::uint32_t> cycle = outline(seed);
        const std::size_t count = cycle.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3d a = point(cycle[i]), b = point(cycle[(i + 1) % count]);
            const Vec3d c = point(cycle[(i + 2) % count]);
            // Right turns put b on the inner side of the chord from a to c, this far.
            const double turn = dot(facets_[seed].normal, cross(b - a, c - b));
            if (-turn > tolerance * length(c - a)) return false;
        }
        return count >= 3;
    }

    /// The cycle of edges around a face; empty if that is not one cycle without repeated vertices.
    std::vector<std::uint32_t> outline(std::uint32_t seed) {
        std::vector<std::uint32_t> starts;
        bool simple = true;
        for (const std::uint32_t facet : members_[seed]) {
            for (const std::uint32_t triangle : facets_[facet].triangles) {
                const HullTriangle& t = triangles_[triangle];
                for (int side = 0; side < 3; ++side) {
                    if (seed_of_[facet_of_[t.neighbours[side]]] == seed) continue;
                    simple &= successor_[t.vertices[side]] == k_none;
                    successor_[t.vertices[side]] = t.vertices[(side + 1) % 3];
                    starts.push_back(t.vertices[side]);
                }
            }
        }
        std::vector<std::uint32_t> cycle;
        if (simple && !starts.empty()) {
            std::uint32_t vertex = starts[0];
            do {
                cycle.push_back(vertex);
                vertex = successor_[vertex];
            } while (vertex != starts[0]);
            if (cycle.size() != starts.size()) cycle.clear();
        }
        for (const std::uint32_t vertex : starts) successor_[vertex] = k_none;
        return cycle;
    }

    std::vector<PolygonFace> faces() {
        std::vector<PolygonFace> all;
        for (std::uint32_t seed = 0; seed < facets_.size(); ++seed) {
            if (seed_of_[seed] != seed) continue;
            PolygonFace face{outline(seed), Vec3(facets_[seed].normal), 0};
            face.offset = surface_offset(seed, Vec3d(face.normal));
            all.push_back(std::move(face));
        }
        return all;
    }

    /// The least offset, rounded up, that leaves none of the face's corners outside.
    float surface_offset(std::uint32_t seed, const Vec3d& normal) const {
        double largest = -std::numeric_limits<double>::infinity();
        for (const std::uint32_t facet : members_[seed]) {
            for (const std::uint32_t triangle : facets_[facet].triangles) {
                for (const std::uint32_t vertex : triangles_[triangle].vertices) {
                    largest = std::max(largest, dot(normal, point(vertex)));
                }
            }
        }
        return rounded_up(largest);
    }

    const HullPoints& points_;
    std::span<const HullTriangle> triangles_;
    const HullTolerance& tolerance_;
    std::vector<std::uint32_t> successor_; ///< along the outline being traced, by vertex
    std::vector<std::uint32_t> facet_of_;  ///< by triangle
    std::vector<Facet> facets_;
    std::vector<std::uint32_t> seed_of_;              ///< by facet: the first facet of its face
    std::vector<std::vector<std::uint32_t>> members_; ///< by seed: the facets of its face
};

} // namespace

ConvexHull joined_facets(const HullPoints& points, std::span<const HullTriangle> triangles,
                         const HullTolerance& tolerance) {
    return FacetJoiner(points, triangles, tolerance).build();
}

} // namespace fovea
