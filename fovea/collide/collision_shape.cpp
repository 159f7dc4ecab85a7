#include "fovea/collide/collision_shape.h"

#include <algorithm>

#include "fovea/base/assert.h"
#include "fovea/base/mat3.h"
#include "fovea/collide/deforming_surface.h"
#include "fovea/collide/ladder.h"
#include "fovea/collide/ladder_kernels.h"
#include "fovea/collide/mesh_inside.h"
#include "fovea/collide/search_rim.h"
#include "fovea/collide/triangle_surface.h"

namespace fovea {

namespace {

bool immovable(const CollisionShape& shape) {
    const ShapeType type = type_of(shape.shape);
    return is_surface(type) || type == ShapeType::half_space;
}

std::uint32_t part_count(const CollisionShape& shape) {
    if (const HeightField* field = height_field_of(shape)) return field->triangles();
    if (shape.deforming) return shape.deforming->triangles();
    return shape.parts ? std::uint32_t(shape.parts->size()) : 1;
}

/// One convex solid or half-space against all parts of the other shape that are near it.
/// `meet(i, proximity)` gets the number of the other's part.
template <class Meet>
void meet_parts(const Shape& part, const Transform& at_part, const CollisionShape& other,
                const Transform& at_other, Meet&& meet) {
    if (!has_parts(other)) {
        meet(0, proximity(part, at_part, other.shape, at_other));
        return;
    }
    const Aabb box = box_for_search(part, at_part, at_other);
    if (const TriangleSurface surface(other); surface) {
        surface.query(box, [&](std::uint32_t i, std::array<Vec3, 3> triangle) {
            for (Vec3& corner : triangle) corner = at_other * corner;
            meet(i, proximity(part, at_part, triangle));
        });
    } else {
        const auto& parts = compound_of(other)->parts;
        other.parts->query(box, [&](std::uint32_t i) {
            meet(i, proximity(part, at_part, parts[i].shape, at_other * parts[i].placement));
        });
    }
}

/// The tree's level whose spheres are searched for the box: 64 of them with the usual recipe.
constexpr int k_box_level = 2;

/// The box around the turned box of the shape's own axes, but for rounding.
Aabb turned_extent(const CollisionShape& shape, const Mat3& m) {
    const Vec3 middle = shape.extent.centre(), half = shape.extent.high - middle;
    const Vec3 centre = m.x * middle.x + m.y * middle.y + m.z * middle.z;
    const Vec3 reach = abs(m.x) * half.x + abs(m.y) * half.y + abs(m.z) * half.z;
    return {centre - reach, centre + reach};
}

Aabb box_of_extent(const CollisionShape& shape, const Transform& at) {
    const Aabb turned = turned_extent(shape, to_matrix(at.orientation));
    return expanded({turned.low + at.position, turned.high + at.position},
                    k_search_rim *
                        (largest_coordinate(at.position) + 2 * largest_coordinate(shape.extent)));
}

Aabb box_of_spheres(const CollisionShape& shape, const Transform& at) {
    const Ladder& ladder = *shape.ladder;
    const Mat3 m = to_matrix(at.orientation);
    const auto level = std::size_t(std::min(k_box_level, ladder.levels() - 1));
    const Aabb spheres =
        box_of_nodes(ladder, ladder.level_block[level], ladder.level_block[level + 1], m);
    // The turned box of the mesh's own axes is often tighter along one or two of the world's.
    const Aabb turned = turned_extent(shape, m);
    const Aabb tight{max(spheres.low, turned.low) + at.position,
                     min(spheres.high, turned.high) + at.position};
    return expanded(tight, k_search_rim * (largest_coordinate(at.position) + 2 * ladder.reach));
}

} // namespace

Aabb bounds(const CollisionShape& shape, const Transform& at) {
    if (shape.deforming) return box_of_extent(shape, at);
    return type_of(shape.shape) == ShapeType::solid_mesh ? box_of_spheres(shape, at)
                                                         : bounds(shape.shape, at);
}

Result<void> add_ladder(CollisionShape& shape) {
    if (shape.ladder) return {};
    auto made = make_ladder(shape.shape);
    if (!made) return failure(made.error().message);
    if (shape.inner.radius > 0) made->inner = shape.inner;
    shape.ladder = std::make_shared<const Ladder>(std::move(*made));
    return {};
}

Result<CollisionShape> make_collision_shape(const Shape& shape) {
    if (const auto checked = check_shape(shape); !checked) return failure(checked.error().message);
    CollisionShape made{shape, nullptr, nullptr};
    if (const TriangleMesh* mesh = mesh_of(made)) {
        made.parts = std::make_shared<const BoxTree>(BoxTree::build(*mesh));
        made.neighbours = std::make_shared<const MeshNeighbours>(find_neighbours(*mesh));
        made.extent = made.parts->bounds();
    } else if (const HeightField* field = height_field_of(made)) {
        made.extent = bounds(*field);
    } else if (const Compound* compound = compound_of(made)) {
        std::vector<Aabb> boxes;
        for (const auto& part : compound->parts)
            boxes.push_back(bounds(part.shape, part.placement));
        made.parts = std::make_shared<const BoxTree>(BoxTree::build(boxes));
        made.extent = made.parts->bounds();
    }
    if (const auto* deforming = std::get_if<DeformingMesh>(&shape)) {
        auto surface = DeformingSurface::make(*deforming);
        if (!surface) return failure(surface.error().message);
        made.deforming = std::move(*surface);
        made.extent = made.deforming->extent();
        made.ladder = std::shared_ptr<const Ladder>(made.deforming, &made.deforming->ladder());
    }
    const auto* solid = std::get_if<SolidMesh>(&shape);
    if (solid && is_closed_and_oriented(*solid->data) && signed_volume(*solid->data) > 0)
        made.inner = find_inner_ball(made);
    if (!height_field_of(made))
        if (const auto added = add_ladder(made); !added) return failure(added.error().message);
    return made;
}

void find_contacts(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
                   const Transform& at_b, std::vector<PartMeeting>& contacts) {
    if (immovable(a) && immovable(b)) return;
    if (has_triangles(type_of(a.shape)) && has_triangles(type_of(b.shape))) return;
    const std::uint64_t count_b = part_count(b);
    FOVEA_ASSERT(part_count(a) * count_b <= 0x100000000u); // features are 32 bits

    // The parts of one shape are taken one by one, those of the other searched: triangles always,
    // else whichever has several.
    const bool search_a = has_triangles(type_of(a.shape)) || (has_parts(a) && !has_parts(b));
    const CollisionShape& few = search_a ? b : a;
    const CollisionShape& many = search_a ? a : b;
    const Transform& at_few = search_a ? at_b : at_a;
    const Transform& at_many = search_a ? at_a : at_b;

    const auto meet_all = [&](std::uint64_t i, const Shape& part, const Transform& at_part) {
        meet_parts(part, at_part, many, at_many, [&](std::uint64_t k, const Proximity& found) {
            if (!found.intersects()) return;
            const std::uint64_t feature = search_a ? k * count_b + i : i * count_b + k;
            contacts.push_back({search_a ? flipped(found) : found, std::uint32_t(feature)});
        });
    };
    if (const Compound* compound = compound_of(few)) {
        for (std::size_t i = 0; i < compound->parts.size(); ++i)
            meet_all(i, compound->parts[i].shape, at_few * compound->parts[i].placement);
    } else {
        meet_all(0, few.shape, at_few);
    }
}

} // namespace fovea
