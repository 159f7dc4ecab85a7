// Feeds arbitrary bytes to the mesh readers; how they begin decides on the format. Whatever the
// reader accepts must be a sound mesh.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "fovea/scene/import_mesh.h"

namespace {

const char* extension_of(std::string_view bytes) {
    if (bytes.starts_with("ply")) return "ply";
    if (bytes.starts_with("glTF")) return "glb";
    if (bytes.starts_with("{") || bytes.starts_with("[")) return "gltf";
    return bytes.starts_with("solid") || bytes.size() % 50 == 34 ? "stl" : "obj";
}

} // namespace

/// Assimp forgets buffers of some glTF files that it refuses: leaks would end every run.
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fovea;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto mesh = import_mesh(std::as_bytes(std::span(bytes)), extension_of(bytes),
                                  {.max_bytes = 1 << 20, .max_triangles = 10000});
    if (mesh && !check_mesh(*mesh)) std::abort();
    if (!mesh && mesh.error().message.empty()) std::abort();
    return 0;
}
