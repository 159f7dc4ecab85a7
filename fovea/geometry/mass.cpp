// Moments of unit density up to second order, in double; mass and inertia follow from them.
//
//   volume V,   first moment  m = int x dV,   second moment  C = int x x^T dV
//   centre c = m / V,   C about c:  C - V c c^T,   inertia = tr(C) I - C
//
// Moments simply add up over the parts of a body.
#include "fovea/geometry/mass.h"

#include <cmath>
#include <numbers>

#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/number_text.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

namespace {

/// A body of revolution about y: equal second moments across, another along the axis.
Moments revolved(double volume, double height, double across, double along) {
    return {volume, {0, height, 0}, Mat3d::diagonal({across, along, across})};
}

/// Adds up solids through their signed tetrahedra between an apex and the surface triangles.
class TetrahedronSum {
  public:
    explicit TetrahedronSum(const Vec3d& apex)
        : apex_(apex) {}

    /// int x x^T over the tetrahedron 0abc = det(a, b, c) / 120 (aa^T + bb^T + cc^T + ss^T) with
    /// s = a + b + c (Blow and Binstock, "How to find the inertia tensor", 2004).
    void add(const Vec3& pa, const Vec3& pb, const Vec3& pc) {
        const Vec3d a = Vec3d(pa) - apex_, b = Vec3d(pb) - apex_, c = Vec3d(pc) - apex_;
        const Vec3d s = a + b + c;
        const double det = dot(a, cross(b, c));
        volume_ += det / 6;
        first_ += s * (det / 24);
        second_ += (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s)) * (det / 120);
    }

    Moments moments() const {
        const Vec3d centre = first_ / volume_;
        return {volume_, centre + apex_, second_ - outer(centre, centre) * volume_};
    }

  private:
    Vec3d apex_;
    double volume_ = 0;
    Vec3d first_;
    Mat3d second_;
};

struct MomentsOf {
    Result<Moments> operator()(const Sphere& s) const {
        const double r = s.radius, volume = 4 * std::numbers::pi * r * r * r / 3;
        return revolved(volume, 0, volume * r * r / 5, volume * r * r / 5);
    }

    Result<Moments> operator()(const HalfSpace&) const {
        return failure(std::string(name_of(ShapeType::half_space)) +
                       " is unbounded and has no mass");
    }

    Result<Moments> operator()(const Box& b) const {
        const Vec3d e(b.half_extents);
        const double volume = 8 * e.x * e.y * e.z;
        return Moments{volume, {}, Mat3d::diagonal(scale(e, e) * (volume / 3))};
    }

    Result<Moments> operator()(const Cylinder& c) const {
        const double r = c.radius, h = c.half_height;
        const double volume = 2 * std::numbers::pi * r * r * h;
        return revolved(volume, 0, volume * r * r / 4, volume * h * h / 3);
    }

    /// The cylinder, and a sphere cut in halves that are moved apart by h each way: a half's second
    /// moment along the axis about the sphere's centre is r^2/5, its centre lies 3r/8 out.
    Result<Moments> operator()(const Capsule& c) const {
        const double r = c.radius, h = c.half_height, pi = std::numbers::pi;
        const double middle = 2 * pi * r * r * h, ends = 4 * pi * r * r * r / 3;
        const double along = middle * h * h / 3 + ends * (r * r / 5 + h * (2 * 3 * r / 8) + h * h);
        return revolved(middle + ends, 0, middle * r * r / 4 + ends * r * r / 5, along);
    }

    /// The centre lies at a quarter of the height H = 2h; second moments 3r^2/20 across and
    /// 3H^2/80 along the axis.
    Result<Moments> operator()(const Cone& c) const {
        const double r = c.radius, h = c.half_height;
        const double volume = 2 * std::numbers::pi * r * r * h / 3;
        return revolved(volume, -h / 2, volume * 3 * r * r / 20, volume * 3 * h * h / 20);
    }

    Result<Moments> operator()(const Hull& hull) const {
        const ConvexHull& data = *hull.data;
        TetrahedronSum sum{Vec3d(data.vertices[0])};
        for (const ConvexHull::Face& face : data.faces) {
            const auto corner = [&](std::uint32_t i) {
                return data.vertices[data.face_vertices[face.first + i]];
            };
            for (std::uint32_t i = 2; i < face.count; ++i) {
                sum.add(corner(0), corner(i - 1), corner(i));
            }
        }
        return sum.moments();
    }

