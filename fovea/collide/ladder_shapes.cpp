// Ladders of shapes that come without a tree: convex solids, compounds, half-spaces, surfaces.
#include <algorithm>
#include <numeric>

#include "fovea/collide/ladder_builder.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/proximity.h"
#include "fovea/geometry/rounding.h"
#include "fovea/volume/mesh_partition.h"

namespace fovea {

namespace {

/// Triangles of a leaf of a surface's ladder: one block.
constexpr std::size_t k_leaf_triangles = LadderBlock::k_width;

Ladder solids_ladder(std::vector<Ladder::Solid> solids) {
    std::vector<BoundingBall> balls;
    std::vector<LadderBuilder::Item> nodes, elements;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < solids.size(); ++i) {
        balls.push_back(ball_around(solids[i].shape, solids[i].placement));
        nodes.push_back({0, balls[i]});
        elements.push_back({i, balls[i]});
        numbers.push_back(i);
    }
    LadderBuilder builder;
    const LadderBuilder::Item root[] = {
        {0, solids.size() == 1 ? balls[0] : ball_around(std::span<const BoundingBall>(balls))}};
    builder.add_level(root, LevelKind::spheres);
    builder.add_level(nodes, LevelKind::solids);
    builder.ladder.inner.centre = root[0].ball.centre;
    for (const Ladder::Solid& solid : solids) {
        const Proximity of_centre =
            proximity(solid.shape, solid.placement, Sphere{0}, Transform(root[0].ball.centre));
        float& inside = builder.ladder.inner.radius;
        inside = std::max(inside, -of_centre.separation);
    }
    builder.ladder.solids = std::move(solids);
    builder.add_elements(elements, numbers, LadderTop::solids);
    return builder.finish();
}

/// A group of triangles, a run of the sorted list of faces.
struct Group {
    std::uint32_t parent;
    std::uint32_t begin, end;
};

class SurfaceLevels {
  public:
    explicit SurfaceLevels(const TriangleMesh& mesh)
        : mesh_(mesh)
        , partitioner_(mesh.triangles, mesh.vertices, Partition::surface_area, 8)
        , faces_(mesh.triangles.size()) {
        std::iota(faces_.begin(), faces_.end(), 0u);
    }

    Ladder build() {
        std::vector<Group> groups = {{0, 0, std::uint32_t(faces_.size())}};
        for (int depth = 0;; ++depth) {
            add(groups);
            std::vector<Group> next;
            bool split = false;
            for (std::uint32_t i = 0; i < groups.size(); ++i) {
                const auto [parent, begin, end] = groups[i];
                if (end - begin <= k_leaf_triangles) {
                    next.push_back({i, begin, end});
                    continue;
                }
                split = true;
                partitioner_.split(std::span(faces_).subspan(begin, end - begin), depth, ends_);
                std::uint32_t from = begin;
                for (const std::uint32_t part_end : ends_) {
                    next.push_back({i, from, begin + part_end});
                    from = begin + part_end;
                }
            }
            if (!split) break;
            groups = std::move(next);
        }
        std::vector<LadderBuilder::Item> elements;
        for (std::uint32_t i = 0; i < groups.size(); ++i)
            for (std::uint32_t k = groups[i].begin; k < groups[i].end; ++k)
                elements.push_back({i, ball_around(corners(mesh_, faces_[k]))});
        builder_.ladder.triangles = surface_triangles(mesh_);
        builder_.ladder.fixed_surface = true;
        builder_.add_elements(elements, faces_, LadderTop::triangles);
        return builder_.finish();
    }

  private:
    void add(std::span<const Group> groups) {
        std::vector<LadderBuilder::Item> items;
        std::vector<NodeContent> content;
        for (const Group& group : groups) {
            Aabb box;
            Vec3d normal;
            double area = 0;
            for (std::uint32_t k = group.begin; k < group.end; ++k) {
                const auto [a, b, c] = corners(mesh_, faces_[k]);
                for (const Vec3& p : {a, b, c}) box = {min(box.low, p), max(box.high, p)};
                const Vec3d twice = cross(Vec3d(b) - Vec3d(a), Vec3d(c) - Vec3d(a));
                normal += twice;
                area += length(twice);
            }
            const Vec3 centre = box.centre();
            double squared = 0;
            for (std::uint32_t k = group.begin; k < group.end; ++k)
                for (const Vec3& p : corners(mesh_, faces_[k]))
                    squared = std::max(squared, length_squared(Vec3d(p) - Vec3d(centre)));
            items.push_back({group.parent, {centre, rounded_up(std::sqrt(squared) * (1 + 1e-12))}});
            // A surface halves a ball. Where it faces all ways it has no normal.
            NodeContent found;
            found.occupancy = 0.5f;
            if (length(normal) > 0.5 * area) found.normal = Vec3(normalized_or(-normal, Vec3d()));
            content.push_back(found);
        }
        const auto slots = builder_.add_level(items, LevelKind::spheres);
        builder_.ladder.content.resize(builder_.ladder.children.size());
        for (std::size_t i = 0; i < slots.size(); ++i)
            builder_.ladder.content[slots[i]] = content[i];
    }

    const TriangleMesh& mesh_;
    MeshPartitioner partitioner_;
    std::vector<std::uint32_t> faces_, ends_;
    LadderBuilder builder_;
};

Result<Ladder> make_solid_ladder(const SolidMesh& solid) {
    SphereTreeSettings settings;
    settings.method = solid.spheres.method;
    settings.levels = solid.spheres.levels;
    settings.branching = solid.spheres.branching;
    settings.threads = 1; // how many there may be is for the host to say
    const auto tree = SphereTree::build(*solid.data, settings);
    if (!tree) return failure(tree.error().message);
    return make_ladder(*tree, *solid.data);
}

} // namespace

Result<Ladder> make_surface_ladder(const TriangleMesh& mesh) {
    if (const auto checked = check_mesh(mesh); !checked) return failure(checked.error().message);
    return SurfaceLevels(mesh).build();
}

Result<Ladder> make_ladder(const Shape& shape) {
    if (const auto checked = check_shape(shape); !checked) return failure(checked.error().message);
    if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
        Ladder ladder;
        ladder.top = LadderTop::half_space;
        ladder.plane = *plane;
        return ladder;
    }
    if (const auto* surface = std::get_if<MeshSurface>(&shape))
        return make_surface_ladder(*surface->data);
    if (const auto* solid = std::get_if<SolidMesh>(&shape)) return make_solid_ladder(*solid);
    if (const auto* deforming = std::get_if<DeformingMesh>(&shape))
        return make_surface_ladder(*deforming->data);
    if (const auto* heights = std::get_if<HeightSurface>(&shape))
        return make_surface_ladder(to_mesh(*heights->data));
    std::vector<Ladder::Solid> solids;
    if (const auto* compound = std::get_if<CompoundShape>(&shape)) {
        for (const Compound::Part& part : compound->data->parts)
            solids.push_back({part.shape, part.placement});
    } else {
        solids.push_back({shape, Transform()});
    }
    return solids_ladder(std::move(solids));
}

} // namespace fovea
