#include "fovea/volume/sphere_reduction.h"

#include <cmath>
#include <limits>
#include <queue>

#include "fovea/volume/pattern_search.h"
#include "fovea/volume/point_set.h"
#include "fovea/volume/union_error.h"

namespace fovea {

namespace {

using Ids = std::vector<std::uint32_t>;

constexpr std::size_t k_most_sampled = 2500; ///< elements that choices look at
constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// Candidate centres with their distances to a sample of the share's elements.
struct Candidates {
    Ids elements;
    std::vector<Vec3d> centres;
    std::vector<double> depth;           ///< signed distance of each centre
    std::vector<std::vector<float>> far; ///< far[candidate][element]

    double stand_off(std::size_t k, std::size_t e) const { return far[k][e] + depth[k]; }
};

Candidates choose(const ContentModel& content, const CoverElements& elements,
                  std::span<const Ball> medial, std::span<const std::uint32_t> share,
                  std::size_t count, bool adaptive) {
    Candidates out;
    const std::size_t stride = (share.size() + k_most_sampled - 1) / k_most_sampled;
    for (std::size_t i = 0; i < share.size(); i += stride) out.elements.push_back(share[i]);
    const std::size_t samples = out.elements.size();
    count = std::min(count, samples);

    std::vector<double> needed(samples, k_infinity);
    std::size_t next = 0;
    for (std::size_t i = 1; i < samples; ++i) {
        if (medial[out.elements[i]].radius > medial[out.elements[next]].radius) next = i;
    }
    for (std::size_t k = 0; k < count; ++k) {
        if (!adaptive) next = k * samples / count;
        const Vec3d centre = medial[out.elements[next]].centre;
        out.centres.push_back(centre);
        out.depth.push_back(content.grid.distance(centre));
        std::vector<float>& far = out.far.emplace_back(samples);
        double largest = 0;
        for (std::size_t i = 0; i < samples; ++i) {
            far[i] = float(std::sqrt(elements.far_squared(out.elements[i], centre)));
            needed[i] = std::min(needed[i], out.stand_off(k, i));
            if (needed[i] > largest) largest = needed[i], next = i;
        }
        if (adaptive && largest < 1e-4) break;
    }
    return out;
}

/// The candidates that cover every element when all are grown to the least sufficient stand-off.
Ids expand(const Candidates& from, std::size_t count) {
    const std::size_t samples = from.elements.size(), candidates = from.centres.size();
    const auto cover = [&](double stand_off) {
        std::vector<std::vector<std::uint32_t>> covered_by(samples);
        std::vector<std::size_t> gain(candidates, 0);
        for (std::size_t k = 0; k < candidates; ++k) {
            const double radius = stand_off - from.depth[k];
            for (std::size_t i = 0; i < samples; ++i) {
                if (from.far[k][i] > radius) continue;
                covered_by[i].push_back(std::uint32_t(k));
                ++gain[k];
            }
        }
        Ids chosen;
        std::vector<char> done(samples, 0);
        std::size_t left = samples;
        while (left > 0 && chosen.size() <= count) {
            const auto k = std::uint32_t(std::max_element(gain.begin(), gain.end()) - gain.begin());
            if (gain[k] == 0) return Ids(count + 1);
            chosen.push_back(k);
            const double radius = stand_off - from.depth[k];
            for (std::size_t i = 0; i < samples; ++i) {
                if (done[i] || from.far[k][i] > radius) continue;
                done[i] = 1;
                --left;
                for (const std::uint32_t other : covered_by[i]) --gain[other];
            }
        }
        return chosen;
    };
    double high = k_infinity, low = 0;
    for (std::size_t k = 0; k < candidates; ++k) {
        double worst = 0;
        for (std::size_t i = 0; i < samples; ++i) worst = std::max(worst, from.stand_off(k, i));
        high = std::min(high, worst);
    }
    high += 1e-9;
    Ids best = cover(high);
    for (int step = 0; step < 14; ++step) {
        const double middle = 0.5 * (low + high);
        Ids chosen = cover(middle);
        if (chosen.size() <= count) {
            best = std::move(chosen);
            high = middle;
        } else {
            low = middle;
        }
    }
    return best;
}

/// Drops candidates one by one until `count` are left.
Ids burst(const Candidates& from, std::size_t count) {
    const std::size_t samples = from.elements.size(), candidates = from.centres.size();
    std::vector<char> alive(candidates, 1);
    // The two candidates that hold each element at least stand-off.
    std::vector<std::uint32_t> first(samples), second(samples);
    const auto find_two = [&](std::size_t i) {
        double a = k_infinity, b = k_infinity;
        for (std::uint32_t k = 0; k < candidates; ++k) {
            if (!alive[k]) continue;
            const double s = from.stand_off(k, i);
            if (s < a) {
                b = a, second[i] = first[i];
                a = s, first[i] = k;
            } else if (s < b) {
                b = s, second[i] = k;
            }
        }
    };
    for (std::size_t i = 0; i < samples; ++i) find_two(i);
    for (std::size_t left = candidates; left > count; --left) {
        std::vector<double> cost(candidates, 0);
        for (std::size_t i = 0; i < samples; ++i) {
            // Squares keep one bad element from hiding behind many good ones.
            const double s = std::max(0.0, from.stand_off(second[i], i));
            const double had = std::max(0.0, from.stand_off(first[i], i));
            cost[first[i]] += s * s - had * had;
        }
        std::uint32_t drop = 0;
        double least = k_infinity;
        for (std::uint32_t k = 0; k < candidates; ++k) {
            if (alive[k] && cost[k] < least) least = cost[k], drop = k;
        }
        alive[drop] = 0;
        for (std::size_t i = 0; i < samples; ++i) {
            if (first[i] == drop || second[i] == drop) find_two(i);
        }
    }
    Ids kept;
    for (std::uint32_t k = 0; k < candidates; ++k) {
        if (alive[k]) kept.push_back(k);
    }
    return kept;
}

std::vector<Vec3d> centres_of(const Candidates& from, const Ids& chosen) {
    std::vector<Vec3d> centres;
    for (const std::uint32_t k : chosen) centres.push_back(from.centres[k]);
    return centres;
}

/// Each element of `share` to the centre that holds it at least stand-off.
std::vector<ShareBall> dealt_out(const ContentModel& content, const CoverElements& elements,
                                 std::span<const std::uint32_t> share,
                                 std::span<const Vec3d> centres) {
    std::vector<ShareBall> balls(centres.size());
    std::vector<double> depth;
    for (std::size_t k = 0; k < centres.size(); ++k) {
        balls[k].ball = {centres[k], 0};
        depth.push_back(content.grid.distance(centres[k]));
    }
    for (const std::uint32_t e : share) {
        std::size_t nearest = 0;
        double least = k_infinity, radius = 0;
        for (std::size_t k = 0; k < centres.size(); ++k) {
            const double far = std::sqrt(elements.far_squared(e, centres[k]));
            if (far + depth[k] < least) least = far + depth[k], nearest = k, radius = far;
        }
        balls[nearest].elements.push_back(e);
        balls[nearest].ball.radius = std::max(balls[nearest].ball.radius, radius);
    }
    std::erase_if(balls, [](const ShareBall& b) { return b.elements.empty(); });
    return balls;
}

class Merging {
  public:
    Merging(const ContentModel& content, const CoverElements& elements)
        : content_(content)
        , elements_(elements) {}

