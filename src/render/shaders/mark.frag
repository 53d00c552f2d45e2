in vec4 shape;
in vec4 colour;
layout(location = 0) out vec4 pixel;

void main()
{
    float away = shape.w > 0.5 ? length(shape.xy) : abs(shape.x);
    pixel = vec4(colour.rgb, colour.a * clamp(shape.z + 0.5 - away, 0.0, 1.0));
}
