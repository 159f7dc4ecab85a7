// How surfaces are lit: per pixel, in linear light; the framebuffer encodes to sRGB.
#include "fovea/render/shaders.h"

namespace fovea {

const std::string_view k_frame_block = R"glsl(
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 shadow_matrix;       // world to the shadow map's texture coordinates and depth
    vec4 eye;                 // xyz position, w height of the picture in pixels
    vec4 light_direction[4];  // xyz towards the lamp
    vec4 light_colour[4];
    vec4 shadow;              // x metres per cell, y 1 / cells across, z lamps in use
    vec4 plane_look;          // x distance at which planes fade, y spacing of their grid,
                              // z metres across a pixel at one metre's distance
};
)glsl";

const std::string_view k_hard_shadows = "const int shadow_taps = 1;";
const std::string_view k_soft_shadows = "const int shadow_taps = 5;";

const std::string_view k_lighting = R"glsl(
uniform sampler2DShadow shadow_map;

const float pi = 3.14159265;

// What mirrors in glossy surfaces: a bright room with a dim floor.
vec3 surroundings(vec3 direction) {
    float up = direction.y;
    return mix(vec3(0.16, 0.155, 0.15), vec3(0.62, 0.72, 0.86), smoothstep(-0.25, 0.6, up));
}

// Light from the hemisphere above: sky overhead, light thrown back by the floor from below.
vec3 ambient(vec3 normal) {
    return mix(vec3(0.135, 0.125, 0.12), vec3(0.30, 0.335, 0.39), 0.5 + 0.5 * normal.y);
}

// Backdrop: a gradient over the picture's height, as in a photographer's studio.
vec3 backdrop(float height) {
    return mix(vec3(0.78, 0.81, 0.84), vec3(0.33, 0.44, 0.58), smoothstep(0.0, 1.0, height));
}

// Share of the first lamp's light that reaches `position`: percentage closer filtering (Reeves,
// Salesin and Cook, SIGGRAPH 1987). The point is moved along the normal by about the width of the
// filter, so that a surface does not shade itself, and by about a pixel, by which the mesh in the
// picture may lie inside the one in the map.
float lit_share(vec3 position, vec3 normal, float facing) {
    float slope = sqrt(max(1.0 - facing * facing, 0.0));
    float pixel = plane_look.z * distance(position, eye.xyz);
    vec3 moved = position + normal * (shadow.x * (0.6 + 2.4 * slope) + pixel);
    vec3 place = (shadow_matrix * vec4(moved, 1.0)).xyz;
    place.z = min(place.z, 0.9999);
    float lit = texture(shadow_map, place);
    if (shadow_taps == 1) return lit;
    vec2 cross_arm = vec2(0.7, 1.5) * shadow.y;
    lit += texture(shadow_map, place + vec3(cross_arm, 0.0));
    lit += texture(shadow_map, place - vec3(cross_arm, 0.0));
    lit += texture(shadow_map, place + vec3(-cross_arm.y, cross_arm.x, 0.0));
    lit += texture(shadow_map, place + vec3(cross_arm.y, -cross_arm.x, 0.0));
    return lit / 5.0;
}

// Leaves what is darker than the knee alone and bends the rest towards white.
vec3 tone(vec3 light) {
    const float knee = 0.6;
    vec3 over = max(light - knee, 0.0) / (1.0 - knee);
    return min(light, vec3(knee)) + (1.0 - knee) * over / (1.0 + over);
}

// Diffuse and glossy reflection; `gloss` in 0..1 scales the latter (Blinn 1977, with the usual
// energy factor, and Schlick's approximation of Fresnel's law, 1994).
vec3 surface_light(vec3 colour, vec3 normal, vec3 position, float gloss) {
    vec3 to_eye = normalize(eye.xyz - position);
    // White paint reflects some 80 percent; full black and full colour do not occur either.
    vec3 albedo = 0.015 + 0.78 * mix(vec3(dot(colour, vec3(0.2126, 0.7152, 0.0722))), colour, 0.95);
    vec3 light = albedo * ambient(normal);
    for (int i = 0; i < int(shadow.z); ++i) {
        vec3 to_lamp = light_direction[i].xyz;
        float facing = max(dot(normal, to_lamp), 0.0);
        float share = i == 0 ? lit_share(position, normal, facing) : 1.0;
        vec3 halfway = normalize(to_lamp + to_eye);
        float glint = pow(max(dot(normal, halfway), 0.0), 90.0) * (90.0 + 8.0) / (8.0 * pi);
        light += light_colour[i].rgb * (share * facing) * (albedo * 1.35 + gloss * 0.06 * glint);
    }
    float grazing = pow(1.0 - max(dot(normal, to_eye), 0.0), 5.0);
    vec3 mirrored = surroundings(reflect(-to_eye, normal));
    light += gloss * (0.03 + 0.32 * grazing) * mirrored;
    return tone(light);
}
)glsl";

} // namespace fovea
