// A picture laid over another, in pixels of that from the lower left.
in vec2 corner;     // 0 or 1
uniform vec4 place; // left, bottom, width, height
uniform vec2 pixels;
out vec2 at;

void main()
{
    at = vec2(corner.x, 1.0 - corner.y);
    gl_Position = vec4(2.0 * (place.xy + corner * place.zw) / pixels - 1.0, 0.0, 1.0);
}
