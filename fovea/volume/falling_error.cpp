#include "fovea/volume/falling_error.h"

#include <cmath>
#include <optional>
#include <utility>

#include "fovea/volume/draft_finish.h"
#include "fovea/volume/exposed_surface.h"
#include "fovea/volume/sphere_neighbours.h"

namespace fovea {

namespace {

/// Errors that differ by no more than this part are taken as equal. Less would cost time: around a
/// round shape every place is nearly the worst.
constexpr double k_equal = 1 + 1e-3;

/// Part of the limit above which the surroundings of a sample are looked at too.
constexpr double k_close = 0.95;

/// The exposed surface of a level, with exact distances where they matter.
class LevelErrors {
  public:
    LevelErrors(const ContentModel& content, std::vector<Ball> balls)
        : content_(content)
        , balls_(std::move(balls))
        , near_(overlapping(balls_, 0, Jobs(1)))
        , surface_(content.grid, int(std::clamp<std::size_t>(32768 / balls_.size(), 128, 2048))) {}
    LevelErrors(const ContentModel& content, const SphereLevel& level)
        : LevelErrors(content, in_units(level, content.mesh)) {}

    /// The largest distance from the shape.
    double worst() {
        double worst = 0;
        for (std::uint32_t i = 0; i < balls_.size(); ++i)
            worst = worst_of(i, worst).value_or(worst);
        return worst;
    }

    /// The largest distance of ball i, if it is above `limit`.
    std::optional<double> worst_of(std::uint32_t i, double limit) {
        // Distance changes no faster than place, and no corner of a cell is further away.
        const double doubt = 0.87 * content_.grid.spacing();
        double worst = limit, highest = 0;
        Vec3d top;
        const bool bare = for_bare_points(i, [&](double estimate, const Vec3d& direction) {
            if (estimate > highest) highest = estimate, top = direction;
            if (estimate + doubt > worst) raise(point_of(i, direction), worst);
        });
        if (!bare) return std::nullopt;
        if (highest > k_close * worst) climb(i, top, worst);
        raise_opposite(i, worst);
        if (worst > limit) return worst;
        return std::nullopt;
    }

    /// Over the area of the exposed surface, by the lattice.
    double mean() {
        double area = 0, sum = 0;
        for (std::uint32_t i = 0; i < balls_.size(); ++i) {
            const double weight = balls_[i].radius * balls_[i].radius;
            for_bare_points(i, [&](double estimate, const Vec3d&) {
                area += weight;
                sum += weight * estimate;
            });
        }
        return area > 0 ? sum / area : 0;
    }

  private:
    Vec3d point_of(std::uint32_t i, const Vec3d& direction) const {
        return balls_[i].centre + direction * balls_[i].radius;
    }

    /// Raises `worst` to the distance of a point; false if that is not more.
    bool raise(const Vec3d& point, double& worst) {
        if (content_.mesh.tree.any_within(point, worst * k_equal, guess_)) return false;
        const auto nearest = content_.mesh.tree.nearest(point, guess_);
        guess_ = nearest.triangle;
        const double distance = std::sqrt(nearest.squared_distance);
        if (distance <= worst) return false;
        worst = distance;
        return true;
    }

    bool raise_bare(std::uint32_t i, const Vec3d& direction, double& worst) {
        const bool covered = std::any_of(caps_.begin(), caps_.end(), [&](const CoveredCap& cap) {
            return dot(direction, Vec3d(cap.axis[0], cap.axis[1], cap.axis[2])) > double(cap.limit);
        });
        if (covered) return false;
        const Vec3d point = point_of(i, direction);
        return !content_.inside(point) && raise(point, worst);
    }

    /// Looks at the points furthest from the balls that cover most: a ball that barely pokes out of
    /// another does so there, with a tip that no sample may hit.
    void raise_opposite(std::uint32_t i, double& worst) {
        for (const CoveredCap& cap : caps_) {
            const Vec3d away = -Vec3d(cap.axis[0], cap.axis[1], cap.axis[2]);
            if (length_squared(away) > 0) raise_bare(i, normalized_or(away, Vec3d()), worst);
        }
    }

