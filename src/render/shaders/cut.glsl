// Layers of rock where the ground is cut; `place` runs along the cut and up, in cells. The last number is the grain.
vec4 cut_rock(vec2 place)
{
    vec3 warp = texture(noise_map, vec2(place.x / 420.0, place.y / 160.0)).rgb;
    float band = texture(noise_map, vec2(0.37 + place.x / 3000.0, (place.y + 9.0 * warp.r) / 46.0)).g;
    float grain = texture(noise_map, place / 38.0).r;
    vec3 rock = mix(vec3(0.115, 0.085, 0.064), vec3(0.225, 0.180, 0.140), smoothstep(0.25, 0.75, band));
    return vec4(rock * (0.80 + 0.4 * grain), grain);
}
