// What covers the ground: sand, grass, rock and snow by height and slope, or the colours of an atlas.
// LOOK is 0 for land, 2 grey, 3 contours, 4 tint, 5 soil.
uniform vec4 relief;       // lowest height, 1 / span, snow line as a part of the span, span
uniform float relief_rise; // exaggeration
uniform float contour;     // metres between lines
uniform sampler2D noise_map, tint_map;

uniform float arid;        // 0 where it rains, 1 in a desert

// Linear colours.
const vec3 sand = vec3(0.47, 0.38, 0.24), dry_grass = vec3(0.215, 0.180, 0.088);
const vec3 grass = vec3(0.094, 0.118, 0.036), forest = vec3(0.026, 0.044, 0.018);
const vec3 heath = vec3(0.168, 0.142, 0.090), scree = vec3(0.275, 0.248, 0.215);
const vec3 rock_dark = vec3(0.096, 0.086, 0.080), rock_pale = vec3(0.315, 0.280, 0.240);
const vec3 red_dark = vec3(0.190, 0.082, 0.045), red_pale = vec3(0.520, 0.330, 0.190);
const vec3 white = vec3(0.76, 0.80, 0.86);

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

#if !QUICK
float random(uvec2 at, uint k)
{
    uint h = at.x * 0x9e3779b1u ^ (at.y + k) * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return float((h ^ h >> 15) >> 8) / 16777216.0;
}

// Furrows that run down a slope: waves across it around scattered points, mixed. Their height, and how it changes
// across the slope.
vec2 furrows(vec2 at, vec2 across)
{
    vec2 corner = floor(at), sum = vec2(0.0);
    float weights = 1e-4;
    for (int n = 0; n < 9; n++) {
        vec2 cell = corner + vec2(float(n % 3 - 1), float(n / 3 - 1));
        uvec2 key = uvec2(ivec2(cell) + 65536);
        vec2 away = at - cell - 0.15 - 0.7 * vec2(random(key, 0u), random(key, 1u));
        float weight = max(1.0 - dot(away, away) / 1.32, 0.0), phase = (5.0 + 9.0 * random(key, 2u)) * dot(away, across);
        weight *= weight;
        sum += weight * vec2(cos(phase), -sin(phase));
        weights += weight;
    }
    return sum / weights;
}
#endif

#if DRAFT
in vec4 patchy;
in vec3 slow;
#endif

