#include "fovea/render/renderer.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/assert.h"
#include "fovea/render/contact_shading.h"
#include "fovea/render/frame_uniforms.h"
#include "fovea/render/gpu_meshes.h"
#include "fovea/render/planes.h"
#include "fovea/render/scene_extent.h"
#include "fovea/render/shaders.h"

namespace fovea {

namespace {

constexpr GLuint k_frame_binding = 0;
constexpr float k_farthest = 50; ///< bodies are drawn this many target distances away at most

/// A spring as the renderer needs it.
struct SpringLook {
    std::size_t a, b;
    Vec3 anchor_a, anchor_b;
};

/// Closed surfaces need not be drawn from inside; ground is open, and so may any mesh be.
bool closed(const MeshFamily& family) {
    return !family.appearance && !is_surface(type_of(family.shape));
}

void bind_frame_block(const GlProgram& program) {
    const GLuint index = glGetUniformBlockIndex(program.name(), "Frame");
    if (index != GL_INVALID_INDEX) glUniformBlockBinding(program.name(), index, k_frame_binding);
}

} // namespace

struct Renderer::State {
    RenderSettings settings;
    DrawPlan plan;
    SceneExtent extent;
    Lighting lighting;
    std::vector<SpringLook> springs;

    GlProgram body_program, shadow_program, backdrop_program;
    GlVertexArray no_vertices;
    GlBuffer frame;
    Planes planes;
    ContactShading contact_shading;
    RenderTargets::Target shadow_map;
    RenderTargets targets;
    GpuMeshes meshes;
    InstanceSorter sorter;
    std::vector<std::pair<float, std::size_t>> by_distance; ///< bodies in view

    explicit State(const Scene& scene)
        : plan(plan_drawing(scene))
        , extent(extent_of(scene, plan))
        , lighting(light_scene(scene))
        , no_vertices(make_vertex_array())
        , frame(make_buffer())
        , meshes(plan.families.size()) {
        for (const SceneSpring& spring : scene.springs)
            springs.push_back({spring.a, spring.b, spring.anchor_a, spring.anchor_b});
    }

    Result<void> make_programs(const Scene& scene);
    /// How much of the full detail there is time for: many bodies are drawn coarser.
    float detail() const;
    /// Draws what `sorter` holds with the program in use.
    void draw_instances(bool cull);
    void draw_shadows(std::span<const Transform> poses, const ShadowView& view);
    void draw_bodies(std::span<const Transform> poses, const SceneCamera& camera,
                     const Mat4& view_projection);
    void add_springs(std::span<const Transform> poses, int level);
};

Result<void> Renderer::State::make_programs(const Scene& scene) {
    const std::string_view rims = detail() < 1 ? k_hard_shadows : k_soft_shadows;
    auto body = make_program("bodies", {k_frame_block, k_instance_placement, k_body_vertex},
                             {k_frame_block, rims, k_lighting, k_body_fragment});
    if (!body) return tl::unexpected(body.error());
    auto shadow =
        make_program("shadows", {k_instance_placement, k_shadow_vertex}, {k_shadow_fragment});
    if (!shadow) return tl::unexpected(shadow.error());
    auto backdrop = make_program("backdrop", {k_cover_vertex},
                                 {k_frame_block, rims, k_lighting, k_backdrop_fragment});
    if (!backdrop) return tl::unexpected(backdrop.error());
    auto planes_made = Planes::make(scene, plan, rims);
    if (!planes_made) return tl::unexpected(planes_made.error());
    auto contact = ContactShading::make();
    if (!contact) return tl::unexpected(contact.error());
    auto map = make_shadow_map(settings.shadow_resolution);
    if (!map) return tl::unexpected(map.error());

    body_program = std::move(*body);
    shadow_program = std::move(*shadow);
    backdrop_program = std::move(*backdrop);
    planes = std::move(*planes_made);
    contact_shading = std::move(*contact);
    shadow_map = std::move(*map);
    bind_frame_block(body_program);
    bind_frame_block(backdrop_program);
    bind_frame_block(planes.program());
    return {};
}

float Renderer::State::detail() const {
    constexpr float k_bodies_at_full_detail = 3000;
    return std::min(1.0f, std::sqrt(k_bodies_at_full_detail / float(plan.bodies.size() + 1)));
}

void Renderer::State::add_springs(std::span<const Transform> poses, int level) {
    const float radius = extent.body_reach * 0.08f;
    for (const SpringLook& spring : springs) {
        const Vec3 from = poses[spring.a] * spring.anchor_a, to = poses[spring.b] * spring.anchor_b;
        if (is_finite(from) && is_finite(to))
            sorter.add(plan.spring_family, level, rod(from, to, radius));
    }
}

void Renderer::State::draw_instances(bool cull) {
    const InstanceList& list = sorter.finish(plan.families.size());
    meshes.upload(list);
    for (const InstanceRun& run : list.runs) {
        if (cull && closed(plan.families[run.family]))
            glEnable(GL_CULL_FACE);
        else
            glDisable(GL_CULL_FACE);
        meshes.draw(plan, run);
    }
    glDisable(GL_CULL_FACE);
}

void Renderer::State::draw_shadows(std::span<const Transform> poses, const ShadowView& view) {
    const float cells_to_pixels = 0.5f * detail(); // soft rims hide coarse outlines
    sorter.begin();
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const BodyLook& look = plan.bodies[i];
        if (look.family == BodyLook::k_no_family || !is_finite(poses[i].position)) continue;
        if (!view.touches(poses[i].position, look.reach)) continue;
        const bool curved = plan.families[look.family].curved;
        const int level = curved ? level_for(cells_to_pixels * look.reach / view.texel) : 0;
        sorter.add(look.family, level, instance_of(look, poses[i]));
    }
    add_springs(poses, 1);

