#include "fovea/volume/share_builder.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/volume/falling_error.h"
#include "fovea/volume/medial_balls.h"
#include "fovea/volume/pattern_search.h"
#include "fovea/volume/sphere_fitting.h"
#include "fovea/volume/sphere_reduction.h"
#include "fovea/volume/union_error.h"

namespace fovea {

namespace {

using Ids = std::vector<std::uint32_t>;

/// A node of the level being split.
struct Node {
    Ball ball;
    std::uint32_t parent = 0;
    Ids owned; ///< elements that this node and its descendants are responsible for
    Ids reach; ///< elements that they may hold: in this ball and all balls above it
};

using Levels = std::vector<std::vector<Node>>;

constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// Mean error, in units, below which a sphere may be kept as it is.
constexpr double k_round = 0.01;

Reduction reduction_of(SphereMethod method) {
    if (method == SphereMethod::hubbard) return {.merge = true, .adaptive = false};
    return {.merge = true, .burst = true, .expand = true, .by_mean = method == SphereMethod::best};
}

/// Removes nodes that have lost all their elements to others, and so have no children.
void prune(Levels& levels) {
    for (std::size_t l = levels.size() - 1; l-- > 1;) {
        std::vector<std::uint32_t> renumbered(levels[l].size(), 0);
        for (const Node& child : levels[l + 1]) renumbered[child.parent] = 1;
        std::vector<Node> kept;
        for (std::size_t i = 0; i < levels[l].size(); ++i) {
            if (renumbered[i] == 0) continue;
            renumbered[i] = std::uint32_t(kept.size());
            kept.push_back(std::move(levels[l][i]));
        }
        for (Node& child : levels[l + 1]) child.parent = renumbered[child.parent];
        levels[l] = std::move(kept);
    }
}

class ShareBuilder {
  public:
    ShareBuilder(const ContentModel& content, const DraftPlan& plan, const Jobs& jobs)
        : content_(content)
        , plan_(plan)
        , jobs_(jobs)
        , elements_(content, expected_spheres(plan), plan.effort)
        , medial_(medial_balls(content, elements_, jobs)) {}

    std::size_t memory_bytes() const {
        return elements_.memory_bytes() + medial_.size() * sizeof(Ball);
    }

    /// All levels, root first; fewer than planned if the target is met or the build cancelled. The
    /// last level of `best` is to stand off no further than `cap`, if it can.
    Levels levels(SphereMethod method, BuildWatch& watch, double from, double to,
                  double cap = k_infinity) const {
        Levels levels = {root()};
        for (int l = 1; l < plan_.levels; ++l) {
            if (!watch.reached(from + (to - from) * (l - 1) / plan_.levels)) break;
            const bool last = l + 1 == plan_.levels;
            levels.push_back(
                next_level(levels.back(), last, method, last ? cap : k_infinity, watch));
            if (watch.cancelled()) break;
            if (plan_.target_error > 0 &&
                (target_met(levels.back()) || levels.back().size() > k_most_for_target))
                break;
        }
        if (levels.size() > 1 && !watch.cancelled()) prune(levels);
        return levels;
    }

    /// The tree of `best`: the fitted one, unless its worst place is worse than that of `medial`.
    /// Then the leaves of `medial` are fitted as they are, which should keep their worst place; and
    /// if it does not, they are not.
    Levels best(BuildWatch& watch, double from, double to) const {
        if (plan_.levels < 2 || plan_.target_error > 0) {
            return levels(SphereMethod::best, watch, from, to);
        }
        const double middle = from + 0.25 * (to - from);
        Levels medial = levels(SphereMethod::medial, watch, from, middle);
        const double worst = error_of(medial.back()).worst; // by the lattice, as fitting sees it
        const double allowed = worst_error(balls_of(medial.back()), content_);
        const auto holds = [&](const std::vector<Node>& leaves) {
            return worst_error(balls_of(leaves), content_) <= allowed;
        };
        Levels tree = levels(SphereMethod::best, watch, middle, to, 0.9 * worst);
        if (watch.cancelled() || holds(tree.back())) return tree;
        const double closely = 3 * plan_.effort; // or it would miss the worst place
        std::vector<Node> leaves = fitted(medial[medial.size() - 2], medial.back(), false,
                                          0.985 * worst, jobs_, closely, &watch);
        if (watch.cancelled() || !holds(leaves)) return medial;
        medial.back() = std::move(leaves);
        prune(medial);
        return medial;
    }

