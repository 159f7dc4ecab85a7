// Contact shading: crevices get less light from the hemisphere. Obscurance is estimated from the
// depth buffer at half the picture's resolution, in the manner of McGuire, Mara and Luebke,
// "Scalable Ambient Obscurance" (HPG 2012), smoothed over 4x4 pixels, and multiplied in.
#include "fovea/render/shaders.h"

namespace fovea {

const std::string_view k_occlusion_fragment = R"glsl(
uniform sampler2D depth_map;
uniform vec3 lens;         // x, y: tangents of half the fields of view
uniform vec3 range;        // x near, y far, z radius of influence in metres
out vec2 result;           // x share of light, y distance from the eye

float distance_at(ivec2 at) {
    ivec2 inside = clamp(at, ivec2(0), textureSize(depth_map, 0) - 1);
    float depth = texelFetch(depth_map, inside, 0).r * 2.0 - 1.0;
    return 2.0 * range.x * range.y / (range.y + range.x - depth * (range.y - range.x));
}

// Eye space, with z the distance in front of the eye.
vec3 point_at(ivec2 at, float away) {
    vec2 unit = (vec2(at) + 0.5) / vec2(textureSize(depth_map, 0)) * 2.0 - 1.0;
    return vec3(unit * lens.xy * away, away);
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy) * 2;
    float away = distance_at(here);
    result = vec2(1.0, away);
    if (away > range.y * 0.5) return;
    vec3 point = point_at(here, away);

    // Differences to the nearer neighbour on either side keep the normal true along outlines.
    vec3 right = point_at(here + ivec2(1, 0), distance_at(here + ivec2(1, 0))) - point;
    vec3 left = point - point_at(here - ivec2(1, 0), distance_at(here - ivec2(1, 0)));
    vec3 up = point_at(here + ivec2(0, 1), distance_at(here + ivec2(0, 1))) - point;
    vec3 down = point - point_at(here - ivec2(0, 1), distance_at(here - ivec2(0, 1)));
    vec3 normal = normalize(cross(abs(up.z) < abs(down.z) ? up : down,
                                  abs(right.z) < abs(left.z) ? right : left));
    if (dot(normal, point) > 0.0) normal = -normal;

    const int taps = 12;
    float pixels = float(textureSize(depth_map, 0).y);
    float disc = range.z / (away * lens.y) * 0.5 * pixels;  // radius of influence in pixels
    disc = min(disc, 0.12 * pixels);
    if (disc < 1.5) return;
    ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
    float turn = float(((cell.x * 4 + cell.y) * 5) & 15) / 16.0 * 6.2831853;
    float sum = 0.0;
    ivec2 last = textureSize(depth_map, 0) - 1;
    for (int i = 0; i < taps; ++i) {
        float share = (float(i) + 0.5) / float(taps);
        float angle = float(i) * 2.3999632 + turn;
        ivec2 there = here + ivec2(round(vec2(cos(angle), sin(angle)) * share * disc));
        if (any(lessThan(there, ivec2(0))) || any(greaterThan(there, last))) continue;
        vec3 to = point_at(there, distance_at(there)) - point;
        float squared = dot(to, to);
        float near = max(range.z * range.z - squared, 0.0);
        float rise = max(dot(to, normal) - 0.002 * away, 0.0);
        sum += near * near * near * rise / (squared + 0.0001 * range.z * range.z);
    }
    float scale = 5.0 / (float(taps) * pow(range.z, 5.0));
    // Light also reaches crevices by way of their walls: they never get quite black.
    result.x = mix(0.3, 1.0, exp(-0.9 * sum * scale));
}
)glsl";

const std::string_view k_occlusion_blur_fragment = R"glsl(
uniform sampler2D occlusion_map;
out vec2 result;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(occlusion_map, 0) - 1;
    float away = texelFetch(occlusion_map, here, 0).g;
    vec2 sum = vec2(0.0);
    for (int y = -2; y < 2; ++y)
        for (int x = -2; x < 2; ++x) {
            vec2 there = texelFetch(occlusion_map, clamp(here + ivec2(x, y), ivec2(0), last), 0).rg;
            float weight = max(0.02, 1.0 - abs(there.g - away) / (0.03 * away));
            sum += vec2(there.r, 1.0) * weight;
        }
    result = vec2(sum.x / sum.y, away);
}
)glsl";

const std::string_view k_occlusion_apply_fragment = R"glsl(
uniform sampler2D occlusion_map;
uniform sampler2D depth_map;
uniform vec3 range;
out vec4 picture;

// Each pixel takes the four half-resolution neighbours, those at its own depth first.
void main() {
    float depth = texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r * 2.0 - 1.0;
    float away = 2.0 * range.x * range.y / (range.y + range.x - depth * (range.y - range.x));
    vec2 at = (gl_FragCoord.xy - 0.5) * 0.5 + 0.5;  // smoothing moved the map by half a pixel
    ivec2 base = ivec2(floor(at));
    vec2 part = fract(at);
    ivec2 last = textureSize(occlusion_map, 0) - 1;
    vec2 sum = vec2(0.0);
    for (int i = 0; i < 4; ++i) {
        ivec2 step = ivec2(i & 1, i >> 1);
        vec2 there = texelFetch(occlusion_map, clamp(base + step, ivec2(0), last), 0).rg;
        vec2 side = mix(1.0 - part, part, vec2(step));
        float weight = side.x * side.y * max(0.001, 1.0 - abs(there.g - away) / (0.04 * away));
        sum += vec2(there.r, 1.0) * weight;
    }
    picture = vec4(vec3(sum.x / max(sum.y, 1e-6)), 1.0);
}
)glsl";

} // namespace fovea
