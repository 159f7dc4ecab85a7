#include "bench/deform/deform_subject.h"

#include <cmath>
#include <utility>

#include "fovea/collide/mesh_frames.h"
#include "fovea/collide/skip_query.h"

namespace fovea {

namespace {

/// Asks MeshQuery, with a guess for each pair of bodies where the first meeting is wanted.
class GuessingCollider {
  public:
    explicit GuessingCollider(std::size_t bodies)
        : guesses_(bodies * bodies) {}

    void collide(const PlacedMesh& a, const PlacedMesh& b, std::size_t pair, bool first_only,
                 std::vector<TrianglePair>& pairs) {
        if (first_only) {
            auto& guess = guesses_[pair];
            const FirstPairAnswer answer = query_.first_pair(a, b, {}, guess);
            counters += answer.counters;
            guess.reset();
            if (answer.meeting == Meeting::found)
                pairs.push_back(answer.pair), guess = answer.leaves;
        } else {
            const PairsAnswer& answer = query_.all_pairs(a, b);
            counters += answer.counters;
            pairs.insert(pairs.end(), answer.pairs.begin(), answer.pairs.end());
        }
    }

    MeshQueryCounters counters;

  private:
    std::vector<std::optional<SlotPair>> guesses_;
    MeshQuery query_;
};

class WideSubject : public DeformSubject {
  public:
    WideSubject(const std::vector<TriangleMesh>& meshes, std::string name,
                const HierarchySettings& hierarchy, const RefitSettings& refit)
        : name_(std::move(name))
        , collider_(meshes.size()) {
        for (const TriangleMesh& mesh : meshes)
            trees_.push_back(MeshTree::deforming(mesh, hierarchy, refit).value());
    }
    std::string name() const override { return name_; }
    void update(int body, const BodyFrame& frame) override {
        (void)trees_[body].set_vertices(frame.world);
        collider_.counters.refits += trees_[body].eager_counters();
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        collider_.collide({trees_[a]}, {trees_[b]}, a * trees_.size() + b, first_only, pairs);
    }
    MeshQueryCounters take_counters() override { return std::exchange(collider_.counters, {}); }

  private:
    std::string name_;
    std::vector<MeshTree> trees_;
    GuessingCollider collider_;
};

class SkipSubject : public DeformSubject {
  public:
    SkipSubject(const std::vector<TriangleMesh>& meshes, std::string name,
                const HierarchySettings& settings, const RefitSettings& refit)
        : name_(std::move(name))
        , settings_(settings)
        , refit_(refit)
        , meshes_(meshes) {
        for (const TriangleMesh& mesh : meshes) trees_.push_back(make_tree(mesh));
    }
    std::string name() const override { return name_; }
    void update(int body, const BodyFrame& frame) override {
        if (refit_.policy == UpdatePolicy::rebuild) {
            meshes_[body].vertices.assign(frame.world.begin(), frame.world.end());
            trees_[body] = make_tree(meshes_[body]);
        }
        (void)trees_[body].set_vertices(frame.world);
        counters_.refits += trees_[body].eager_counters();
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        counters_ += skip_tree_pairs(trees_[a], trees_[b], first_only, pairs);
    }
    MeshQueryCounters take_counters() override { return std::exchange(counters_, {}); }