  private:
    std::vector<Node> root() const {
        Node node;
        node.owned.resize(elements_.size());
        std::iota(node.owned.begin(), node.owned.end(), 0u);
        node.reach = node.owned;
        const auto radius_about = [&](const Vec3d& centre) {
            double far = 0;
            for (std::uint32_t e = 0; e < elements_.size(); ++e) {
                far = std::max(far, elements_.far_squared(e, centre));
            }
            return std::sqrt(far);
        };
        node.ball.centre = pattern_search(Vec3d(), 0.1, 1e-3, radius_about);
        node.ball.radius = radius_about(node.ball.centre);
        return {node};
    }

    bool target_met(const std::vector<Node>& level) const {
        return std::all_of(level.begin(), level.end(),
                           [&](const Node& node) { return is_good_enough(node); });
    }

    std::vector<Node> next_level(const std::vector<Node>& level, bool last, SphereMethod method,
                                 double cap, BuildWatch& watch) const {
        Reduction how = reduction_of(method);
        how.even = !last;
        if (method != SphereMethod::best) {
            std::vector<Node> next = drafted(level, how, &watch);
            for (Node& node : next) node.reach = node.owned;
            return next;
        }
        // A level is no worse than the one above it.
        cap = std::min(cap, error_of(level).worst);
        // Fitting finds the nearest hollow; several starts find a deeper one. Worth its time where
        // spheres are few.
        if (level.size() > 1) {
            return fitted(level, drafted(level, how, &watch), !last, cap, jobs_, plan_.effort,
                          &watch);
        }
        const Jobs alone(1); // the tries themselves run side by side
        std::vector<std::vector<Node>> tries(5);
        const Reduction starts[5] = {how,
                                     {.cluster = true},
                                     {.merge = true, .by_mean = true, .even = !last},
                                     {.burst = true, .by_mean = true},
                                     {.expand = true, .by_mean = true}};
        jobs_.for_blocks(tries.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                tries[i] = fitted(level, drafted(level, starts[i], nullptr), !last, cap, alone,
                                  plan_.effort, nullptr);
            }
        });
        const auto score = [&](const std::vector<Node>& nodes) {
            const UnionError error = error_of(nodes);
            std::vector<std::size_t> shares;
            for (const Node& node : nodes) shares.push_back(node.owned.size());
            const double above = std::max(error.worst - cap, 0.0);
            return (error.mean + 0.25 * error.worst + above) * (last ? 1 : unevenness(shares));
        };
        return *std::min_element(tries.begin(), tries.end(),
                                 [&](const auto& a, const auto& b) { return score(a) < score(b); });
    }

    static std::vector<Ball> balls_of(const std::vector<Node>& nodes) {
        std::vector<Ball> balls;
        for (const Node& node : nodes) balls.push_back(node.ball);
        return balls;
    }

    UnionError error_of(const std::vector<Node>& nodes) const {
        return union_error(content_, balls_of(nodes), 512);
    }

    std::vector<Node> drafted(const std::vector<Node>& level, const Reduction& how,
                              BuildWatch* watch) const {
        constexpr std::size_t k_between_looks = 64;
        const std::vector<std::size_t> allowed = allowances(level);
        std::vector<std::vector<ShareBall>> split(level.size());
        for (std::size_t from = 0; from < level.size(); from += k_between_looks) {
            if (watch != nullptr && !watch->goes_on()) return level;
            jobs_.for_blocks(std::min(k_between_looks, level.size() - from), 1,
                             [&](std::size_t begin, std::size_t end) {
                                 for (std::size_t i = from + begin; i < from + end; ++i) {
                                     split[i] = children_of(level[i], allowed[i], how);
                                 }
                             });
        }
        std::vector<Node> next;
        for (std::size_t i = 0; i < level.size(); ++i) {
            for (ShareBall& child : split[i]) {
                next.push_back({child.ball, std::uint32_t(i), std::move(child.elements), {}});
            }
        }
        return next;
    }

    static std::size_t expected_spheres(const DraftPlan& plan) {
        if (plan.target_count > 0) return plan.target_count;
        if (plan.target_error > 0) return 512;
        return std::size_t(std::min(1e6, std::pow(plan.branching, plan.levels - 1)));
    }

