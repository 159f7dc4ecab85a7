// Quickhull (Barber, Dobkin and Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", ACM TOMS
// 1996): every triangle keeps the points above it. Take the farthest of them, the eye; remove all
// triangles that it sees; join the rim of the hole, the horizon, to the eye; hand the points of the
// removed triangles to the new ones.
//
// A triangle in whose plane the eye lies is not seen. Hence no new triangle is degenerate (an eye
// in line with a horizon edge lies in the plane of the seen triangle there) and the horizon is a
// single cycle through each of its vertices once.
#include "fovea/geometry/quickhull.h"

#include <utility>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

std::array<Int128, 3> normal_of(std::span<const LatticePoint> points,
                                const std::array<std::uint32_t, 3>& vertices) {
    const LatticePoint &a = points[vertices[0]], &b = points[vertices[1]], &c = points[vertices[2]];
    const Int128 ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    const Int128 vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    return {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
}

class Quickhull {
  public:
    explicit Quickhull(std::span<const LatticePoint> points)
        : points_(points)
        , rim_(points.size()) {}

    std::vector<HullTriangle> build(std::array<std::uint32_t, 4> simplex) && {
        start(simplex);
        while (!waiting_.empty()) {
            const std::uint32_t face = waiting_.back();
            waiting_.pop_back();
            if (faces_[face].alive) add_point(face, farthest(faces_[face]));
        }
        return compacted();
    }

  private:
    struct Face {
        HullTriangle triangle;
        std::vector<std::uint32_t> outside; ///< points above this face, each kept by one face only
        bool alive = true;
        bool seen = false;
    };
    /// A directed edge of a seen face, and the unseen face beyond.
    struct HorizonEdge {
        std::uint32_t from, to, beyond;
    };

    std::uint32_t add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        Face face;
        face.triangle.vertices = {a, b, c};
        face.triangle.normal = normal_of(points_, face.triangle.vertices);
        faces_.push_back(std::move(face));
        return std::uint32_t(faces_.size() - 1);
    }

    void start(std::array<std::uint32_t, 4> s) {
        add_face(s[0], s[1], s[2]);
        if (height_above(faces_[0].triangle, points_, s[3]) > 0) {
            std::swap(s[1], s[2]);
            faces_.clear();
            add_face(s[0], s[1], s[2]);
        }
        add_face(s[1], s[0], s[3]);
        add_face(s[2], s[1], s[3]);
        add_face(s[0], s[2], s[3]);
        faces_[0].triangle.neighbours = {1, 2, 3};
        faces_[1].triangle.neighbours = {0, 3, 2};
        faces_[2].triangle.neighbours = {0, 1, 3};
        faces_[3].triangle.neighbours = {0, 2, 1};
        for (std::uint32_t point = 0; point < points_.size(); ++point) hand_over(point, 0);
        enqueue_from(0);
    }

    /// Gives a point to the first face from `first` on that has it above.
    void hand_over(std::uint32_t point, std::size_t first) {
        for (std::size_t i = first; i < faces_.size(); ++i) {
            if (height_above(faces_[i].triangle, points_, point) <= 0) continue;
            faces_[i].outside.push_back(point);
            return;
        }
    }

    void enqueue_from(std::size_t first) {
        for (std::size_t i = first; i < faces_.size(); ++i) {
            if (!faces_[i].outside.empty()) waiting_.push_back(std::uint32_t(i));
        }
    }

    std::uint32_t farthest(const Face& face) const {
        std::uint32_t best = face.outside[0];
        Int128 best_height = height_above(face.triangle, points_, best);
        for (const std::uint32_t point : face.outside) {
            const Int128 height = height_above(face.triangle, points_, point);
            if (height <= best_height) continue;
            best = point;
            best_height = height;
        }
        return best;
    }

    void add_point(std::uint32_t first_seen, std::uint32_t eye) {
        look(first_seen, eye);
        const std::size_t first = faces_.size();
        for (const HorizonEdge& edge : horizon_) {
            const std::uint32_t face = add_face(edge.from, edge.to, eye);
            rim_[edge.from] = face;
            faces_[face].triangle.neighbours[0] = edge.beyond;
            HullTriangle& beyond = faces_[edge.beyond].triangle;
            for (int i = 0; i < 3; ++i) {
                if (beyond.vertices[i] == edge.to) beyond.neighbours[i] = face;
            }
        }
        for (const HorizonEdge& edge : horizon_) {
            const std::uint32_t face = rim_[edge.from], next = rim_[edge.to];
            faces_[face].triangle.neighbours[1] = next;
            faces_[next].triangle.neighbours[2] = face;
        }
        for (const std::uint32_t face : seen_) {
            const std::vector<std::uint32_t> orphans = std::move(faces_[face].outside);
            faces_[face].outside = {};
            faces_[face].alive = false;
            for (const std::uint32_t point : orphans) {
                if (point != eye) hand_over(point, first);
            }
        }
        enqueue_from(first);
    }

    /// Collects the faces seen from the eye, and the horizon around them.
    void look(std::uint32_t first_seen, std::uint32_t eye) {
        seen_.assign(1, first_seen);
        horizon_.clear();
        faces_[first_seen].seen = true;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            const HullTriangle& triangle = faces_[seen_[i]].triangle;
            for (int side = 0; side < 3; ++side) {
                const std::uint32_t neighbour = triangle.neighbours[side];
                if (faces_[neighbour].seen) continue;
                if (height_above(faces_[neighbour].triangle, points_, eye) > 0) {
                    faces_[neighbour].seen = true;
                    seen_.push_back(neighbour);
                } else {
                    horizon_.push_back(
                        {triangle.vertices[side], triangle.vertices[(side + 1) % 3], neighbour});
                }
            }
        }
    }

    std::vector<HullTriangle> compacted() const {
        std::vector<std::uint32_t> number(faces_.size());
        std::vector<HullTriangle> triangles;
        for (std::size_t i = 0; i < faces_.size(); ++i) {
            number[i] = std::uint32_t(triangles.size());
            if (faces_[i].alive) triangles.push_back(faces_[i].triangle);
        }
        for (HullTriangle& triangle : triangles) {
            for (std::uint32_t& neighbour : triangle.neighbours) {
                FOVEA_ASSERT(faces_[neighbour].alive);
                neighbour = number[neighbour];
            }
        }
        return triangles;
    }

    std::span<const LatticePoint> points_;
    std::vector<Face> faces_;
    std::vector<std::uint32_t> waiting_; ///< faces that may have points above them
    std::vector<std::uint32_t> seen_;
    std::vector<HorizonEdge> horizon_;
    std::vector<std::uint32_t> rim_; ///< new face whose horizon edge starts at a vertex
};

} // namespace

Int128 height_above(const HullTriangle& triangle, std::span<const LatticePoint> points,
                    std::uint32_t point) {
    const LatticePoint &p = points[point], &a = points[triangle.vertices[0]];
    return triangle.normal[0] * (p.x - a.x) + triangle.normal[1] * (p.y - a.y) +
           triangle.normal[2] * (p.z - a.z);
}

std::vector<HullTriangle> quickhull(std::span<const LatticePoint> points,
                                    const std::array<std::uint32_t, 4>& simplex) {
    return Quickhull(points).build(simplex);
}

} // namespace fovea
