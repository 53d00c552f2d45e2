// The ground: sand, grass, rock and snow by height and slope, lit by the sun and the sky; water over it; and an overlay.
in vec3 world;
in vec2 cells;
uniform vec4 piece;        // first column and row of the textures, columns, rows
uniform sampler2D surface_map; // slope east, slope north, open sky, sunshine
uniform sampler2D cover_map;   // water, sediment, deposits, data
uniform sampler2D overlay_map, ramp_map;
layout(location = 0) out vec4 pixel;
#if KEPT // water comes later, in wash.frag
layout(location = 1) out vec4 place_kept;
#endif

#if HAS_ICE
// Snow on the calm parts of a glacier, blue ice where it breaks over a step, and stones where it is thin.
void add_ice(inout Ground ground, float code, vec3 place, float steep)
{
    float thick = 10.0 * code / max(1.0 - code, 0.004); // metres
    vec4 fine = grain(place.xy / 9.7), wide = grain(place.yx / 47.0);
    float rough = 0.6 * (fine.r - 0.5) + 0.5 * (wide.g - 0.5);
    float there = smoothstep(4.0, 24.0, thick * (1.0 + rough));
    float blue = smoothstep(0.28, 0.75, steep + 0.35 * rough) * smoothstep(15.0, 60.0, thick);
    vec3 ice = mix(vec3(0.78, 0.83, 0.89), vec3(0.36, 0.56, 0.68), blue);
    ice = mix(ice, vec3(0.30, 0.29, 0.28), 0.55 * (1.0 - smoothstep(8.0, 40.0, thick)) * smoothstep(0.45, 0.75, fine.g));
    ground.colour = mix(ground.colour, ice, there);
    ground.bumps = mix(ground.bumps, (0.15 + 0.9 * blue) * (fine.ba - 0.5), there);
    ground.bare *= 1.0 - there;
}
#endif

// Slope and light. Where a cell is wider than a pixel, straight lines between cells would show as saw teeth along what
// runs askew: there a cubic spline takes their place, as four straight samples.
vec4 surface_at(vec2 uv)
{
    vec4 plain = texture(surface_map, uv);
#if QUICK
    return plain;
#else
    vec2 at = uv * piece.zw - 0.5, cell = floor(at), t = at - cell;
    vec2 wide = fwidth(cells);
    float smoothly = 1.0 - smoothstep(0.25, 0.6, max(wide.x, wide.y));
    vec2 w0 = (1.0 - t) * (1.0 - t) * (1.0 - t) / 6.0, w3 = t * t * t / 6.0;
    vec2 w1 = (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0, w2 = 1.0 - w0 - w1 - w3;
    vec2 low = w0 + w1, high = w2 + w3;
    vec2 a = (cell - 0.5 + w1 / low) / piece.zw, b = (cell + 1.5 + w3 / high) / piece.zw;
    vec4 north = textureLod(surface_map, a, 0.0) * low.x + textureLod(surface_map, vec2(b.x, a.y), 0.0) * high.x;
    vec4 south = textureLod(surface_map, vec2(a.x, b.y), 0.0) * low.x + textureLod(surface_map, b, 0.0) * high.x;
    return mix(plain, north * low.y + south * high.y, smoothly);
#endif
}

#if HAS_OVERLAY
// The light that the film's curve (finish.frag) shows as y.
vec3 unfilm(vec3 y)
{
    y = clamp(y, 0.0, 1.0);
    vec3 a = 1.06 - y, b = 0.035 - 0.66 * y;
    return (sqrt(b * b + 0.44 * a * y) - b) / (2.0 * a);
}
#endif

void main()
{
    vec2 uv = (cells - piece.xy + 0.5) / piece.zw;
    vec4 cover = vec4(0.0, 0.0, 0.0, 1.0);
#if HAS_COVER
    cover = texture(cover_map, uv);
    if (cover.a < 0.98)
        discard;
#endif
    // where water is seen; renderers that run both sides of an `if` leave a loop of no turns
    int wet = is_wet(cover.r) ? 1 : 0;
#if HAS_WATER && !HAS_OVERLAY && !KEPT
    if (wet > 0) { // look through the bent ray: the ground moves towards the eye
        vec2 ray = normalize(world - eye).xy;
        float depth = water_scale.x * cover.r / max(1.0 - cover.r, 0.004);
        uv += ray * vec2(1.0, -1.0) * min(0.3 * depth / grid.z, 2.0) / piece.zw;
    }
#endif
    vec4 surface = surface_at(uv);
#if HAS_SUN_MAP
    surface.w *= mix(1.0, sun_on(world, vec3(0.0, 0.0, 1.0)), 0.5); // what casts it is clear
#endif
    float metres = world.z / grid.w + relief.x, level = clamp((metres - relief.x) * relief.y, 0.0, 1.0);
    float steep = length(surface.xy) / grid.w;
    // on a crest, level for a step, nothing grows that does not on its flanks
#if DRAFT
    float around = slow.y;
#else
    vec2 span = fwidth(cells);
    float around = textureLod(surface_map, uv, 3.0 + max(log2(max(span.x, span.y)), 0.0)).z;
#endif
    steep += 0.45 * smoothstep(0.03, 0.12, surface.z - around);
    vec3 normal = normalize(vec3(-surface.xy, 1.0));
    vec3 place = vec3(world.xy, world.z / grid.w) / grid.z;

#if DRAFT
    float shore = smoothstep(0.02, 0.30, slow.z);
#elif HAS_WATER
    float shore = smoothstep(0.02, 0.30, texture(cover_map, uv, 3.0).r);
#else
    float shore = 0.0;
#endif

    Ground ground = ground_at(place, normal, steep, level, surface.z, shore);
#if HAS_COVER
    ground.colour = mix(ground.colour, vec3(0.36, 0.040, 0.026), 0.92 * cover.b);
#endif
#if HAS_ICE
    add_ice(ground, cover.g, place, steep);
    cover.g = 0.0; // no mud in the water
#endif
#if HAS_OVERLAY
    ground.colour = texture(ramp_map, vec2(texture(overlay_map, uv).r * 0.996 + 0.002, 0.5)).rgb;
    ground.bumps *= 0.0;
#endif
    vec3 bumpy = normalize(vec3(-surface.xy - ground.bumps, 1.0));
    float facing = max(dot(bumpy, sun), 0.0);
    float open = surface.z * surface.z;
    vec3 light = sun_light * facing * surface.w + sky_light * open * (0.55 + 0.45 * bumpy.z);
    light += sun_light * vec3(0.055, 0.048, 0.038) * (1.0 - 0.6 * bumpy.z + 0.3 * surface.z); // thrown back by other slopes
#if HAS_OVERLAY // colours as in the legend: no coloured light, no water, no haze, and the film's curve undone
    const vec3 eyes = vec3(0.3, 0.59, 0.11);
    float relative = dot(light, eyes) / dot(sun_light * max(sun.z, 0.05) + sky_light, eyes);
    vec3 colour = ground.colour * (0.40 + 0.60 * min(relative, 1.4));
#if LOOK == 3
    colour *= 1.0 - contour_line(metres);
#endif
    pixel = vec4(unfilm(colour), 1.0);
#else
    vec3 colour = ground.colour * light;
#if LOOK == 3
    colour *= 1.0 - contour_line(metres);
#endif
#if HAS_WATER && !KEPT
    for (int k = 0; k < wet; k++)
        colour = add_water(colour, world, cover, normal, surface.w, open);
#endif
    pixel = vec4(add_haze(colour, world, level), 1.0);
#endif
#if KEPT
    place_kept = vec4(uv, world.z, 1.0);
#endif
}
