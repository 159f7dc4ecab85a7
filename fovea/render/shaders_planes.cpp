// Half-spaces as patches of their planes, and the backdrop they fade into.
#include "fovea/render/shaders.h"

namespace fovea {

const std::string_view k_plane_vertex = R"glsl(
uniform vec3 centre;
uniform vec3 along;
uniform vec3 across;
out vec3 position;
out vec2 cell;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    position = centre + along * corner.x + across * corner.y;
    cell = vec2(dot(position, normalize(along)), dot(position, normalize(across))) / plane_look.y;
    gl_Position = view_projection * vec4(position, 1.0);
}
)glsl";

const std::string_view k_plane_fragment = R"glsl(
uniform vec3 plane_normal;
uniform vec3 colour;
uniform vec3 focus;         // walls fade with distance from here
uniform float wall_reach;   // 0: a floor, which is opaque and fades into the backdrop
uniform vec4 others[16];    // the other half-spaces: normal and offset
uniform int other_count;
in vec3 position;
in vec2 cell;
out vec4 picture;

// 1 on lines at whole numbers, as wide as one pixel at least; fades out where the lines would be
// closer than the pixels.
float lines(vec2 at, float width) {
    vec2 pixel = fwidth(at);
    vec2 from_line = abs(fract(at - 0.5) - 0.5);
    vec2 reach = max(vec2(width), pixel * 0.5);
    vec2 on = clamp((reach - from_line) / max(pixel, vec2(1e-6)) + 0.5, 0.0, 1.0);
    on *= clamp(width / reach, 0.0, 1.0) * (1.0 - smoothstep(0.2, 0.6, pixel));
    return max(on.x, on.y);
}

float checks(vec2 at) {
    vec2 pixel = max(fwidth(at), vec2(1e-6));
    vec2 wave = clamp((0.5 - abs(fract(at * 0.5 + 0.25) * 2.0 - 1.0)) * 2.0 / pixel, -1.0, 1.0);
    return wave.x * wave.y * (1.0 - smoothstep(0.3, 1.2, max(pixel.x, pixel.y)));
}

void main() {
    // What lies inside another half-space's material cannot be seen.
    for (int i = 0; i < other_count; ++i)
        if (dot(others[i].xyz, position) < others[i].w) discard;

    vec3 painted = colour * 0.72 * (1.0 + 0.035 * checks(cell)) * (1.0 - 0.22 * lines(cell, 0.008));
    vec3 lit = surface_light(painted, plane_normal, position, wall_reach > 0.0 ? 0.0 : 0.35);
    float opacity = 1.0;
    if (wall_reach > 0.0) {
        float away = distance(position, focus) / wall_reach;
        opacity = 0.55 * (1.0 - smoothstep(0.55, 1.0, away));
        if (opacity <= 0.0) discard;
    } else {
        float away = distance(position, eye.xyz) / plane_look.x;
        lit = mix(backdrop(gl_FragCoord.y / eye.w), lit, exp(-away * away));
    }
    picture = vec4(lit, opacity);
}
)glsl";

const std::string_view k_cover_vertex = R"glsl(
void main() {
    vec2 corner = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1);
    gl_Position = vec4(corner, 0.0, 1.0);
}
)glsl";

const std::string_view k_backdrop_fragment = R"glsl(
out vec4 picture;

void main() {
    picture = vec4(backdrop(gl_FragCoord.y / eye.w), 1.0);
}
)glsl";

} // namespace fovea
