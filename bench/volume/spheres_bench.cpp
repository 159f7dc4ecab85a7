// All sphere-tree methods side by side at equal numbers of spheres, on procedural meshes.
//
//   spheres_bench [--quick]
//
// Errors are in hundredths of the mesh's longest side. Times are wall-clock, of one build each, the
// proofs included.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "fovea/geometry/procedural.h"
#include "fovea/volume/sphere_quality.h"

using namespace fovea;

namespace {

struct Row {
    std::uint32_t spheres = 0;
    double mean = 0, p95 = 0, worst = 0, seconds = 0;
};

Row run(const TriangleMesh& mesh, SphereMethod method, int levels) {
    const auto tree = SphereTree::build(mesh, {.method = method, .levels = levels});
    if (!tree) {
        std::fprintf(stderr, "%s\n", tree.error().message.c_str());
        return {};
    }
    const auto quality = measure(*tree, mesh);
    const Aabb box = bounds(mesh);
    const Vec3 extent = box.high - box.low;
    const double unit = 100 / double(std::max({extent.x, extent.y, extent.z}));
    const LevelQuality& leaves = quality->levels.back();
    return {leaves.spheres, leaves.mean_error * unit, leaves.p95_error * unit,
            leaves.worst_error * unit, tree->proof().seconds};
}

} // namespace

int main(int argc, char** argv) {
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    std::printf("%-10s %9s %-8s %8s %9s %9s %9s %9s\n", "mesh", "triangles", "method", "spheres",
                "mean", "95 %", "worst", "seconds");
    int lowest_mean = 0, worst_held = 0, cases = 0;
    for (const int detail : {2, 7, 26}) {
        if (quick && detail != 7) continue;
        for (const std::string_view name : procedural_names()) {
            const TriangleMesh mesh = *make_procedural(name, detail);
            for (const int levels : {2, 3, 4}) {
                if (quick && levels == 4) continue;
                Row rows[5];
                for (int m = 0; m < 5; ++m) {
                    rows[m] = run(mesh, SphereMethod(m), levels);
                    std::printf("%-10s %9zu %-8s %8u %9.3f %9.3f %9.3f %9.3f\n",
                                std::string(name).c_str(), mesh.triangles.size(),
                                std::string(name_of(SphereMethod(m))).c_str(), rows[m].spheres,
                                rows[m].mean, rows[m].p95, rows[m].worst, rows[m].seconds);
                    std::fflush(stdout);
                }
                ++cases;
                lowest_mean += std::all_of(rows, rows + 4, [&](const Row& row) {
                    return rows[4].mean <= row.mean * (1 + 1e-6);
                });
                worst_held += rows[4].worst <= rows[3].worst * (1 + 1e-6);
            }
        }
    }
    std::printf("best has the lowest mean error in %d of %d cases, and at most medial's worst "
                "error in %d\n",
                lowest_mean, cases, worst_held);
}
