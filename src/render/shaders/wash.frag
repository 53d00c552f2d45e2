// Water over ground that was drawn before, from the same place: what changes from picture to picture of a land that
// water runs over. At first (COPIES) the ground as it is shown, with a depth that tells where water is; then the water,
// there alone.
uniform sampler2D kept;       // the ground without water, in its haze
uniform sampler2D shown_map;  // and as it is shown
uniform sampler2D bloom;
uniform float glow;
uniform sampler2D place_map;  // where its pixels lie: parts of the textures east and south, height in the world, 1 on land
uniform sampler2D surface_map, cover_map;
uniform vec4 piece;           // first column and row of the textures, columns, rows
uniform vec4 relief;
in vec2 screen;
layout(location = 0) out vec4 pixel;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 place = texelFetch(place_map, here, 0), cover = textureLod(cover_map, place.xy, 0.0);
#if COPIES
    pixel = texelFetch(shown_map, here, 0);
    gl_FragDepth = place.w > 0.5 && is_wet(cover.r) ? 1.0 : 0.0;
#else
    vec2 at = (place.xy * piece.zw - 0.5 + piece.xy - 0.5 * grid.xy) * grid.z;
    vec3 world = vec3(at.x, -at.y, place.z), tone;
    vec4 surface = textureLod(surface_map, place.xy, 0.0);
    float amount = haze_before(world, clamp(place.z / grid.w * relief.y, 0.0, 1.0), tone);
    vec4 land = texelFetch(kept, here, 0);
    vec3 ground = max(land.rgb - amount * tone, 0.0) / max(1.0 - amount, 0.02);
    vec3 normal = normalize(vec3(-surface.xy, 1.0));
    vec3 light = mix(add_water(ground, world, cover, normal, surface.w, surface.z * surface.z), tone, amount);
    pixel = vec4(on_film(light + glow * texture(bloom, 0.5 * screen + 0.5).rgb), land.a);
#endif
}
