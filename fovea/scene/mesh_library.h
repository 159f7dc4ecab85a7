// The meshes of one scene, each made or read once however many bodies use it.
//
//   file or procedural name --> mesh --> scaled mesh --> hull        each arrow is remembered
//
// Failures are remembered too: they are as dear as successes, and a hostile text could ask for
// the same one a million times.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "fovea/base/result.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/scene/import_mesh.h"
#include "fovea/scene/mesh_sequence.h"

namespace fovea {

struct MeshLibrarySettings {
    std::filesystem::path directory = {}; ///< that relative mesh files start from
    bool files = true;                    ///< false: refuse to open any mesh file
    MeshLimits limits = {};               ///< of one file
    /// All distinct meshes of a scene together: what a short hostile text could ask for.
    std::size_t max_triangles = 10'000'000;
};

class MeshLibrary {
  public:
    using Mesh = std::shared_ptr<const TriangleMesh>;
    using HullData = std::shared_ptr<const ConvexHull>;

    explicit MeshLibrary(MeshLibrarySettings settings)
        : settings_(std::move(settings)) {}

    Result<Mesh> procedural(std::string_view kind, int detail, float scale);
    Result<Mesh> file(std::string_view name, float scale);
    /// A flat sheet for one body, which will deform it; see make_sheet().
    Result<Mesh> sheet(float width, int cells);
    /// Likewise the meshes of numbered files, `name` being the first.
    struct Sequence {
        Mesh first;
        std::shared_ptr<const std::vector<std::vector<Vec3>>> frames;
    };
    Result<Sequence> sequence(std::string_view name, float scale);
    /// The convex hull of a mesh that this library gave.
    Result<HullData> hull(const Mesh& mesh);
    /// Refuses one that encloses no volume, and so cannot have a mass.
    Result<void> check_solid(const Mesh& mesh);

  private:
    Result<Mesh> keep(Result<TriangleMesh> mesh);
    Result<Mesh> scaled(const Mesh& mesh, float scale);
    Result<void> check_room(std::size_t triangles) const;

    MeshLibrarySettings settings_;
    std::size_t triangles_ = 0;
    // Meshes stay alive as long as the library, so their addresses name them. The maps are only
    // looked up, never walked: the order of addresses has no influence.
    std::map<std::string, Result<Mesh>> sources_; ///< by path, or by kind and detail
    std::map<std::pair<const TriangleMesh*, float>, Result<Mesh>> scaled_;
    std::map<std::pair<std::string, float>, Result<Sequence>> sequences_; ///< by path and scale
    std::map<const TriangleMesh*, Result<HullData>> hulls_;
    std::map<const TriangleMesh*, Result<void>> solids_;
};

} // namespace fovea
