// Writes down the calls that change a world, so that they can be made again; see replay.h.
//
//   recording   "FOVEAREC" version | size snapshot | entry entry entry ... end
//   entry       kind size arguments [result]
//
// The result of an addition is the id it returned, that of a step the hash of the state after it:
// replaying stops where one differs. Calls that were refused changed nothing and are left out.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "fovea/base/bytes.h"

namespace fovea {

constexpr std::uint64_t k_recording_mark = 0x4345524145564f46u; ///< "FOVEAREC"

/// Takes the next bytes of a recording: to a file, or to the end of a vector.
using RecordingSink = std::function<void(std::span<const std::byte>)>;

enum class RecordedCall : std::uint32_t {
    add_shape,
    remove_shape,
    add_body,
    remove_body,
    add_spring,
    remove_spring,
    add_joint,
    remove_joint,
    set_joint,
    wake,
    set_transform,
    set_velocity,
    set_material,
    apply_force,
    set_vertices,
    set_weights,
    step,
    end, ///< the recording was ended, not cut short
};
constexpr std::uint32_t k_recorded_calls = 18;

class Recorder {
  public:
    explicit operator bool() const { return bool(sink_); }
    void start(RecordingSink sink, std::span<const std::byte> snapshot);
    /// Ends what was begun, if anything.
    void stop();

    /// Writes an entry, if recording.
    template <class... Values>
    void note(RecordedCall call, const Values&... values) {
        if (!sink_) return;
        ByteWriter arguments;
        arguments(values...);
        write(call, arguments.bytes);
    }

  private:
    void write(RecordedCall call, std::span<const std::byte> arguments);

    RecordingSink sink_;
};

} // namespace fovea