    Result<Moments> operator()(const MeshSurface& surface) const { return inside(*surface.data); }
    Result<Moments> operator()(const SolidMesh& solid) const { return inside(*solid.data); }

    static Result<Moments> inside(const TriangleMesh& mesh) {
        if (!is_closed_and_oriented(mesh)) {
            return failure("mesh is not closed and consistently oriented; it encloses no volume");
        }
        TetrahedronSum sum{Vec3d(bounds(mesh).centre())};
        for (const auto& [i, j, k] : mesh.triangles) {
            sum.add(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
        }
        return sum.moments();
    }

    Result<Moments> operator()(const HeightSurface&) const {
        return failure("height field is an open surface and cannot move; it encloses no volume");
    }

    Result<Moments> operator()(const DeformingMesh&) const {
        return failure("a deforming mesh moves as its host says; it has no mass");
    }

    Result<Moments> operator()(const CompoundShape& compound) const {
        // Summed about the first part's place: near enough not to lose digits far from the origin.
        const auto& parts = compound.data->parts;
        const Vec3d near(parts[0].placement.position);
        double volume = 0;
        Vec3d first;
        Mat3d second;
        for (const auto& part : parts) {
            const Result<Moments> own = std::visit(MomentsOf{}, part.shape);
            if (!own) return own;
            const Transformd at(part.placement);
            const Mat3d turn = to_matrix(at.orientation);
            const Vec3d centre = at * own->centre - near;
            volume += own->volume;
            first += centre * own->volume;
            second += turn * own->second * transposed(turn) + outer(centre, centre) * own->volume;
        }
        const Vec3d centre = first / volume;
        return Moments{volume, centre + near, second - outer(centre, centre) * volume};
    }
};

Result<MassProperties> with_density(const Shape& shape, const Moments& moments, double density) {
    const Mat3d c = (moments.second + transposed(moments.second)) * 0.5; // rounded symmetrically
    const double trace = c.x.x + c.y.y + c.z.z;
    const Mat3d inertia = (Mat3d::identity() * trace - c) * density;
    const MassProperties result = {float(moments.volume * density),
                                   Vec3(moments.centre),
                                   {Vec3(inertia.x), Vec3(inertia.y), Vec3(inertia.z)}};
    const auto usable = [](float value) { return value > 0 && std::isfinite(value); };
    if (!usable(result.mass) || !usable(result.inertia.x.x) || !usable(result.inertia.y.y) ||
        !usable(result.inertia.z.z)) {
        return failure(std::string(name_of(type_of(shape))) + " of mass " +
                       number_text(moments.volume * density) +
                       " kg: mass or inertia is beyond the range of a float");
    }
    return result;
}

} // namespace

Result<Moments> moments_of(const Shape& shape) {
    const Result<void> checked = check_shape(shape);
    if (!checked) return tl::unexpected(checked.error());
    Result<Moments> moments = std::visit(MomentsOf{}, shape);
    if (moments && !(moments->volume > 0)) {
        return failure(std::string(name_of(type_of(shape))) + " has the volume " +
                       number_text(moments->volume) +
                       " m^3; it is flat or its triangles face inwards");
    }
    return moments;
}

Result<MassProperties> mass_properties(const Shape& shape, float density) {
    if (!(density > 0) || !std::isfinite(density)) {
        return failure("density is " + number_text(density) +
                       " kg/m^3; it must be positive and finite");
    }
    const Result<Moments> moments = moments_of(shape);
    if (!moments) return tl::unexpected(moments.error());
    return with_density(shape, *moments, density);
}

Result<MassProperties> mass_properties_of_mass(const Shape& shape, const Moments& moments,
                                               float mass) {
    if (!(mass > 0) || !std::isfinite(mass)) {
        return failure("mass is " + number_text(mass) + " kg; it must be positive and finite");
    }
    return with_density(shape, moments, mass / moments.volume);
}

Result<MassProperties> mass_properties_of_mass(const Shape& shape, float mass) {
    const Result<Moments> moments = moments_of(shape);
    if (!moments) return tl::unexpected(moments.error());
    return mass_properties_of_mass(shape, *moments, mass);
}

} // namespace fovea
