#include "fovea/render/planes.h"

#include <algorithm>

#include "fovea/render/scene_extent.h"
#include "fovea/render/shaders.h"

namespace fovea {

namespace {
constexpr std::size_t k_most_cuts = 16;   ///< half-spaces that cut another, as in k_plane_fragment
constexpr float k_wall_steepness = 0.25f; ///< cosine to +y below which a plane is a wall
} // namespace

Result<Planes> Planes::make(const Scene& scene, const DrawPlan& plan,
                            std::string_view shadow_rims) {
    auto program = make_program("planes", {k_frame_block, k_plane_vertex},
                                {k_frame_block, shadow_rims, k_lighting, k_plane_fragment});
    if (!program) return tl::unexpected(program.error());
    Planes made;
    made.program_ = std::move(*program);
    made.no_vertices_ = make_vertex_array();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        if (const auto* half_space = std::get_if<HalfSpace>(&scene.bodies[i].shape);
            half_space && !scene.bodies[i].appearance)
            made.planes_.push_back({i, *half_space, plan.bodies[i].colour, {}, 0});
    const SceneExtent extent = extent_of(scene, plan);
    made.focus_ = extent.centre;
    made.reach_ = extent.radius * 2.5f;
    return made;
}

void Planes::place(std::span<const Transform> poses) {
    for (Plane& plane : planes_) {
        const Transform& pose = poses[plane.body];
        plane.normal = rotate(pose.orientation, plane.local.normal);
        plane.offset = plane.local.offset + dot(plane.normal, pose.position);
    }
}

bool Planes::is_wall(const Plane& plane) const {
    return plane.normal.y < k_wall_steepness;
}

void Planes::draw(bool walls, const SceneCamera& camera, const GlTexture& shadow_map) const {
    glUseProgram(program_.name());
    glBindVertexArray(no_vertices_.name());
    set_texture(program_, "shadow_map", 0, GL_TEXTURE_2D, shadow_map);
    for (const Plane& plane : planes_)
        if (is_wall(plane) == walls && dot(plane.normal, camera.position) > plane.offset)
            draw(plane, camera);
}

void Planes::draw(const Plane& plane, const SceneCamera& camera) const {
    const bool wall = is_wall(plane);
    // A floor reaches far beyond where it has faded; a wall ends with its reach about the focus.
    const Vec3 about = wall ? focus_ : camera.target;
    const float size = wall ? reach_ : 30 * length(camera.position - camera.target);
    const Vec3 along = perpendicular(plane.normal);
    const Vec3 centre = about - plane.normal * (dot(plane.normal, about) - plane.offset);
    set_uniform(program_, "centre", centre);
    set_uniform(program_, "along", along * size);
    set_uniform(program_, "across", cross(plane.normal, along) * size);
    set_uniform(program_, "plane_normal", plane.normal);
    set_uniform(program_, "colour", plane.colour);
    set_uniform(program_, "focus", centre);
    set_uniform(program_, "wall_reach", wall ? reach_ : 0.0f);

    std::vector<std::array<float, 4>> cuts;
    for (const Plane& other : planes_) {
        // The same plane twice must not cut itself away; the small slack is for rounding.
        if (&other == &plane || cuts.size() == k_most_cuts) continue;
        const Vec3& n = other.normal;
        cuts.push_back({n.x, n.y, n.z, other.offset - 1e-4f * reach_});
    }
    set_uniform(program_, "other_count", int(cuts.size()));
    if (!cuts.empty())
        glUniform4fv(glGetUniformLocation(program_.name(), "others"), GLsizei(cuts.size()),
                     cuts.front().data());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

} // namespace fovea
