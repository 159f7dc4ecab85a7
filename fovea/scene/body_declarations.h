// What declarations of bodies share: their common parameters, and how these become a SceneBody.
#pragma once

#include <vector>

#include "fovea/scene/declaration.h"
#include "fovea/scene/scene.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

// The declarations, one function for each family. standard_declarations() is all of them.
void add_source_declarations(DeclarationTable& table);  ///< sphere, cylinder, wall (Stokes 2.3)
void add_solid_declarations(DeclarationTable& table);   ///< box, capsule, cone, hull
void add_mesh_declaration(DeclarationTable& table);     ///< mesh
void add_surface_declaration(DeclarationTable& table);  ///< surface
void add_setting_declarations(DeclarationTable& table); ///< gravity, camera, light
void add_spring_declaration(DeclarationTable& table);   ///< spring
void add_joint_declaration(DeclarationTable& table);    ///< joint

/// Rows that follow one another: `own`, then those of every body that can move (vel, angvel), then
/// those of every body (elastic, colour, friction, name). `angvel_extends` marks angvel as an
/// extension, as it is for spheres.
std::vector<Parameter> mobile_parameters(std::vector<Parameter> own, bool angvel_extends = true);
/// `own` and the rows of every body.
std::vector<Parameter> body_parameters(std::vector<Parameter> own);

/// Reads the rows of every body; `mobile` those of a mobile one as well, and its centre.
SceneBody body_from(const Arguments& arguments, Shape shape);
SceneBody mobile_body_from(const Arguments& arguments, Shape shape);

/// Finds fault with a name that another body has.
void check_name(const Arguments& arguments, SceneBuilder& builder);

/// Finds fault with the parameters `from` and `to` of what connects two bodies.
void check_ends(const Arguments& arguments, SceneBuilder& builder);

/// The rotation that takes local +y to `axis`, which is not zero.
Quat along_axis(const Vec3& axis);
/// The rotation by the parameter `angle`, degrees, about the parameter `axis`.
Quat turn_from(const Arguments& arguments);

/// Cylinder, capsule or cone: a radius and a height about an axis.
template <class Solid>
void build_round(const Arguments& arguments, SceneBuilder& builder) {
    SceneBody body = mobile_body_from(
        arguments, Solid{arguments.scalar("radius"), arguments.scalar("height") / 2});
    body.placement.orientation = along_axis(arguments.vector("axis"));
    builder.add_body(std::move(body));
}

} // namespace fovea
