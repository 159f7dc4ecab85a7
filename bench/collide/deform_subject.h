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

/// Two or more bodies of one method. Vertices are world positions.
class DeformSubject {
  public:
    virtual ~DeformSubject() = default;
    virtual std::string name() const = 0;
    virtual void update(int body, std::span<const Vec3> vertices) = 0;
    /// Adds the pairs of two bodies to `pairs`; with `first_only` at most one.
    virtual void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) = 0;
    /// Counted work since the last call; all zero for peers.
    virtual MeshQueryCounters take_counters() { return {}; }
    virtual Aabb bounds(int body) = 0;
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

/// Peers; empty where the library was not found when configuring.
std::vector<NamedMaker> fcl_makers();
std::vector<NamedMaker> embree_makers();

} // namespace fovea
