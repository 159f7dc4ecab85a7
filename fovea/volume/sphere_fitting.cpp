#include "fovea/volume/sphere_fitting.h"

#include <cmath>
#include <limits>

#include "fovea/volume/exposed_surface.h"
#include "fovea/volume/pattern_search.h"
#include "fovea/volume/point_set.h"
#include "fovea/volume/sphere_neighbours.h"
#include "fovea/volume/union_error.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_between_looks = 256; ///< balls, at whether the build is cancelled
constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// A hair more than needed, for rounding.
double holding_radius(const PointSet& points, const Vec3d& centre) {
    return points.radius_about(centre) * (1 + 1e-9);
}

bool overlap(const Ball& a, const Ball& b) {
    const double reach = a.radius + b.radius;
    return length_squared(a.centre - b.centre) < reach * reach;
}

class LevelFit {
  public:
    LevelFit(const ContentModel& content, const CoverElements& elements,
             std::span<const std::vector<std::uint32_t>> reach, std::vector<FittedBall>& balls,
             bool tied, double cap, double effort, const Jobs& jobs, BuildWatch* watch)
        : elements_(elements)
        , reach_(reach)
        , balls_(balls)
        , tied_(tied)
        , jobs_(jobs)
        , watch_(watch)
        , holders_(elements.size(), 0)
        , owner_(elements.size(), 0)
        , surface_(content.grid, int(effort * (balls.size() <= 16 ? 256 : 96)))
        , errors_(balls.size())
        , near_(balls.size()) {
        for (std::uint32_t i = 0; i < balls_.size(); ++i) {
            gather(balls_[i]);
            for (const std::uint32_t e : balls_[i].holds) ++holders_[e];
            for (const std::uint32_t e : balls_[i].owned) owner_[e] = i;
        }
        cap_ = std::min(cap, union_error(content, plain_balls(), surface_.directions()).worst);
    }

    void run() {
        settle(2, 10);
        if (tied_) deal_out();
        settle(3, 8);
        if (!tied_) relocate(std::vector<char>(balls_.size(), 1));
        if (tied_) deal_out();
        settle(3, 6);
        settle(6, 6);
        if (!tied_) mend_worst();
        deal_out();
        for (FittedBall& ball : balls_) ball.owned.clear();
        for (std::uint32_t e = 0; e < owner_.size(); ++e) balls_[owner_[e]].owned.push_back(e);
    }

  private:
    /// Improves ball after ball until the error falls no more.
    void settle(int exponent, int rounds) {
        exponent_ = exponent;
        for (int round = 0; round < rounds; ++round) {
            const double before = start_round();
            for (std::uint32_t i = 0; i < balls_.size(); ++i) {
                if (i % k_between_looks == 0 && is_cancelled()) return;
                improve(i);
            }
            if (total_error() > before * (1 - 2e-3)) break;
        }
    }

    bool is_cancelled() const { return watch_ != nullptr && !watch_->goes_on(); }

    /// Brings more balls to where some still stand off by more than the cap.
    void mend_worst() {
        constexpr int k_most_rounds = 5;
        for (int round = 0; round < k_most_rounds; ++round) {
            std::vector<char> above(balls_.size());
            for (std::uint32_t i = 0; i < balls_.size(); ++i) above[i] = worst_of(i) > cap_;
            if (std::find(above.begin(), above.end(), 1) == above.end()) return;
            if (!relocate(above)) return;
            settle(6, 2);
        }
    }

    double worst_of(std::uint32_t i) const {
        float worst = 0;
        visit_exposed(balls_[i].ball, i, [&](const float(&distances)[ExposedSurface::k_block]) {
            worst = std::max(worst, *std::max_element(distances, std::end(distances)));
            return true;
        });
        return worst;
    }

    double start_round() {
        find_neighbours();
        return total_error();
    }

    std::vector<Ball> plain_balls() const {
        std::vector<Ball> plain;
        for (const FittedBall& b : balls_) plain.push_back(b.ball);
        return plain;
    }

