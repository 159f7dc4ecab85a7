// Which samples of the lattice lie inside a closed mesh: along every row of samples the crossings
// with the surface are found, each of which raises or lowers the winding number by one.
//
//   row  ---o----o--(+1)--o----o--(-1)--o---
//           0    0        1    1        0      winding number of the samples
#include <algorithm>
#include <cmath>
#include <tuple>

#include "fovea/volume/distance_grid.h"

namespace fovea {

namespace {

struct Crossing {
    std::size_t row;
    double x;
    int sense;

    bool operator<(const Crossing& o) const {
        return std::tie(row, x, sense) < std::tie(o.row, o.x, o.sense);
    }
};

/// On which side of an edge, seen along x, a row of samples passes.
struct EdgeSide {
    double value; ///< twice the area of the triangle of edge and row
    int side;     ///< never 0, unless the edge has collapsed
};

/// The two triangles at an edge get the same answer, since the ends are put in order first. A row
/// that meets the edge is taken as moved by a hair along y and by a hair of that along z.
EdgeSide side_of(const PreparedMesh& mesh, std::uint32_t from, std::uint32_t to, double y,
                 double z) {
    const int order = from < to ? 1 : -1;
    const Vec3d &a = mesh.vertices[std::min(from, to)], &b = mesh.vertices[std::max(from, to)];
    const double dy = b.y - a.y, dz = b.z - a.z;
    const double value = dy * (z - a.z) - dz * (y - a.y);
    const double decides = value != 0 ? value : dz != 0 ? -dz : dy;
    return {order * value, decides > 0 ? order : decides < 0 ? -order : 0};
}

} // namespace

void DistanceGrid::find_signs(const PreparedMesh& mesh, const Jobs& jobs) {
    std::vector<Crossing> crossings;
    for (const auto& [ia, ib, ic] : mesh.triangles) {
        const Vec3d &a = mesh.vertices[ia], &b = mesh.vertices[ib], &c = mesh.vertices[ic];
        const Vec3d low = (min(min(a, b), c) - low_) / spacing_;
        const Vec3d high = (max(max(a, b), c) - low_) / spacing_;
        // A hair wider than the triangle, since the ends are rounded.
        const int j1 = int(std::floor(high.y + 1e-9)), k1 = int(std::floor(high.z + 1e-9));
        for (int k = int(std::ceil(low.z - 1e-9)); k <= k1; ++k) {
            for (int j = int(std::ceil(low.y - 1e-9)); j <= j1; ++j) {
                const Vec3d p = position(0, j, k);
                const EdgeSide ab = side_of(mesh, ia, ib, p.y, p.z);
                const EdgeSide bc = side_of(mesh, ib, ic, p.y, p.z);
                const EdgeSide ca = side_of(mesh, ic, ia, p.y, p.z);
                if (ab.side == 0 || ab.side != bc.side || bc.side != ca.side) continue;
                const double sum = ab.value + bc.value + ca.value;
                const double x =
                    sum != 0 ? (bc.value * a.x + ca.value * b.x + ab.value * c.x) / sum : a.x;
                crossings.push_back({index(0, j, k) / std::size_t(size_[0]), x, ab.side});
            }
        }
    }
    std::sort(crossings.begin(), crossings.end());

    const std::size_t rows = std::size_t(size_[1]) * std::size_t(size_[2]);
    jobs.for_blocks(rows, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const auto before = [](const Crossing& c, std::size_t r) { return c.row < r; };
            auto next = std::lower_bound(crossings.begin(), crossings.end(), row, before);
            const auto last = std::lower_bound(next, crossings.end(), row + 1, before);
            int sum = 0;
            for (auto c = next; c != last; ++c) sum += c->sense;
            int winding = 0;
            for (int i = 0; i < size_[0]; ++i) {
                const Vec3d p =
                    position(i, int(row % std::size_t(size_[1])), int(row / std::size_t(size_[1])));
                for (; next != last && next->x <= p.x; ++next) winding += next->sense;
                // A row that does not come out again has met slivers too thin for its arithmetic.
                const bool inside = sum == 0 ? winding != 0 : mesh.inside(p);
                float& sample = samples_[row * std::size_t(size_[0]) + std::size_t(i)];
                if (inside) sample = -sample;
            }
        }
    });
}

} // namespace fovea
