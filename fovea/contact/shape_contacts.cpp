#include "fovea/contact/shape_contacts.h"

#include <algorithm>
#include <array>
#include <limits>

#include "fovea/collide/search_rim.h"
#include "fovea/collide/triangle_surface.h"
#include "fovea/contact/collide_convex.h"
#include "fovea/contact/surface_contacts.h"

namespace fovea {

namespace {

/// Cosine of the angle up to which a new normal may be an old one that turned: 25 degrees, more
/// than a body turns against a surface in a step while it rests on it.
constexpr float k_same_way = 0.9f;

const PartContact* find_part(std::span<const PartContact> parts, std::uint32_t a, std::uint32_t b) {
    for (const PartContact& part : parts)
        if (part.part_a == a && part.part_b == b) return &part;
    return nullptr;
}

Vec3 middle(const Manifold& manifold) {
    Vec3 sum;
    for (int i = 0; i < manifold.count; ++i) sum += manifold.points[i].point;
    return sum / float(manifold.count);
}

/// Squared; zero where they have a feature in common.
float distance_of(const Manifold& a, const Manifold& b) {
    for (int i = 0; i < a.count; ++i)
        for (int k = 0; k < b.count; ++k)
            if (a.points[i].feature == b.points[k].feature) return 0;
    return length_squared(middle(a) - middle(b));
}

/// Cosine between normals of patches that push against each other, and nothing else: in a wedge of
/// more than 18 degrees what both walls bear holds a body up.
constexpr float k_against = -0.95f;

float pressure(const ContactPatch& patch) {
    float sum = 0;
    for (int i = 0; i < patch.count; ++i) sum += patch.points[i].impulse;
    return sum;
}

/// Takes so much of what the patch remembers away.
void relieve(ContactPatch& patch, float pressed, float borne) {
    if (const float all = pressure(patch); all > 0) {
        const float part = (all - pressed) / all;
        for (int i = 0; i < patch.count; ++i) patch.points[i].impulse *= part;
        patch.friction_impulse *= part;
        patch.rolling_impulse *= part;
        patch.twist_impulse *= part;
    }
    patch.support -= borne / float(patch.count);
}

/// Two patches of one pair that push against each other bear no load with what they have in common:
/// neither can give way, so it grows without end, and throws the bodies as soon as one of the two
/// is found elsewhere or not at all.
void relieve_opposed(std::span<ContactPatch> patches) {
    for (std::size_t i = 0; i < patches.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            ContactPatch &a = patches[i], &b = patches[k];
            if (dot(a.normal, b.normal) > k_against) continue;
            const float pressed = std::min(pressure(a), pressure(b));
            const float borne = std::min(a.support * float(a.count), b.support * float(b.count));
            relieve(a, pressed, borne);
            relieve(b, pressed, borne);
        }
}

} // namespace

void ContactFinder::clear() {
    parts.clear();
    patches.clear();
    recycled = 0;
}

void ContactFinder::carry(const PairMemory& before) {
    for (PartContact part : before.parts) {
        if (part.patch != k_no_patch) {
            patches.push_back(before.patches[part.patch]);
            part.patch = std::uint32_t(patches.size() - 1);
        }
        parts.push_back(part);
    }
}

void ContactFinder::add(const PartContact& contact, const WorldManifold& world,
                        const Vec3& origin_a) {
    parts.push_back(contact);
    parts.back().patch = k_no_patch;
    if (world.count == 0) return;
    parts.back().patch = std::uint32_t(patches.size());
    ContactPatch& patch = patches.emplace_back();
    patch.normal = world.normal;
    patch.count = world.count;
    for (int i = 0; i < world.count; ++i)
        patch.points[i] = {origin_a + world.points[i].anchor_a, world.points[i].separation, 0,
                           world.points[i].feature};
}

void ContactFinder::warm(ContactPatch& patch, const PartContact& old,
                         const PairMemory& before) const {
    if (old.patch == k_no_patch) return;
    const ContactPatch& from = before.patches[old.patch];
    patch.support = from.support;
    if (!from.lasting) return;
    // Points that are the same feature, then the nearest of those left: of two faces that lie on
    // each other edge to edge, features change at the least motion, but the load stays.
    std::array<bool, k_manifold_points> warmed{}, used{};
    const auto hand_over = [&](int to, int old_point) {
        patch.points[to].impulse = from.points[old_point].impulse;
        warmed[to] = used[old_point] = true;
    };
    for (int i = 0; i < patch.count; ++i)
        for (int k = 0; k < from.count; ++k)
            if (!used[k] && patch.points[i].feature == from.points[k].feature) hand_over(i, k);
    for (int i = 0; i < patch.count; ++i) {
        if (warmed[i]) continue;
        int nearest = -1;
        float distance = std::numeric_limits<float>::max();
        for (int k = 0; k < from.count; ++k) {
            const float d = length_squared(patch.points[i].point - from.points[k].point);
            if (!used[k] && d < distance) distance = d, nearest = k;
        }
        if (nearest >= 0) hand_over(i, nearest);
    }
    patch.friction_impulse = from.friction_impulse;
    patch.twist_impulse = from.twist_impulse;
    patch.rolling_impulse = from.rolling_impulse;
}

template <class Chosen>
bool ContactFinder::reuse_of(const Transform& at_a, const Transform& at_b,
                             const ContactSettings& settings, const PairMemory& before,
                             const Chosen& chosen) {
    const std::size_t first = parts.size();
    bool carried = false;
    for (const PartContact& old : before.parts) {
        if (!chosen(old)) continue;
        WorldManifold world;
        carried = recycle(old.manifold, old.cache, at_a, at_b, settings.recycle, world);
        if (!carried) break;
        add(old, world, at_a.position);
        if (world.count > 0) warm(patches.back(), old, before);
        ++recycled;
    }
    if (carried) return true;
    for (; parts.size() > first; parts.pop_back())
        if (parts.back().patch != k_no_patch) patches.pop_back();
    return false;
}

template <class Chosen>
void ContactFinder::add_new(const PartContact& contact, const Transform& at_a,
                            const Transform& at_b, const PairMemory& before, const Chosen& chosen) {
    add(contact, to_world(contact.manifold, at_a, at_b), at_a.position);
    const PartContact* likest = nullptr;
    float likeness = k_same_way;
    for (const PartContact& old : before.parts) {
        if (!chosen(old) || old.patch == k_no_patch) continue;
        const float like = dot(old.manifold.normal, contact.manifold.normal);
        if (like > likeness) likeness = like, likest = &old;
    }
    if (likest) warm(patches.back(), *likest, before);
}

bool ContactFinder::reuse(const Transform& at_a, const Transform& at_b,
                          const ContactSettings& settings, const PairMemory& before) {
    const std::size_t first = patches.size();
    if (!reuse_of(at_a, at_b, settings, before, [](const PartContact&) { return true; }))
        return false;
    relieve_opposed(std::span(patches).subspan(first));
    return true;
}

void ContactFinder::take(std::span<const Manifold> manifolds, const Transform& at_a,
                         const Transform& at_b, bool lasting, const PairMemory& before) {
    const std::size_t first = patches.size();
    std::uint64_t inherited = 0; // of the first 64 parts, more than a pair has
    for (const Manifold& manifold : manifolds) {
        PartContact contact{};
        contact.manifold = manifold;
        if (lasting) remember_placement(relative(at_a, at_b), contact.cache);
        add(contact, to_world(manifold, at_a, at_b), at_a.position);

        // Groups of nodes come and go: each manifold inherits from one that looked the same way,
        // the one with the same feature, else the nearest.
        std::size_t heir_of = before.parts.size();
        float nearest = std::numeric_limits<float>::max();
        for (std::size_t i = 0; i < std::min<std::size_t>(before.parts.size(), 64); ++i) {
            const PartContact& old = before.parts[i];
            if ((inherited >> i & 1) || old.patch == k_no_patch) continue;
            if (dot(old.manifold.normal, manifold.normal) < k_same_way) continue;
            const float distance = distance_of(old.manifold, manifold);
            if (distance < nearest) nearest = distance, heir_of = i;
        }
        if (heir_of == before.parts.size()) continue;
        inherited |= std::uint64_t(1) << heir_of;
        warm(patches.back(), before.parts[heir_of], before);
    }
    relieve_opposed(std::span(patches).subspan(first));
}

void ContactFinder::solids(const Part& a, const Part& b, const ContactSettings& settings,
                           const PairMemory& before) {
    const PartContact* old = find_part(before.parts, a.number, b.number);
    PartContact contact{};
    if (old) contact = *old;
    contact.part_a = a.number, contact.part_b = b.number;

    WorldManifold world;
    if (old && recycle(old->manifold, old->cache, a.at, b.at, settings.recycle, world)) {
        ++recycled;
    } else {
        contact.manifold =
            collide_convex(a.shape, a.at, b.shape, b.at, settings.margin, contact.cache);
        world = to_world(contact.manifold, a.at, b.at);
    }
    add(contact, world, a.at.position);
    if (old && world.count > 0) warm(patches.back(), *old, before);
}

void ContactFinder::surface(const Part& solid, const TriangleSurface& ground,
                            const Transform& at_ground, bool surface_first,
                            const ContactSettings& settings, const PairMemory& before) {
    const Transform& at_a = surface_first ? at_ground : solid.at;
    const Transform& at_b = surface_first ? solid.at : at_ground;
    const auto of_solid = [&](const PartContact& part) {
        return (surface_first ? part.part_b : part.part_a) == solid.number;
    };
    // All manifolds of the solid with the surface were made at the same placement.
    if (reuse_of(at_a, at_b, settings, before, of_solid)) return;

    triangles_.clear();
    ground.gather(expanded(box_for_search(solid.shape, solid.at, at_ground), settings.margin),
                  triangles_);
    SurfaceManifolds found;
    collide_surface(solid.shape, solid.at, triangles_, at_ground,
                    {settings.margin, settings.two_sided}, found);
    const Transform ground_in_solid = relative(solid.at, at_ground);
    for (std::uint32_t i = 0; i < found.size(); ++i) {
        PartContact contact{};
        contact.part_a = surface_first ? i : solid.number;
        contact.part_b = surface_first ? solid.number : i;
        contact.manifold = surface_first ? exchanged(found[i], ground_in_solid) : found[i];
        remember_placement(relative(at_a, at_b), contact.cache);
        add_new(contact, at_a, at_b, before, of_solid);
    }
}

void ContactFinder::find(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
                         const Transform& at_b, const ContactSettings& settings,
                         const PairMemory& before) {
    if (type_of(a.shape) == ShapeType::solid_mesh || type_of(b.shape) == ShapeType::solid_mesh)
        return; // these climb their ladders
    if (is_surface(type_of(a.shape)) || is_surface(type_of(b.shape))) {
        const bool surface_first = is_surface(type_of(a.shape));
        const TriangleSurface ground(surface_first ? a : b);
        const CollisionShape& other = surface_first ? b : a;
        const Transform& at_ground = surface_first ? at_a : at_b;
        const Transform& at_other = surface_first ? at_b : at_a;
        const ShapeType type = type_of(other.shape);
        if (is_surface(type) || type == ShapeType::half_space) return;
        const Compound* compound = compound_of(other);
        if (!compound) {
            surface({other.shape, at_other, 0}, ground, at_ground, surface_first, settings, before);
            return;
        }
        for (std::uint32_t i = 0; i < compound->parts.size(); ++i)
            surface({compound->parts[i].shape, at_other * compound->parts[i].placement, i}, ground,
                    at_ground, surface_first, settings, before);
        return;
    }
    const auto against_b = [&](const Part& part_a) {
        const Compound* compound = compound_of(b);
        if (!compound) {
            solids(part_a, {b.shape, at_b, 0}, settings, before);
            return;
        }
        const auto visit = [&](std::uint32_t i) {
            solids(part_a, {compound->parts[i].shape, at_b * compound->parts[i].placement, i},
                   settings, before);
        };
        if (type_of(part_a.shape) == ShapeType::half_space)
            for (std::uint32_t i = 0; i < compound->parts.size(); ++i) visit(i);
        else
            b.parts->query(expanded(box_for_search(part_a.shape, part_a.at, at_b), settings.margin),
                           visit);
    };
    if (const Compound* compound = compound_of(a)) {
        for (std::uint32_t i = 0; i < compound->parts.size(); ++i)
            against_b({compound->parts[i].shape, at_a * compound->parts[i].placement, i});
    } else {
        against_b({a.shape, at_a, 0});
    }
}

} // namespace fovea
