// Triangles of a mesh.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 facing;
uniform mat4 camera;
out vec3 world;
out vec3 outwards;

void main()
{
    world = corner;
    outwards = facing;
    gl_Position = camera * vec4(corner, 1.0);
}
