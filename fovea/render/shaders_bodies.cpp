// Bodies: instanced meshes, in the picture and in the shadow map.
#include "fovea/render/shaders.h"

namespace fovea {

const std::string_view k_instance_placement = R"glsl(
layout(location = 0) in vec3 mesh_position;
layout(location = 1) in vec3 mesh_normal;
layout(location = 2) in vec3 instance_position;
layout(location = 3) in vec4 instance_orientation;  // xyz vector part, w scalar part
layout(location = 4) in vec3 instance_scale;
layout(location = 5) in vec4 instance_colour;       // w strength of the pattern

vec3 turned(vec3 v) {
    vec3 t = 2.0 * cross(instance_orientation.xyz, v);
    return v + instance_orientation.w * t + cross(instance_orientation.xyz, t);
}

vec3 placed_position() {
    return turned(mesh_position * instance_scale) + instance_position;
}
)glsl";

const std::string_view k_body_vertex = R"glsl(
out vec3 position;
out vec3 normal;
out vec3 local;
flat out vec4 colour;

void main() {
    position = placed_position();
    normal = turned(normalize(mesh_normal / instance_scale));
    local = mesh_position;
    colour = instance_colour;
    gl_Position = view_projection * vec4(position, 1.0);
}
)glsl";

const std::string_view k_body_fragment = R"glsl(
in vec3 position;
in vec3 normal;
in vec3 local;
flat in vec4 colour;
out vec4 picture;

// -1 and 1 in turn in the eight octants of the body's own frame, like the mark for a centre of
// mass; the borders are one pixel soft.
float octants() {
    vec3 soft = clamp(local / max(fwidth(local), vec3(1e-6)), -1.0, 1.0);
    return soft.x * soft.y * soft.z;
}

void main() {
    float shade = 1.0 - colour.a * (0.11 - 0.11 * octants());
    vec3 facing = normalize(gl_FrontFacing ? normal : -normal);
    picture = vec4(surface_light(colour.rgb * shade, facing, position, 1.0), 1.0);
}
)glsl";

const std::string_view k_shadow_vertex = R"glsl(
uniform mat4 light_projection;

void main() {
    gl_Position = light_projection * vec4(placed_position(), 1.0);
}
)glsl";

const std::string_view k_shadow_fragment = R"glsl(
void main() {}
)glsl";

} // namespace fovea
