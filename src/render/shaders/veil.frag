// The rock as it was, a white shape in front of what is left (Weiss 2016, fig. 4.2).
layout(location = 0) out vec4 pixel;
uniform mat4 camera;

void main()
{
    vec3 ray = ray_forward + screen.x * ray_right + screen.y * ray_up, side;
    float stop, begin = enter_box(ray, stop, side);
    if (begin >= stop || stop <= 0.0)
        discard;
    vec3 way = ray * voxel_scale, from = eye * voxel_scale + voxel_shift;
    float speed = length(way);
    float hit = trace(from, way / speed, max(begin, 0.0) * speed, stop * speed);
    if (hit < 0.0)
        discard;
    vec3 world = eye + (hit + 0.05) / speed * ray; // behind rock that is still there
    vec4 clip = camera * vec4(world, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
    pixel = vec4(vec3(1.25), 0.6);
}
