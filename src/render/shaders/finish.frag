// Bloom, a film's curve, and eight bits a channel with a little noise so that a clear sky shows no steps.
in vec2 screen;
uniform sampler2D picture, bloom;
uniform float glow; // how strong the bloom is
uniform vec4 window; // where this tile lies in the whole picture: x, y, width, height as parts of it
uniform vec2 origin; // of the tile, in pixels
uniform vec2 texel;
uniform vec2 soft;
layout(location = 0) out vec4 pixel;

float noise(vec2 at)
{
    return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}

float level(vec4 colour)
{
    float light = dot(colour.rgb, vec3(0.3, 0.59, 0.11));
    return sqrt(light / (1.0 + light));
}

vec4 light_at(ivec2 at, ivec2 last)
{
    return texelFetch(picture, clamp(at, ivec2(0), last), 0);
}

// Where light changes over a pixel, mixes along the edge what lies on it.
vec4 smooth_edge(vec2 at)
{
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(picture, 0) - 1;
    float nw = level(light_at(here + ivec2(-1, 1), last)), ne = level(light_at(here + ivec2(1, 1), last));
    float sw = level(light_at(here + ivec2(-1, -1), last)), se = level(light_at(here + ivec2(1, -1), last));
    float change = max(max(nw, ne), max(sw, se)) - min(min(nw, ne), min(sw, se));
    vec4 colour = light_at(here, last);
    // a loop of one turn or none: renderers that run both sides of an `if` leave a loop early
    int turns = change < 0.10 ? 0 : 1;
    for (int k = 0; k < turns; k++) {
        // the edge runs across the gradient
        vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
        along = clamp(along / (min(abs(along.x), abs(along.y)) + 0.02), -6.0, 6.0) * texel;
        vec4 near = textureLod(picture, at - along / 6.0, 0.0) + textureLod(picture, at + along / 6.0, 0.0);
        vec4 far = textureLod(picture, at - 0.5 * along, 0.0) + textureLod(picture, at + 0.5 * along, 0.0);
        colour = 0.25 * (near + far);
    }
    return colour;
}

void main()
{
    vec2 at = screen * 0.5 + 0.5;
#if SMOOTHS // edges that were drawn with one sample a pixel
    vec4 colour = smooth_edge(at);
#elif DRAFT // of very small pictures the mean of four pixels: steps along edges would be seen
    vec4 colour = texture(picture, at + soft);
#else
    vec4 colour = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
#endif
    float cover = max(colour.a, 1e-3);
    vec3 light = colour.rgb / (colour.a > 0.0 ? cover : 1.0) + glow * texture(bloom, window.xy + at * window.zw).rgb;
    vec3 shown = on_film(light);
#if !DRAFT
    shown += (noise(origin + gl_FragCoord.xy) - 0.5) / 255.0;
#endif
    pixel = vec4(shown, colour.a);
}
