// FCL with trees of boxes, refitted bottom up or built anew. Its traversal is called directly: the
// public collide() copies both models on every call.
#include "bench/deform/deform_subject.h"

#include <fcl/math/bv/utility.h>
// utility.h comes first: BVH_model.h uses what it declares.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/AABB.h>
#include <fcl/narrowphase/collision_request.h>
#include <fcl/narrowphase/collision_result.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>

namespace fovea {

namespace {

using Model = fcl::BVHModel<fcl::AABBd>;

class FclSubject : public DeformSubject {
  public:
    FclSubject(const std::vector<TriangleMesh>& meshes, bool refit)
        : refit_(refit) {
        for (const TriangleMesh& mesh : meshes) {
            std::vector<fcl::Triangle> triangles;
            for (const auto& [i, j, k] : mesh.triangles) triangles.emplace_back(i, j, k);
            auto model = std::make_unique<Model>();
            model->beginModel();
            model->addSubModel(converted(mesh.vertices), triangles);
            model->endModel();
            models_.push_back(std::move(model));
        }
    }
    std::string name() const override { return refit_ ? "FCL, refit" : "FCL, rebuild"; }
    void update(int body, const BodyFrame& frame) override {
        Model& model = *models_[body];
        model.beginReplaceModel();
        model.replaceSubModel(converted(frame.world));
        model.endReplaceModel(refit_, true);
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        fcl::CollisionRequestd request;
        request.num_max_contacts = first_only ? 1 : 100000000;
        fcl::CollisionResultd result;
        fcl::detail::MeshCollisionTraversalNode<fcl::AABBd> node;
        fcl::Transform3d at_a = fcl::Transform3d::Identity(), at_b = at_a;
        fcl::detail::initialize(node, *models_[a], at_a, *models_[b], at_b, request, result);
        fcl::detail::collide(&node);
        for (std::size_t i = 0; i < result.numContacts(); ++i) {
            const auto& contact = result.getContact(i);
            pairs.push_back({std::uint32_t(contact.b1), std::uint32_t(contact.b2)});
        }
    }

  private:
    const std::vector<fcl::Vector3d>& converted(std::span<const Vec3> vertices) {
        converted_.clear();
        for (const Vec3& v : vertices) converted_.emplace_back(v.x, v.y, v.z);
        return converted_;
    }

    bool refit_;
    std::vector<std::unique_ptr<Model>> models_;
    std::vector<fcl::Vector3d> converted_;
};

} // namespace

std::vector<NamedMaker> fcl_makers() {
    std::vector<NamedMaker> makers;
    for (const bool refit : {true, false}) {
        makers.push_back({refit ? "fcl-refit" : "fcl-rebuild", [refit](const auto& meshes) {
                              return std::make_unique<FclSubject>(meshes, refit);
                          }});
    }
    return makers;
}

} // namespace fovea
