// The surface of a mesh or a volume: the looks of the land on any side, and layers of rock where it is cut.
layout(location = 0) out vec4 pixel;

#if DRAFT
in vec3 placed;
#endif

// Slopes of the grain of rock, seen from three sides.
vec3 rock_bumps(vec3 place, vec3 normal)
{
#if DRAFT // from the nearest
    vec3 faces = abs(normal);
    bool level = faces.z >= max(faces.x, faces.y), east = faces.x > faces.y;
    vec2 slope = grain(level ? place.xy : east ? place.yz : place.xz).ba - 0.5;
    return level ? vec3(slope, 0.0) : east ? vec3(0.0, slope) : vec3(slope.x, 0.0, slope.y);
#endif
    vec3 side = pow(abs(normal), vec3(4.0));
    side /= side.x + side.y + side.z;
    vec2 a = grain(place.yz).ba - 0.5, b = grain(place.xz).ba - 0.5, c = grain(place.xy).ba - 0.5;
    return side.x * vec3(0.0, a) + side.y * vec3(b.x, 0.0, b.y) + side.z * vec3(c, 0.0);
}

vec3 daylight(vec3 normal, float sunshine, float open)
{
    vec3 light = sun_light * max(dot(normal, sun), 0.0) * sunshine + sky_light * open;
    return light + sun_light * vec3(0.055, 0.048, 0.038) * (0.45 + 0.75 * open - 0.35 * normal.z * open);
}

const vec3 laid_colour = vec3(0.40, 0.21, 0.07);

// Rock that was laid bare is fresh and pale, and what came to lie is ochre, from a part of a voxel on.
Ground wear_ground(Ground ground, float worn, vec3 place)
{
#if DRAFT
    float shade = 0.85 + 0.3 * patchy.z;
#else
    float shade = 0.85 + 0.3 * grain(place.xy / 11.0 + place.z / 7.0).r;
#endif
    float bare = smoothstep(0.20, 1.0, worn), laid = smoothstep(0.15, 0.7, -worn);
    ground.colour = mix(ground.colour, vec3(0.52, 0.45, 0.36) * shade, 0.85 * bare);
    ground.colour = mix(ground.colour, laid_colour * shade, 0.85 * laid);
    ground.bare = mix(ground.bare, 0.6, bare);
    return ground;
}

#if LOOK == 0 && !DRAFT
// A cliff by the sea: beds of uneven hardness with dark seams between them, upright joints, streaks where water runs down,
// and weed and wet where waves reach; paler where it is fresh. Returns the slopes its beds add.
vec3 sea_cliff(inout Ground ground, vec3 place, vec3 normal, float steep, float above, float fresh)
{
    vec4 stone = rock_grain(place / 37.0, normal), fine = rock_grain(place / 11.3, normal), grit = rock_grain(place / 2.9, normal);
    vec4 tall = rock_grain(place * vec3(1.0, 1.0, 0.14) / 23.0, normal);
    float pixel = max(length(dFdx(place)), length(dFdy(place))), near = 1.0 - smoothstep(0.3, 1.0, pixel);
    float face = smoothstep(0.7, 1.3, steep + 0.6 * (fine.r - 0.5));
    float level = place.z + 2.6 * (stone.r - 0.5) + 1.1 * (fine.g - 0.5), bed = level / 8.0 + 1.6 * grain(vec2(0.37, level / 83.0)).r;
    float t = fract(bed), hard = grain(vec2(0.71, (floor(bed) + 0.5) / 13.7)).g, thin = fract(3.0 * bed);
    float seam = (1.0 - smoothstep(0.02, 0.11, min(t, 1.0 - t))) * smoothstep(0.32, 0.52, stone.g + 0.4 * (fine.r - 0.5)) * (1.0 - smoothstep(0.7, 2.0, pixel));
    float hair = (1.0 - smoothstep(0.0, 0.16, min(thin, 1.0 - thin))) * smoothstep(0.42, 0.62, fine.g) * near;
    float joint = (1.0 - smoothstep(0.0, 0.030, abs(tall.r - 0.5))) * smoothstep(0.45, 0.62, stone.r + 0.35 * (fine.r - 0.5)) * near;
    float streak = smoothstep(0.45, 0.75, tall.g) * smoothstep(0.40, 0.65, stone.g) * (1.0 - fresh);
    float pale = smoothstep(0.25, 0.75, 0.6 * hard + 0.4 * stone.r);
    vec3 rock = mix(vec3(0.215, 0.198, 0.172), vec3(0.405, 0.378, 0.325), pale);
    rock *= mix(vec3(1.0), vec3(1.10, 0.97, 0.78), smoothstep(0.52, 0.72, stone.g)); // rust here and there
    rock = mix(rock, mix(vec3(0.47, 0.42, 0.34), vec3(0.62, 0.57, 0.48), pale), 0.8 * fresh);
    rock *= (0.62 + 0.76 * (0.45 * fine.r + 0.55 * grit.r)) * (1.0 - 0.35 * streak);
    rock *= (1.0 - 0.50 * seam) * (1.0 - 0.28 * hair) * (1.0 - 0.45 * joint);
    ground.colour = mix(ground.colour, rock, max(face, fresh));
    ground.bare = mix(ground.bare, 1.0, face);
    float wet = 1.0 - smoothstep(2.0, 6.5, above + 4.0 * (fine.r - 0.5) + 3.0 * (stone.r - 0.5));
    ground.colour *= mix(vec3(1.0), vec3(0.34, 0.35, 0.30), wet);
    return face * vec3(0.0, 0.0, 0.9 * seam * sign(t - 0.5) + 0.5 * hair * sign(thin - 0.5));
}
#endif

