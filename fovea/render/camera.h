// Where a picture is taken from.
//
// Pictures are taken by a SceneCamera: position, target, field of view, with +y up. The orbit
// camera is the same thing in the viewer's terms: it circles its target.
#pragma once

#include <span>

#include "fovea/base/transform.h"
#include "fovea/render/mat4.h"
#include "fovea/scene/scene.h"

namespace fovea {

/// A camera's position and axes as unit vectors; it looks along -backward.
struct CameraFrame {
    Vec3 position, right, up, backward;
};
CameraFrame frame_of(const SceneCamera& camera);

/// World to clip space. The near and far planes follow from the distance to the target, so that
/// one matrix serves scenes of any size.
Mat4 view_projection(const SceneCamera& camera, float aspect);

/// The clipping planes used by view_projection, metres in front of the eye.
struct DepthRange {
    float near, far;
};
DepthRange depth_range(const SceneCamera& camera);

/// A camera that sees all movable bodies at the given poses (one per body of the scene), from
/// slightly above and to the right of the +z axis; half-spaces do not count. Where there is gravity
/// the floor below the bodies is seen too, since that is where they will be. A scene without
/// movable bodies has all its bounded ones framed instead.
SceneCamera framing_camera(const Scene& scene, std::span<const Transform> poses, float aspect);

/// The scene's own camera, or one that frames the scene as it starts.
SceneCamera default_camera(const Scene& scene, float aspect);

/// A camera on a sphere about its target.
struct OrbitCamera {
    Vec3 target;
    float yaw = 0;      ///< radians; 0 looks from +z, a quarter turn from +x
    float pitch = 0;    ///< radians above the horizon, kept short of the poles
    float distance = 1; ///< metres
    float field_of_view = 0.8f;

    static OrbitCamera from(const SceneCamera& camera);
    SceneCamera camera() const;

    /// Turns about the target.
    void orbit(float yaw_change, float pitch_change);
    /// Multiplies the distance.
    void zoom(float factor);
    /// Moves eye and target sideways and up by fractions of the picture's height.
    void pan(float right, float up);
};

} // namespace fovea
