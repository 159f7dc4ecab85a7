// What a declaration's functions see of the scene under construction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/scene/declaration.h"
#include "fovea/scene/diagnostic.h"
#include "fovea/scene/mesh_library.h"
#include "fovea/scene/scene.h"

namespace fovea {

class SceneBuilder {
  public:
    SceneBuilder(std::size_t max_bodies, std::size_t max_faults, MeshLibrary meshes)
        : max_bodies_(max_bodies)
        , max_faults_(max_faults)
        , meshes_(std::move(meshes)) {}

    /// The scene so far. Bodies are added with add_body.
    Scene& scene() { return scene_; }
    MeshLibrary& meshes() { return meshes_; }

    /// Finds fault with the declaration at hand: it will be rejected.
    void fault(SourcePlace place, std::string message);
    /// Same, where the declaration begins: for what is missing.
    void fault(std::string message) { fault(report_.place, std::move(message)); }
    /// Where the declaration at hand begins.
    SourcePlace place() const { return report_.place; }
    bool faultless() const { return report_.faults.empty() && report_.faults_left_out == 0; }

    /// Index of the body of that name.
    std::optional<std::size_t> body_named(std::string_view name) const;

    /// Adds a body and makes its name known, unless the scene is full, which is a fault.
    void add_body(SceneBody body);

    /// Starts a new declaration, with an empty report.
    void begin(std::string_view declaration, SourcePlace place);
    /// Continues one whose report had been taken away.
    void resume(Diagnostic report) { report_ = std::move(report); }
    Diagnostic take_report() { return std::move(report_); }

  private:
    std::size_t max_bodies_, max_faults_;
    MeshLibrary meshes_;
    Scene scene_;
    std::map<std::string, std::size_t, std::less<>> names_;
    Diagnostic report_;
};

} // namespace fovea
