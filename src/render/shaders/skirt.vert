// The four walls below the edges of the terrain. corner.x counts cells along a wall, corner.y is 1 at the foot.
in vec2 corner;
uniform int wall; // north, east, south, west
uniform float pixel_size; // at distance 1
uniform vec4 grid;
uniform vec2 zero;
uniform vec4 piece;       // first column and row of the textures, columns, rows
uniform mat4 camera;
uniform vec3 eye;
uniform sampler2D height_map, water_map;
out vec3 world;
out vec3 side;  // outwards
out vec2 cells;
out vec2 top; // world heights of the ground and of the water on it

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
    float height = texelFetch(height_map, ivec2(place - piece.xy), 0).r, water = 0.0;
#if HAS_WATER
    water = texelFetch(water_map, ivec2(place - piece.xy), 0).r;
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
