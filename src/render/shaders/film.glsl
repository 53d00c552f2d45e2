// Light as a film shows it, in eight bits.

// Toe, straight middle and shoulder: y = x (x + a) / (x (x + b) + c).
vec3 film(vec3 x)
{
    return x * (1.06 * x + 0.035) / (x * (x + 0.66) + 0.11);
}

vec3 encode(vec3 x)
{
#if DRAFT // the same curve to a hundredth, by roots alone
    vec3 two = sqrt(x), four = sqrt(two), eight = sqrt(four);
    return max(0.662002687 * two + 0.684122060 * four - 0.323583601 * eight - 0.0225411470 * x, 0.0);
#endif
    return mix(12.92 * x, 1.055 * pow(max(x, vec3(1e-5)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}

vec3 on_film(vec3 light)
{
    return encode(clamp(film(light), 0.0, 1.0));
}
