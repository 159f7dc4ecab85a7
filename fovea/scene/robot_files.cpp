// The files of a robot description: where its meshes lie.
#include <fmt/format.h>

#include "fovea/scene/bounded_files.h"
#include "fovea/scene/import_mesh.h"
#include "fovea/scene/robot_spheres.h"

namespace fovea {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_most_bytes = std::size_t(64) << 20; ///< of a URDF

/// Without the prefix, if it has it.
bool take_prefix(std::string_view& name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
}

/// The first file that exists, going up from `folder`: a package NAME is a folder there or above.
Result<fs::path> in_package(const fs::path& folder, std::string_view reference) {
    std::error_code error;
    const std::size_t slash = reference.find('/');
    const std::string_view inner =
        slash == std::string_view::npos ? std::string_view() : reference.substr(slash + 1);
    for (fs::path at = fs::absolute(folder, error); !error; at = at.parent_path()) {
        if (at.filename() == reference.substr(0, slash) && fs::is_regular_file(at / inner, error)) {
            return at / inner;
        }
        if (fs::is_regular_file(at / reference, error)) return at / reference;
        error.clear();
        if (at == at.root_path()) break;
    }
    return failure(fmt::format("package not found in or above {}", folder.string()));
}

} // namespace

Result<RobotSpheres> with_spheres(const fs::path& urdf, const SphereTreeSettings& settings,
                                  bool measured) {
    const auto bytes = read_regular_file(urdf, k_most_bytes);
    if (!bytes) return failure(fmt::format("{}: {}", urdf.string(), bytes.error().message));
    const fs::path folder = urdf.has_parent_path() ? urdf.parent_path() : fs::path(".");
    const RobotMeshLoader load = [&](const std::string& file) -> Result<TriangleMesh> {
        std::string_view name = file;
        if (take_prefix(name, "package://")) {
            const auto found = in_package(folder, name);
            if (!found) return tl::unexpected(found.error());
            return import_mesh(*found);
        }
        take_prefix(name, "file://");
        return import_mesh(folder / name); // an absolute name replaces the folder
    };
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    auto made = with_spheres(text, load, settings, measured);
    if (!made) return failure(fmt::format("{}: {}", urdf.string(), made.error().message));
    return made;
}

} // namespace fovea
