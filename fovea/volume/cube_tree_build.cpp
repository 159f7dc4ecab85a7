#include <string>

#include "fovea/geometry/rounding.h"
#include "fovea/volume/cell_split.h"
#include "fovea/volume/volume_tree.h"

namespace fovea {

namespace {

/// Cells of the lattice that says what is inside.
constexpr int k_lattice = 24;

Result<void> check(const CubeTreeSettings& settings) {
    if (settings.levels < 1 || settings.levels > 8) {
        return failure("levels is " + std::to_string(settings.levels) + "; it must be 1 to 8");
    }
    if (settings.divisions < 2 || settings.divisions > 4) {
        return failure("divisions is " + std::to_string(settings.divisions) +
                       "; it must be 2 to 4");
    }
    return {};
}

/// The cell in metres; rounded, it is a little larger rather than smaller, and holds the mesh as it
/// was before welding.
NodeVolume cube_of(const Cell& cell, const PreparedMesh& mesh) {
    const Vec3d exact = mesh.to_metres(cell.box.centre());
    const Vec3 centre(exact);
    const Vec3d moved = Vec3d(centre) - exact;
    const double room = std::max({std::abs(moved.x), std::abs(moved.y), std::abs(moved.z)});
    const float half =
        rounded_up((cell.box.half().x * (1 + 1e-9) + 1e-12) * mesh.scale + room + mesh.moved);
    return {VolumeType::cube, centre, {half, 0, 0}, {0, half, 0}, 0};
}

} // namespace

Result<VolumeTree> VolumeTree::build_cubes(const TriangleMesh& mesh,
                                           const CubeTreeSettings& settings) {
    if (auto checked = check(settings); !checked) return tl::unexpected(checked.error());
    const Jobs jobs(settings.threads);
    const auto prepared = prepare(mesh, jobs);
    if (!prepared) return tl::unexpected(prepared.error());
    const DistanceGrid grid(*prepared, k_lattice, 1.25, jobs);
    const ContentModel content{*prepared, grid,
                               prepared->closed && settings.enclosure == Enclosure::solid};

    const std::array<int, 3> parts = {settings.divisions, settings.divisions, settings.divisions};
    LevelStructure structure;
    std::vector<NodeVolume> nodes;
    std::vector<Cell> cells = {root_cell(content, true)};
    for (int level = 0; level < settings.levels; ++level) {
        if (level > 0) {
            cells = split_cells(
                content, std::move(cells), [&](const Vec3d&) { return parts; }, jobs);
        }
        std::vector<std::uint32_t> parents;
        for (const Cell& cell : cells) {
            parents.push_back(cell.parent);
            nodes.push_back(cube_of(cell, *prepared));
        }
        if (auto added = structure.add_level(parents); !added) {
            return tl::unexpected(added.error());
        }
    }
    return VolumeTree(std::move(structure), std::move(nodes));
}

} // namespace fovea