    void find_neighbours() {
        double mean = 0;
        for (const FittedBall& b : balls_) mean += b.ball.radius / double(balls_.size());
        // Slack, for the balls move before neighbours are looked for again.
        slack_ = 0.25 * mean;
        near_ = overlapping(plain_balls(), slack_, jobs_);
    }

    /// The same after the balls of a range have moved.
    void find_neighbours_again(std::uint32_t first, std::uint32_t end) {
        update_overlapping(plain_balls(), first, end, slack_, near_);
    }

    double total_error() {
        jobs_.for_blocks(balls_.size(), 8, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) errors_[i] = error_of(std::uint32_t(i));
        });
        double sum = 0;
        for (const double error : errors_) sum += error;
        return sum;
    }

    /// Gives each element to the ball that holds it nearest to its centre.
    void deal_out() {
        std::vector<double> nearest(elements_.size(), k_infinity);
        for (std::uint32_t i = 0; i < balls_.size(); ++i) {
            for (const std::uint32_t e : balls_[i].holds) {
                const double far = elements_.far_squared(e, balls_[i].ball.centre);
                if (far < nearest[e]) nearest[e] = far, owner_[e] = i;
            }
        }
    }

    bool is_duty(std::uint32_t e, std::uint32_t i) const {
        return tied_ ? owner_[e] == i : holders_[e] == 1;
    }

    void gather(FittedBall& ball) const {
        ball.holds.clear();
        const double squared = ball.ball.radius * ball.ball.radius * (1 + 1e-12);
        for (const std::uint32_t e : reach_[ball.parent]) {
            if (elements_.far_squared(e, ball.ball.centre) <= squared) ball.holds.push_back(e);
        }
    }

    void place(std::uint32_t i, const Ball& ball) {
        for (const std::uint32_t e : balls_[i].holds) --holders_[e];
        balls_[i].ball = ball;
        gather(balls_[i]);
        for (const std::uint32_t e : balls_[i].holds) ++holders_[e];
    }

    /// Error of the exposed surface of `ball` in the place of ball i. Beyond what the level had
    /// at the start it counts a thousandfold: the worst place must not get worse.
    /// Infinite as soon as it is known to be above `limit`.
    double error_at(const Ball& ball, std::uint32_t i, double limit = k_infinity) const {
        const double weight = ball.radius * ball.radius / double(surface_.directions());
        double sum = 0;
        visit_exposed(ball, i, [&](const float(&distances)[ExposedSurface::k_block]) {
            sum += power_sum(distances, exponent_, cap_);
            return sum * weight <= limit;
        });
        return sum * weight <= limit ? sum * weight : k_infinity;
    }
    /// Calls visit(distances) block by block for the surface of `ball` in the place of ball i,
    /// while it returns true; never if others cover it all.
    template <class Visit>
    void visit_exposed(const Ball& ball, std::uint32_t i, Visit&& visit) const {
        thread_local std::vector<CoveredCap> caps; // kept for its memory
        caps.clear();
        for (const std::uint32_t k : near_[i]) {
            if (!ExposedSurface::add_cap(ball, balls_[k].ball, caps)) return;
        }
        float distances[ExposedSurface::k_block];
        for (int block = 0; block < surface_.blocks(); ++block) {
            surface_.distances(ball, caps, block, distances);
            if (!visit(distances)) return;
        }
    }
    double error_of(std::uint32_t i) const { return error_at(balls_[i].ball, i); }

    /// The points that ball i must hold: those that it alone holds, or owns.
    PointSet duty_of(std::uint32_t i) const {
        PointSet duty;
        for (const std::uint32_t e : balls_[i].holds) {
            if (is_duty(e, i)) duty.add(elements_.points(e));
        }
        return duty;
    }

    void improve(std::uint32_t i) {
        const PointSet duty = duty_of(i);
        const Ball old = balls_[i].ball;
        Ball trial{old.centre, 0}; // a ball without duty vanishes
        if (!duty.empty()) {
            trial.centre = pattern_search(
                old.centre, 0.2 * old.radius, 0.05, [&](const Vec3d& c, double limit) {
                    return error_at({c, holding_radius(duty, c)}, i, limit);
                });
            trial.radius = holding_radius(duty, trial.centre);
        }

        // Letting go of what others cover may lay their surfaces bare: count them in.
        double before = errors_[i];
        for (const std::uint32_t k : near_[i]) before += errors_[k];
        balls_[i].ball = trial;
        std::vector<double> now(near_[i].size());
        const double own = error_of(i);
        double after = own;
        for (std::size_t k = 0; k < near_[i].size() && after < before; ++k) {
            const Ball& other = balls_[near_[i][k]].ball;
            const bool touched = overlap(other, old) || overlap(other, trial);
            now[k] = touched ? error_of(near_[i][k]) : errors_[near_[i][k]];
            after += now[k];
        }
        balls_[i].ball = old;
        if (!(after < before)) return;
        errors_[i] = own;
        for (std::size_t k = 0; k < near_[i].size(); ++k) errors_[near_[i][k]] = now[k];
        place(i, trial);
    }

    /// Among the children of each parent, if one of them is `wanted`: the ball that is easiest to
    /// spare moves to the one with the largest error and shares its work. True if any did.
    bool relocate(const std::vector<char>& wanted) {
        constexpr int k_most_failures = 3;
        bool moved = false;
        for (std::uint32_t first = 0, end; first < balls_.size(); first = end) {
            end = first + 1;
            while (end < balls_.size() && balls_[end].parent == balls_[first].parent) ++end;
            const auto from = wanted.begin() + first, to = wanted.begin() + end;
            if (end - first <= 2 || std::find(from, to, 1) == to) continue;
            if (is_cancelled()) return false;
            std::vector<std::uint32_t> failed;
            for (std::uint32_t t = first; t < end && int(failed.size()) < k_most_failures; ++t) {
                const std::uint32_t spared = easiest_to_spare(first, end, failed);
                if (spared == end) break;
                if (move_to_worst(spared, first, end)) {
                    moved = true;
                } else {
                    failed.push_back(spared);
                }
            }
        }
        return moved;
    }

    std::uint32_t easiest_to_spare(std::uint32_t first, std::uint32_t end,
                                   const std::vector<std::uint32_t>& failed) const {
        std::uint32_t easiest = end;
        double least = k_infinity;
        for (std::uint32_t i = first; i < end; ++i) {
            if (std::find(failed.begin(), failed.end(), i) != failed.end()) continue;
            double cost = 0;
            for (const std::uint32_t e : balls_[i].holds) {
                if (holders_[e] > 1) continue;
                const double growth = cheapest_holder(e, i, first, end).second;
                cost = std::max(cost, growth * balls_[i].ball.radius);
            }
            if (cost < least) least = cost, easiest = i;
        }
        return easiest;
    }

    /// The sibling of `i` that has to grow least to hold element e, and by how much.
    std::pair<std::uint32_t, double> cheapest_holder(std::uint32_t e, std::uint32_t i,
                                                     std::uint32_t first, std::uint32_t end) const {
        std::pair<std::uint32_t, double> best{first, k_infinity};
        for (std::uint32_t k = first; k < end; ++k) {
            if (k == i) continue;
            const double growth =
                std::sqrt(elements_.far_squared(e, balls_[k].ball.centre)) - balls_[k].ball.radius;
            if (growth < best.second) best = {k, growth};
        }
        return best;
    }

    /// Adds the balls of a range and all that they touch.
    void add_with_neighbours(std::vector<std::uint32_t>& to, std::uint32_t first,
                             std::uint32_t end) const {
        for (std::uint32_t i = first; i < end; ++i) {
            to.push_back(i);
            to.insert(to.end(), near_[i].begin(), near_[i].end());
        }
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
    }

    void update_errors(std::span<const std::uint32_t> of) {
        for (const std::uint32_t i : of) errors_[i] = error_of(i);
    }

    bool move_to_worst(std::uint32_t spared, std::uint32_t first, std::uint32_t end) {
        const std::vector<FittedBall> saved(balls_.begin() + first, balls_.begin() + end);
        const std::vector<std::uint32_t> saved_holders = holders_;
        const std::vector<double> saved_errors = errors_;
        // Only these balls move, so only their errors and those of their neighbours change.
        std::vector<std::uint32_t> touched;
        add_with_neighbours(touched, first, end);

        std::uint32_t worst = spared == first ? first + 1 : first;
        for (std::uint32_t i = first; i < end; ++i) {
            if (i != spared && errors_[i] > errors_[worst]) worst = i;
        }
        for (const std::uint32_t e : std::vector<std::uint32_t>(balls_[spared].holds)) {
            if (holders_[e] > 1) continue;
            const std::uint32_t k = cheapest_holder(e, spared, first, end).first;
            Ball grown = balls_[k].ball;
            grown.radius = std::sqrt(elements_.far_squared(e, grown.centre)) * (1 + 1e-9);
            if (grown.radius > balls_[k].ball.radius) place(k, grown);
        }
        // Gone for the moment, so that what it held with `worst` alone counts as work of the
        // latter.
        place(spared, {balls_[spared].ball.centre, 0});
        split(worst, spared);
        find_neighbours_again(first, end);
        add_with_neighbours(touched, first, end);
        update_errors(touched);
        for (int sweep = 0; sweep < 3; ++sweep) {
            for (const std::uint32_t i : {spared, worst}) improve(i);
            for (std::uint32_t i = first; i < end; ++i) improve(i);
        }
        find_neighbours_again(first, end);
        add_with_neighbours(touched, first, end);
        update_errors(touched);
        double before = 0, after = 0;
        for (const std::uint32_t i : touched) before += saved_errors[i], after += errors_[i];
        if (after < before) return true;
        std::copy(saved.begin(), saved.end(), balls_.begin() + first);
        holders_ = saved_holders;
        errors_ = saved_errors;
        find_neighbours_again(first, end);
        return false;
    }

    /// Divides the work of ball `whole` with ball `other` across its longest direction.
    void split(std::uint32_t whole, std::uint32_t other) {
        const PointSet duty = duty_of(whole);
        if (duty.empty()) return;
        const Vec3d a = duty.farthest_from(balls_[whole].ball.centre), b = duty.farthest_from(a);
        PointSet sides[2];
        for (const std::uint32_t e : balls_[whole].holds) {
            if (holders_[e] > 1) continue;
            const Vec3d& m = elements_.middle(e);
            sides[length_squared(m - a) < length_squared(m - b) ? 0 : 1].add(elements_.points(e));
        }
        if (sides[0].empty() || sides[1].empty()) return;
        Ball parts[2];
        for (int s = 0; s < 2; ++s) {
            parts[s].centre =
                pattern_search(sides[s].mean(), 0.1 * balls_[whole].ball.radius, 0.1,
                               [&](const Vec3d& c) { return sides[s].radius_about(c); });
            parts[s].radius = holding_radius(sides[s], parts[s].centre);
        }
        // The new ball first: nothing may be left uncovered in between.
        place(other, parts[1]);
        place(whole, parts[0]);
    }

    const CoverElements& elements_;
    std::span<const std::vector<std::uint32_t>> reach_;
    std::vector<FittedBall>& balls_;
    bool tied_;
    const Jobs& jobs_;
    BuildWatch* watch_;
    std::vector<std::uint32_t> holders_; ///< balls that hold each element
    std::vector<std::uint32_t> owner_;   ///< one of them
    ExposedSurface surface_;
    std::vector<double> errors_;
    std::vector<std::vector<std::uint32_t>> near_;
    int exponent_ = 2;
    double cap_ = 0;   ///< distance that counts a thousandfold
    double slack_ = 0; ///< within which balls are neighbours
};

} // namespace

void fit_level(const ContentModel& content, const CoverElements& elements,
               std::span<const std::vector<std::uint32_t>> reach, std::vector<FittedBall>& balls,
               bool tied, double cap, double effort, const Jobs& jobs, BuildWatch* watch) {
    LevelFit(content, elements, reach, balls, tied, cap, effort, jobs, watch).run();
}

} // namespace fovea
