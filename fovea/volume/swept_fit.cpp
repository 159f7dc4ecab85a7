#include "fovea/volume/swept_fit.h"

#include <algorithm>
#include <cmath>

#include "fovea/volume/pattern_search.h"
#include "fovea/volume/principal_axes.h"

namespace fovea {

namespace {

constexpr std::size_t k_most_points = 2000; ///< that are looked at to choose the core

/// The points along their principal axes, from the middle of their extent.
struct Spread {
    std::array<Vec3d, 3> axes;
    Vec3d middle;                ///< in the given frame
    Vec3d half;                  ///< half extents along the axes
    std::vector<Vec3d> placed{}; ///< coordinates along the axes, from the middle
};

Spread spread_of(std::span<const Vec3d> points) {
    Vec3d mean;
    for (const Vec3d& p : points) mean += p / double(points.size());
    Mat3d covariance{};
    for (const Vec3d& p : points) covariance += outer(p - mean, p - mean);
    Spread spread{principal_axes(covariance), mean, {}};
    const auto coordinates = [&](const Vec3d& p) {
        const Vec3d d = p - spread.middle;
        return Vec3d(dot(d, spread.axes[0]), dot(d, spread.axes[1]), dot(d, spread.axes[2]));
    };
    Vec3d low = coordinates(points[0]), high = low;
    for (const Vec3d& p : points) {
        low = min(low, coordinates(p));
        high = max(high, coordinates(p));
    }
    const Vec3d shift = (low + high) * 0.5;
    spread.middle += spread.axes[0] * shift.x + spread.axes[1] * shift.y + spread.axes[2] * shift.z;
    spread.half = (high - low) * 0.5;
    for (const Vec3d& p : points) spread.placed.push_back(coordinates(p));
    return spread;
}

/// Puts a volume given along the spread's axes back, with the radius that holds all points.
NodeVolumed finished(const Spread& spread, const NodeVolumed& along,
                     std::span<const Vec3d> points) {
    const auto direction = [&](const Vec3d& d) {
        return spread.axes[0] * d.x + spread.axes[1] * d.y + spread.axes[2] * d.z;
    };
    NodeVolumed volume{along.type, spread.middle + direction(along.centre), direction(along.u),
                       direction(along.v), 0};
    for (const Vec3d& p : points) volume.radius = std::max(volume.radius, core_distance(volume, p));
    return volume;
}

/// The stretch of a core's axis that points need if each may stand off by its `slack` along it.
struct Stretch {
    double low, high;
    double centre() const { return 0.5 * (low + high); }
    double half() const { return std::max(0.0, 0.5 * (high - low)); }
};

template <class Slack>
Stretch needed(const Spread& spread, int axis, Slack&& slack) {
    Stretch stretch{spread.half[axis], -spread.half[axis]};
    for (const Vec3d& p : spread.placed) {
        stretch.low = std::min(stretch.low, p[axis] + slack(p));
        stretch.high = std::max(stretch.high, p[axis] - slack(p));
    }
    if (stretch.high < stretch.low) stretch.low = stretch.high = stretch.centre();
    return stretch;
}

NodeVolumed sphere(const Spread& spread, std::span<const Vec3d> points) {
    const auto radius = [&](const Vec3d& c) {
        double far = 0;
        for (const Vec3d& p : spread.placed) far = std::max(far, length_squared(p - c));
        return std::sqrt(far);
    };
    const double step = 0.2 * length(spread.half);
    const Vec3d centre = pattern_search(Vec3d(), step, 0.01, radius);
    return finished(spread, {VolumeType::point, centre, {}, {}, 0}, points);
}

/// Along the longest axis: the thinnest cylinder around the points, its ends rounded off.
NodeVolumed capsule(const Spread& spread, std::span<const Vec3d> points) {
    const auto squared_off = [](const Vec3d& p, const Vec3d& c) {
        return (p.y - c.y) * (p.y - c.y) + (p.z - c.z) * (p.z - c.z);
    };
    const auto thickness = [&](const Vec3d& c) {
        double far = 0;
        for (const Vec3d& p : spread.placed) far = std::max(far, squared_off(p, c));
        return std::sqrt(far);
    };
    const double step = 0.2 * std::max(spread.half.y, spread.half.z);
    const Vec3d line = pattern_search(Vec3d(), step, 0.01, thickness);
    const double squared = thickness(line) * thickness(line);
    const Stretch ends = needed(spread, 0, [&](const Vec3d& p) {
        return std::sqrt(std::max(0.0, squared - squared_off(p, line)));
    });
    const NodeVolumed along{
        VolumeType::segment, {ends.centre(), line.y, line.z}, {ends.half(), 0, 0}, {}, 0};
    return finished(spread, along, points);
}

/// In the plane of the two longer axes, halfway up the points' height. The more its rims are drawn
/// in, the smaller the rectangle and the larger the radius that its corners then need: the best of
/// a few is taken.
NodeVolumed rectangle(const Spread& spread, std::span<const Vec3d> points) {
    NodeVolumed best;
    for (const double drawn_in : {0.0, 0.4, 0.7, 1.0}) {
        const auto slack = [&](const Vec3d& p) {
            return drawn_in * std::sqrt(std::max(0.0, spread.half.z * spread.half.z - p.z * p.z));
        };
        const Stretch x = needed(spread, 0, slack), y = needed(spread, 1, slack);
        const NodeVolumed along{VolumeType::rectangle,
                                {x.centre(), y.centre(), 0},
                                {x.half(), 0, 0},
                                {0, y.half(), 0},
                                0};
        const NodeVolumed volume = finished(spread, along, points);
        if (drawn_in == 0 || cubic_size(volume) < cubic_size(best)) best = volume;
    }
    return best;
}

} // namespace

NodeVolumed fitted_volume(std::span<const Vec3d> points, const SweptTreeSettings& settings) {
    // Of very many points a part shows the shape; the radius is made to hold all of them.
    std::vector<Vec3d> some;
    for (std::size_t i = 0; i < points.size(); i += points.size() / k_most_points + 1) {
        some.push_back(points[i]);
    }
    const Spread spread = spread_of(some);
    NodeVolumed best;
    bool any = false;
    const auto offer = [&](const NodeVolumed& volume) {
        if (any && !(cubic_size(volume) < settings.worth * cubic_size(best))) return;
        best = volume;
        any = true;
    };
    if (settings.points) offer(sphere(spread, points));
    if (settings.segments) offer(capsule(spread, points));
    if (settings.rectangles) offer(rectangle(spread, points));
    return best;
}

} // namespace fovea
