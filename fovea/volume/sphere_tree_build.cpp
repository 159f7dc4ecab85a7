#include <cmath>
#include <string>

#include "fovea/base/clock.h"
#include "fovea/geometry/number_text.h"
#include "fovea/volume/cell_builder.h"
#include "fovea/volume/draft_finish.h"
#include "fovea/volume/falling_error.h"
#include "fovea/volume/node_content.h"
#include "fovea/volume/share_builder.h"
#include "fovea/volume/solid_proof.h"
#include "fovea/volume/sphere_tree.h"
#include "fovea/volume/surface_proof.h"

namespace fovea {

namespace {

/// Levels that hold `count` spheres when every node has `branching` children.
int levels_for(std::size_t count, int branching) {
    int levels = 1;
    for (std::size_t reach = 1; reach < count && levels < 8; ++levels) reach *= branching;
    return levels;
}

DraftPlan plan_of(const SphereTreeSettings& settings, const PreparedMesh& mesh) {
    DraftPlan plan{settings.levels, settings.branching, 0, 0, settings.effort};
    if (settings.target_error) {
        plan.levels = 8;
        // A little less, for what the proofs may enlarge.
        plan.target_error = 0.9 * *settings.target_error / mesh.scale;
    }
    if (settings.target_count) {
        plan.target_count = std::size_t(*settings.target_count);
        plan.levels = levels_for(plan.target_count, settings.branching);
    }
    return plan;
}

/// Target errors below this part of the mesh's size are refused at once.
constexpr double k_least_target = 1e-6;

/// Cells of the lattice where it only says what is inside and how full a node is, and the width of
/// its band; and the width where distances are fitted to.
constexpr int k_cell_lattice = 24;
constexpr double k_cell_band = 1.25, k_fitting_band = 2;

/// Cells of the distance lattice: finer for more and so smaller spheres.
int lattice_for(const DraftPlan& plan) {
    const double spheres = plan.target_count > 0   ? double(plan.target_count)
                           : plan.target_error > 0 ? 512
                                                   : std::pow(plan.branching, plan.levels - 1);
    return spheres <= 32 ? 40 : spheres <= 128 ? 52 : 64;
}

Result<void> check_target(const SphereLevel& leaves, const SphereTreeSettings& settings,
                          const ContentModel& content, std::size_t levels) {
    if (!settings.target_error) return {};
    double worst = 0;
    for (const Ball& ball : in_units(leaves, content.mesh)) {
        worst = std::max(worst, content.exact_protrusion(ball) * content.mesh.scale);
    }
    if (worst <= *settings.target_error) return {};
    return failure("target error " + number_text(*settings.target_error) +
                   " cannot be met: " + std::to_string(leaves.radii.size()) + " spheres on " +
                   std::to_string(levels) + " levels reach " + number_text(worst));
}

/// Proves each level free of holes; enlarges radii where needed.
bool prove_levels_solid(const ContentModel& content, std::span<SphereLevel> levels,
                        const Jobs& jobs, SphereTreeProof& proof) {
    for (SphereLevel& level : levels) {
        std::vector<Ball> balls = in_units(level, content.mesh);
        const std::vector<Ball> before = balls;
        const SolidProof found = prove_solid(content, balls, jobs);
        if (!found.holds) return false;
        proof.grown += found.grown;
        for (std::size_t i = 0; i < balls.size(); ++i) {
            if (balls[i].radius == before[i].radius) continue;
            const float grown = float(balls[i].radius * content.mesh.scale * (1 + 1e-7));
            level.radii[i] = std::max(level.radii[i], grown);
        }
    }
    return true;
}

/// Keeps errors from rising down the levels, then proves the levels solid where that is asked for.
/// What the proof enlarges may rise again, so both take turns, the proof last. False if it fails.
bool settle_levels(const ContentModel& content, const SphereTreeSettings& settings,
                   std::vector<SphereLevel>& levels, const Jobs& jobs, SphereTreeProof& proof) {
    constexpr int k_most_rounds = 3;
    // The last level of a tree built to a target has met it as it is.
    const std::size_t kept = settings.target_error ? 1 : 0;
    for (int round = 0; round < k_most_rounds; ++round) {
        keep_errors_falling({levels.data(), levels.size() - kept}, content,
                            settings.method == SphereMethod::best);
        drop_repeated_chains(levels);
        if (!content.solid) return true;
        const std::uint32_t before = proof.grown;
        if (!prove_levels_solid(content, levels, jobs, proof)) return false;
        proof.solid_enclosed = true;
        if (proof.grown == before) return true;
    }
    return true;
}

} // namespace

Result<SphereTree> SphereTree::build(const TriangleMesh& mesh, const SphereTreeSettings& settings) {
    if (auto checked = check_settings(settings); !checked) return tl::unexpected(checked.error());
    const double start = wall_seconds();
    const Jobs jobs(settings.threads);
    BuildWatch watch(settings.progress);

    auto prepared = prepare(mesh, jobs);
    if (!prepared) return tl::unexpected(prepared.error());
    if (settings.target_error && *settings.target_error < k_least_target * prepared->scale) {
        return failure("target error " + number_text(*settings.target_error) +
                       " cannot be met: the mesh is " + number_text(prepared->scale) +
                       " across, and spheres in single precision are no finer than a millionth");
    }
    const bool cells =
        settings.method == SphereMethod::octree || settings.method == SphereMethod::grid;
    const DraftPlan plan = plan_of(settings, *prepared);
    const DistanceGrid grid(*prepared, cells ? k_cell_lattice : lattice_for(plan),
                            cells ? k_cell_band : k_fitting_band, jobs);
    const bool solid = prepared->closed && settings.enclosure == Enclosure::solid;
    const ContentModel content{*prepared, grid, solid};

    std::size_t fitting_bytes = 0;
    SphereDraft draft =
        cells ? draft_from_cells(content, settings.method, plan, jobs, watch)
              : draft_from_shares(content, settings.method, plan, jobs, watch, fitting_bytes);
    if (watch.cancelled()) return failure("the build was cancelled");
    const bool inside = settings.nesting == Nesting::inside_parent;
    if (inside) enclose_children(draft, content);

    std::vector<SphereLevel> levels = rounded_out(draft, *prepared);
    SphereTreeProof proof;
    const SurfaceProof surface = prove_surface(mesh, levels, jobs);
    if (!surface.holds)
        return failure("no tree: its spheres could not be made to enclose the mesh");
    proof.surface_enclosed = true;
    proof.pieces = surface.pieces;
    proof.grown = surface.grown;
    if (!settle_levels(content, settings, levels, jobs, proof)) {
        return failure("no tree: its spheres could not be made to fill the solid");
    }
    if (auto met = check_target(levels.back(), settings, content, levels.size()); !met) {
        return tl::unexpected(met.error());
    }
    // Enlarging keeps what was proved; so the parents' turn comes last.
    if (inside) enclose_children(levels);

    auto tree = from_levels(levels);
    if (!tree) return tree;
    proof.children_inside = children_inside(*tree);
    if (inside && !proof.children_inside) {
        return failure("no tree: its children could not be kept inside their parents");
    }
    fill_content(*tree, content, jobs);
    proof.seconds = wall_seconds() - start;
    proof.peak_bytes = fitting_bytes + prepared->tree.memory_bytes() + grid.memory_bytes() +
                       prepared->vertices.size() * sizeof(Vec3d) +
                       prepared->triangles.size() * sizeof(TriangleMesh::Triangle);
    tree->set_proof(proof);
    watch.reached(1);
    return tree;
}

} // namespace fovea