    /// Joins balls until `count` are left.
    std::vector<ShareBall> run(std::vector<ShareBall> balls, std::size_t count) && {
        balls_ = std::move(balls);
        for (const ShareBall& ball : balls_) points_.push_back(sampled(ball));
        std::vector<char> alive(balls_.size(), 1);
        std::vector<std::uint32_t> version(balls_.size(), 0);
        std::priority_queue<Pair, std::vector<Pair>, std::greater<>> queue;
        const auto propose = [&](std::uint32_t a, std::uint32_t b) {
            const Ball joined = common_ball(a, b);
            queue.push({content_.protrusion(joined), a, b, version[a], version[b], joined});
        };
        const auto touching = [&](std::uint32_t a, std::uint32_t b) {
            const double reach = balls_[a].ball.radius + balls_[b].ball.radius;
            return length_squared(balls_[a].ball.centre - balls_[b].ball.centre) <= reach * reach;
        };
        for (std::uint32_t a = 0; a < balls_.size(); ++a) {
            for (std::uint32_t b = a + 1; b < balls_.size(); ++b) {
                if (touching(a, b)) propose(a, b);
            }
        }
        for (std::size_t left = balls_.size(); left > count;) {
            if (queue.empty()) {
                // What is left lies apart: the nearest pairs have to do.
                for (std::uint32_t a = 0; a < balls_.size(); ++a) {
                    for (std::uint32_t b = a + 1; b < balls_.size(); ++b) {
                        if (alive[a] && alive[b]) propose(a, b);
                    }
                }
            }
            const Pair pair = queue.top();
            queue.pop();
            if (!alive[pair.a] || !alive[pair.b] || version[pair.a] != pair.version_a ||
                version[pair.b] != pair.version_b) {
                continue;
            }
            balls_[pair.a].ball = pair.joined;
            auto& into = balls_[pair.a].elements;
            auto& from = balls_[pair.b].elements;
            into.insert(into.end(), from.begin(), from.end());
            from.clear();
            points_[pair.a] = sampled(balls_[pair.a]);
            alive[pair.b] = 0;
            ++version[pair.a];
            --left;
            for (std::uint32_t k = 0; k < balls_.size(); ++k) {
                if (k == pair.a || !alive[k] || !touching(pair.a, k)) continue;
                propose(std::min(k, pair.a), std::max(k, pair.a));
            }
        }
        std::erase_if(balls_, [](const ShareBall& b) { return b.elements.empty(); });
        for (ShareBall& b : balls_) std::sort(b.elements.begin(), b.elements.end());
        return std::move(balls_);
    }

