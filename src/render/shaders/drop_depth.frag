// How far along the picture's axis the nearest water is.
uniform vec3 axis;
layout(location = 0) out vec4 pixel;

void main()
{
    vec3 place;
    float chord;
    if (!meet_ball(place, chord))
        discard;
    gl_FragDepth = depth_of(place);
    pixel = vec4(dot(place - eye, axis), 0.0, 0.0, 1.0);
}