// `worn` is how many voxels the place lay deep in rock, or 0.
vec3 surface_colour(vec3 world, vec3 normal, float worn)
{
    float open = sky_on(world, normal), sunshine = sun_on(world, normal);
    float metres = world.z / relief_rise + relief.x, level = clamp((metres - relief.x) * relief.y, 0.0, 1.0);
#if DRAFT
    vec3 place = placed;
#else
    vec3 place = world * texture_scale;
    // on large sides repeats would show; slowly, or what is fine would be drawn out; and beds lie nearly level
    place += vec3(16.0, 16.0, 8.0) * (textureLod(noise_map, place.yz / 260.0, 3.7).rgr + textureLod(noise_map, place.xz / 220.0, 3.7).grg - 1.0);
#endif
    float shore = sea_level < -1e29 ? 0.0 : 1.0 - smoothstep(0.0, 6.0, (world.z - sea_level) * texture_scale.z);
    float steep = normal.z > 0.05 ? length(normal.xy) / normal.z / relief_rise : 20.0;
    Ground ground = ground_at(place, normal, min(steep, 20.0), level, min(open + 0.1, 1.0), shore);
    ground = wear_ground(ground, worn, place);
    vec3 edges = vec3(0.0);
#if LOOK == 0 && !DRAFT
    if (sea_level > box_low.z)
        edges = sea_cliff(ground, place, normal, steep, (world.z - sea_level) * texture_scale.z, smoothstep(0.20, 1.0, worn));
#endif
    vec3 bumps = vec3(ground.bumps, 0.0);
#if LOOK == 0
#if DRAFT
    bumps = mix(bumps, 1.4 * rock_bumps(place * vec3(1.0, 1.0, 1.7) / 21.0, normal), ground.bare);
#else
    bumps = mix(bumps, 1.2 * rock_bumps(place * vec3(1.0, 1.0, 1.7) / 21.0, normal) +
                       0.6 * rock_bumps(place / 5.3, normal), ground.bare);
#endif
#endif
    bumps += edges;
    vec3 bumpy = normalize(normal - 0.8 * (bumps - normal * dot(bumps, normal)));
    vec3 colour = ground.colour * daylight(bumpy, sunshine, open);
#if LOOK == 3
    colour *= 1.0 - contour_line(metres);
#endif
    colour = through_sea(colour, world);
    return add_haze(colour, world, level);
}

// `worn` as above: what came to lie is seen in its thickness.
vec3 cut_colour(vec3 world, vec3 side, float worn)
{
    vec3 place = world * texture_scale;
    vec2 way = vec2(-side.y, side.x); // along the cut, level; towards the north or the east
    way *= abs(way.y) > abs(way.x) ? sign(way.y) : sign(way.x);
    vec2 along = abs(side.z) > 0.8 ? place.xy : vec2(dot(place.xy, way) / max(length(way), 1e-3), place.z);
    vec3 rock = mix(cut_rock(along).rgb, laid_colour, 0.8 * smoothstep(0.0, 0.3, -worn));
    float facing = max(dot(side, sun), 0.0) * sun_on(world, side);
    vec3 light = sun_light * facing * 0.55 + (sky_light + vec3(0.42, 0.38, 0.32)) * (0.62 + 0.30 * sky_on(world, side));
    return add_haze(rock * light, world, 0.0);
}
