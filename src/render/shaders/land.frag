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
const vec3 sand = vec3(0.46, 0.38, 0.25), dry_grass = vec3(0.205, 0.178, 0.105);
const vec3 grass = vec3(0.108, 0.110, 0.055), forest = vec3(0.040, 0.053, 0.027);
const vec3 heath = vec3(0.165, 0.140, 0.100), scree = vec3(0.270, 0.245, 0.215);
const vec3 rock_dark = vec3(0.105, 0.095, 0.088), rock_pale = vec3(0.300, 0.268, 0.232);
const vec3 white = vec3(0.72, 0.76, 0.82);

struct Ground {
    vec3 colour;
    vec2 bumps;  // slope added by what is finer than a cell
    float shine; // of snow
};

// A little sharper than the sampler would have it.
vec4 grain(vec2 at)
{
    return texture(noise_map, at, -0.7);
}

// Rock from three sides, so that nothing is smeared down a cliff.
vec4 rock_grain(vec3 place, vec3 normal)
{
    vec3 side = pow(abs(normal), vec3(4.0));
    side /= side.x + side.y + side.z;
    return grain(place.yz) * side.x + grain(place.xz) * side.y + grain(place.xy) * side.z;
}

Ground land(vec3 place, vec3 normal, float steep, float level, float open, float shore)
{
    // turned against each other, so that the tiles do not show
    vec2 turned = mat2(0.80, 0.60, -0.60, 0.80) * place.xy;
    vec4 wide = grain(place.xy / 260.0), middle = grain(place.xy / 61.0);
    vec4 fine = 0.5 * (grain(turned / 17.3) + grain(turned.yx / 43.7)), grit = 0.5 * (grain(turned / 3.1) + grain(place.yx / 7.9));
    vec4 stone = rock_grain(place * vec3(1.0, 1.0, 1.7) / 21.0, normal);
    float small = 0.7 * (fine.r - 0.5) + 0.3 * (grit.g - 0.5);
    float rough = 0.45 * (wide.r - 0.5) + 0.3 * (middle.g - 0.5) + 0.4 * small;

    // what grows likes valleys, hollows and slopes that the sun does not dry out
    float moist = 1.3 * (0.88 - open) + 0.22 * (0.5 - normal.y) * steep + 0.5 * (wide.g - 0.5);
    float lush = smoothstep(0.15, 0.80, 0.95 - level + moist + 0.4 * small);
    float trees = smoothstep(0.38, 0.56, 0.42 + moist + 0.9 * small + 0.45 * (middle.r - 0.5));
    vec3 green = mix(grass, forest, trees * lush);
    vec3 cover = mix(mix(dry_grass, green, lush), heath, smoothstep(0.40, 0.75, level + rough));
    cover *= 0.70 + 0.30 * fine.g + 0.16 * middle.r + 0.24 * grit.r;
    float beach = shore + 0.35 * (1.0 - smoothstep(0.0, 0.08, level + 0.06 * rough));
    cover = mix(cover, sand * (0.8 + 0.4 * fine.r), clamp(beach, 0.0, 0.9) * (1.0 - smoothstep(0.10, 0.35, steep)));

    float band = grain(vec2(0.13, place.z / 33.0 + 0.30 * wide.r + 0.05 * middle.r)).g;
    float crack = abs(1.1 * stone.g + 0.9 * fine.g - 1.0);
    vec3 rock = mix(rock_dark, rock_pale, smoothstep(0.10, 0.90, 0.35 * stone.r + 0.40 * band + 0.30 * wide.g));
    rock *= (0.74 + 0.34 * smoothstep(0.0, 0.30, crack)) * (0.75 + 0.5 * grit.r);
    float bare = smoothstep(0.58, 0.80, steep + 0.45 * rough + 0.5 * small + 0.16 * (level - 0.4));
    float rubble = smoothstep(0.42, 0.58, steep + 0.4 * rough + 0.4 * small + 0.15 * (level - 0.3)) * (1.0 - bare);
    vec3 gravel = scree * (0.45 + 0.45 * fine.r + 0.55 * grit.r);
    vec3 colour = mix(mix(cover, gravel, 0.75 * rubble * smoothstep(0.1, 0.5, level)), rock, bare);

    // snow lies lower on the north side and in hollows, and slides off what is steep
    float line = relief.z + 0.05 * normal.y - 0.12 * (0.9 - open);
    float snow = smoothstep(-0.03, 0.05, level - line + 0.22 * rough + 0.10 * small);
    snow *= 1.0 - smoothstep(0.62, 0.95, steep + 0.35 * (stone.r - 0.5) + 0.5 * small - 0.5 * smoothstep(line, line + 0.3, level));
    colour = mix(colour, white, snow);

    vec2 bumps = fine.ba - 0.5, pits = grit.ba - 0.5;
    vec2 soft = 0.30 * (middle.ba - 0.5) + 0.55 * bumps + 0.5 * pits;
    vec2 hard = 1.5 * (stone.ba - 0.5) + 0.8 * bumps + 0.7 * pits;
    return Ground(colour, mix(mix(soft, hard, bare), 0.16 * (middle.ba - 0.5) + 0.15 * bumps, snow), snow);
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
    vec3 through = exp(-depth * clear * vec3(1.5, 0.75, 0.62) / max(face, 0.35));
    vec3 body = vec3(0.012, 0.044, 0.064);
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

    float shore = has_water ? smoothstep(0.02, 0.30, texture(cover_map, uv, 3.0).r) : 0.0;

    Ground ground = Ground(vec3(0.50), vec2(0.0), 0.0);
    if (look == 0)
        ground = land(place, normal, steep, level, surface.z, shore);
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
