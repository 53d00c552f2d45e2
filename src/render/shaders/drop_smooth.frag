// One direction of a bilateral filter over the depth of water: as wide as drops are, and blind beyond a jump. Water
// lies level, so that a neighbour belongs to the same water when it is as deep as here, or nearly as a level through here and not far.
uniform vec3 ray_forward, ray_right, ray_up;
uniform sampler2D depth_map;
uniform ivec2 way;
uniform float radius, focal; // of a drop; pixels of a metre at a distance of one metre
layout(location = 0) out vec4 pixel;

// How fast the ray through a pixel falls.
float fall(ivec2 at, vec2 size)
{
    vec2 place = (vec2(at) + 0.5) / size * 2.0 - 1.0;
    return ray_forward.z + place.x * ray_right.z + place.y * ray_up.z;
}

float alike(float there, float here, float level)
{
    float jump = abs(there - here), away = min(jump, 0.3 * abs(there - level) + 0.06 * jump) / (1.2 * radius);
    return there > 0.0 ? exp(-away * away) : 0.0;
}

void main()
{
    vec2 size = vec2(textureSize(depth_map, 0));
    ivec2 here = ivec2(gl_FragCoord.xy), last = ivec2(size) - 1;
    float depth = texelFetch(depth_map, here, 0).r;
    if (depth <= 0.0) {
        pixel = vec4(0.0);
        return;
    }
    float wide = clamp(1.8 * focal * radius / depth, 0.8, 16.0), sum = depth, weights = 1.0;
    float drop = depth * fall(here, size);
    int reach = int(ceil(2.2 * wide));
    for (int k = 1; k <= reach; k++) {
        float near = exp(-0.5 * float(k * k) / (wide * wide));
        ivec2 next = clamp(here + k * way, ivec2(0), last), before = clamp(here - k * way, ivec2(0), last);
        float a = texelFetch(depth_map, next, 0).r, b = texelFetch(depth_map, before, 0).r;
        float wa = near * alike(a, depth, drop / min(fall(next, size), -1e-3));
        float wb = near * alike(b, depth, drop / min(fall(before, size), -1e-3));
        sum += wa * a + wb * b;
        weights += wa + wb;
    }
    pixel = vec4(sum / weights, 0.0, 0.0, 1.0);
}
