// The ground: sand, grass, rock and snow by height and slope, lit by the sun and the sky; water over it; and an overlay.
in vec3 world;
in vec2 cells;
uniform vec4 grid;         // columns - 1, rows - 1, metres a cell, exaggeration
uniform vec4 relief;       // lowest height, 1 / span, snow line as a part of the span, span
uniform int look;          // 0 land, 2 grey, 3 contours, 4 tint
uniform float contour;     // metres between lines
uniform bool has_water, has_cover, has_overlay;
uniform vec2 water_scale;  // metres of depth at half the code, metres a cell
uniform sampler2D surface_map; // slope east, slope north, open sky, sunshine
uniform sampler2D cover_map;   // water, sediment, deposits, data
uniform sampler2D overlay_map, ramp_map, tint_map, noise_map;
layout(location = 0) out vec4 pixel;

// Linear colours of dry and lush ground.
const vec3 sand = vec3(0.46, 0.38, 0.25), dry_grass = vec3(0.205, 0.175, 0.088);
const vec3 grass = vec3(0.098, 0.112, 0.042), forest = vec3(0.040, 0.056, 0.026);
const vec3 heath = vec3(0.170, 0.140, 0.088), scree = vec3(0.270, 0.245, 0.215);
const vec3 rock_dark = vec3(0.105, 0.095, 0.088), rock_pale = vec3(0.300, 0.268, 0.232);
const vec3 white = vec3(0.86, 0.89, 0.94);

struct Ground {
    vec3 colour;
    vec2 bumps;  // slope added by what is finer than a cell
    float shine; // of snow
};

// Rock from three sides, so that nothing is smeared down a cliff.
vec4 rock_noise(vec3 place, vec3 normal)
{
    vec3 side = pow(abs(normal), vec3(4.0));
    side /= side.x + side.y + side.z;
    return texture(noise_map, place.yz) * side.x + texture(noise_map, place.xz) * side.y +
           texture(noise_map, place.xy) * side.z;
}

Ground land(vec3 place, vec3 normal, float steep, float level, float open)
{
    vec4 wide = texture(noise_map, place.xy / 260.0), middle = texture(noise_map, place.xy / 61.0);
    vec4 fine = texture(noise_map, place.yx / 14.0);
    vec4 stone = rock_noise(place * vec3(1.0, 1.0, 1.6) / 27.0, normal);
    float rough = 0.5 * (wide.r - 0.5) + 0.3 * (middle.g - 0.5) + 0.2 * (fine.r - 0.5);

    float lush = smoothstep(0.30, 0.66, 1.0 - level + 0.9 * (wide.g - 0.5));
    vec3 green = mix(grass, forest, smoothstep(0.42, 0.62, middle.r + 0.35 * (0.85 - open)) * lush);
    vec3 cover = mix(mix(dry_grass, green, lush), heath, smoothstep(0.40, 0.75, level + rough));
    cover *= 0.72 + 0.36 * fine.g + 0.2 * middle.r;
    float beach = (1.0 - smoothstep(0.0, 0.035, level + 0.05 * rough)) * (1.0 - smoothstep(0.03, 0.12, steep));
    cover = mix(cover, sand, 0.6 * beach);

    float band = texture(noise_map, vec2(0.13, place.z / 33.0 + 0.35 * wide.r)).g;
    vec3 rock = mix(rock_dark, rock_pale, smoothstep(0.15, 0.85, 0.55 * stone.r + 0.30 * band + 0.25 * wide.g));
    float bare = smoothstep(0.52, 0.86, steep + 0.55 * rough + 0.16 * (level - 0.4));
    float rubble = smoothstep(0.40, 0.58, steep + 0.5 * rough + 0.15 * (level - 0.3)) * (1.0 - bare);
    vec3 colour = mix(mix(cover, scree * (0.7 + 0.5 * fine.r), 0.75 * rubble * smoothstep(0.1, 0.5, level)), rock, bare);

    float line = relief.z, snow = smoothstep(line - 0.07, line + 0.07, level + 0.22 * rough);
    snow *= 1.0 - smoothstep(0.62, 1.15, steep + 0.35 * (stone.r - 0.5) - 0.45 * smoothstep(line, line + 0.25, level));
    colour = mix(colour, white, snow);

    vec2 soft = 0.30 * (middle.ba - 0.5) + 0.35 * (fine.ba - 0.5);
    vec2 hard = 0.9 * (stone.ba - 0.5) + 0.45 * (fine.ba - 0.5);
    return Ground(colour, mix(mix(soft, hard, bare), 0.15 * (middle.ba - 0.5), snow), snow);
}

