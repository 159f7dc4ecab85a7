// The interruptible descent of two ladders.
//
// A pair keeps the list of node pairs that overlap on the last completed rung. To climb one rung,
// every pair of the list is opened into a second list; only when that is complete does it take the
// place of the first. A cut in between discards it, and the pair is answered from the completed
// rung, bit for bit as if the next one had never been begun:
//
//   rung     completed                      being built
//   0        (A0,B0)                        (A1,B0) (A2,B0)
//   1        (A1,B0) (A2,B0)                (A1,B1) (A1,B4) ...     <- cut: rung 1 stays
//   ...
//   leaves   (A9,B7) (A9,B8) ...            triangles below them
//   exact    (triangle 17, triangle 4) ...
//
// Which tree goes down: one after the other (the staircase of Palmer and Grimsdale, O'Sullivan 5;
// the one that gains more by it begins), or both together (Dingliana and O'Sullivan 2000, 3). A
// tree that has reached its leaves waits for the other. The exact rung counts as one, however long
// it takes, and is cut like any other.
//
// The list being built lies in the worker's scratch, the completed one in an arena of the caller's,
// so a pair at rest is a few words. Results do not depend on which worker climbed which rung.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/arena.h"
#include "fovea/base/budget.h"
#include "fovea/collide/key_set.h"
#include "fovea/collide/ladder_kernels.h"
#include "fovea/geometry/triangle_overlap.h"
#include "fovea/volume/volume_pairs.h"

namespace fovea {

struct PlacedLadder {
    const Ladder& ladder;
    Transform at;
    /// Of the ladder in this orientation, for all pairs of the body. Where either of a pair has
    /// none, nodes are carried from one frame into the other.
    TurnedNodes* nodes = nullptr;
};

/// What is known of a pair (O'Sullivan 5).
enum class Outcome : std::uint8_t {
    colliding,   ///< 1: leaves, or on the exact rung elements, intersect
    apart,       ///< 2: nothing survived: certainly separate
    open,        ///< 3: nodes intersect, and there are finer ones
    interrupted, ///< 4: the next rung was cut; the completed one still stands
};

/// A body inside the other's mesh, so that their surfaces do not meet; or a solid that is in it by
/// its middle and meets none of the mesh face to face.
enum class Enclosed : std::uint8_t { none, a, b };

enum class DescentPolicy : std::uint8_t { staircase, together };

struct DescentSettings {
    DescentPolicy policy = DescentPolicy::staircase;
    /// How cubes are tested against cubes: quick reports some that are a little apart.
    CubeTest cubes = CubeTest::quick;
    /// Metres: what is nearer than this counts as touching. More keeps more pairs.
    float margin = 0;
    /// Climb to triangles and solids; false: the last nodes are the finest rung.
    bool exact = true;
    /// Work units that answering a hit of the exact rung will take. Where that is more than the
    /// meter affords, the rung counts as cut: what cannot be answered need not be known.
    std::uint64_t hit_units = 0;
};

/// Work units: one is about the test of two spheres.
constexpr std::uint64_t k_volume_test_units = 16;
constexpr std::uint64_t k_solid_test_units = 64;
constexpr std::uint64_t k_triangle_test_units = 16;
constexpr std::uint64_t k_triangle_gap_units = 24;
/// Of finding the numbers of two elements, and whether the pair was there before.
constexpr std::uint64_t k_element_units = 4;
/// Guessed for each pair of leaves that the exact rung opens.
constexpr std::uint64_t k_leaf_pair_units = 512;

struct DescentCounters {
    std::uint64_t node_tests = 0;     ///< sphere against sphere or plane
    std::uint64_t volume_tests = 0;   ///< of nodes that are no spheres, behind the former
    std::uint64_t triangle_tests = 0; ///< and of solids, on the exact rung
    std::uint64_t transforms = 0;     ///< nodes turned, nodes and elements carried
    std::uint64_t rungs = 0;          ///< completed
    std::uint64_t cuts = 0;           ///< rungs begun and discarded

    bool operator==(const DescentCounters&) const = default;
};

/// Lists that are being built, one set for each worker.
class DescentScratch {
  public:
    struct List {
        std::vector<std::uint32_t> a, b;
        std::uint32_t count = 0;
    };

    DescentCounters counters;

  private:
    friend class LadderDescent;
    /// A triangle of B in the frame of A, kept because it mostly meets several of A.
    struct CarriedTriangle {
        std::uint32_t number;
        TriangleCorners corners;
    };

    std::array<List, 2> lists_;
    std::vector<std::uint32_t> open_; ///< nodes to be looked into
    KeySet seen_;
    std::array<CarriedTriangle, 256> carried_; ///< by the last bits of the number
};

/// The state of a pair. A step starts with a default one.
struct PairDescent {
    std::uint32_t *a = nullptr, *b = nullptr; ///< slots; element numbers on the exact rung
    std::uint32_t count = 0;
    std::uint32_t capacity = 0;
    std::uint8_t level_a = 0, level_b = 0; ///< of all nodes in the list
    std::uint8_t rung = 0;                 ///< completed, counted from the roots' 0
    bool exact = false;                    ///< the list holds elements
    bool opens_b_next = false;             ///< whose turn it is on the staircase
    bool finished = false;                 ///< nothing more can be learnt
    Outcome outcome = Outcome::open;
    /// If so, the list is one pair: an element of the body inside and the triangle nearest to it.
    Enclosed enclosed = Enclosed::none;

    std::span<const std::uint32_t> of_a() const { return {a, count}; }
    std::span<const std::uint32_t> of_b() const { return {b, count}; }

