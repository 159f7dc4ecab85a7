// Spin at random for blows that were answered by bounding spheres alone.
//
// Two spheres part along the line of their centres, so a blow on the lowest rung makes no body
// spin: they bounce straight back, which viewers notice more than a wrong spin (Dingliana 6.2.2).
// Two bodies that nothing else acts on but gravity therefore get equal and opposite turning
// impulses about a random axis: momentum and angular momentum stay, and the energy comes out of
// what the blow lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/collide/broad_phase.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/joint.h"
#include "fovea/dynamics/springs.h"
#include "fovea/world/pair_answer.h"

namespace fovea {

class RandomSpin {
  public:
    /// Before the response: finds the pairs, and the energy that they have.
    void begin(const Bodies& bodies, std::span<const ProxyPair> pairs,
               std::span<const PairAnswer> answers, std::span<const Joint> joints,
               std::span<const Spring> springs);
    /// After it: turns at most `share` of the energy lost since into spin. `fallen`: speed that
    /// gravity gave bodies meanwhile, m/s.
    void end(Bodies& bodies, float share, float fallen, std::uint64_t seed);

  private:
    struct Blow {
        ProxyPair pair;
        double energy;
    };
    std::vector<Blow> blows_;
    std::vector<std::uint8_t> acting_; ///< per slot: contacts, forces, joints, springs, up to 2
};

} // namespace fovea