// Dark where the height crosses a multiple of the interval, every fifth heavier; as wide in pixels everywhere.
float contour_line(float metres)
{
    float lines = metres / contour, wide = max(fwidth(lines), 1e-5), nearest = floor(lines + 0.5);
    bool heavy = abs(fract(nearest / 5.0 + 0.05) - 0.05) < 0.04;
    float line = 1.0 - smoothstep(heavy ? 0.7 : 0.3, heavy ? 1.5 : 1.1, abs(lines - nearest) / wide);
    return line * (heavy ? 0.8 : 0.5) * (1.0 - smoothstep(0.25, 0.6, wide));
}

// Colour of deep water, what of the ground shines through, and the mirrored sky.
vec3 add_water(vec3 ground, vec4 cover, vec3 land_normal, float sunshine, float open)
{
    float depth = water_scale.x * cover.r / max(1.0 - cover.r, 0.004);
    float there = smoothstep(0.0, 0.02 * water_scale.y + 0.03, depth);
    vec2 place = world.xy / grid.z;
    vec2 waves = texture(noise_map, place / 17.0).ba + texture(noise_map, place.yx / 5.3).ba - 1.0;
    vec3 level = mix(land_normal, vec3(0.0, 0.0, 1.0), smoothstep(0.0, 0.10 * water_scale.y + 0.3, depth));
    vec3 normal = normalize(level + vec3(0.07 * waves, 0.0));
    vec3 ray = normalize(world - eye), back = reflect(ray, normal);
    back.z = abs(back.z);
    float face = clamp(dot(-ray, normal), 0.0, 1.0), mirror = 0.02 + 0.98 * pow(1.0 - face, 5.0);
    float clear = 1.0 / (0.35 + 0.055 * water_scale.y); // a metre of water hides more on a small terrain
    vec3 through = exp(-depth * clear * vec3(1.5, 0.55, 0.42) / max(face, 0.35));
    vec3 body = vec3(0.018, 0.075, 0.105);
    body = mix(body, vec3(0.075, 0.150, 0.035), smoothstep(0.0, 0.8, cover.g));
    through *= 1.0 - 0.7 * cover.g;
    vec3 light = sun_light * max(sun.z, 0.0) * (0.3 + 0.7 * sunshine) * 0.8 + sky_light * open;
    vec3 water = mix(body * light, ground, through);
    vec3 reflected = sky_colour(back) * (0.45 + 0.55 * open);
    water = mix(water, reflected, 0.85 * mirror);
    water += sun_light * sunshine * 2.5 * pow(max(dot(back, sun), 0.0), 220.0);
    return mix(ground, water, there);
}

void main()
{
    vec2 uv = (cells + 0.5) / (grid.xy + 1.0);
    vec4 cover = has_cover ? texture(cover_map, uv) : vec4(0.0, 0.0, 0.0, 1.0);
    if (cover.a < 0.98)
        discard;
    if (has_water && cover.r > 0.0) { // look through the bent ray: the ground moves towards the eye
        vec2 ray = normalize(world - eye).xy;
        float depth = water_scale.x * cover.r / max(1.0 - cover.r, 0.004);
        uv += ray * vec2(1.0, -1.0) * min(0.3 * depth / grid.z, 2.0) / (grid.xy + 1.0);
    }
    vec4 surface = texture(surface_map, uv);
    float metres = world.z / grid.w + relief.x, level = clamp((metres - relief.x) * relief.y, 0.0, 1.0);
    float steep = length(surface.xy) / grid.w;
    vec3 normal = normalize(vec3(-surface.xy, 1.0));
    vec3 place = vec3(world.xy, world.z / grid.w) / grid.z;

    Ground ground = Ground(vec3(0.50), vec2(0.0), 0.0);
    if (look == 0)
        ground = land(place, normal, steep, level, surface.z);
    else if (look >= 3)
        ground.colour = texture(tint_map, vec2(level, 0.5)).rgb;
    ground.colour = mix(ground.colour, vec3(0.34, 0.055, 0.035), 0.85 * cover.b);
    if (has_overlay) {
        vec4 ramp = texture(ramp_map, vec2(texture(overlay_map, uv).r * 0.996 + 0.002, 0.5));
        ground.colour = mix(ground.colour, ramp.rgb, ramp.a);
        ground.bumps *= 0.4;
    }
    vec3 bumpy = normalize(vec3(-surface.xy - ground.bumps, 1.0));
    float facing = max(dot(bumpy, sun), 0.0);
    float open = surface.z * surface.z;
    vec3 light = sun_light * facing * surface.w + sky_light * open * (0.55 + 0.45 * bumpy.z);
    light += sun_light * vec3(0.055, 0.048, 0.038) * (1.0 - 0.6 * bumpy.z + 0.3 * surface.z); // thrown back by other slopes
    vec3 colour = ground.colour * light;
    if (look == 3)
        colour *= 1.0 - contour_line(metres);
    if (has_water && cover.r > 0.0)
        colour = add_water(colour, cover, normal, surface.w, open);
    pixel = vec4(add_haze(colour, world, level), 1.0);
}
