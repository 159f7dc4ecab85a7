// Snapshots: the whole state of a world as bytes.
//
//   "FOVEASNP" version | size payload | checksum
//
// The payload is what cannot be derived: definitions, motion, and the memory of contacts, joints
// and sleep. Search structures are built anew. The checksum finds accidents; against malice all
// that is used as an index is checked as well.
#include <cmath>
#include <cstring>

#include "fovea/base/hash.h"
#include "fovea/geometry/shape_bytes.h"
#include "fovea/world/checks.h"
#include "fovea/world/fields.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

constexpr std::uint64_t k_snapshot_mark = 0x504e534145564f46u; ///< "FOVEASNP"

std::uint64_t checksum(std::span<const std::byte> bytes) {
    Hasher hasher;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        hasher.add(word);
    }
    hasher.add(std::uint64_t(bytes.size()));
    return hasher.value();
}

bool within_limit(const Vec3& v) {
    return check_finite("", v).has_value();
}

bool is_pose(const Transform& t) {
    const float norm = norm_squared(t.orientation);
    return within_limit(t.position) && norm > 0.99f && norm < 1.01f;
}

tl::unexpected<Error> senseless(const std::string& what) {
    return failure("the snapshot is damaged: " + what);
}

} // namespace

template <class Bytes>
void World::exchange(Bytes& bytes) {
    bytes(frame_, time_, shape_ids_, meshes_move_);
    if constexpr (Bytes::k_reads) shapes_.resize(shape_ids_.slots());
    for (std::uint32_t slot = 0; slot < shape_ids_.slots(); ++slot)
        if (shape_ids_.slot_in_use(slot)) bytes(shapes_[slot].shape);
    exchange_surfaces(bytes);
    bytes(body_ids_, bodies_, body_shape_, body_centre_, placement_, filters_, sensors_,
          fast_flags_, islands_);
    bytes(spring_ids_, springs_, spring_of_, joints_);
    bytes(contacts_, contact_changes_, sensor_changes_, soft_step_, history_, sub_steps_before_,
          fast_);
    // A world made from this builds its search structures anew, but a step pays for no more of that
    // than it would have here.
    if constexpr (!Bytes::k_reads) immovable_owed_ = query_index_->immovable_owed();
    bytes(immovable_owed_);
}

template <class Bytes>
void World::exchange_surfaces(Bytes& bytes) {
    for (std::uint32_t slot = 0; slot < shape_ids_.slots(); ++slot) {
        CollisionShape& shape = shapes_[slot];
        if (!shape_ids_.slot_in_use(slot) || type_of(shape.shape) != ShapeType::deforming_mesh)
            continue;
        if constexpr (Bytes::k_reads) {
            bytes(read_surfaces_.emplace_back());
        } else {
            SurfaceState state = shape.deforming->state();
            bytes(state);
        }
    }
}

std::vector<std::byte> World::snapshot() const {
    ByteWriter payload;
    payload(settings_);
    const_cast<World*>(this)->exchange(payload); // which only reads it here
    ByteWriter whole;
    whole(k_snapshot_mark, k_format_version, std::uint64_t(payload.bytes.size()));
    whole.append(payload.bytes);
    whole(checksum(payload.bytes));
    return std::move(whole.bytes);
}

Result<World> World::from_snapshot(std::span<const std::byte> bytes, int threads) {
    ByteReader reader(bytes);
    std::uint64_t mark = 0, size = 0, recorded = 0;
    std::uint32_t version = 0;
    reader(mark, version, size);
    if (!reader.ok() || mark != k_snapshot_mark) return failure("this is not a snapshot");
    if (version != k_format_version)
        return failure("the snapshot has format version " + std::to_string(version) +
                       ", but only version " + std::to_string(k_format_version) + " is known");
    const auto payload = reader.take(size);
    reader(recorded);
    if (!reader.ok()) return failure("the snapshot is cut short");
    if (!reader.at_end()) return senseless("there is more behind its end");
    if (checksum(payload) != recorded) return senseless("its checksum is wrong");

    ByteReader content(payload);
    WorldSettings settings;
    content(settings);
    if (!content.ok()) return senseless("its settings make no sense");
    settings.threads = threads;
    if (const auto valid = check_settings(settings); !valid)
        return senseless(valid.error().message);
    World world(settings);
    world.exchange(content);
    if (!content.at_end()) return senseless("its content makes no sense");
    if (const auto built = world.rebuild(); !built) return senseless(built.error().message);
    return world;
}

