#include "sphere_pictures.h"

#include <filesystem>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "fovea/geometry/procedural.h"
#include "fovea/render/camera.h"
#include "fovea/render/offscreen.h"
#include "fovea/render/renderer.h"
#include "fovea/scene/sphere_colours.h"
#include "picture_size.h"

namespace fovea::app {

namespace {

/// How much of a picture is spheres where they lie over the mesh.
constexpr float k_opacity = 0.62f;
constexpr Vec3 k_mesh_colour{0.93f, 0.93f, 0.9f};

/// Facets of a ball of which there are `count` in a picture: many are small.
int subdivisions_for(std::size_t count) {
    return count <= 100 ? 4 : count <= 1000 ? 3 : count <= 20000 ? 2 : 1;
}

void add_body(Scene& scene, TriangleMesh mesh, const Vec3& colour) {
    SceneBody body;
    body.shape = Sphere{1}; // never drawn: the appearance is
    body.colour = colour;
    body.appearance = std::make_shared<const TriangleMesh>(std::move(mesh));
    scene.bodies.push_back(std::move(body));
}

/// A body for each colour, made of all the spheres that have it, in a frame where the root is the
/// unit ball.
Scene scene_of_level(const SphereTree& tree, int level) {
    const std::vector<Vec3> colours = branch_colours(tree);
    const SphereTree::Range range = tree.level(level);
    const TriangleMesh ball = make_icosphere(1, subdivisions_for(range.count));
    std::map<std::array<float, 3>, TriangleMesh> by_colour;
    for (std::uint32_t node = range.first; node < range.first + range.count; ++node) {
        const Vec3& c = colours[node];
        TriangleMesh& mesh = by_colour[{c.x, c.y, c.z}];
        const auto base = std::uint32_t(mesh.vertices.size());
        const Vec3 centre = (tree.centre(node) - tree.centre(0)) / tree.radius(0);
        for (const Vec3& v : ball.vertices) {
            mesh.vertices.push_back(centre + v * (tree.radius(node) / tree.radius(0)));
        }
        for (const auto& [i, j, k] : ball.triangles) {
            mesh.triangles.push_back({base + i, base + j, base + k});
        }
    }
    Scene scene;
    for (auto& [c, mesh] : by_colour) add_body(scene, std::move(mesh), {c[0], c[1], c[2]});
    return scene;
}

Scene scene_of_mesh(const SphereTree& tree, TriangleMesh mesh) {
    for (Vec3& v : mesh.vertices) v = (v - tree.centre(0)) / tree.radius(0);
    Scene scene;
    add_body(scene, std::move(mesh), k_mesh_colour);
    return scene;
}

Result<Picture> drawn(const Scene& scene, const SceneCamera& camera, int width, int height) {
    auto renderer = Renderer::make(scene);
    if (!renderer) return tl::unexpected(renderer.error());
    const std::vector<Transform> poses(scene.bodies.size());
    if (auto done = renderer->draw(poses, camera, width, height); !done) {
        return tl::unexpected(done.error());
    }
    return renderer->picture();
}

/// `over` on `under`, see-through.
Picture blended(const Picture& under, const Picture& over) {
    Picture mixed = under;
    for (std::size_t i = 0; i < mixed.pixels.size(); ++i) {
        for (int channel = 0; channel < 3; ++channel) {
            const float from = under.pixels[i][channel], to = over.pixels[i][channel];
            mixed.pixels[i][channel] = std::uint8_t(from + (to - from) * k_opacity + 0.5f);
        }
    }
    return mixed;
}

} // namespace

void add_sphere_picture_options(CLI::App& command, SpherePictureOptions& options) {
    auto* images =
        command.add_option("--images", options.folder, "Folder for a picture of each level (PNG)")
            ->type_name("DIR");
    add_picture_size(command, images, options.width, options.height);
}

Result<void> draw_levels(const SpherePictureOptions& options, const SphereTree& tree,
                         const TriangleMesh& mesh) {
    if (options.folder.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error)
        return failure(fmt::format("cannot make folder {}: {}", options.folder, error.message()));
    const auto context = OffscreenContext::make();
    if (!context) return tl::unexpected(context.error());

    // One frame for all levels, and so the one of the largest, the root.
    const float aspect = float(options.width) / float(options.height);
    const SceneCamera camera = default_camera(scene_of_level(tree, 0), aspect);
    const auto under = drawn(scene_of_mesh(tree, mesh), camera, options.width, options.height);
    if (!under) return tl::unexpected(under.error());
    for (int level = 0; level < tree.levels(); ++level) {
        const auto over = drawn(scene_of_level(tree, level), camera, options.width, options.height);
        if (!over) return tl::unexpected(over.error());
        const auto written = write_png(blended(*under, *over),
                                       fmt::format("{}/level-{}.png", options.folder, level));
        if (!written) return written;
    }
    return {};
}

} // namespace fovea::app
