// What the deform benchmark measures: methods that take new vertices and find pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fovea/collide/mesh_query.h"

namespace fovea {

/// A body in one step. World vertices are what every method's answer is about.
struct BodyFrame {
    std::span<const Vec3> world, local; ///< deformed vertices; local ones before placement
    Transform placement;
    std::span<const float> weights; ///< of a morphing scene
};

/// Two or more bodies of one method.
class DeformSubject {
  public:
    virtual ~DeformSubject() = default;
    virtual std::string name() const = 0;
    virtual void update(int body, const BodyFrame& frame) = 0;
    /// Adds the pairs of two bodies to `pairs`; with `first_only` at most one.
    virtual void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) = 0;
    /// Counted work since the last call; all zero for peers.
    virtual MeshQueryCounters take_counters() { return {}; }
    /// False if it takes weights and placement alone, so that world vertices are not its cost.
    virtual bool needs_world_vertices() const { return true; }
};

/// `meshes`: the bodies at the start of the run.
using SubjectMaker =
    std::function<std::unique_ptr<DeformSubject>(const std::vector<TriangleMesh>& meshes)>;

struct NamedMaker {
    std::string name;
    SubjectMaker make;
};

std::unique_ptr<DeformSubject> make_wide_subject(const std::vector<TriangleMesh>& meshes,
                                                 const std::string& name,
                                                 const HierarchySettings& hierarchy,
                                                 const RefitSettings& refit);
/// The source's engine: scalar skip trees of boxes.
std::unique_ptr<DeformSubject> make_skip_subject(const std::vector<TriangleMesh>& meshes,
                                                 const std::string& name,
                                                 const HierarchySettings& hierarchy,
                                                 const RefitSettings& refit);

/// Binary trees in the bodies' own frames, refitted bottom up, compared by SAT-lite (van den
/// Bergen, "Efficient Collision Detection of Complex Deformable Models using AABB Trees", 1997).
std::unique_ptr<DeformSubject> make_van_den_bergen_subject(const std::vector<TriangleMesh>& meshes,
                                                           int branching);
/// Morph trees, blended lazily; all bodies share the references.
std::unique_ptr<DeformSubject> make_morph_subject(const std::vector<TriangleMesh>& references,
                                                  int bodies, const MorphSettings& settings);

/// Peers; empty where the library was not found when configuring.
std::vector<NamedMaker> fcl_makers();
std::vector<NamedMaker> embree_makers();

} // namespace fovea