    glBindFramebuffer(GL_FRAMEBUFFER, shadow_map.framebuffer.name());
    glViewport(0, 0, settings.shadow_resolution, settings.shadow_resolution);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glEnable(GL_DEPTH_CLAMP);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(shadow_program.name());
    set_uniform(shadow_program, "light_projection", view.matrix);
    draw_instances(false);
    glDisable(GL_DEPTH_CLAMP);
}

void Renderer::State::draw_bodies(std::span<const Transform> poses, const SceneCamera& camera,
                                  const Mat4& view_projection) {
    const float far_limit = k_farthest * length(camera.position - camera.target);
    const float pixels_per_slope = float(targets.height) / (2 * std::tan(camera.field_of_view / 2));
    // From near to far, so that what is hidden is found out before it is lit.
    by_distance.clear();
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const BodyLook& look = plan.bodies[i];
        const Vec3& centre = poses[i].position;
        if (look.family == BodyLook::k_no_family || !is_finite(centre)) continue;
        if (in_view(view_projection, centre, look.reach, far_limit))
            by_distance.emplace_back(transform_point(view_projection, centre).w, i);
    }
    std::sort(by_distance.begin(), by_distance.end());
    sorter.begin();
    for (const auto& [distance, i] : by_distance) {
        const BodyLook& look = plan.bodies[i];
        const float away = std::max(distance, look.reach);
        const bool curved = plan.families[look.family].curved;
        const int level = curved ? level_for(look.reach / away * pixels_per_slope) : 0;
        sorter.add(look.family, level, instance_of(look, poses[i]));
    }
    add_springs(poses, 3);
    glUseProgram(body_program.name());
    set_texture(body_program, "shadow_map", 0, GL_TEXTURE_2D, shadow_map.depth);
    draw_instances(true);
}

Result<Renderer> Renderer::make(const Scene& scene, const RenderSettings& settings) {
    auto state = std::make_unique<State>(scene);
    state->settings = settings;
    if (auto made = state->make_programs(scene); !made) return tl::unexpected(made.error());
    return Renderer(std::move(state));
}

