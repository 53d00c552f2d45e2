// A mesh, whole or cut open.
in vec3 world;
in vec3 outwards;
in float worn;
uniform bool is_closed, has_walls;

// Outwards where a fragment lies on the sides of the whole, else zero.
vec3 wall_side(vec3 place)
{
    vec3 near = vec3(0.0005) * (box_high - box_low);
    vec3 side = vec3(lessThan(box_high - place, near)) - vec3(lessThan(place - box_low, near));
    return side.x != 0.0 ? vec3(side.x, 0.0, 0.0) : side.y != 0.0 ? vec3(0.0, side.y, 0.0) : vec3(0.0, 0.0, side.z);
}

void main()
{
#if CUT
    vec3 ray = world - eye, side, at = world;
    float stop, begin = enter_box(ray, stop, side);
    bool back = !gl_FrontFacing;
    if (is_cut && begin > 1.0)
        discard; // in front of what is left
    // behind its own first cut a ray comes to a back first: there it entered solid rock
    bool shows_cut = is_cut && is_closed && back && begin > 0.0 && begin < stop;
    if (shows_cut) {
        at = eye + begin * ray;
    } else if (is_cut && (stop < 1.0 || begin > stop)) {
        // behind what is left: nothing more of it is seen here
        if (begin > stop || !is_closed)
            discard;
        pixel = air.w > 0.5 ? vec4(0.0) : vec4(sky_colour(normalize(ray)), 1.0);
        return;
    } else {
        side = has_walls && !is_cut ? wall_side(world) : vec3(0.0);
        shows_cut = side != vec3(0.0);
    }
    if (shows_cut) {
        pixel = vec4(cut_colour(at, side, 0.0), 1.0);
        return;
    }
#endif
    vec3 normal = normalize(outwards);
    pixel = vec4(surface_colour(world, gl_FrontFacing ? normal : -normal, worn), 1.0);
}
