#include "fovea/world/replay.h"

#include "fovea/geometry/shape_bytes.h"
#include "fovea/world/fields.h"

namespace fovea {

namespace {

constexpr const char* k_call_names[] = {
    "add_shape",    "remove_shape", "add_body",     "remove_body", "add_spring",    "remove_spring",
    "add_joint",    "remove_joint", "set_joint",    "wake",        "set_transform", "set_velocity",
    "set_material", "apply_force",  "set_vertices", "set_weights", "step",          "end"};
static_assert(std::size(k_call_names) == k_recorded_calls);

std::string hash_text(std::uint64_t hash) {
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(hash >> shift) & 15];
    return text;
}

} // namespace

Result<Replay> Replay::open(std::span<const std::byte> recording, int threads) {
    ByteReader reader(recording);
    std::uint64_t mark = 0, size = 0;
    std::uint32_t version = 0;
    reader(mark, version, size);
    if (!reader.ok() || mark != k_recording_mark) return failure("this is not a recording");
    if (version != k_format_version)
        return failure("the recording has format version " + std::to_string(version) +
                       ", but only version " + std::to_string(k_format_version) + " is known");
    const auto snapshot = reader.take(size);
    if (!reader.ok()) return failure("the recording ends within its first snapshot");
    Result<World> world = World::from_snapshot(snapshot, threads);
    if (!world) return tl::unexpected(world.error());
    return Replay(std::move(*world), reader.take(reader.left()));
}

Replay::Outcome Replay::stop(Outcome outcome, std::string message) {
    outcome_ = outcome;
    message_ = "before step " + std::to_string(world_.frame()) + ": " + std::move(message);
    return outcome;
}

Replay::Outcome Replay::expect(const Result<void>& made) {
    if (made) return Outcome::same;
    return stop(Outcome::different,
                "a call that was accepted is refused now: " + made.error().message);
}

template <class Id>
Replay::Outcome Replay::compare(const Result<Id>& made, ByteReader& arguments) {
    if (!made) return expect(tl::unexpected(made.error()));
    Id recorded;
    arguments(recorded);
    if (!arguments.ok() || recorded == *made) return Outcome::same;
    return stop(Outcome::different, "an addition gives another id than it did");
}

Replay::Outcome Replay::make(RecordedCall call, ByteReader& arguments) {
    // Whatever the bytes say, the world checks it as it checks any caller's arguments. Values are
    // looked at only if there were enough bytes for all of them.
    const auto with = [&](auto value, const auto& use) {
        arguments(value);
        return arguments.ok() ? use(value) : Outcome::same;
    };
    switch (call) {
    case RecordedCall::add_shape:
        return with(Shape(), [&](const Shape& shape) {
            return compare(world_.add_shape(shape), arguments);
        });
    case RecordedCall::remove_shape:
        return with(ShapeId(), [&](ShapeId id) { return expect(world_.remove_shape(id)); });
    case RecordedCall::add_body:
        return with(BodyDefinition(), [&](const BodyDefinition& definition) {
            return compare(world_.add_body(definition), arguments);
        });
    case RecordedCall::remove_body:
        return with(BodyId(), [&](BodyId id) { return expect(world_.remove_body(id)); });
    case RecordedCall::add_spring:
        return with(SpringDefinition(), [&](const SpringDefinition& definition) {
            return compare(world_.add_spring(definition), arguments);
        });
    case RecordedCall::remove_spring:
        return with(SpringId(), [&](SpringId id) { return expect(world_.remove_spring(id)); });
    case RecordedCall::add_joint:
        return with(JointDefinition(), [&](const JointDefinition& definition) {
            return compare(world_.add_joint(definition), arguments);
        });
    case RecordedCall::remove_joint:
        return with(JointId(), [&](JointId id) { return expect(world_.remove_joint(id)); });
    case RecordedCall::set_joint:
        return with(JointId(), [&](JointId id) {
            return with(JointType(),
                        [&](const JointType& type) { return expect(world_.set_joint(id, type)); });
        });
    case RecordedCall::wake:
        return with(BodyId(), [&](BodyId id) { return expect(world_.wake(id)); });
    case RecordedCall::set_transform:
        return with(BodyId(), [&](BodyId id) {
            return with(Transform(), [&](const Transform& transform) {
                return expect(world_.set_transform(id, transform));
            });
        });
    case RecordedCall::set_velocity:
    case RecordedCall::apply_force: {
        BodyId id;
        Vec3 first, second;
        arguments(id, first, second);
        if (!arguments.ok()) return Outcome::same;
        return expect(call == RecordedCall::set_velocity ? world_.set_velocity(id, first, second)
                                                         : world_.apply_force(id, first, second));
    }
    case RecordedCall::set_material:
        return with(BodyId(), [&](BodyId id) {
            return with(Material(), [&](const Material& material) {
                return expect(world_.set_material(id, material));
            });
        });
    case RecordedCall::set_vertices:
        return with(BodyId(), [&](BodyId id) {
            return with(std::vector<Vec3>(), [&](const std::vector<Vec3>& vertices) {
                return expect(world_.set_vertices(id, vertices));
            });
        });
    case RecordedCall::set_weights:
        return with(BodyId(), [&](BodyId id) {
            return with(std::vector<float>(), [&](const std::vector<float>& weights) {
                return expect(world_.set_weights(id, weights));
            });
        });
    case RecordedCall::step: {
        float h = 0;
        StepCut cut;
        std::uint64_t recorded = 0;
        arguments(h, cut, recorded);
        if (!arguments.ok()) return Outcome::same;
        report_ = world_.step(h, cut);
        const std::uint64_t found = world_.hash();
        if (found == recorded) return Outcome::same;
        return stop(Outcome::different, "the state after the step has hash " + hash_text(found) +
                                            ", but had " + hash_text(recorded));
    }
    case RecordedCall::end:
        if (!entries_.at_end())
            return stop(Outcome::damaged, "something follows the end of the recording");
        break;
    }
    return Outcome::same;
}

Replay::Outcome Replay::advance() {
    while (outcome_ == Outcome::same) {
        if (entries_.at_end())
            return stop(Outcome::damaged, "the recording was cut short: it has no end");
        RecordedCall call{};
        std::uint32_t size = 0;
        entries_.choice(call, k_recorded_calls);
        entries_(size);
        ByteReader arguments(entries_.take(size));
        if (!entries_.ok())
            return stop(Outcome::damaged, "the recording ends within an entry, or is damaged");
        if (make(call, arguments) != Outcome::same) return outcome_;
        if (!arguments.at_end())
            return stop(Outcome::damaged, std::string("the arguments of ") +
                                              k_call_names[std::size_t(call)] + " make no sense");
        if (call == RecordedCall::step) return Outcome::same;
        if (call == RecordedCall::end) outcome_ = Outcome::finished;
    }
    return outcome_;
}

} // namespace fovea
