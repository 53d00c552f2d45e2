// Lines and discs over a picture, in its pixels from the upper left.
in vec2 corner;
layout(location = 1) in vec4 form; // how far from the middle, half as wide as it is, and 1 for a disc
layout(location = 2) in vec4 tint;
uniform vec2 pixels; // of the picture
out vec4 shape;
out vec4 colour;

void main()
{
    shape = form;
    colour = tint;
    gl_Position = vec4(2.0 * corner.x / pixels.x - 1.0, 1.0 - 2.0 * corner.y / pixels.y, 0.0, 1.0);
}
