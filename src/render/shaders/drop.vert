// A square that covers a ball as the eye sees it.
layout(location = 0) in vec2 corner; // -1 or 1
layout(location = 1) in vec4 drop;   // where it is, and its place on the colour ramp
uniform mat4 camera;
uniform vec3 eye;
uniform float radius;
flat out vec4 ball;
out vec3 world;
out vec2 disc;

void main()
{
    vec3 way = drop.xyz - eye;
    float away = length(way);
    vec3 right = normalize(cross(way, abs(way.z) > 0.99 * away ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0)));
    vec3 up = cross(right, way) / away;
    // near the eye the edge of a ball is seen beyond its middle
    float reach = radius * away / sqrt(max(away * away - radius * radius, 1e-3 * radius * radius));
    ball = drop;
    disc = corner;
    world = drop.xyz + reach * (corner.x * right + corner.y * up);
    gl_Position = away < 1.5 * radius ? vec4(2.0, 2.0, 2.0, 1.0) : camera * vec4(world, 1.0);
}
