// What hides the sun and the sky: depth seen from the sun, and from several places of the sky.
uniform highp sampler2DShadow sun_map;
uniform highp sampler2DArrayShadow sky_maps;
uniform int sky_count;
uniform vec4 sun_rows[3];  // world to the map: right, up, away from the sun, each 0 to 1
uniform vec4 sky_rows[72];
uniform vec3 map_texels;   // metres of a texel of the sun's map and of the sky's, and one over the sun's side

#if DRAFT && HAS_SKY_MAPS // a solid, lit at its corners
in vec2 lit;
#endif

vec3 on_map(vec4 right, vec4 up, vec4 away, vec3 world)
{
    vec4 place = vec4(world, 1.0);
    return vec3(dot(right, place), dot(up, place), dot(away, place));
}

// 1 where the sun shines, 0 where it is hidden.
float sun_on(vec3 world, vec3 normal)
{
#if !HAS_SUN_MAP
    return 1.0;
#elif DRAFT && HAS_SKY_MAPS
    return lit.y;
#else
    vec3 at = on_map(sun_rows[0], sun_rows[1], sun_rows[2], world + normal * (2.0 * map_texels.x));
    if (at.x <= 0.0 || at.x >= 1.0 || at.y <= 0.0 || at.y >= 1.0)
        return 1.0;
    float texel = 1.3 * map_texels.z, light = texture(sun_map, at);
#if DRAFT
    return light;
#endif
    for (int k = 0; k < 8; k++) {
        float angle = 2.4 * float(k), reach = texel * sqrt(float(k) + 0.7);
        light += texture(sun_map, vec3(at.xy + reach * vec2(cos(angle), sin(angle)), at.z));
    }
    return light / 9.0;
#endif
}

// Light from the sky on a surface that looks along `normal`, 1 on open level ground.
float sky_on(vec3 world, vec3 normal)
{
#if !HAS_SKY_MAPS
    return 0.55 + 0.45 * normal.z;
#elif DRAFT
    return lit.x;
#else
    float light = 0.0;
    vec3 from = world + normal * (1.7 * map_texels.y);
    for (int k = 0; k < sky_count; k++) {
        vec4 away = sky_rows[3 * k + 2];
        float facing = -dot(normal, normalize(away.xyz));
        if (facing <= 0.0)
            continue;
        vec3 at = on_map(sky_rows[3 * k], sky_rows[3 * k + 1], away, from);
        light += facing * texture(sky_maps, vec4(at.xy, float(k), at.z));
    }
    return 2.0 * light / float(sky_count);
#endif
}
