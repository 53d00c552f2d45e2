// What the cuts leave.
uniform vec3 texture_scale; // 1 / cells in metres, of the world's axes
uniform vec3 box_low, box_high; // what is left of it, in the world
uniform vec4 plane; // and not beyond this; zeros for none

// Where a ray from the eye enters what is left; beyond `stop` when it does not. `side` looks back along the axis.
float enter_box(vec3 ray, out float stop, out vec3 side)
{
    vec3 inverse = 1.0 / ray, a = (box_low - eye) * inverse, b = (box_high - eye) * inverse;
    vec3 near = min(a, b), far = max(a, b);
    float begin = max(near.x, max(near.y, near.z));
    stop = min(far.x, min(far.y, far.z));
    side = -sign(ray) * vec3(begin == near.x, begin == near.y && begin != near.x,
                             begin == near.z && begin != near.x && begin != near.y);
    // the slanting cut: a ray that leaves it comes to its end there, one that comes in begins
    float speed = dot(plane.xyz, ray), rest = plane.w - dot(plane.xyz, eye);
    if (speed > 0.0) {
        stop = min(stop, rest / speed);
    } else if (speed < 0.0 && rest / speed > begin) {
        begin = rest / speed;
        side = plane.xyz;
    } else if (speed == 0.0 && rest < 0.0) {
        stop = -1.0; // it runs along the cut, beyond it
    }
    return begin;
}
