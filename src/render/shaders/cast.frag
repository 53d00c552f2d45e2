// What was cut away casts no shadow.
in vec3 world;
uniform bool is_cut;
uniform vec3 box_low, box_high;
uniform vec4 plane;

void main()
{
    if (is_cut && (any(lessThan(world, box_low)) || any(greaterThan(world, box_high)) || dot(plane.xyz, world) > plane.w))
        discard;
}
