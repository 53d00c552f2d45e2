// A patch of the grid: its corners lie `step` cells apart, and slide onto the next coarser grid with distance, so that
// patches of different detail meet without cracks.
in vec2 corner;           // whole numbers, 0 to the side of a patch
uniform vec3 patch_place; // first column and row, cells a step
uniform vec2 morph;       // distance where sliding begins, 1 / the distance it takes
uniform vec4 grid;        // columns - 1, rows - 1, metres a cell, exaggeration
uniform vec2 zero;        // lowest height, and the world height of the foot of the walls
uniform vec4 piece;       // first column and row of the textures, columns, rows
uniform vec4 texels;      // last column and row of texels, texels a cell, and where the first cell lies among them
uniform mat4 camera;
uniform vec3 eye;
uniform sampler2D height_map, water_map;
out vec3 world;
out vec2 cells;
#if DRAFT // what varies slowly is looked up at the corners
uniform sampler2D noise_map, surface_map, cover_map;
out vec4 patchy; // wide and middle speckle
out vec3 slow;   // a bed of the rock, the open sky around, water near by
#endif

float height_at(ivec2 texel)
{
    texel = min(texel, ivec2(texels.xy)) - ivec2(piece.xy);
    float height = texelFetch(height_map, texel, 0).r;
#if HAS_WATER
    height += texelFetch(water_map, texel, 0).r;
#endif
    return height;
}

float height_between(vec2 place)
{
    place = max(place * texels.z + texels.w, 0.0);
    ivec2 cell = ivec2(place);
    vec2 part = place - vec2(cell);
    float north = mix(height_at(cell), height_at(cell + ivec2(1, 0)), part.x);
    float south = mix(height_at(cell + ivec2(0, 1)), height_at(cell + ivec2(1, 1)), part.x);
    return (mix(north, south, part.y) - zero.x) * grid.w;
}

vec3 world_at(vec2 place)
{
    vec2 centred = (place - 0.5 * grid.xy) * grid.z;
    return vec3(centred.x, -centred.y, height_between(place));
}

void main()
{
    vec2 place = patch_place.xy + corner * patch_place.z;
    cells = clamp(place, vec2(0.0), grid.xy);
    world = world_at(cells);
    float slide = clamp((distance(world, eye) - morph.x) * morph.y, 0.0, 1.0);
    if (slide > 0.0) {
        vec2 odd = fract(corner * 0.5) * 2.0;
        cells = clamp(place - odd * patch_place.z * slide, vec2(0.0), grid.xy);
        world = world_at(cells);
    }
    gl_Position = camera * vec4(world, 1.0);
#if DRAFT
    vec2 at = world.xy / grid.z, uv = (cells - piece.xy + 0.5) / piece.zw;
    float level = log2(patch_place.z), coarse = level + log2(texels.z);
    patchy = vec4(textureLod(noise_map, at / 260.0, level).rg, textureLod(noise_map, at / 61.0, level + 2.0).rg);
    slow.x = textureLod(noise_map, vec2(0.13, world.z / (grid.w * grid.z * 33.0) + 0.30 * patchy.x + 0.05 * patchy.z), level + 2.0).g;
    slow.y = textureLod(surface_map, uv, 3.0 + coarse).z;
#if HAS_WATER
    slow.z = textureLod(cover_map, uv, 3.0 + coarse).r;
#else
    slow.z = 0.0;
#endif
#endif
}
