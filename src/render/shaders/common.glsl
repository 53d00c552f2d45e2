// What several shaders share: the light, the sky, and haze.
uniform vec3 sun;         // towards the light
uniform vec3 sun_light;   // colour and strength
uniform vec3 sky_light;
uniform vec3 eye;
uniform vec4 air;         // where haze begins, 1 / reach, how thick, and 1 for an empty background

vec3 sky_colour(vec3 way)
{
    float up = max(way.z, 0.0), down = max(-way.z, 0.0);
    vec3 zenith = vec3(0.08, 0.22, 0.56), horizon = vec3(0.50, 0.66, 0.92), below = vec3(0.68, 0.70, 0.71);
    vec3 colour = mix(horizon, zenith, 1.0 - exp(-4.5 * up));
    colour = mix(colour, below, smoothstep(0.0, 0.9, down));
    float towards = max(dot(way, sun), 0.0), two = towards * towards, six = two * two * two, twelve = six * six;
    float glow = 0.35 * six + 0.6 * twelve * twelve * twelve * twelve * twelve;
    return colour * 1.15 + glow * sun_light * 0.22 * smoothstep(-0.1, 0.1, way.z);
}

// What it takes of what lies behind, and its colour.
float haze_before(vec3 world, float level, out vec3 tone)
{
    vec3 ray = world - eye;
    float distance = length(ray);
    float way = max(length(ray.xy) - air.x, 0.0) * air.y;
    vec3 flat_ray = normalize(vec3(ray.xy, max(ray.z, 0.0) + 0.04 * distance));
    tone = sky_colour(flat_ray) * vec3(0.78, 0.84, 0.92);
    return 1.0 - exp(-air.z * way * way * mix(1.25, 0.6, level));
}

vec3 add_haze(vec3 colour, vec3 world, float level)
{
    vec3 tone;
    float amount = haze_before(world, level, tone);
    return mix(colour, tone, amount);
}
