#include "fovea/geometry/shape_cast.h"

#include <algorithm>

#include "fovea/geometry/placed_core.h"

namespace fovea {

namespace {

/// Quadratic convergence needs a handful; grazing ways, where each step halves the rest, about
/// thirty.
constexpr int k_max_iterations = 100;

ShapeCastHit make_hit(double fraction, const LocalProximity& p) {
    const bool overlapping = p.separation < 0;
    return {float(fraction), Vec3(overlapping ? p.point_a : p.point_b), Vec3(-p.normal),
            overlapping ? float(-p.separation) : 0};
}

double size_of(const PlacedCore& target) {
    return target.core.size;
}
double size_of(const PlacedPlane&) {
    return std::numeric_limits<double>::infinity();
}

template <class Target>
std::optional<ShapeCastHit> advance(PlacedCore mover, const Vec3& translation, const Target& target,
                                    float limit) {
    const double end = std::min(double(limit) * (1 + 1e-6), 1.0); // fractions round to float
    const Vec3d start = mover.position, way(translation);
    const double tolerance = k_cast_tolerance * std::min(mover.core.size, size_of(target));
    double fraction = 0;
    LocalProximity found{};
    for (int i = 0; i < k_max_iterations; ++i) {
        const LocalProximity next = measure(mover, target);
        if (i > 0 && next.separation <= 0) {
            // A matter of rounding: the plane just arrived at is the one between them.
            return make_hit(fraction, {next.point_a, next.point_b, found.normal, 0});
        }
        found = next;
        if (found.separation <= tolerance && dot(found.normal, way) > 0)
            return make_hit(fraction, found);
        if (found.separation < 0) return make_hit(0, found);
        const double closing = dot(found.normal, way);
        if (!(closing > 0)) return std::nullopt;
        const double step = found.separation / closing;
        if (!(fraction + step <= end)) return std::nullopt;
        fraction += step;
        mover.position = start + way * fraction;
    }
    return make_hit(fraction, found);
}

} // namespace

std::optional<ShapeCastHit> cast_shape(const Shape& mover, const Transform& start,
                                       const Vec3& translation, const Shape& target,
                                       const Transform& at_target, float limit) {
    const PlacedCore core = place_core(mover, start);
    if (const auto* plane = std::get_if<HalfSpace>(&target))
        return advance(core, translation, place_plane(*plane, at_target), limit);
    return advance(core, translation, place_core(target, at_target), limit);
}

std::optional<ShapeCastHit> cast_shape(const Shape& mover, const Transform& start,
                                       const Vec3& translation, const std::array<Vec3, 3>& triangle,
                                       float limit) {
    return advance(place_core(mover, start), translation, place_core(triangle), limit);
}

} // namespace fovea
