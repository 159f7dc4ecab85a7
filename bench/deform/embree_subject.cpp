// Embree's rtcCollide over user geometry, one thread. It reports candidates, so the callback tests
// their boxes (refitted leaves are paired whole), then the triangles by our exact test.
#include "bench/deform/deform_subject.h"

#include <embree3/rtcore.h>

namespace fovea {

namespace {

struct EmbreeBody {
    std::vector<TriangleMesh::Triangle> triangles;
    std::span<const Vec3> vertices; ///< the caller's: user geometry needs no copy
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;

    TriangleCorners corners(std::uint32_t face) const {
        const auto& [i, j, k] = triangles[face];
        return {vertices[i], vertices[j], vertices[k]};
    }
    Aabb box(std::uint32_t face) const {
        const TriangleCorners t = corners(face);
        return {min(t[0], min(t[1], t[2])), max(t[0], max(t[1], t[2]))};
    }
};

class EmbreeSubject : public DeformSubject {
  public:
    EmbreeSubject(const std::vector<TriangleMesh>& meshes, bool refit)
        : refit_(refit)
        , device_(rtcNewDevice("threads=1,set_affinity=0")) {
        for (const TriangleMesh& mesh : meshes) {
            auto body = std::make_unique<EmbreeBody>();
            body->triangles = mesh.triangles;
            body->vertices = mesh.vertices;
            body->scene = rtcNewScene(device_);
            // Refit acts only in a scene of low quality.
            rtcSetSceneBuildQuality(body->scene, RTC_BUILD_QUALITY_LOW);
            rtcSetSceneFlags(body->scene, RTC_SCENE_FLAG_DYNAMIC);
            body->geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
            rtcSetGeometryBuildQuality(body->geometry,
                                       refit ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_LOW);
            rtcSetGeometryUserPrimitiveCount(body->geometry, unsigned(mesh.triangles.size()));
            rtcSetGeometryUserData(body->geometry, body.get());
            rtcSetGeometryBoundsFunction(body->geometry, bounds_of, body.get());
            rtcCommitGeometry(body->geometry);
            rtcAttachGeometry(body->scene, body->geometry);
            rtcCommitScene(body->scene);
            bodies_.push_back(std::move(body));
        }
    }
    EmbreeSubject(const EmbreeSubject&) = delete;
    EmbreeSubject& operator=(const EmbreeSubject&) = delete;
    ~EmbreeSubject() override {
        for (const auto& body : bodies_) {
            rtcReleaseGeometry(body->geometry);
            rtcReleaseScene(body->scene);
        }
        rtcReleaseDevice(device_);
    }
    std::string name() const override { return refit_ ? "Embree, refit" : "Embree, rebuild low"; }
    void update(int body, const BodyFrame& frame) override {
        EmbreeBody& b = *bodies_[body];
        b.vertices = frame.world;
        rtcCommitGeometry(b.geometry);
        rtcCommitScene(b.scene);
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        Search search = {*bodies_[a], *bodies_[b], first_only, pairs};
        rtcCollide(bodies_[a]->scene, bodies_[b]->scene, on_candidates, &search);
    }

  private:
    struct Search {
        const EmbreeBody &a, &b;
        bool first_only;
        std::vector<TrianglePair>& pairs;
    };

    static void bounds_of(const RTCBoundsFunctionArguments* arguments) {
        const auto& body = *static_cast<const EmbreeBody*>(arguments->geometryUserPtr);
        const Aabb box = body.box(arguments->primID);
        RTCBounds& out = *arguments->bounds_o;
        out.lower_x = box.low.x, out.lower_y = box.low.y, out.lower_z = box.low.z;
        out.upper_x = box.high.x, out.upper_y = box.high.y, out.upper_z = box.high.z;
    }

    static void on_candidates(void* context, RTCCollision* candidates, unsigned count) {
        Search& search = *static_cast<Search*>(context);
        for (unsigned i = 0; i < count; ++i) {
            if (search.first_only && !search.pairs.empty()) return;
            const std::uint32_t s = candidates[i].primID0, t = candidates[i].primID1;
            if (!overlap(search.a.box(s), search.b.box(t))) continue;
            if (triangles_overlap(search.a.corners(s), search.b.corners(t)))
                search.pairs.push_back({s, t});
        }
    }

    bool refit_;
    RTCDevice device_;
    std::vector<std::unique_ptr<EmbreeBody>> bodies_;
};

} // namespace

std::vector<NamedMaker> embree_makers() {
    std::vector<NamedMaker> makers;
    for (const bool refit : {true, false}) {
        makers.push_back({refit ? "embree-refit" : "embree-low", [refit](const auto& meshes) {
                              return std::make_unique<EmbreeSubject>(meshes, refit);
                          }});
    }
    return makers;
}

} // namespace fovea
