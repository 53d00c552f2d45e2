// What covers the ground: sand, grass, rock and snow by height and slope, or the colours of an atlas.
// LOOK is 0 for land, 2 grey, 3 contours, 4 tint.
uniform vec4 relief;       // lowest height, 1 / span, snow line as a part of the span, span
uniform float relief_rise; // exaggeration
uniform float contour;     // metres between lines
uniform sampler2D noise_map, tint_map;

// Linear colours of dry and lush ground.
const vec3 sand = vec3(0.46, 0.38, 0.25), dry_grass = vec3(0.205, 0.178, 0.105);
const vec3 grass = vec3(0.108, 0.110, 0.055), forest = vec3(0.040, 0.053, 0.027);
const vec3 heath = vec3(0.165, 0.140, 0.100), scree = vec3(0.270, 0.245, 0.215);
const vec3 rock_dark = vec3(0.105, 0.095, 0.088), rock_pale = vec3(0.300, 0.268, 0.232);
const vec3 white = vec3(0.72, 0.76, 0.82);

struct Ground {
    vec3 colour;
    vec2 bumps;  // slope added by what is finer than a cell
    float bare;  // how much of it is rock
};

// A little sharper than the sampler would have it.
vec4 grain(vec2 at)
{
    return texture(noise_map, at, -0.7);
}

// Rock from three sides, so that nothing is smeared down a cliff.
vec4 rock_grain(vec3 place, vec3 normal)
{
#if QUICK // from one side, the nearest
    vec3 faces = abs(normal);
    return grain(faces.z >= max(faces.x, faces.y) ? place.xy : faces.x > faces.y ? place.yz : place.xz);
#else
    vec3 side = pow(abs(normal), vec3(4.0));
    side /= side.x + side.y + side.z;
    return grain(place.yz) * side.x + grain(place.xz) * side.y + grain(place.xy) * side.z;
#endif
}

Ground land(vec3 place, vec3 normal, float steep, float level, float open, float shore)
{
    // turned against each other, so that the tiles do not show
    vec2 turned = mat2(0.80, 0.60, -0.60, 0.80) * place.xy;
    vec4 wide = grain(place.xy / 260.0), middle = grain(place.xy / 61.0);
#if QUICK
    // one tile varies more than the mean of two
    vec4 fine = 0.14 + 0.72 * grain(turned / 23.0), grit = 0.14 + 0.72 * grain(turned.yx / 5.3);
#else
    vec4 fine = 0.5 * (grain(turned / 17.3) + grain(turned.yx / 43.7)), grit = 0.5 * (grain(turned / 3.1) + grain(place.yx / 7.9));
#endif
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
    return Ground(colour, mix(mix(soft, hard, bare), 0.16 * (middle.ba - 0.5) + 0.15 * bumps, snow), bare * (1.0 - snow));
}

// Dark where the height crosses a multiple of the interval, every fifth heavier; as wide in pixels everywhere.
float contour_line(float metres)
{
    float lines = metres / contour, wide = max(fwidth(lines), 1e-5), nearest = floor(lines + 0.5);
    bool heavy = abs(fract(nearest / 5.0 + 0.05) - 0.05) < 0.04;
    float line = 1.0 - smoothstep(heavy ? 0.7 : 0.3, heavy ? 1.5 : 1.1, abs(lines - nearest) / wide);
    return line * (heavy ? 0.8 : 0.5) * (1.0 - smoothstep(0.25, 0.6, wide));
}

// By the look that was asked for. `place` counts in cells.
Ground ground_at(vec3 place, vec3 normal, float steep, float level, float open, float shore)
{
    Ground ground = Ground(vec3(0.50), vec2(0.0), 0.0);
#if LOOK == 0
    ground = land(place, normal, steep, level, open, shore);
#elif LOOK >= 3
    ground.colour = texture(tint_map, vec2(level, 0.5)).rgb;
#endif
    return ground;
}
