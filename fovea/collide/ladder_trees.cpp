// Ladders from volume trees: levels node by node, then the triangles below the leaves.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "fovea/collide/ladder_builder.h"
#include "fovea/collide/triangle_homes.h"
#include "fovea/geometry/rounding.h"
#include "fovea/volume/mesh_partition.h"
#include "fovea/volume/node_content.h"
#include "fovea/volume/volume_tree.h"

namespace fovea {

namespace {

BoundingBall ball_around(const NodeVolume& volume) {
    if (volume.type == VolumeType::point) return {volume.centre, volume.radius};
    const Vec3d u(volume.u), v(volume.v);
    const double core = volume.type == VolumeType::cube
                            ? std::sqrt(3.0) * std::max(length(u), length(v))
                            : std::sqrt(length_squared(u) + length_squared(v));
    return {volume.centre, rounded_up((core + volume.radius) * (1 + 1e-6))};
}

/// Puts neighbours side by side.
void order_by_place(std::span<std::uint32_t> faces, MeshPartitioner& partitioner, int depth = 0) {
    if (faces.size() <= LadderBlock::k_width) return;
    std::vector<std::uint32_t> ends;
    partitioner.split(faces, depth, ends);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends) {
        order_by_place(faces.subspan(begin, end - begin), partitioner, depth + 1);
        begin = end;
    }
}

/// Levels of a tree as levels of a ladder. `content` may be empty.
class TreeLevels {
  public:
    TreeLevels(const LevelStructure& structure, std::span<const NodeVolume> nodes,
               std::span<const NodeContent> content)
        : structure_(structure)
        , nodes_(nodes)
        , content_(content)
        , all_spheres_(std::all_of(nodes.begin(), nodes.end(), [](const NodeVolume& node) {
            return node.type == VolumeType::point;
        })) {
        level_nodes_ = {0};
        add({{0, ball_around(nodes[0])}});
        for (int level = 1; level < structure.levels(); ++level) {
            std::vector<LadderBuilder::Item> items;
            std::vector<std::uint32_t> next;
            for (std::uint32_t i = 0; i < level_nodes_.size(); ++i) {
                const std::uint32_t node = level_nodes_[i];
                const auto [first, count] = structure.is_leaf(node) ? LevelStructure::Range{node, 1}
                                                                    : structure.children(node);
                for (std::uint32_t child = first; child < first + count; ++child) {
                    items.push_back({i, ball_around(nodes[child])});
                    next.push_back(child);
                }
            }
            level_nodes_ = next;
            add(items);
        }
    }

    Result<void> add_triangles(const TriangleMesh& mesh) {
        // By leaf: its triangles, and the ball around what each of them has there.
        struct List {
            std::vector<std::uint32_t> triangles;
            std::map<std::uint32_t, BoundingBall> balls;
        };
        std::vector<List> lists(structure_.size());
        TriangleHomes homes(structure_, nodes_);
        for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
            const auto found = homes.find(corners(mesh, i));
            if (found.empty())
                return failure("triangle " + std::to_string(i) +
                               " of the mesh lies outside the tree");
            if (found.size() > 1) builder.ladder.repeats_elements = true;
            for (const TriangleHomes::Home& home : found) {
                lists[home.leaf].triangles.push_back(i);
                lists[home.leaf].balls.emplace(i, home.ball);
            }
        }
        std::vector<LadderBuilder::Item> items;
        std::vector<std::uint32_t> numbers;
        MeshPartitioner partitioner(mesh.triangles, mesh.vertices, Partition::surface_area, 8);
        for (std::uint32_t i = 0; i < level_nodes_.size(); ++i) {
            List& list = lists[level_nodes_[i]];
            order_by_place(list.triangles, partitioner);
            for (const std::uint32_t triangle : list.triangles) {
                items.push_back({i, list.balls.at(triangle)});
                numbers.push_back(triangle);
            }
        }
        builder.ladder.triangles = surface_triangles(mesh);
        builder.ladder.encloses_space = is_closed_and_oriented(mesh) && signed_volume(mesh) > 0;
        builder.add_elements(items, numbers, LadderTop::triangles);
        return {};
    }

