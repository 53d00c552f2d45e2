// What blooms: Reinhard's operator brings the picture to 0..1 by its key, and only what is still bright stays.
in vec2 screen;
uniform sampler2D picture;
uniform vec2 texel; // of the picture
uniform float above; // how bright a place must be to glow
uniform float per_white; // 1 / L_white^2
layout(location = 0) out vec4 pixel;

vec3 bright(vec2 at)
{
    vec3 colour = texture(picture, at).rgb;
    float level = dot(colour, vec3(0.2126, 0.7152, 0.0722)), mapped = level * (1.0 + level * per_white) / (1.0 + level);
    return colour * (max(mapped - above, 0.0) / max(mapped, 1e-3));
}

void main()
{
    vec2 at = screen * 0.5 + 0.5;
    vec3 sum = bright(at + texel * vec2(-1.0, -1.0)) + bright(at + texel * vec2(1.0, -1.0)) +
               bright(at + texel * vec2(-1.0, 1.0)) + bright(at + texel * vec2(1.0, 1.0));
    pixel = vec4(0.25 * min(sum, vec3(16.0)), 1.0);
}
