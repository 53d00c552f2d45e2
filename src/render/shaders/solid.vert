// Triangles of a mesh.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 facing;
layout(location = 2) in float depth_before;
uniform mat4 camera;
out vec3 world;
out vec3 outwards;
out float worn; // voxels that it lay deep in rock

void main()
{
    world = corner;
    outwards = facing;
    worn = depth_before;
    gl_Position = camera * vec4(corner, 1.0);
}
