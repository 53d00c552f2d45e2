// One direction of a bell-shaped blur; twice makes two dimensions.
in vec2 screen;
uniform sampler2D picture;
uniform vec2 way; // one tap further
layout(location = 0) out vec4 pixel;

void main()
{
    vec2 at = screen * 0.5 + 0.5;
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int k = -8; k <= 8; k++) {
        float weight = exp(-float(k * k) / 24.0);
        sum += weight * texture(picture, at + way * float(k)).rgb;
        weights += weight;
    }
    pixel = vec4(sum / weights, 1.0);
}