  private:
    SkipTree<Aabb> make_tree(const TriangleMesh& mesh) const {
        return SkipTree<Aabb>(
            std::make_shared<const MeshHierarchy>(build_hierarchy(mesh, settings_).value()),
            refit_);
    }
    std::string name_;
    HierarchySettings settings_;
    RefitSettings refit_;
    std::vector<TriangleMesh> meshes_;
    std::vector<SkipTree<Aabb>> trees_;
    MeshQueryCounters counters_;
};

class VanDenBergenSubject : public DeformSubject {
  public:
    VanDenBergenSubject(const std::vector<TriangleMesh>& meshes, int branching)
        : branching_(branching)
        , frames_(meshes.size()) {
        for (const TriangleMesh& mesh : meshes) {
            trees_.emplace_back(
                std::make_shared<const MeshHierarchy>(
                    build_hierarchy(mesh, {branching, Partition::midpoint_centre}).value()),
                RefitSettings{UpdatePolicy::bottom_up});
        }
    }
    std::string name() const override {
        return "van den Bergen, branching " + std::to_string(branching_);
    }
    void update(int body, const BodyFrame& frame) override {
        frames_[body] = frame;
        (void)trees_[body].set_vertices(frame.local);
        counters_.refits += trees_[body].eager_counters();
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        const MeshHierarchy &ha = trees_[a].hierarchy(), &hb = trees_[b].hierarchy();
        const auto corners = [](const MeshHierarchy& h, const BodyFrame& frame,
                                std::uint32_t leaf) {
            TriangleCorners t;
            for (int i = 0; i < 3; ++i) t[i] = frame.world[h.vertex_order[h.triangles[leaf][i]]];
            return t;
        };
        const FramePair frames = frame_pair(frames_[a].placement, frames_[b].placement, 4);
        const Mat3 back = transposed(frames.absolute);
        counters_ += walk_skip_trees(
            trees_[a], trees_[b], first_only,
            [&](const Aabb& p, const Aabb& q) {
                const TurnedBox box = turned(frames, q);
                if (!overlap(p, box.around)) return false;
                const Vec3 t = transposed_times(frames.rotation, box.centre - p.centre());
                const Vec3 reach = box.half + back * p.half_extents();
                return std::abs(t.x) <= reach.x + frames.margin &&
                       std::abs(t.y) <= reach.y + frames.margin &&
                       std::abs(t.z) <= reach.z + frames.margin;
            },
            [&](std::uint32_t s, std::uint32_t t) {
                return triangles_overlap(corners(ha, frames_[a], s), corners(hb, frames_[b], t));
            },
            pairs);
    }
    MeshQueryCounters take_counters() override { return std::exchange(counters_, {}); }

  private:
    int branching_;
    std::vector<BodyFrame> frames_;
    std::vector<SkipTree<Aabb>> trees_;
    MeshQueryCounters counters_;
};

class MorphSubject : public DeformSubject {
  public:
    MorphSubject(const std::vector<TriangleMesh>& references, int bodies,
                 const MorphSettings& settings)
        : in_between_(settings.in_between)
        , placements_(bodies)
        , collider_(std::size_t(bodies)) {
        trees_.push_back(MeshTree::morphing(references, {}, settings).value());
        while (int(trees_.size()) < bodies) trees_.push_back(trees_[0].instance());
    }
    std::string name() const override { return in_between_ ? "morph, in-between boxes" : "morph"; }
    bool needs_world_vertices() const override { return false; }
    void update(int body, const BodyFrame& frame) override {
        (void)trees_[body].set_weights(frame.weights);
        placements_[body] = frame.placement;
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        collider_.collide({trees_[a], placements_[a]}, {trees_[b], placements_[b]},
                          a * trees_.size() + b, first_only, pairs);
    }
    MeshQueryCounters take_counters() override { return std::exchange(collider_.counters, {}); }

  private:
    bool in_between_;
    std::vector<MeshTree> trees_;
    std::vector<Transform> placements_;
    GuessingCollider collider_;
};

} // namespace

std::unique_ptr<DeformSubject> make_van_den_bergen_subject(const std::vector<TriangleMesh>& meshes,
                                                           int branching) {
    return std::make_unique<VanDenBergenSubject>(meshes, branching);
}

std::unique_ptr<DeformSubject> make_morph_subject(const std::vector<TriangleMesh>& references,
                                                  int bodies, const MorphSettings& settings) {
    return std::make_unique<MorphSubject>(references, bodies, settings);
}

std::unique_ptr<DeformSubject> make_wide_subject(const std::vector<TriangleMesh>& meshes,
                                                 const std::string& name,
                                                 const HierarchySettings& hierarchy,
                                                 const RefitSettings& refit) {
    return std::make_unique<WideSubject>(meshes, name, hierarchy, refit);
}

std::unique_ptr<DeformSubject> make_skip_subject(const std::vector<TriangleMesh>& meshes,
                                                 const std::string& name,
                                                 const HierarchySettings& hierarchy,
                                                 const RefitSettings& refit) {
    return std::make_unique<SkipSubject>(meshes, name, hierarchy, refit);
}

} // namespace fovea