    bool is_good_enough(const Node& node) const {
        return plan_.target_error > 0 && content_.exact_protrusion(node.ball) <= plan_.target_error;
    }

    /// Children for each node; with a target count, more where spheres stand off more.
    std::vector<std::size_t> allowances(const std::vector<Node>& level) const {
        const auto most = std::size_t(plan_.branching);
        std::vector<std::size_t> allowed(level.size(), most);
        if (plan_.target_count == 0 || level.size() * most <= plan_.target_count) return allowed;
        std::fill(allowed.begin(), allowed.end(), 1);
        for (std::size_t left = plan_.target_count - std::min(plan_.target_count, level.size());
             left > 0; --left) {
            std::size_t worst = level.size();
            double largest = 0;
            for (std::size_t i = 0; i < level.size(); ++i) {
                const double weight = level[i].ball.radius * level[i].ball.radius *
                                      std::max(1e-9, content_.protrusion(level[i].ball)) /
                                      double(allowed[i]);
                if (allowed[i] < most && weight > largest) largest = weight, worst = i;
            }
            if (worst == level.size()) break;
            ++allowed[worst];
        }
        return allowed;
    }

    std::vector<ShareBall> children_of(const Node& node, std::size_t count,
                                       const Reduction& how) const {
        if (count < 2 || is_good_enough(node)) return {{node.ball, node.owned}};
        if (node.owned.size() == 1) {
            const Vec3d& middle = elements_.middle(node.owned[0]);
            const double radius = std::sqrt(elements_.far_squared(node.owned[0], middle));
            return {{{middle, radius}, node.owned}};
        }
        auto balls = reduced(content_, elements_, medial_, node.owned, count, how);
        // A shape that is nearly a ball fits into one sphere better than into many.
        std::vector<Ball> plain;
        for (const ShareBall& b : balls) plain.push_back(b.ball);
        const double alone = union_error(content_, {&node.ball, 1}, 256).mean;
        if (alone <= k_round && alone <= union_error(content_, plain, 128).mean) {
            return {{node.ball, node.owned}};
        }
        return balls;
    }

    /// Fits the level as a whole. Without a `watch` the build cannot be cancelled meanwhile.
    std::vector<Node> fitted(const std::vector<Node>& above, const std::vector<Node>& drafted,
                             bool tied, double cap, const Jobs& jobs, double effort,
                             BuildWatch* watch) const {
        std::vector<Ids> reach;
        for (const Node& node : above) reach.push_back(node.reach);
        std::vector<FittedBall> balls;
        for (const Node& node : drafted) {
            balls.push_back({node.ball, node.parent, {}, node.owned});
            balls.back().ball.radius *= 1 + 1e-9;
        }
        if (watch != nullptr && watch->cancelled()) return drafted;
        fit_level(content_, elements_, reach, balls, tied, cap, effort, jobs, watch);
        std::vector<Node> next;
        for (FittedBall& b : balls) {
            if (b.owned.empty()) continue;
            next.push_back({b.ball, b.parent, std::move(b.owned), std::move(b.holds)});
        }
        return next;
    }

    const ContentModel& content_;
    DraftPlan plan_;
    const Jobs& jobs_;
    CoverElements elements_;
    std::vector<Ball> medial_;
};

} // namespace

SphereDraft draft_from_shares(const ContentModel& content, SphereMethod method,
                              const DraftPlan& plan, const Jobs& jobs, BuildWatch& watch,
                              std::size_t& memory_bytes) {
    SphereDraft draft;
    if (!watch.reached(0.05)) return draft;
    const ShareBuilder builder(content, plan, jobs);
    memory_bytes = builder.memory_bytes();
    const bool best = method == SphereMethod::best;
    const Levels levels =
        best ? builder.best(watch, 0.2, 0.9) : builder.levels(method, watch, 0.2, 0.9);
    if (watch.cancelled()) return draft;
    for (const std::vector<Node>& level : levels) {
        DraftLevel& drafted = draft.emplace_back();
        for (const Node& node : level) {
            drafted.balls.push_back(node.ball);
            if (draft.size() > 1) drafted.parents.push_back(node.parent);
        }
    }
    return draft;
}

} // namespace fovea
