#include <algorithm>
#include <limits>

#include "fovea/contact/candidates.h"

namespace fovea {

namespace {

/// Outermost in a direction across the normal that is askew to the axes of the shape, along which
/// the corners of boxes and caps come in pairs.
std::size_t outermost(const Candidates& candidates, const Vec3& normal) {
    const Vec3 across = perpendicular(normal);
    const Vec3 askew = across * 0.8f + cross(normal, across) * 0.33f;
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i)
        if (dot(askew, candidates[i].point) > dot(askew, candidates[best].point)) best = i;
    return best;
}

void keep_deepest(const Candidates& candidates, float equal_depth, Manifold& manifold) {
    const ManifoldPoint* deepest = candidates.begin();
    for (const ManifoldPoint& c : candidates)
        if (c.separation < deepest->separation) deepest = &c;
    ManifoldPoint* nearest = nullptr;
    float least = std::numeric_limits<float>::infinity();
    for (int i = 0; i < manifold.count; ++i) {
        ManifoldPoint& p = manifold.points[i];
        if (p.separation <= deepest->separation + equal_depth) return;
        const float squared = length_squared(p.point - deepest->point);
        if (squared < least) {
            least = squared;
            nearest = &p;
        }
    }
    *nearest = *deepest;
}

std::size_t farthest_from(const Candidates& candidates, std::size_t from) {
    std::size_t farthest = from;
    float best = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const float squared = length_squared(candidates[i].point - candidates[from].point);
        // A little more than before, or the choice would hang on rounding where a square repeats.
        if (squared > best * (1 + k_contact_rounding)) {
            best = squared;
            farthest = i;
        }
    }
    return farthest;
}

/// The four points by area alone.
void span_area(const Candidates& candidates, const Vec3& normal, Manifold& manifold) {
    const std::size_t first = outermost(candidates, normal);
    const std::size_t second = farthest_from(candidates, first);
    manifold.points[0] = candidates[first];
    manifold.count = 1;
    if (second == first) return;
    manifold.points[manifold.count++] = candidates[second];

    const Vec3 origin = candidates[first].point;
    const Vec3 side = cross(normal, candidates[second].point - origin);
    // Points nearer to the line than rounding add nothing.
    const float least = length_squared(side) * k_contact_rounding;
    std::size_t left = first, right = first;
    float most_left = least, most_right = least;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const float area = dot(side, candidates[i].point - origin);
        if (area > most_left * (1 + k_contact_rounding)) {
            most_left = area;
            left = i;
        }
        if (-area > most_right * (1 + k_contact_rounding)) {
            most_right = -area;
            right = i;
        }
    }
    if (left != first) manifold.points[manifold.count++] = candidates[left];
    if (right != first) manifold.points[manifold.count++] = candidates[right];
    if (left != first && right != first) return;

    // All on one side of the line: the fourth point is the one farthest outside the triangle.
    const std::size_t third = left != first ? left : right;
    if (third == first) return;
    const float turn = left != first ? 1.0f : -1.0f;
    const Vec3 apex = candidates[third].point;
    const Vec3 over_second = cross(candidates[second].point - apex, normal) * turn;
    const Vec3 over_first = cross(apex - origin, normal) * turn;
    std::size_t fourth = third;
    float most = least;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Vec3& p = candidates[i].point;
        const float outside = std::max(-dot(over_second, p - apex), -dot(over_first, p - origin));
        if (outside > most * (1 + k_contact_rounding)) {
            most = outside;
            fourth = i;
        }
    }
    if (fourth != third) manifold.points[manifold.count++] = candidates[fourth];
}

} // namespace

void choose_points(const Candidates& candidates, const Vec3& normal, float equal_depth,
                   Manifold& manifold) {
    manifold.normal = normal;
    if (candidates.size() <= k_manifold_points) {
        manifold.count = std::int32_t(candidates.size());
        for (std::size_t i = 0; i < candidates.size(); ++i) manifold.points[i] = candidates[i];
        return;
    }
    span_area(candidates, normal, manifold);
    keep_deepest(candidates, equal_depth, manifold);
}

void make_room(const Vec3& normal, Candidates& candidates) {
    Manifold chosen;
    choose_points(candidates, normal, 0, chosen);
    candidates.clear();
    for (int i = 0; i < chosen.count; ++i) candidates.push_back(chosen.points[i]);
}

} // namespace fovea
