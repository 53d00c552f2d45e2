in vec2 at;
uniform sampler2D picture;
layout(location = 0) out vec4 pixel;

void main()
{
    pixel = texture(picture, at);
}
