// One triangle that covers the picture.
out vec2 screen;

void main()
{
    screen = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2)) * 2.0 - 1.0;
    gl_Position = vec4(screen, 1.0, 1.0);
}
