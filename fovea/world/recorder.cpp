#include "fovea/world/recorder.h"

#include "fovea/world/fields.h"

namespace fovea {

void Recorder::start(RecordingSink sink, std::span<const std::byte> snapshot) {
    stop();
    sink_ = std::move(sink);
    ByteWriter head;
    head(k_recording_mark, k_format_version, std::uint64_t(snapshot.size()));
    head.append(snapshot);
    sink_(head.bytes);
}

void Recorder::stop() {
    note(RecordedCall::end);
    sink_ = nullptr;
}

void Recorder::write(RecordedCall call, std::span<const std::byte> arguments) {
    ByteWriter entry;
    entry.choice(call, k_recorded_calls);
    entry(std::uint32_t(arguments.size()));
    entry.append(arguments);
    sink_(entry.bytes);
}

} // namespace fovea
