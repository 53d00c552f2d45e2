// The rock that a ray comes to, or where it is cut.
uniform mat4 camera;

void main()
{
    vec3 ray = ray_forward + screen.x * ray_right + screen.y * ray_up, side;
    float stop, begin = enter_box(ray, stop, side);
    if (begin >= stop || stop <= 0.0)
        discard;
    vec3 way = ray * voxel_scale, from = eye * voxel_scale + voxel_shift;
    float speed = length(way);
    begin = max(begin, 0.0);
    float hit = trace(from, way / speed, begin * speed, stop * speed);
    if (hit < 0.0)
        discard;
    float t = hit / speed;
    vec3 world = eye + t * ray, colour;
    if (hit <= begin * speed + 0.02) {
        colour = cut_colour(world, side, former_at(from + hit * way / speed));
    } else {
        vec3 voxel = from + hit * way / speed;
        vec3 gradient = vec3(phi_at(voxel + vec3(1.0, 0.0, 0.0)) - phi_at(voxel - vec3(1.0, 0.0, 0.0)),
                             phi_at(voxel + vec3(0.0, 1.0, 0.0)) - phi_at(voxel - vec3(0.0, 1.0, 0.0)),
                             phi_at(voxel + vec3(0.0, 0.0, 1.0)) - phi_at(voxel - vec3(0.0, 0.0, 1.0)));
        colour = surface_colour(world, normalize(-gradient * voxel_scale + vec3(0.0, 0.0, 1e-9)), former_at(voxel));
    }
    vec4 clip = camera * vec4(world, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
    pixel = vec4(colour, 1.0);
}
