// Bodies whose shape the host changes: what it sets, and what a step makes of it.
#include <algorithm>
#include <utility>

#include "fovea/world/checks.h"
#include "fovea/world/surface_motion.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

constexpr std::uint64_t k_refit_units = 60; ///< work units of a triangle, for all spheres above it

} // namespace

Result<DeformingSurface*> World::deforming_of(BodyId body) const {
    if (!contains(body)) return unknown("body");
    if (DeformingSurface* surface = surface_of(body.slot)) return surface;
    const ShapeType type = type_of(shapes_[body_shape_[body.slot]].shape);
    return failure(std::string("the body's shape is a ") + name_of(type) +
                   ", which does not deform: give it a DeformingMesh");
}

Result<void> World::set_vertices(BodyId body, std::span<const Vec3> vertices) {
    const auto surface = deforming_of(body);
    if (!surface) return tl::unexpected(surface.error());
    if (auto set = (*surface)->set_vertices(vertices); !set) return set;
    note_deformed(body.slot);
    if (recorder_)
        recorder_.note(RecordedCall::set_vertices, body,
                       std::vector<Vec3>(vertices.begin(), vertices.end()));
    return {};
}

Result<void> World::set_weights(BodyId body, std::span<const float> weights) {
    const auto surface = deforming_of(body);
    if (!surface) return tl::unexpected(surface.error());
    if (auto set = (*surface)->set_weights(weights); !set) return set;
    note_deformed(body.slot);
    if (recorder_)
        recorder_.note(RecordedCall::set_weights, body,
                       std::vector<float>(weights.begin(), weights.end()));
    return {};
}

std::vector<Vec3> World::vertices(BodyId body) const {
    const auto surface = deforming_of(body);
    return surface ? (*surface)->all_vertices() : std::vector<Vec3>();
}

void World::note_deformed(std::uint32_t slot) {
    CollisionShape& shape = shapes_[body_shape_[slot]];
    shape.extent = shape.deforming->extent();
    boxes_[slot] = box_of(slot);
    query_index_->change(slot);
    if (shape.deforming->farthest_way() > 0) wake_leaning_on(slot);
}

void World::move_surfaces(float h) {
    surface_speed_.assign(deforming_.empty() ? 0 : bodies_.size(), 0);
    for (const std::uint32_t slot : deforming_) {
        const float way = surface_of(slot)->farthest_way();
        surface_speed_[slot] = way / h;
        if (cut_.limited) shifts_[slot].swing += way;
    }
}

void World::refit_ladders() {
    refit_units_ = 0;
    const auto is_old = [&](std::uint32_t slot) {
        const DeformingSurface* surface = surface_of(slot);
        return surface && surface->ladder_is_old();
    };
    if (std::ranges::none_of(deforming_, is_old)) return;
    slots_.clear();
    const auto needs = [&](std::uint32_t slot, std::uint32_t other) {
        const Shape& shape = shapes_[body_shape_[other]].shape;
        if (is_old(slot) && (cut_.limited || type_of(shape) == ShapeType::solid_mesh))
            slots_.push_back(slot);
    };
    for (const auto [a, b] : pairs()) needs(a, b), needs(b, a);
    std::ranges::sort(slots_);
    slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
    for (const std::uint32_t slot : slots_)
        refit_units_ += surface_of(slot)->triangles() * k_refit_units;
    jobs_.for_blocks(slots_.size(), 1, [&](std::size_t begin, std::size_t) {
        surface_of(slots_[begin])->refit_ladder();
    });
}

void World::wake_on_surfaces() {
    if (deforming_.empty()) return;
    for (const ContactPatch& patch : contacts_.patches()) {
        if (surface_speed_[patch.a] > 0) islands_.wake(patch.b);
        if (surface_speed_[patch.b] > 0) islands_.wake(patch.a);
    }
}

std::span<const SurfaceMotion> World::surface_motions(std::span<const ContactPatch> patches,
                                                      float h) {
    surface_motions_.clear();
    if (deforming_.empty()) return {};
    for (std::uint32_t i = 0; i < patches.size(); ++i)
        for (const bool of_a : {true, false})
            if (surface_speed_[of_a ? patches[i].a : patches[i].b] > 0)
                surface_motions_.push_back({i, of_a, {}, {}});
    jobs_.for_blocks(surface_motions_.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            SurfaceMotion& motion = surface_motions_[i];
            const ContactPatch& patch = patches[motion.patch];
            const std::uint32_t slot = motion.of_a ? patch.a : patch.b;
            const SurfaceMotion found =
                surface_motion({*surface_of(slot), placement_[slot], h}, patch,
                               bodies_.position[slot], settings_.contact.margin);
            motion.velocity = found.velocity, motion.spin = found.spin;
        }
    });
    return surface_motions_;
}

void World::set_surface_velocities(std::span<Contact> contacts, float h) const {
    if (deforming_.empty()) return;
    const auto velocity = [&](std::uint32_t slot, const Contact& contact) {
        if (!(surface_speed_[slot] > 0)) return Vec3();
        return surface_velocity({*surface_of(slot), placement_[slot], h}, contact.point(),
                                std::max(-contact.separation, settings_.contact.margin));
    };
    for (Contact& contact : contacts)
        contact.surface_velocity = velocity(contact.a, contact) - velocity(contact.b, contact);
}

void World::settle_surfaces(StepReport& report) {
    for (const std::uint32_t slot : deforming_) {
        surface_of(slot)->settle();
        report.refits += surface_of(slot)->take_refits();
    }
}

} // namespace fovea