void Renderer::reshape(std::size_t body, std::span<const Vec3> vertices) {
    BodyLook& look = state_->plan.bodies[body];
    MeshFamily& family = state_->plan.families[look.family];
    const auto& mesh = std::get<DeformingMesh>(family.shape);
    FOVEA_ASSERT(vertices.size() == mesh.data->vertices.size());
    family.appearance = std::make_shared<const TriangleMesh>(
        TriangleMesh{{vertices.begin(), vertices.end()}, mesh.data->triangles});
    look.reach = 0;
    for (const Vec3& vertex : vertices) look.reach = std::max(look.reach, length(vertex));
    state_->meshes.forget(look.family);
}

Result<void> Renderer::draw(std::span<const Transform> poses, const SceneCamera& camera, int width,
                            int height) {
    State& s = *state_;
    FOVEA_ASSERT(poses.size() == s.plan.bodies.size());
    if (width != s.targets.width || height != s.targets.height) {
        auto targets = make_targets(width, height);
        if (!targets) return tl::unexpected(targets.error());
        s.targets = std::move(*targets);
    }
    const Mat4 projection = view_projection(camera, float(width) / float(height));
    const float shadow_limit = 8 * length(camera.position - camera.target);
    const ShadowView shadow = fit_shadow(s.lighting.lamps[0].direction, s.plan, poses, projection,
                                         shadow_limit, s.settings.shadow_resolution);
    const FrameUniforms uniforms =
        frame_uniforms(camera, projection, s.lighting, shadow, height, grid_spacing(s.extent));
    glBindBuffer(GL_UNIFORM_BUFFER, s.frame.name());
    glBufferData(GL_UNIFORM_BUFFER, sizeof uniforms, &uniforms, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, k_frame_binding, s.frame.name());
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    s.draw_shadows(poses, shadow);

    glBindFramebuffer(GL_FRAMEBUFFER, s.targets.samples.framebuffer.name());
    glViewport(0, 0, width, height);
    glEnable(GL_MULTISAMPLE);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(s.backdrop_program.name());
    glBindVertexArray(s.no_vertices.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    s.draw_bodies(poses, camera, projection);
    s.planes.place(poses);
    s.planes.draw(false, camera, s.shadow_map.depth);

    const auto resolve = [&](const RenderTargets::Target& to, GLbitfield what) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, s.targets.samples.framebuffer.name());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to.framebuffer.name());
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, what, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, s.targets.samples.framebuffer.name());
    };
    if (s.settings.contact_shading) resolve(s.targets.surface, GL_DEPTH_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    glDepthMask(GL_FALSE);
    s.planes.draw(true, camera, s.shadow_map.depth);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    resolve(s.targets.picture, GL_COLOR_BUFFER_BIT);
    if (s.settings.contact_shading) s.contact_shading.apply(s.targets, camera, s.extent.body_reach);
    glDisable(GL_FRAMEBUFFER_SRGB);
    if (const GLenum error = glGetError(); error != GL_NO_ERROR)
        return failure("OpenGL reported error " + std::to_string(error) + " while drawing");
    return {};
}

Picture Renderer::picture() const {
    const RenderTargets& targets = state_->targets;
    Picture picture{targets.width, targets.height, {}};
    picture.pixels.resize(std::size_t(picture.width) * picture.height);
    if (picture.pixels.empty()) return picture;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, targets.picture.framebuffer.name());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture.pixels.data());
    // OpenGL counts rows from the bottom.
    for (int y = 0; y < picture.height / 2; ++y) {
        const auto row = picture.pixels.begin() + std::ptrdiff_t(y) * picture.width;
        const auto mirrored =
            picture.pixels.begin() + std::ptrdiff_t(picture.height - 1 - y) * picture.width;
        std::swap_ranges(row, row + picture.width, mirrored);
    }
    return picture;
}

void Renderer::show() const {
    const RenderTargets& targets = state_->targets;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, targets.picture.framebuffer.name());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    // The picture is encoded already and is copied as it is.
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBlitFramebuffer(0, 0, targets.width, targets.height, 0, 0, targets.width, targets.height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Renderer::Renderer(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

} // namespace fovea