    LadderBuilder builder;

  private:
    void add(std::span<const LadderBuilder::Item> items) {
        // The root is its bounding sphere, whatever the tree's root is.
        const bool root = builder.ladder.kinds.empty();
        const auto slots = builder.add_level(items, all_spheres_ || root ? LevelKind::spheres
                                                                         : LevelKind::volumes);
        Ladder& ladder = builder.ladder;
        if (!all_spheres_) ladder.volumes.resize(ladder.children.size());
        if (!content_.empty()) ladder.content.resize(ladder.children.size());
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (!all_spheres_) ladder.volumes[slots[i]] = nodes_[level_nodes_[i]];
            if (!content_.empty()) ladder.content[slots[i]] = content_[level_nodes_[i]];
        }
    }
    void add(std::initializer_list<LadderBuilder::Item> items) {
        add(std::span(items.begin(), items.size()));
    }

    const LevelStructure& structure_;
    std::span<const NodeVolume> nodes_;
    std::span<const NodeContent> content_;
    bool all_spheres_;
    std::vector<std::uint32_t> level_nodes_; ///< of the tree, in the order of the level added last
};

std::vector<NodeContent> contents(const SphereTree& tree) {
    std::vector<NodeContent> content;
    for (std::uint32_t i = 0; i < tree.size(); ++i) content.push_back(tree.content(i));
    return content;
}

/// What the spheres around the nodes of a volume tree hold.
Result<std::vector<NodeContent>> contents(const VolumeTree& tree, const TriangleMesh& mesh) {
    std::vector<SphereLevel> levels(std::size_t(tree.levels()));
    for (int l = 0; l < tree.levels(); ++l) {
        const auto [first, count] = tree.level(l);
        for (std::uint32_t node = first; node < first + count; ++node) {
            const BoundingBall ball = ball_around(tree.node(node));
            levels[l].centres.push_back(ball.centre);
            levels[l].radii.push_back(ball.radius);
            if (l > 0) levels[l].parents.push_back(tree.parent(node) - tree.level(l - 1).first);
        }
    }
    auto spheres = SphereTree::from_levels(levels);
    if (!spheres) return failure(spheres.error().message);
    const Jobs jobs;
    const auto prepared = prepare(mesh, jobs);
    if (!prepared) return failure(prepared.error().message);
    constexpr int k_lattice = 64; // cells across the mesh: samples of nodes need no more
    const DistanceGrid grid(*prepared, k_lattice, 1.25, jobs);
    fill_content(*spheres, {*prepared, grid, prepared->closed}, jobs);
    return contents(*spheres);
}

} // namespace

Result<Ladder> make_ladder(const SphereTree& tree, const TriangleMesh& mesh) {
    if (const auto checked = check_mesh(mesh); !checked) return failure(checked.error().message);
    const VolumeTree volumes(tree);
    const std::vector<NodeContent> content = contents(tree);
    TreeLevels levels(volumes.structure(), volumes.nodes(), content);
    if (const auto added = levels.add_triangles(mesh); !added)
        return failure(added.error().message);
    return levels.builder.finish();
}

Result<Ladder> make_ladder(const VolumeTree& tree, const TriangleMesh& mesh) {
    if (const auto checked = check_mesh(mesh); !checked) return failure(checked.error().message);
    const auto content = contents(tree, mesh);
    if (!content) return failure(content.error().message);
    TreeLevels levels(tree.structure(), tree.nodes(), *content);
    if (const auto added = levels.add_triangles(mesh); !added)
        return failure(added.error().message);
    return levels.builder.finish();
}

Ladder make_ladder(const SphereTree& tree) {
    const VolumeTree volumes(tree);
    const std::vector<NodeContent> content = contents(tree);
    return TreeLevels(volumes.structure(), volumes.nodes(), content).builder.finish();
}

Ladder make_ladder(const VolumeTree& tree) {
    return TreeLevels(tree.structure(), tree.nodes(), {}).builder.finish();
}

} // namespace fovea
