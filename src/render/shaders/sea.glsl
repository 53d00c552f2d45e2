// A sea around rock: what lies in it is seen through it, and its surface mirrors the sky.
uniform float sea_level; // height in the world, or far below
uniform bool is_cut;
uniform sampler2D shore_map; // metres to the nearest rock at that height

// How the sea looks from within its block: it goes on to the horizon. From outside it ends where the block does, and where it is cut.
bool sea_is_wide()
{
    return !is_cut && all(greaterThan(eye.xy, box_low.xy)) && all(lessThan(eye.xy, box_high.xy));
}

// Where a ray from the eye is under water, as parts of it; `by_top` when it comes in through the surface.
bool in_sea(vec3 ray, out float enter, out float leave, out bool by_top)
{
    vec3 side;
    enter = max(enter_box(ray, leave, side), 0.0);
    by_top = false;
    if (sea_is_wide()) {
        enter = 0.0;
        leave = ray.z < 0.0 ? (box_low.z - eye.z) / ray.z : leave;
    }
    float surface = (sea_level - eye.z) / ray.z;
    if (eye.z > sea_level) {
        if (ray.z >= 0.0)
            return false;
        by_top = surface > enter;
        enter = max(enter, surface);
    } else if (ray.z > 0.0) {
        leave = min(leave, surface);
    }
    return enter < leave;
}

// Foam on the sea, 0 to 1: thick where it breaks against rock, in torn lines before it, and a few crests further out. `pixel`
// is how wide one is, in cells.
float foam_at(vec2 world, vec2 waves, float pixel)
{
    vec2 at = world * texture_scale.xy, size = box_high.xy - box_low.xy, place = (world - box_low.xy) / size;
    vec2 beyond = max(abs(place - 0.5) - 0.5, 0.0) * size;
    float away = (texture(shore_map, clamp(place, 0.0, 1.0)).r + length(beyond)) * texture_scale.x;
    vec4 wide = texture(noise_map, at / 47.0), fine = texture(noise_map, at.yx / 11.0 + 0.1 * wide.rg);
    vec4 grit = texture(noise_map, at / 3.7);
    float torn = 0.50 * wide.r + 0.32 * fine.g + 0.18 * grit.r, lace = 1.0 - abs(2.0 * fine.r - 1.0) - 0.5 * abs(2.0 * grit.g - 1.0);
    lace = mix(lace, 0.45, smoothstep(0.4, 1.6, pixel)); // nothing is finer than a pixel
    float dense = smoothstep(-0.06, 0.14, torn - 0.22 - away / 52.0);
    float line = away / 13.0 + 1.5 * wide.g, crest = abs(fract(line) - 0.5);
    float lines = smoothstep(0.30, 0.50, crest + 0.5 * (torn - 0.5)) * exp(-away / 40.0) * (1.0 - smoothstep(1.0, 3.0, pixel)) * smoothstep(0.35, 0.75, lace);
    float rests = smoothstep(0.55, 0.85, lace) * exp(-away / 34.0);
    float caps = smoothstep(0.70, 0.78, 0.55 * wide.g + 0.45 * fine.g + 0.05 * waves.x) * smoothstep(0.4, 0.8, lace);
    caps *= smoothstep(0.46, 0.60, texture(noise_map, mat2(0.80, 0.60, -0.60, 0.80) * at / 173.0).r); // not with each tile
    return clamp(dense * (0.55 + 0.6 * lace) + 0.8 * lines + 0.5 * rests + 0.4 * caps, 0.0, 1.0);
}

// Light from `world` as it comes out of the sea, and where that is.
vec3 through_sea(vec3 colour, inout vec3 world)
{
    vec3 ray = world - eye, towards = normalize(ray);
    float enter, leave, angle = max(length(dFdx(towards)), length(dFdy(towards))); // of a pixel
    bool by_top;
    if (sea_level < -1e29 || !in_sea(ray, enter, leave, by_top) || enter >= 0.9999)
        return colour;
    float way = (min(leave, 1.0) - enter) * length(ray);
    vec3 light = sun_light * max(sun.z, 0.0) * 0.8 + sky_light, body = vec3(0.012, 0.052, 0.066) * light;
    colour = mix(body, colour, exp(-way * texture_scale.x * vec3(0.30, 0.15, 0.125)));
    world = eye + enter * ray;
    if (by_top) {
        vec2 at = world.xy * texture_scale.xy;
        vec2 waves = texture(noise_map, at / 23.0).ba + texture(noise_map, at.yx / 9.7).ba - 1.0;
        vec2 swell = 2.0 * texture(noise_map, at * vec2(1.0, 0.55) / 71.0).ba - 1.0;
        vec3 normal = normalize(vec3(0.09 * waves + 0.07 * swell, 1.0)), back = reflect(towards, normal);
        back.z = abs(back.z);
        float mirror = 0.02 + 0.98 * pow(1.0 - clamp(dot(-towards, normal), 0.0, 1.0), 5.0);
        colour = mix(colour, sky_colour(back), 0.85 * mirror);
        colour += sun_light * 1.2 * pow(max(dot(back, sun), 0.0), 220.0);
        float pixel = angle * length(world - eye) * texture_scale.x / sqrt(max(-towards.z, 0.02));
        vec3 lit = sun_light * max(dot(normalize(vec3(0.5 * waves, 1.0)), sun), 0.0) * sun_on(world, normal) * 0.8 + sky_light;
        colour = mix(colour, vec3(0.70, 0.74, 0.76) * lit, foam_at(world.xy, waves, pixel));
    }
    return colour;
}
