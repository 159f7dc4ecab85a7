#include "bench/collide/deform_subject.h"

#include "fovea/collide/skip_query.h"

namespace fovea {

namespace {

class WideSubject : public DeformSubject {
  public:
    WideSubject(const std::vector<TriangleMesh>& meshes, std::string name,
                const HierarchySettings& hierarchy, const RefitSettings& refit)
        : name_(std::move(name))
        , guesses_(meshes.size() * meshes.size()) {
        for (const TriangleMesh& mesh : meshes)
            trees_.push_back(MeshTree::deforming(mesh, hierarchy, refit).value());
    }
    std::string name() const override { return name_; }
    void update(int body, std::span<const Vec3> vertices) override {
        (void)trees_[body].set_vertices(vertices);
        counters_.refits += trees_[body].eager_counters();
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        const PlacedMesh s = {trees_[a]}, t = {trees_[b]};
        if (first_only) {
            auto& guess = guesses_[a * trees_.size() + b];
            const FirstPairAnswer answer = query_.first_pair(s, t, {}, guess);
            counters_ += answer.counters;
            guess.reset();
            if (answer.meeting == Meeting::found) pairs.push_back(answer.pair), guess = answer.leaves;
        } else {
            const PairsAnswer& answer = query_.all_pairs(s, t);
            counters_ += answer.counters;
            pairs.insert(pairs.end(), answer.pairs.begin(), answer.pairs.end());
        }
    }
    MeshQueryCounters take_counters() override { return std::exchange(counters_, {}); }
    Aabb bounds(int body) override { return trees_[body].root_box(counters_.refits); }

  private:
    std::string name_;
    std::vector<MeshTree> trees_;
    std::vector<std::optional<SlotPair>> guesses_;
    MeshQuery query_;
    MeshQueryCounters counters_;
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
    void update(int body, std::span<const Vec3> vertices) override {
        if (refit_.policy == UpdatePolicy::rebuild) {
            meshes_[body].vertices.assign(vertices.begin(), vertices.end());
            trees_[body] = make_tree(meshes_[body]);
        }
        (void)trees_[body].set_vertices(vertices);
        counters_.refits += trees_[body].eager_counters();
    }
    void collide(int a, int b, bool first_only, std::vector<TrianglePair>& pairs) override {
        counters_ += skip_tree_pairs(trees_[a], trees_[b], first_only, pairs);
    }
    MeshQueryCounters take_counters() override { return std::exchange(counters_, {}); }
    Aabb bounds(int body) override { return trees_[body].bound(0, counters_.refits); }

  private:
    SkipTree<Aabb> make_tree(const TriangleMesh& mesh) const {
        return SkipTree<Aabb>(
            std::make_shared<const MeshHierarchy>(build_hierarchy(mesh, settings_).value()), refit_);
    }
    std::string name_;
    HierarchySettings settings_;
    RefitSettings refit_;
    std::vector<TriangleMesh> meshes_;
    std::vector<SkipTree<Aabb>> trees_;
    MeshQueryCounters counters_;
};

} // namespace

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
