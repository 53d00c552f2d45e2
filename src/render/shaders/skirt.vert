// The four walls below the edges of the terrain. corner.x counts cells along a wall, corner.y is 1 at the foot.
in vec2 corner;
uniform int wall; // north, east, south, west
uniform float pixel_size; // at distance 1
uniform vec4 grid;
uniform vec2 zero;
uniform vec4 piece;       // first column and row of the textures, columns, rows
uniform vec4 texels;      // last column and row of texels, texels a cell, and where the first cell lies among them
uniform mat4 camera;
uniform vec3 eye;
uniform sampler2D height_map, water_map;
out vec3 world;
out vec3 side;  // outwards
out vec2 cells;
out vec2 top; // world heights of the ground and of the water on it

// Between two texels along the wall, where there are fewer than cells.
float value_at(sampler2D map, vec2 place)
{
    vec2 at = min(max(place * texels.z + texels.w, 0.0), texels.xy);
    ivec2 first = ivec2(at), along = wall == 0 || wall == 2 ? ivec2(1, 0) : ivec2(0, 1);
    float share = dot(at - vec2(first), vec2(along));
    ivec2 next = share > 0.0 ? min(first + along, ivec2(texels.xy)) : first;
    return mix(texelFetch(map, first - ivec2(piece.xy), 0).r, texelFetch(map, next - ivec2(piece.xy), 0).r, share);
}

void main()
{
    vec2 place;
    if (wall == 0) {
        place = vec2(corner.x, 0.0);
        side = vec3(0.0, 1.0, 0.0);
    } else if (wall == 1) {
        place = vec2(grid.x, corner.x);
        side = vec3(1.0, 0.0, 0.0);
    } else if (wall == 2) {
        place = vec2(corner.x, grid.y);
        side = vec3(0.0, -1.0, 0.0);
    } else {
        place = vec2(0.0, corner.x);
        side = vec3(-1.0, 0.0, 0.0);
    }
    cells = place;
    float height = value_at(height_map, place), water = 0.0;
#if HAS_WATER
    water = value_at(water_map, place);
#endif
    float ground = (height - zero.x) * grid.w;
    vec2 centred = (place - 0.5 * grid.xy) * grid.z;
    world = vec3(centred.x, -centred.y, corner.y > 0.5 ? zero.y : ground + water * grid.w);
    // the surface has fewer corners along its edge: the wall reaches a pixel higher, behind it, and closes the gaps
    float lift = pixel_size * (camera * vec4(world, 1.0)).w;
    top = vec2(ground + lift, ground + water * grid.w + lift);
    world.z += corner.y > 0.5 ? 0.0 : lift;
    gl_Position = camera * vec4(world, 1.0);
    if (corner.y < 0.5) { // what reaches higher must not cover the ground behind it
        vec4 behind = camera * vec4(world + normalize(world - eye) * (5.0 * lift), 1.0);
        gl_Position.z = behind.z / behind.w * gl_Position.w;
    }
}