Result<void> World::rebuild() {
    if (!shape_ids_.consistent() || !body_ids_.consistent() || !spring_ids_.consistent() ||
        !joints_.rebuild())
        return failure("its ids do not agree");
    const std::size_t slots = body_ids_.slots();
    for (const std::size_t size :
         {bodies_.position.size(), bodies_.orientation.size(), bodies_.velocity.size(),
          bodies_.angular_velocity.size(), bodies_.force.size(), bodies_.torque.size(),
          bodies_.inverse_mass.size(), bodies_.inverse_inertia.size(), bodies_.material.size(),
          bodies_.motion.size(), bodies_.kinematic.size(), body_shape_.size(), body_centre_.size(),
          placement_.size(), filters_.size(), sensors_.size(), fast_flags_.size()})
        if (size != slots) return failure("its bodies do not agree");
    if (!islands_.has_slots(slots) || !contacts_.consistent(slots) || !history_.consistent(slots))
        return failure("its contacts do not agree");
    bodies_.inverse_inertia_world.resize(slots);
    boxes_.resize(slots);

    shape_users_.assign(shape_ids_.slots(), 0);
    shape_half_width_.assign(shape_ids_.slots(), 0);
    shape_moments_.resize(shape_ids_.slots());
    std::size_t surfaces = 0;
    for (std::uint32_t slot = 0; slot < shape_ids_.slots(); ++slot) {
        if (!shape_ids_.slot_in_use(slot)) continue;
        auto made = make_collision_shape(shapes_[slot].shape);
        if (!made) return tl::unexpected(made.error());
        if (made->deforming) {
            if (auto read = made->deforming->restore(read_surfaces_[surfaces++]); !read)
                return read;
            made->extent = made->deforming->extent();
        }
        keep_shape(slot, std::move(*made));
    }
    read_surfaces_.clear();
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (!body_ids_.slot_in_use(slot)) continue;
        if (!shape_ids_.slot_in_use(body_shape_[slot])) return failure("a body has no shape");
        const Mat3& inertia = bodies_.inverse_inertia[slot];
        const bool sound =
            bodies_.inverse_mass[slot] >= 0 && std::isfinite(bodies_.inverse_mass[slot]) &&
            is_finite(inertia.x) && is_finite(inertia.y) && is_finite(inertia.z) &&
            within_limit(bodies_.velocity[slot]) && within_limit(bodies_.angular_velocity[slot]) &&
            within_limit(body_centre_[slot]) && is_pose(bodies_.pose(slot)) &&
            is_pose(placement_[slot]);
        if (!sound) return failure("a body's state makes no sense");
        const ShapeType type = type_of(shapes_[body_shape_[slot]].shape);
        if (bodies_.movable(slot) && (is_surface(type) || type == ShapeType::half_space))
            return failure("a body that has a mass has a surface for its shape");
        ++shape_users_[body_shape_[slot]];
        if (surface_of(slot)) {
            if (shape_users_[body_shape_[slot]] > 1)
                return failure("several bodies share a mesh that deforms");
            deforming_.push_back(slot);
        }
        choosy_ += choosy(slot);
        boxes_[slot] = box_of(slot);
        enter_broad_phase(slot);
        query_index_->add(slot, mobility(slot));
    }
    const auto joined = [&](std::uint32_t a, std::uint32_t b) {
        return body_ids_.slot_in_use(a) && body_ids_.slot_in_use(b) && a != b;
    };
    if (springs_.size() != spring_ids_.alive() || spring_of_.size() != springs_.size())
        return failure("its springs do not agree");
    for (std::size_t i = 0; i < springs_.size(); ++i)
        if (!joined(springs_[i].a, springs_[i].b) || !spring_ids_.contains(spring_of_[i]))
            return failure("a spring has no bodies");
    for (const Joint& joint : joints_.all()) {
        if (!joined(joint.a, joint.b)) return failure("a joint has no bodies");
        if (!is_pose({joint.anchor_a, joint.frame_a}) || !is_pose({joint.anchor_b, joint.frame_b}))
            return failure("a joint's frame makes no sense");
        if (const auto valid = check_joint_type(joint.type); !valid) return valid;
    }
    query_index_->set_immovable_owed(immovable_owed_);
    return {};
}

void World::record_to(RecordingSink sink) {
    if (sink)
        recorder_.start(std::move(sink), snapshot());
    else
        recorder_.stop();
}

} // namespace fovea