  private:
    struct Pair {
        double stand_off;
        std::uint32_t a, b, version_a, version_b;
        Ball joined;
        bool operator>(const Pair& o) const {
            return std::tie(stand_off, a, b) > std::tie(o.stand_off, o.a, o.b);
        }
    };

    /// A stride bounds the cost of large shares; the radius is made exact at the end.
    PointSet sampled(const ShareBall& ball) const {
        PointSet points;
        const std::size_t stride = ball.elements.size() / 100 + 1;
        for (std::size_t i = 0; i < ball.elements.size(); i += stride) {
            points.add(elements_.points(ball.elements[i]));
        }
        return points;
    }

    Ball common_ball(std::uint32_t a, std::uint32_t b) const {
        const Ball &one = balls_[a].ball, &other = balls_[b].ball;
        const auto radius_about = [&](const Vec3d& c) {
            return std::sqrt(
                std::max(points_[a].farthest_squared(c), points_[b].farthest_squared(c)));
        };
        const double sum = one.radius + other.radius;
        const double t = sum > 0 ? other.radius / sum : 0.5;
        Ball best;
        double least = k_infinity;
        for (const Vec3d& start :
             {one.centre, other.centre, one.centre + (other.centre - one.centre) * t}) {
            const Ball ball{start, radius_about(start)};
            if (content_.protrusion(ball) < least) least = content_.protrusion(ball), best = ball;
        }
        best.centre = pattern_search(best.centre, 0.15 * best.radius, 0.3, [&](const Vec3d& c) {
            return content_.protrusion({c, radius_about(c)});
        });
        best.radius = radius_about(best.centre);
        return best;
    }

