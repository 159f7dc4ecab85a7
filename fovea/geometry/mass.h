// Mass, centre of mass and inertia of shapes of uniform density.
#pragma once

#include "fovea/base/mat3.h"
#include "fovea/base/result.h"
#include "fovea/geometry/shape.h"

namespace fovea {

struct MassProperties {
    float mass;   ///< kg
    Vec3 centre;  ///< of mass, in the shape's frame
    Mat3 inertia; ///< about `centre`, in the shape's axes, kg m^2
};

/// Of a solid of density 1, about its own centre of mass: what is costly to find out of a mesh.
struct Moments {
    double volume = 0;
    Vec3d centre;
    Mat3d second; ///< about `centre`
};
Result<Moments> moments_of(const Shape& shape);

/// Properties of `shape` filled with `density` (kg/m^3). Half-spaces have none; meshes must be
/// closed and oriented (divergence theorem). Overlapping parts of a compound count twice.
Result<MassProperties> mass_properties(const Shape& shape, float density);

/// Same shape, scaled to a given mass (kg).
Result<MassProperties> mass_properties_of_mass(const Shape& shape, float mass);
/// The same if its moments are known.
Result<MassProperties> mass_properties_of_mass(const Shape& shape, const Moments& moments,
                                               float mass);

} // namespace fovea
