// The sea where no rock lies behind it: up to its far side.
in vec2 screen;
uniform vec3 ray_forward, ray_right, ray_up;
uniform mat4 camera;

void main()
{
    vec3 ray = ray_forward + screen.x * ray_right + screen.y * ray_up;
    float enter, leave;
    bool by_top;
    if (!in_sea(ray, enter, leave, by_top))
        discard;
    vec3 world = eye + leave * ray;
    vec4 clip = camera * vec4(world, 1.0);
    gl_FragDepth = min(0.5 + 0.5 * clip.z / clip.w, 0.999999);
    vec3 colour = through_sea(sky_colour(normalize(ray)), world);
    pixel = vec4(add_haze(colour, world, 0.0), 1.0);
}
