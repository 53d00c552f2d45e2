// Water over the ground. Needs common.glsl and the speckle.
uniform vec4 grid;         // columns - 1, rows - 1, metres a cell, exaggeration
uniform vec2 water_scale;  // metres of depth at half the code, metres a cell

// Whether it is seen: in a draft a film of rain is not, of which less than a thirtieth would be.
bool is_wet(float code)
{
#if DRAFT
    return water_scale.x * code > (0.0020 * water_scale.y + 0.0030) * (1.0 - code);
#else
    return code > 0.0;
#endif
}

#if DRAFT // by products alone
vec3 fade(vec3 x)
{
    return 1.0 / (1.0 + x * (1.0 + x * (0.5 + x * (0.16 + 0.05 * x))));
}

float to_the_fifth(float x)
{
    return x * x * x * x * x;
}

float glint(float x)
{
    float two = x * x, four = two * two, eight = four * four, much = eight * eight;
    much *= much; // 32
    float more = much * much;
    return much * more * more * more; // 224
}
#else
vec3 fade(vec3 x)
{
    return exp(-x);
}

float to_the_fifth(float x)
{
    return pow(x, 5.0);
}

float glint(float x)
{
    return pow(x, 220.0);
}
#endif

// Colour of deep water, what of the ground shines through, and the mirrored sky.
vec3 add_water(vec3 ground, vec3 world, vec4 cover, vec3 land_normal, float sunshine, float open)
{
    float depth = water_scale.x * cover.r / max(1.0 - cover.r, 0.004);
    float there = smoothstep(0.0, 0.02 * water_scale.y + 0.03, depth);
    vec2 place = world.xy / grid.z;
#if DRAFT
    vec2 waves = 2.0 * texture(noise_map, place / 11.0).ba - 1.0;
#else
    vec2 waves = texture(noise_map, place / 17.0).ba + texture(noise_map, place.yx / 5.3).ba - 1.0;
#endif
    vec3 level = mix(land_normal, vec3(0.0, 0.0, 1.0), smoothstep(0.0, 0.10 * water_scale.y + 0.3, depth));
    vec3 normal = normalize(level + vec3(0.07 * waves, 0.0));
    vec3 ray = normalize(world - eye), back = reflect(ray, normal);
    back.z = abs(back.z);
    float face = clamp(dot(-ray, normal), 0.0, 1.0), mirror = 0.02 + 0.98 * to_the_fifth(1.0 - face);
    float clear = 1.0 / (0.35 + 0.055 * water_scale.y); // a metre of water hides more on a small terrain
    vec3 through = fade(depth * clear * vec3(1.5, 0.75, 0.62) / max(face, 0.35));
    vec3 body = vec3(0.012, 0.044, 0.064);
    body = mix(body, vec3(0.075, 0.150, 0.035), min(1.2 * cover.g, 1.0));
    through *= 1.0 - 0.7 * cover.g;
    vec3 light = sun_light * max(sun.z, 0.0) * (0.3 + 0.7 * sunshine) * 0.8 + sky_light * open;
    vec3 water = mix(body * light, ground, through);
    vec3 reflected = sky_colour(back) * (0.45 + 0.55 * open);
    water = mix(water, reflected, 0.85 * mirror);
    water += sun_light * sunshine * 2.5 * glint(max(dot(back, sun), 0.0));
    return mix(ground, water, there);
}