    std::vector<ShareBall> balls_;
    std::vector<PointSet> points_; ///< some of what each ball holds
    const ContentModel& content_;
    const CoverElements& elements_;
};

/// Compact groups of elements (Lloyd's k-means, begun with points far from each other), each in
/// the ball that stands off least.
std::vector<ShareBall> clustered(const ContentModel& content, const CoverElements& elements,
                                 std::span<const std::uint32_t> share, std::size_t count) {
    constexpr int k_rounds = 12;
    count = std::min(count, share.size());
    std::vector<double> nearest(share.size(), k_infinity);
    std::vector<Vec3d> means;
    std::size_t next = 0;
    while (means.size() < count) {
        means.push_back(elements.middle(share[next]));
        double farthest = -1;
        for (std::size_t i = 0; i < share.size(); ++i) {
            nearest[i] =
                std::min(nearest[i], length_squared(elements.middle(share[i]) - means.back()));
            if (nearest[i] > farthest) farthest = nearest[i], next = i;
        }
    }
    std::vector<ShareBall> balls(count);
    for (int round = 0; round < k_rounds; ++round) {
        std::vector<Vec3d> sums(count);
        for (ShareBall& b : balls) b.elements.clear();
        for (const std::uint32_t e : share) {
            std::size_t best = 0;
            for (std::size_t k = 1; k < count; ++k) {
                const Vec3d& m = elements.middle(e);
                if (length_squared(m - means[k]) < length_squared(m - means[best])) best = k;
            }
            balls[best].elements.push_back(e);
            sums[best] += elements.middle(e);
        }
        for (std::size_t k = 0; k < count; ++k) {
            if (!balls[k].elements.empty()) means[k] = sums[k] / double(balls[k].elements.size());
        }
    }
    for (std::size_t k = 0; k < count; ++k) {
        const auto radius_about = [&](const Vec3d& c) {
            double far = 0;
            for (const std::uint32_t e : balls[k].elements) {
                far = std::max(far, elements.far_squared(e, c));
            }
            return std::sqrt(far);
        };
        const Vec3d centre =
            pattern_search(means[k], 0.2 * radius_about(means[k]), 0.1, [&](const Vec3d& c) {
                return content.protrusion({c, radius_about(c)});
            });
        balls[k].ball = {centre, radius_about(centre)};
    }
    std::erase_if(balls, [](const ShareBall& b) { return b.elements.empty(); });
    return balls;
}

} // namespace

double unevenness(std::span<const std::size_t> elements) {
    if (elements.size() < 2) return 1;
    std::size_t sum = 0, most = 0;
    for (const std::size_t n : elements) sum += n, most = std::max(most, n);
    const double even = 1.0 / double(elements.size());
    return 1 + (double(most) / double(sum) - even) / (1 - even);
}

std::vector<ShareBall> reduced(const ContentModel& content, const CoverElements& elements,
                               std::span<const Ball> medial, std::span<const std::uint32_t> share,
                               std::size_t count, const Reduction& how) {
    const std::size_t many = std::clamp<std::size_t>(8 * count, 48, 160);
    const Candidates candidates =
        choose(content, elements, medial, share, std::max(many, count), how.adaptive);
    std::vector<ShareBall> best;
    double least = k_infinity;
    const auto take = [&](std::vector<ShareBall> balls) {
        std::vector<Ball> plain;
        for (const ShareBall& b : balls) plain.push_back(b.ball);
        const UnionError error = union_error(
            content, plain, int(std::clamp<std::size_t>(6000 / plain.size(), 128, 1024)));
        double judged = how.by_mean ? error.mean : error.worst;
        if (how.even) {
            std::vector<std::size_t> shares;
            for (const ShareBall& b : balls) shares.push_back(b.elements.size());
            judged *= unevenness(shares);
        }
        if (judged < least) least = judged, best = std::move(balls);
    };
    if (how.cluster) take(clustered(content, elements, share, count));
    if (how.expand) {
        take(
            dealt_out(content, elements, share, centres_of(candidates, expand(candidates, count))));
    }
    if (how.burst) {
        take(dealt_out(content, elements, share, centres_of(candidates, burst(candidates, count))));
    }
    if (how.merge) {
        auto merged = Merging(content, elements)
                          .run(dealt_out(content, elements, share, candidates.centres), count);
        std::vector<Vec3d> centres;
        for (const ShareBall& b : merged) centres.push_back(b.ball.centre);
        take(dealt_out(content, elements, share, centres));
    }
    return best;
}

} // namespace fovea
