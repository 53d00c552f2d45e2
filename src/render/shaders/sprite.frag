// A clear disc, thicker in its middle, with a rim that catches the light.
uniform sampler2D ramp_map;
uniform bool means;
layout(location = 0) out vec4 pixel;

void main()
{
    float square = dot(disc, disc);
    if (square > 1.0)
        discard;
    vec3 colour = texture(ramp_map, vec2(ball.w * 0.996 + 0.002, 0.5)).rgb;
    float sunshine = sun_on(ball.xyz, vec3(0.0, 0.0, 1.0));
    vec3 light = sun_light * (0.45 * sunshine + 0.15) + sky_light;
    float rim = smoothstep(0.55, 0.95, square) * (means ? 0.2 : 0.6), lit = max(0.4 + 0.6 * disc.y, 0.0);
    float cover = (means ? 0.55 : 0.32) + 0.25 * rim;
    cover *= 1.0 - smoothstep(0.85, 1.0, square);
    pixel = vec4(add_haze(colour * light * (0.8 + 0.9 * rim * lit), ball.xyz, 0.0), cover);
}
