// Water as one surface: its place and slope from the smoothed depth, the ground seen through it bent and tinted, and
// the sky mirrored.
in vec2 screen;
uniform vec3 ray_forward, ray_right, ray_up;
uniform sampler2D depth_map, thick_map, behind_map, ramp_map;
uniform vec2 margin; // pixels the maps reach beyond the picture, and 1 / metres in which water turns dark
uniform vec3 axis;
uniform float focal, radius;
uniform bool means, is_cut;
uniform float sea_level;
uniform bool is_surf;
uniform sampler2D noise_map;
uniform mat4 camera;
layout(location = 0) out vec4 pixel;

float depth_at(ivec2 at)
{
    return texelFetch(depth_map, at + int(margin.x), 0).r;
}

vec3 place_at(ivec2 at, float depth, vec2 size)
{
    vec2 place = (vec2(at) + 0.5) / size * 2.0 - 1.0;
    return eye + depth * (ray_forward + place.x * ray_right + place.y * ray_up);
}

// The difference to the nearer of two neighbours in depth, so that edges do not bend.
vec3 along(ivec2 at, ivec2 way, float depth, vec3 here, vec2 size)
{
    float next = depth_at(at + way), before = depth_at(at - way);
    bool forwards = before <= 0.0 || (next > 0.0 && abs(next - depth) < abs(before - depth));
    if (forwards)
        return next > 0.0 ? place_at(at + way, next, size) - here : place_at(at + way, depth, size) - here;
    return here - place_at(at - way, before, size);
}

// 1 where the surface goes on to all sides, 0 where it jumps by more than drops are large.
float calm(ivec2 at, float depth)
{
    float jump = 0.0;
    for (int k = 0; k < 4; k++) {
        float other = depth_at(at + (k < 2 ? ivec2(2 * k - 1, 0) : ivec2(0, 2 * k - 5)));
        jump = max(jump, other > 0.0 ? abs(other - depth) : 2.0 * radius);
    }
    return 1.0 - smoothstep(0.5 * radius, 2.0 * radius, jump);
}

// How much of the water goes on at the distance of a drop around here: 1 within it, less towards its edge.
float within(ivec2 at, float depth)
{
    float reach = clamp(1.2 * focal * radius / depth, 1.0, 14.0), count = 0.0;
    for (int k = 0; k < 8; k++) {
        float angle = 0.785398 * float(k) + 0.3;
        float other = depth_at(at + ivec2(floor(reach * vec2(cos(angle), sin(angle)) + 0.5)));
        count += other > 0.0 && (is_surf || abs(other - depth) < 6.0 * radius) ? 0.125 : 0.0; // surf before surf is whole
    }
    return smoothstep(0.35, 1.0, count);
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec2 size = vec2(textureSize(behind_map, 0));
    float depth = depth_at(at);
    if (depth <= 0.0)
        discard;
    vec3 cut_side = vec3(0.0);
    if (is_cut) { // water that was cut ends in a plane, a little behind that of the rock
        vec3 side, ray = place_at(at, 1.0, size) - eye;
        float stop, begin = 1.0002 * enter_box(ray, stop, side);
        if (begin > 0.0 && begin < stop && (begin - depth) * dot(side, ray) < 2.5 * radius) {
            depth = begin;
            cut_side = side;
        }
    }
    vec3 place = place_at(at, depth, size);
    int step = int(clamp(0.4 * focal * radius / depth, 1.0, 5.0)); // over less than a drop there are only streaks
    vec3 normal = cross(along(at, ivec2(step, 0), depth, place, size), along(at, ivec2(0, step), depth, place, size));
    normal = dot(normal, normal) > 0.0 ? normalize(normal) : vec3(0.0, 0.0, 1.0);
    vec2 water = texelFetch(thick_map, at + int(margin.x), 0).rg;
    // a film of single drops has no form of its own worth drawing, nor does the rim where depth jumps: they lie level
    float deep = smoothstep(0.10, 0.45, water.r * margin.y), inner = within(at, depth), firm = deep * inner * calm(at, depth);
    normal = normalize(mix(vec3(0.0, 0.0, 1.0), normal, firm));
    if (cut_side != vec3(0.0)) {
        normal = cut_side;
        firm = 1.0;
    }
    float thick = water.r, ramp = clamp(water.g / max(water.r, 1e-6), 0.0, 1.0);
    vec3 colour = texture(ramp_map, vec2(ramp * 0.996 + 0.002, 0.5)).rgb;

    vec3 ray = normalize(place - eye), back = reflect(ray, normal);
    back.z = abs(back.z);
    vec2 bend = vec2(dot(normal, normalize(ray_right)), dot(normal, normalize(ray_up)));
    vec2 uv = (gl_FragCoord.xy - bend * inner * min(0.35 * thick * focal / depth, 14.0)) / size;
    vec3 behind = texture(behind_map, clamp(uv, vec2(0.0), vec2(1.0))).rgb;
    float face = clamp(dot(-ray, normal), 0.0, 1.0), mirror = 0.02 + 0.98 * pow(1.0 - face, 5.0);
    float sunshine = sun_on(place + 2.5 * radius * sun, normal); // past the drops that make the surface
    vec3 light = sun_light * max(0.35 + 0.65 * dot(normal, sun), 0.0) * (0.35 + 0.65 * sunshine) * 0.75 + sky_light;
    vec3 body = colour * light * (means ? 0.8 : 0.52);
    float dark = thick * margin.y * (means ? 4.0 : 1.0 + 5.0 * ramp);
    vec3 through = exp(-dark * (means ? vec3(1.0) : vec3(1.35, 0.80, 0.65)));
    vec3 shown = mix(body, behind, through);
    if (!means) {
        shown = mix(shown, sky_colour(back), 0.85 * mirror * (0.25 + 0.75 * firm));
        shown += firm * smoothstep(0.80, 0.97, normal.z) * sun_light * sunshine * 0.8 * pow(max(dot(back, sun), 0.0), 160.0);
    } else {
        shown += sun_light * sunshine * 0.12 * pow(max(dot(back, sun), 0.0), 30.0);
    }
    vec3 straight = texelFetch(behind_map, at, 0).rgb;
    if (is_surf) { // what flies above a sea is surf: white with air, and torn
        vec2 torn = texture(noise_map, (place.xy + 0.7 * place.z) / (9.0 * radius)).rg + texture(noise_map, (place.yz - 0.4 * place.x) / (23.0 * radius)).gr;
        float white = smoothstep(0.05, 0.60, thick * margin.y * 2.0 + 0.9 * (torn.x - 1.0));
        vec3 soft = sun_light * (0.32 + 0.40 * max(dot(normalize(normal + vec3(0.0, 0.0, 0.8)), sun), 0.0)) * (0.7 + 0.3 * sunshine) + sky_light;
        shown = mix(straight, vec3(0.58, 0.62, 0.65) * (0.55 + 0.40 * torn.y) * soft, white * smoothstep(-0.6, 1.4, (place.z - sea_level) / radius));
    }
    // a drop alone is hardly water, and the edge of water is thin
    shown = mix(straight, add_haze(shown, place, 0.0), smoothstep(0.0, 0.22, thick * margin.y) * inner); // haze once
    vec4 clip = camera * vec4(place, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
    pixel = vec4(shown, 1.0);
}
