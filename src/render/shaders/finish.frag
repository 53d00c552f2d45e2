// Bloom, a film's curve, and eight bits a channel with a little noise so that a clear sky shows no steps.
in vec2 screen;
uniform sampler2D picture, bloom;
uniform vec4 window; // where this tile lies in the whole picture: x, y, width, height as parts of it
uniform vec2 origin; // of the tile, in pixels
uniform vec2 texel;
uniform bool smooths; // edges that were drawn with one sample a pixel
layout(location = 0) out vec4 pixel;

// Toe, straight middle and shoulder: y = x (x + a) / (x (x + b) + c).
vec3 film(vec3 x)
{
    return x * (1.06 * x + 0.035) / (x * (x + 0.66) + 0.11);
}

vec3 encode(vec3 x)
{
    return mix(12.92 * x, 1.055 * pow(max(x, vec3(1e-5)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}

float noise(vec2 at)
{
    return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}

float level(vec2 at)
{
    float light = dot(texture(picture, at).rgb, vec3(0.3, 0.59, 0.11));
    return sqrt(light / (1.0 + light));
}

// Where light changes over a pixel, mixes along the edge what lies on it.
vec4 smooth_edge(vec2 at)
{
    float nw = level(at + texel * vec2(-1.0, 1.0)), ne = level(at + texel * vec2(1.0, 1.0));
    float sw = level(at + texel * vec2(-1.0, -1.0)), se = level(at + texel * vec2(1.0, -1.0));
    float change = max(max(nw, ne), max(sw, se)) - min(min(nw, ne), min(sw, se));
    if (change < 0.10)
        return texture(picture, at);
    // the edge runs across the gradient
    vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    along = clamp(along / (min(abs(along.x), abs(along.y)) + 0.02), -6.0, 6.0) * texel;
    vec4 near = 0.5 * (texture(picture, at - along / 6.0) + texture(picture, at + along / 6.0));
    return 0.5 * near + 0.25 * (texture(picture, at - 0.5 * along) + texture(picture, at + 0.5 * along));
}

void main()
{
    vec2 at = screen * 0.5 + 0.5;
    vec4 colour = smooths ? smooth_edge(at) : texture(picture, at);
    float cover = max(colour.a, 1e-3);
    vec3 light = colour.rgb / (colour.a > 0.0 ? cover : 1.0) + 0.30 * texture(bloom, window.xy + at * window.zw).rgb;
    vec3 shown = encode(clamp(film(light), 0.0, 1.0));
    shown += (noise(origin + gl_FragCoord.xy) - 0.5) / 255.0;
    pixel = vec4(shown, colour.a);
}