    /// Looks about `direction` for places further off, as exposed slivers between the samples are.
    void climb(std::uint32_t i, Vec3d direction, double& worst) {
        constexpr Vec3d k_steps[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                      {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
        for (double step = 0.1; step > 0.002;) {
            const auto better =
                std::find_if(std::begin(k_steps), std::end(k_steps), [&](const Vec3d& along) {
                    const Vec3d u = normalized_or(direction + along * step, direction);
                    return raise_bare(i, u, worst);
                });
            if (better == std::end(k_steps)) {
                step *= 0.5;
            } else {
                direction = normalized_or(direction + *better * step, direction);
            }
        }
    }

    /// Visits the samples of ball i that no other covers; caps_ are then what others do cover.
    /// False if that is all of the ball.
    template <class Visit>
    bool for_bare_points(std::uint32_t i, Visit&& visit) {
        if (!caps_around(balls_, i, near_[i], caps_)) return false;
        for (int block = 0; block < surface_.blocks(); ++block) {
            float distances[ExposedSurface::k_block];
            surface_.distances(balls_[i], caps_, block, distances);
            for (int k = 0; k < ExposedSurface::k_block; ++k) {
                if (!(distances[k] > 0)) continue;
                visit(double(distances[k]), surface_.direction(block, k));
            }
        }
        return true;
    }

    const ContentModel& content_;
    std::vector<Ball> balls_;
    std::vector<std::vector<std::uint32_t>> near_;
    ExposedSurface surface_;
    std::vector<CoveredCap> caps_;
    std::uint32_t guess_ = 0;
};

bool same(const SphereLevel& a, std::size_t i, const SphereLevel& b, std::size_t k) {
    return a.centres[i] == b.centres[k] && a.radii[i] == b.radii[k];
}

/// Gives a sphere the size and place of its parent.
void withdraw(SphereLevel& level, std::size_t i, const SphereLevel& above) {
    level.centres[i] = above.centres[level.parents[i]];
    level.radii[i] = above.radii[level.parents[i]];
}

/// Withdraws the spheres that stand off by more than `allowed`. True if there were any.
bool withdraw_far(SphereLevel& level, const SphereLevel& above, const ContentModel& content,
                  double allowed) {
    std::vector<std::uint32_t> far;
    LevelErrors errors(content, level);
    for (std::uint32_t i = 0; i < level.radii.size(); ++i) {
        if (same(level, i, above, level.parents[i])) continue;
        if (errors.worst_of(i, allowed)) far.push_back(i);
    }
    for (const std::uint32_t i : far) withdraw(level, i, above);
    return !far.empty();
}

} // namespace

double worst_error(std::span<const Ball> balls, const ContentModel& content) {
    return LevelErrors(content, {balls.begin(), balls.end()}).worst();
}

void keep_errors_falling(std::span<SphereLevel> levels, const ContentModel& content,
                         bool mean_too) {
    for (std::size_t l = 1; l < levels.size(); ++l) {
        SphereLevel &level = levels[l], &above = levels[l - 1];
        LevelErrors allowed(content, above);
        const double worst = allowed.worst();
        // A sphere that withdraws lays others bare. Each round withdraws one at least.
        while (withdraw_far(level, above, content, worst)) {
        }
        if (!mean_too) continue;
        LevelErrors errors(content, level);
        if (errors.mean() * errors.worst() <= allowed.mean() * worst * k_equal) continue;
        for (std::size_t i = 0; i < level.radii.size(); ++i) withdraw(level, i, above);
    }
}

void drop_repeated_chains(std::span<SphereLevel> levels) {
    // A chain: a node all of whose descendants are equal to it.
    std::vector<std::vector<char>> chain, dropped;
    for (const SphereLevel& level : levels) {
        chain.emplace_back(level.radii.size(), 1);
        dropped.emplace_back(level.radii.size(), 0);
    }
    for (std::size_t l = levels.size(); l-- > 1;) {
        const SphereLevel& level = levels[l];
        std::size_t first = 0; // of the siblings
        for (std::size_t i = 0; i < level.radii.size(); ++i) {
            const std::uint32_t parent = level.parents[i];
            if (level.parents[first] != parent) first = i;
            if (!chain[l][i] || !same(level, i, levels[l - 1], parent)) chain[l - 1][parent] = 0;
            for (std::size_t k = first; k < i && !dropped[l][i]; ++k) {
                dropped[l][i] = chain[l][i] && chain[l][k] && same(level, i, level, k);
            }
        }
    }
    std::vector<std::uint32_t> renumbered = {0};
    for (std::size_t l = 1; l < levels.size(); ++l) {
        const SphereLevel& level = levels[l];
        SphereLevel kept;
        std::vector<std::uint32_t> next(level.radii.size(), 0);
        for (std::size_t i = 0; i < level.radii.size(); ++i) {
            const std::uint32_t parent = level.parents[i];
            dropped[l][i] |= dropped[l - 1][parent];
            if (dropped[l][i]) continue;
            next[i] = std::uint32_t(kept.radii.size());
            kept.centres.push_back(level.centres[i]);
            kept.radii.push_back(level.radii[i]);
            kept.parents.push_back(renumbered[parent]);
        }
        levels[l] = std::move(kept);
        renumbered = std::move(next);
    }
}

} // namespace fovea
