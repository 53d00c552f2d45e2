// A sea around rock: what lies in it is seen through it, and its surface mirrors the sky.
uniform float sea_level; // height in the world, or far below

// Where a ray from the eye is under water, as parts of it; `by_top` when it comes in through the surface.
bool in_sea(vec3 ray, out float enter, out float leave, out bool by_top)
{
    vec3 side;
    enter = max(enter_box(ray, leave, side), 0.0);
    by_top = false;
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

// Light from `world` as it comes out of the sea, and where that is.
vec3 through_sea(vec3 colour, inout vec3 world)
{
    vec3 ray = world - eye;
    float enter, leave;
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
        vec3 normal = normalize(vec3(0.06 * waves, 1.0)), way_in = normalize(ray), back = reflect(way_in, normal);
        back.z = abs(back.z);
        float mirror = 0.02 + 0.98 * pow(1.0 - clamp(dot(-way_in, normal), 0.0, 1.0), 5.0);
        colour = mix(colour, sky_colour(back), 0.85 * mirror);
        colour += sun_light * 1.2 * pow(max(dot(back, sun), 0.0), 220.0);
    }
    return colour;
}
