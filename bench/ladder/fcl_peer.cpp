#include "bench/ladder/mesh_peer.h"

#include <fcl/math/bv/utility.h>
// utility.h comes first: BVH_model.h uses what it declares.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>

namespace fovea {

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::unique_ptr<Model> make_model(const TriangleMesh& mesh) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
    for (const auto& [i, j, k] : mesh.triangles) triangles.emplace_back(i, j, k);
    auto model = std::make_unique<Model>();
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

fcl::Transform3d converted(const Transform& t) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    fcl::Quaterniond turn(t.orientation.w, t.orientation.x, t.orientation.y, t.orientation.z);
    out.linear() = turn.normalized().toRotationMatrix();
    out.translation() = fcl::Vector3d(t.position.x, t.position.y, t.position.z);
    return out;
}

class FclPeer : public MeshPeer {
  public:
    FclPeer(const TriangleMesh& a, const TriangleMesh& b)
        : a_(make_model(a))
        , b_(make_model(b)) {}
    bool collides(const Transform& at_a, const Transform& at_b) const override {
        return collide(at_a, at_b, 1) > 0;
    }
    std::size_t contacts(const Transform& at_a, const Transform& at_b) const override {
        return collide(at_a, at_b, 100000000);
    }

  private:
    std::size_t collide(const Transform& at_a, const Transform& at_b, std::size_t most) const {
        fcl::CollisionRequestd request;
        request.num_max_contacts = most;
        fcl::CollisionResultd result;
        return fcl::collide<double>(a_.get(), converted(at_a), b_.get(), converted(at_b), request,
                                    result);
    }

    std::unique_ptr<Model> a_, b_;
};

} // namespace

std::unique_ptr<MeshPeer> make_fcl_peer(const TriangleMesh& a, const TriangleMesh& b) {
    return std::make_unique<FclPeer>(a, b);
}

} // namespace fovea
