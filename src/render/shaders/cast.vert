// Depth as the sun or a part of the sky sees it.
layout(location = 0) in vec3 corner;
uniform vec4 rows[3];
out vec3 world;

void main()
{
    world = corner;
    vec4 place = vec4(corner, 1.0);
    gl_Position = vec4(2.0 * vec3(dot(rows[0], place), dot(rows[1], place), dot(rows[2], place)) - 1.0, 1.0);
}