    /// Is the pair to be answered as a collision? Undecided ones are unless they are to be dropped.
    bool is_real(bool drop_undecided = false) const {
        return outcome == Outcome::colliding ||
               (outcome != Outcome::apart && count > 0 && !drop_undecided);
    }
};

/// Whether there are nodes below those of a level.
inline bool opens(const Ladder& ladder, std::uint8_t level) {
    return !ladder.is_half_space() && level + 1 < ladder.levels();
}
/// Whether none of the pair's nodes have any below: the next rung, if there is one, is exact.
inline bool at_leaves(const Ladder& a, const Ladder& b, const PairDescent& pair) {
    return !opens(a, pair.level_a) && !opens(b, pair.level_b);
}

/// Whether B is the first to open on the staircase: the tree whose spheres shrink more by it goes
/// first, so that the first rung is worth most; of two that gain alike, A.
bool opens_b_first(const Ladder& a, const Ladder& b, const PairDescent& roots);

/// Units that the next rung will take: of sphere trees exactly; of other volumes at most, as if
/// every pair of spheres touched; of the exact rung a guess, since nothing is known of it. For
/// schedulers that hand out work before it is done.
std::uint64_t next_units(const Ladder& a, const Ladder& b, DescentPolicy policy,
                         const PairDescent& pair);

/// The descent of one pair: made when the pair is to climb, for as many rungs as the caller likes.
/// At most one of the two is a half-space.
class LadderDescent {
  public:
    LadderDescent(const PlacedLadder& a, const PlacedLadder& b, const DescentSettings& settings,
                  DescentScratch& scratch);

    /// The floor, never cut: tests the roots; a fixed surface is opened down to nodes that are no
    /// larger than the other's root, because a sphere around a landscape says nothing of where it
    /// is. Charges `work`.
    void open(WorkMeter& work, Arena& arena, PairDescent& pair);

    /// Climbs one rung, or leaves the pair as it is, but for the outcome, if the budget ends first.
    Outcome advance(WorkMeter& work, Arena& arena, PairDescent& pair);

    /// Climbs until the pair is decided or the budget ends.
    Outcome finish(WorkMeter& work, Arena& arena, PairDescent& pair);

  private:
    enum Side { k_a, k_b };
    enum class Below { nodes, leaves }; ///< what is opened
    using List = DescentScratch::List;

    /// The frame of B in that of A.
    struct Relation {
        Transformd b_in_a;
        Mat3d turn; ///< the rotation of it
        NodeFrame into_a, into_b;
    };

    const Ladder& ladder(Side side) const { return side == k_a ? a_ : b_; }
    /// Made when it is first asked for: spheres of turned nodes need none.
    const Relation& relation();
    NodePlane plane_for(Side opened);
    bool roots_touch();
    void open_some(Side opened, Below below, const SlotPairs& pairs, std::uint64_t limit,
                   const PassOutput& out, PassProgress& progress);
    bool pass(Side opened, Below below, std::span<const std::uint32_t> from_a,
              std::span<const std::uint32_t> from_b, List& to, WorkMeter& work);
    void expand(std::span<const std::uint32_t> from_a, std::span<const std::uint32_t> from_b,
                List& to);
    /// Keeps the pairs of the list that `touch(a, b)`, at `units` and a test each. False if the
    /// budget ended it.
    template <class Touch>
    bool keep(List& list, std::uint64_t units, std::uint64_t& tests, WorkMeter& work,
              const Touch& touch);
    bool has_top() const {
        return a_.top != LadderTop::none && b_.top != LadderTop::none && settings_.exact;
    }
    bool filter(int level_a, int level_b, List& list, WorkMeter& work);
    bool exact_rung(const PairDescent& pair, WorkMeter& work, List*& result, Enclosed& enclosed);
    /// From slots to numbers of elements, each pair once. False if the budget ended it.
    bool to_elements(List& list, WorkMeter& work);
    bool keep_touching_elements(List& list, WorkMeter& work);
    bool keep_touching_triangles(List& list, WorkMeter& work);
    const TriangleCorners& carried_triangle(std::uint32_t number);
    bool find_nearest(const Ladder& mesh, const Vec3d& point, double within, WorkMeter& work,
                      std::uint32_t& nearest);
    bool find_inside(const PairDescent& pair, Side inner, List& found, WorkMeter& work,
                     Enclosed& enclosed);
    bool find_enclosed(const PairDescent& pair, List& found, WorkMeter& work, Enclosed& enclosed);
    void commit(const List& list, Arena& arena, PairDescent& pair);

    const Ladder &a_, &b_;
    Transform at_a_, at_b_;
    DescentSettings settings_;
    DescentScratch& scratch_;
    TurnedNodes *nodes_a_, *nodes_b_;
    Vec3 way_;           ///< from the origin of A to that of B
    float slack_;        ///< the margin, and rounding: added to the sum of radii
    bool meets_ = false; ///< elements of the exact rung meet face to face, or triangles cross
    std::optional<Relation> relation_;
};

template <class Touch>
bool LadderDescent::keep(List& list, std::uint64_t units, std::uint64_t& tests, WorkMeter& work,
                         const Touch& touch) {
    const bool plane = a_.is_half_space() || b_.is_half_space();
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < list.count; ++i) {
        if (work.exhausted()) return false;
        work.charge(units);
        ++tests;
        if (!plane) ++scratch_.counters.transforms;
        if (!touch(list.a[i], list.b[i])) continue;
        list.a[kept] = list.a[i];
        list.b[kept++] = list.b[i];
    }
    list.count = kept;
    return true;
}

} // namespace fovea
