// Feeds arbitrary text to the scene parser. Whatever it accepts must be sound.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fovea/scene/parse.h"

using namespace fovea;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check(const ParsedScene& parsed) {
    require(parsed.diagnostics.size() <= parsed.reports());
    for (const Diagnostic& diagnostic : parsed.diagnostics) require(!diagnostic.faults.empty());
    for (const SceneBody& body : parsed.scene.bodies) {
        require(is_finite(body.placement.position) && is_finite(body.placement.orientation));
        require(std::abs(norm(body.placement.orientation) - 1) < 1e-5f);
        require(is_finite(body.velocity) && is_finite(body.angular_velocity));
        require(body.mass >= 0 && std::isfinite(body.mass));
    }
    for (const SceneSpring& spring : parsed.scene.springs) {
        require(spring.a < parsed.scene.bodies.size() && spring.b < parsed.scene.bodies.size());
        require(std::isfinite(spring.length) && spring.stiffness > 0);
    }
    require(!describe(parsed).empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const DeclarationTable table = standard_declarations();
    ParseSettings settings;
    settings.meshes.files = false;
    settings.meshes.max_triangles = 5000; // keeps a run about parsing, not about big meshes
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ParsedScene parsed = parse_scene(text, settings, table);
    check(parsed);
    settings.strict = true;
    const ParsedScene strict = parse_scene(text, settings, table);
    check(strict);
    require(strict.accepted <= parsed.accepted);
    return 0;
}
