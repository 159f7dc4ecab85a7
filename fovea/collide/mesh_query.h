// Where meshes meet: rigid, deforming and morphing ones, in any mix.
//
// A query walks two trees of boxes together, always opening the node of larger volume, and brings
// boxes up to date as it reaches them. Every query takes a budget; one that is cut says so and
// gives the conservative answer it has: what was found, and what could not be ruled out.
//
// Triangles are compared in world space, exactly: the pairs found depend on the world positions of
// the vertices alone, not on trees, update policies, box tests, instruction sets or threads.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/jobs.h"
#include "fovea/base/transform.h"
#include "fovea/collide/triangle_batch.h"
#include "fovea/volume/mesh_tree.h"

namespace fovea {

/// A mesh in the world. A deforming mesh whose vertices are world positions needs no placement;
/// between such meshes boxes are compared directly, without rotation or rounding.
struct PlacedMesh {
    MeshTree& tree;
    Transform placement = {};
    Transform previous_placement = {}; ///< at the start of the step; for the swept query alone
};

/// The test of boxes that are turned against each other.
enum class BoxTest {
    sat_lite, ///< the 6 face normals: may report a false overlap, never misses one
    sat_full, ///< all 15 axes of the separating axis theorem: dearer, sharper
};

struct MeshQuerySettings {
    Budget budget = Budget::unlimited();
    BoxTest box_test = BoxTest::sat_lite;
    /// Spreads the search over threads; the answer does not depend on how many. A query with a
    /// counted budget runs on the calling thread, since who refits a shared box is a matter of
    /// chance.
    const Jobs* jobs = nullptr;
};

/// The machine-independent cost of a query (Larsson 2.1).
struct MeshQueryCounters {
    std::uint64_t box_tests = 0;      ///< n_v: box against box
    std::uint64_t triangle_tests = 0; ///< n_p
    std::uint64_t exact_tests = 0;    ///< of those, not told apart in single precision
    RefitCounters refits;             ///< n_u and vertices read, by this query

    MeshQueryCounters& operator+=(const MeshQueryCounters& b);
};

/// Triangles of meshes a and b, by their number in the mesh.
struct TrianglePair {
    std::uint32_t a, b;
    constexpr auto operator<=>(const TrianglePair&) const = default;
};

/// Two nodes, by slot, whose boxes overlap.
struct SlotPair {
    std::uint32_t a, b;
};

struct PairsAnswer {
    bool complete = true;            ///< false if the budget was spent
    std::vector<TrianglePair> pairs; ///< certain, each once; in an order fixed by the trees
    std::vector<SlotPair> undecided; ///< of a cut query: every other pair is below one of these
    MeshQueryCounters counters;
    std::uint64_t work = 0; ///< units spent
};

enum class Meeting { none, found, unknown };

struct FirstPairAnswer {
    Meeting meeting = Meeting::none; ///< unknown if cut before either was certain
    TrianglePair pair{};             ///< if found
    SlotPair leaves{};               ///< if found: a guess for the next frame, by leaf number
    MeshQueryCounters counters;
    std::uint64_t work = 0;
};

struct DistanceAnswer {
    bool complete = true;
    /// Nothing is nearer than this. Equals `distance` if complete, or the bound if nothing is
    /// within it.
    double at_least = 0;
    std::optional<double> distance; ///< the nearest found, if within the bound; 0 if they meet
    TrianglePair pair{};
    Vec3d on_a, on_b; ///< in world space
    MeshQueryCounters counters;
    std::uint64_t work = 0;
};

struct SweptAnswer {
    bool complete = true;
    /// No contact before this fraction of the step; 1 if there is none in the whole step.
    double free_until = 1;
    std::optional<TrianglePair> pair; ///< first to come within the tolerance
    MeshQueryCounters counters;
    std::uint64_t work = 0;
};

/// Answers queries; keeps its memory between them. One per thread.
class MeshQuery {
  public:
    /// All pairs of triangles that meet. The answer is valid until the next query.
    const PairsAnswer& all_pairs(const PlacedMesh& a, const PlacedMesh& b,
                                 const MeshQuerySettings& settings = {});

    /// All pairs within one mesh, except triangles that share a vertex; pair.a < pair.b.
    const PairsAnswer& self_pairs(const PlacedMesh& mesh, const MeshQuerySettings& settings = {});

    /// Some pair that meets, or that there is none. `guess`, the leaves of an earlier answer for
    /// the same trees, is tried first: while two bodies keep touching it often ends the search.
    FirstPairAnswer first_pair(const PlacedMesh& a, const PlacedMesh& b,
                               const MeshQuerySettings& settings = {},
                               std::optional<SlotPair> guess = {});

    /// The least distance, if it is at most `bound`.
    DistanceAnswer distance(const PlacedMesh& a, const PlacedMesh& b, double bound,
                            const MeshQuerySettings& settings = {});

    /// The time of first contact while all vertices move straight from the previous frame's
    /// positions to this frame's. Found by conservative advancement: never late; early by no more
    /// than it takes to cross `tolerance`, the distance that counts as contact.
    SweptAnswer swept(const PlacedMesh& a, const PlacedMesh& b, float tolerance,
                      const MeshQuerySettings& settings = {});

    /// The state of one walk.
    struct Task {
        std::vector<SlotPair> stack; ///< pairs of nodes whose boxes overlap, to be opened
        TriangleBatch batch;
        std::vector<TrianglePair> pairs;
        std::vector<SlotPair> leaf_pairs; ///< waiting to be tested
        SlotPair first_leaves{};
        MeshQueryCounters counters;
    };

  private:
    struct Candidate {
        double at_least;
        SlotPair slots;
    };
    const PairsAnswer& find_pairs(class MeshDescent& descent, const MeshQuerySettings& settings);
    void spread(const class MeshDescent& descent, const Jobs& jobs, const Budget& budget);

    PairsAnswer pairs_;
    Task main_;
    std::vector<Task> tasks_;
    std::vector<SlotPair> starts_;
    std::vector<Candidate> heap_;
};

} // namespace fovea