Ground land(vec3 place, vec3 normal, float steep, float level, float open, float shore)
{
    // turned against each other, so that the tiles do not show
    vec2 turned = mat2(0.80, 0.60, -0.60, 0.80) * place.xy;
#if DRAFT // one look at the speckle, from the nearest side, its channels taken for others
    vec4 wide = patchy.xyxy, middle = vec4(patchy.zw, 0.5, 0.5);
    vec3 faces = abs(normal);
    vec2 flat_on = faces.z >= 0.7 * max(faces.x, faces.y) ? turned : faces.x > faces.y ? place.yz : place.xz;
    vec4 fine = 0.14 + 0.72 * grain(flat_on / 23.0), grit = fine.gbra, stone = fine.brag;
#else
    vec4 wide = grain(place.xy / 260.0), middle = grain(place.xy / 61.0);
#if QUICK
    // one tile varies more than the mean of two
    vec4 fine = 0.14 + 0.72 * grain(turned / 23.0), grit = 0.14 + 0.72 * grain(turned.yx / 5.3);
#else
    vec4 fine = 0.5 * (grain(turned / 17.3) + grain(turned.yx / 43.7)), grit = 0.5 * (grain(turned / 3.1) + grain(place.yx / 7.9));
#endif
    vec4 stone = rock_grain(place * vec3(1.0, 1.0, 1.7) / 21.0, normal);
#endif
    float small = 0.7 * (fine.r - 0.5) + 0.3 * (grit.g - 0.5);
    float rough = 0.45 * (wide.r - 0.5) + 0.3 * (middle.g - 0.5) + 0.4 * small;

    // what grows likes valleys, hollows and slopes that the sun does not dry out, and leaves windy crests alone
    float moist = 1.3 * (0.88 - open) + 0.22 * (0.5 - normal.y) * steep + 0.5 * (wide.g - 0.5) - 0.55 * arid;
    float lush = smoothstep(0.15, 0.80, 0.95 - level + moist + 0.4 * small);
    lush *= 1.0 - 0.7 * smoothstep(0.90, 1.0, open) * smoothstep(0.25, 0.65, level);
    float trees = smoothstep(0.36, 0.52, 0.44 + moist + 0.9 * small + 0.45 * (middle.r - 0.5) - 0.5 * smoothstep(0.40, 0.75, level));
    vec3 green = mix(grass, forest, trees * lush);
    vec3 cover = mix(mix(dry_grass, green, lush), heath, smoothstep(0.45, 0.80, level + rough));
    cover = mix(cover, 0.75 * mix(sand, red_pale, 0.45), 0.8 * arid * (1.0 - lush));
    cover *= 0.62 + 0.34 * fine.g + 0.16 * middle.r + 0.38 * grit.r;
    float beach = shore + 0.35 * (1.0 - smoothstep(0.0, 0.08, level + 0.06 * rough));
    cover = mix(cover, sand * (0.8 + 0.4 * fine.r), clamp(beach, 0.0, 0.9) * (1.0 - smoothstep(0.10, 0.35, steep)));

#if DRAFT
    float band = slow.x;
#else
    float band = grain(vec2(0.13, place.z / 33.0 + 0.30 * wide.r + 0.05 * middle.r)).g;
#endif
    float crack = abs(1.1 * stone.g + 0.9 * fine.g - 1.0);
    float pale = smoothstep(0.10, 0.90, 0.35 * stone.r + 0.40 * band + 0.30 * wide.g);
    vec3 rock = mix(mix(rock_dark, rock_pale, pale), mix(red_dark, red_pale, smoothstep(0.25, 0.75, 0.3 * pale + 0.7 * band)), arid);
    rock *= mix(vec3(1.0), vec3(1.08, 0.98, 0.86), smoothstep(0.40, 0.70, wide.r)); // rust here and there
    rock *= (0.70 + 0.38 * smoothstep(0.0, 0.20, crack)) * (0.65 + 0.70 * grit.r);
    // roots hold soil on slopes; frost and drought bare them
    float holds = mix(1.10, 0.58, smoothstep(0.28, 0.82, level + 0.35 * rough + 0.7 * arid));
    float bare = smoothstep(-0.10, 0.12, steep - holds + 0.35 * rough + 0.45 * small);
    float rubble = smoothstep(-0.26, -0.08, steep - holds + 0.3 * rough + 0.4 * small) * (1.0 - bare);
    vec3 gravel = mix(scree, 0.8 * red_pale, arid) * (0.35 + 0.50 * fine.r + 0.80 * grit.r);
    vec3 colour = mix(mix(cover, gravel, 0.8 * rubble * smoothstep(0.1, 0.5, level + 0.5 * arid)), rock, bare);

    // snow lies lower on the north side and in hollows, and slides off what is steep
    float line = relief.z + 0.05 * normal.y - 0.12 * (0.9 - open);
    float snow = smoothstep(-0.03, 0.05, level - line + 0.22 * rough + 0.10 * small);
    snow *= 1.0 - smoothstep(0.66, 0.95, steep + 0.35 * (stone.r - 0.5) + 0.5 * small - 0.6 * smoothstep(line, line + 0.3, level));
    colour = mix(colour, white, snow);

    vec2 bumps = fine.ba - 0.5, pits = grit.ba - 0.5;
#if !QUICK
    // what only a near eye sees: furrows in rock and rubble, blades and stones; nothing where pixels are too wide
    vec2 down = normal.xy + 0.10 * steep * bumps;
    vec2 across = vec2(-down.y, down.x) / max(length(down), 1e-4), at = place.xy + 3.0 * (fine.rg - 0.5);
    float wide_pixel = max(length(dFdx(place)), length(dFdy(place)));
    vec2 gully = furrows(0.31 * at, across) * (1.0 - smoothstep(0.25, 1.0, wide_pixel)) * smoothstep(0.30, 0.65, fine.g);
    gully += 0.7 * furrows(1.13 * at + 31.7, across) * (1.0 - smoothstep(0.08, 0.30, wide_pixel)) * smoothstep(0.65, 0.35, middle.r);
    gully *= smoothstep(0.25, 0.70, steep) * max(bare, 0.7 * rubble) * (1.0 - 0.6 * snow) * smoothstep(0.05, 0.40, normal.z);
    // where many of its tiles would be seen at once, they are left out
    vec4 tiny = 0.5 + (0.5 * (grain(turned.yx / 1.13) + grain(place.xy / 1.87)) - 0.5) * (1.0 - smoothstep(0.01, 0.04, wide_pixel));
    colour *= (1.0 + 0.20 * gully.x) * (1.0 + (0.7 - 0.5 * snow) * (tiny.r - 0.5));
    bumps += 0.7 * gully.y * across;
    pits += tiny.ba - 0.5;
#endif
    vec2 soft = 0.30 * (middle.ba - 0.5) + 0.55 * bumps + 0.5 * pits;
    vec2 hard = 1.5 * (stone.ba - 0.5) + 0.8 * bumps + 0.7 * pits;
    return Ground(colour, mix(mix(soft, hard, bare), 0.16 * (middle.ba - 0.5) + 0.15 * bumps, snow), bare * (1.0 - snow));
}

// Bare earth: loam and clay in patches, paler where it is steep and the subsoil shows.
Ground soil(vec3 place, vec3 normal, float steep)
{
    vec2 turned = mat2(0.80, 0.60, -0.60, 0.80) * place.xy;
    vec4 wide = grain(turned / 310.0), middle = 0.5 * (grain(place.xy / 83.0) + grain(turned.yx / 131.0));
    vec4 fine = 0.5 * (grain(turned / 17.3) + grain(turned.yx / 43.7)), grit = rock_grain(place / 3.1, normal);
    float patchy_soil = 0.40 * wide.r + 0.35 * middle.r + 0.25 * fine.g;
    vec3 colour = mix(vec3(0.250, 0.178, 0.112), vec3(0.320, 0.245, 0.165), smoothstep(0.35, 0.65, patchy_soil));
    colour = mix(colour, vec3(0.370, 0.310, 0.235), 0.65 * smoothstep(0.45, 1.10, steep + 0.3 * (fine.r - 0.5)));
    colour *= 0.80 + 0.16 * fine.r + 0.24 * grit.g;
    return Ground(colour, 0.25 * (middle.ba - 0.5) + 0.45 * (fine.ba - 0.5) + 0.45 * (grit.ba - 0.5), 0.0);
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
#elif LOOK == 5
    ground = soil(place, normal, steep);
#elif LOOK >= 3
    ground.colour = texture(tint_map, vec2(level, 0.5)).rgb;
#endif
    return ground;
}
