// How much water lies behind the first, and what colour it has; water far behind does not count.
uniform sampler2D depth_map;
uniform vec3 axis;
uniform float furthest, thin;
layout(location = 0) out vec4 pixel;

void main()
{
    vec3 place;
    float chord;
    float front = texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r;
    if (!meet_ball(place, chord) || dot(place - eye, axis) > front + furthest)
        discard;
    pixel = vec4(thin * chord * vec2(1.0, ball.w), 0.0, 1.0);
}
