// Triangles of a mesh.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 facing;
layout(location = 2) in float depth_before;
uniform mat4 camera;
out vec3 world;
out vec3 outwards;
out float worn; // voxels that it lay deep in rock
#if DRAFT // light (as shade.glsl has it) and what varies slowly are looked up at the corners
uniform highp sampler2DShadow sun_map;
uniform highp sampler2DArrayShadow sky_maps;
uniform sampler2D noise_map;
uniform int sky_count;
uniform vec4 sun_rows[3], sky_rows[72];
uniform vec3 map_texels, texture_scale;
out vec2 lit;    // by the sky, by the sun
out vec3 placed; // in cells, turned a little aside
out vec4 patchy; // wide and middle speckle
out vec3 slow;   // a bed of the rock

vec3 on_map(vec4 right, vec4 up, vec4 away, vec3 at)
{
    vec4 place = vec4(at, 1.0);
    return vec3(dot(right, place), dot(up, place), dot(away, place));
}

vec2 light_on(vec3 normal)
{
    vec2 light = vec2(0.0, 1.0);
    vec3 from = corner + normal * (1.7 * map_texels.y);
    for (int k = 0; k < sky_count; k++) {
        vec4 away = sky_rows[3 * k + 2];
        vec3 at = on_map(sky_rows[3 * k], sky_rows[3 * k + 1], away, from);
        light.x += max(-dot(normal, normalize(away.xyz)), 0.0) * texture(sky_maps, vec4(at.xy, float(k), at.z));
    }
#if HAS_SUN_MAP
    light.y = texture(sun_map, on_map(sun_rows[0], sun_rows[1], sun_rows[2], corner + normal * (2.0 * map_texels.x)));
#endif
    return vec2(2.0 * light.x / float(max(sky_count, 1)), light.y);
}
#endif

void main()
{
    world = corner;
    outwards = facing;
    worn = depth_before;
    gl_Position = camera * vec4(corner, 1.0);
#if DRAFT
    lit = light_on(facing);
    placed = corner * texture_scale;
    placed += vec3(16.0, 16.0, 8.0) * (textureLod(noise_map, placed.yz / 260.0, 3.7).rgr + textureLod(noise_map, placed.xz / 220.0, 3.7).grg - 1.0);
    patchy = vec4(textureLod(noise_map, placed.xy / 260.0, 1.0).rg, textureLod(noise_map, placed.xy / 61.0, 3.0).rg);
    slow = vec3(textureLod(noise_map, vec2(0.13, placed.z / 33.0 + 0.30 * patchy.x + 0.05 * patchy.z), 2.0).g, 0.0, 0.0);
#endif
}
