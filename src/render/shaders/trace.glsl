// A volume by rays: steps as long as phi says there is air, between a tenth of a voxel and ten; bricks of air in one
// step; and halving where air became rock (Weiss 2016, 3.3.1.2).
in vec2 screen;
uniform vec3 ray_forward, ray_right, ray_up;
uniform vec3 voxel_scale, voxel_shift; // world to voxels
uniform float least_depth; // voxels below the surface that a ray comes to

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
        phi -= least_depth;
        if (phi > 0.0)
            break;
        last = t;
        t += clamp(-phi, 0.1, 10.0);
    }
    for (int k = 0; k < 7; k++) {
        float middle = 0.5 * (last + t);
        if (phi_at(from + middle * way) > least_depth)
            t = middle;
        else
            last = middle;
    }
    return t;
}
