// A volume by rays: steps as long as phi says there is air, between a tenth of a voxel and ten; bricks of air in one
// step; and halving where air became rock (Weiss 2016, 3.3.1.2).
in vec2 screen;
uniform vec3 ray_forward, ray_right, ray_up;
uniform vec3 voxel_scale, voxel_shift; // world to voxels
uniform mat4 camera;

// Where the ray leaves the bricks of air around a place.
float leave(vec3 from, vec3 way, vec3 corner, float around)
{
    float side = float(1 << brick_shift);
    vec3 wall = corner + mix(vec3(side * (1.0 - around)), vec3(side * around), step(vec3(0.0), way));
    vec3 t = (wall - from) / way;
    return min(t.x, min(t.y, t.z));
}

// The distance where rock begins between `begin` and `stop`, or -1.
float trace(vec3 from, vec3 way, float begin, float stop)
{
    float t = begin, last = begin;
    for (int k = 0; k < 512; k++) {
        if (t > stop)
            return -1.0;
        vec3 voxel = from + t * way, corner;
        uvec4 entry = brick_at(voxel, corner);
        if (entry.w > 0u && entry.w < 255u) {
            last = t;
            t = max(leave(from, way, corner, float(entry.w)), t) + 0.01;
            continue;
        }
        float phi = entry.w == 0u ? phi_in(entry, corner, clamp(voxel, corner, corner + float(1 << brick_shift))) : band;
        if (phi > 0.0)
            break;
        last = t;
        t += clamp(-phi, 0.1, 10.0);
    }
    for (int k = 0; k < 7; k++) {
        float middle = 0.5 * (last + t);
        if (phi_at(from + middle * way) > 0.0)
            t = middle;
        else
            last = middle;
    }
    return t;
}

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
        colour = cut_colour(world, side);
    } else {
        vec3 voxel = from + hit * way / speed;
        vec3 gradient = vec3(phi_at(voxel + vec3(1.0, 0.0, 0.0)) - phi_at(voxel - vec3(1.0, 0.0, 0.0)),
                             phi_at(voxel + vec3(0.0, 1.0, 0.0)) - phi_at(voxel - vec3(0.0, 1.0, 0.0)),
                             phi_at(voxel + vec3(0.0, 0.0, 1.0)) - phi_at(voxel - vec3(0.0, 0.0, 1.0)));
        colour = surface_colour(world, normalize(-gradient * voxel_scale + vec3(0.0, 0.0, 1e-9)));
    }
    vec4 clip = camera * vec4(world, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
    pixel = vec4(colour, 1.0);
}
