#include "tests/oracles/fcl_mesh_oracle.h"

#include <fcl/math/bv/utility.h>
// utility.h comes first: BVH_model.h uses what it declares.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

namespace fovea {

struct FclMesh::Model {
    std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> tree;
};

namespace {

fcl::Transform3d converted(const Transform& t) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    fcl::Quaterniond turn(t.orientation.w, t.orientation.x, t.orientation.y, t.orientation.z);
    turn.normalize();
    out.linear() = turn.toRotationMatrix();
    out.translation() = fcl::Vector3d(t.position.x, t.position.y, t.position.z);
    return out;
}

} // namespace

FclMesh::FclMesh(const TriangleMesh& mesh)
    : model_(std::make_unique<Model>()) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
    for (const auto& [i, j, k] : mesh.triangles) triangles.emplace_back(i, j, k);
    model_->tree = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    model_->tree->beginModel();
    model_->tree->addSubModel(vertices, triangles);
    model_->tree->endModel();
}

FclMesh::~FclMesh() = default;

bool FclMesh::collides(const Transform& at, const FclMesh& other, const Transform& other_at) const {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide<double>(model_->tree.get(), converted(at), other.model_->tree.get(),
                                converted(other_at), request, result) > 0;
}

double FclMesh::distance(const Transform& at, const FclMesh& other,
                         const Transform& other_at) const {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance<double>(model_->tree.get(), converted(at), other.model_->tree.get(),
                                 converted(other_at), request, result);
}

} // namespace fovea
