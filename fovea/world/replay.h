// Makes the calls of a recording again and says where the world comes out differently.
//
//   std::vector<std::byte> recording;
//   world.record_to([&](std::span<const std::byte> more) { append(recording, more); });
//   ...
//   world.record_to({});
//   Replay replay = *Replay::open(recording);
//   while (replay.advance() == Replay::Outcome::same) {}
#pragma once

#include <string>

#include "fovea/world/world.h"

namespace fovea {

class Replay {
  public:
    enum class Outcome {
        same,      ///< went as recorded; there may be more
        finished,  ///< the recording is at its end
        different, ///< an id or the state after a step is not the recorded one
        damaged,   ///< the recording is cut short here, was never ended, or makes no sense
    };

    /// Refuses what is no recording, or one of another format version. The bytes must outlive the
    /// replay.
    static Result<Replay> open(std::span<const std::byte> recording, int threads = 1);

    /// Makes the calls up to and including the next step.
    Outcome advance();

    const World& world() const { return world_; }
    /// What the last step took this time; what it was asked to do is not known.
    const StepReport& report() const { return report_; }
    /// What is wrong, after different or damaged.
    const std::string& message() const { return message_; }

  private:
    Replay(World world, std::span<const std::byte> entries)
        : world_(std::move(world))
        , entries_(entries) {}
    Outcome make(RecordedCall call, ByteReader& arguments);
    template <class Id>
    Outcome compare(const Result<Id>& made, ByteReader& arguments);
    Outcome expect(const Result<void>& made);
    Outcome stop(Outcome outcome, std::string message);

    World world_;
    StepReport report_;
    ByteReader entries_;
    Outcome outcome_ = Outcome::same;
    std::string message_;
};

} // namespace fovea
