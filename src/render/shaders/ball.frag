uniform sampler2D ramp_map;
uniform bool means; // the colour stands for a quantity: nothing may shine over it
uniform float cover; // 1, and less for spray
uniform float sea_level;
uniform bool is_surf;
layout(location = 0) out vec4 pixel;

void main()
{
    vec3 place;
    float chord;
    if (!meet_ball(place, chord))
        discard;
    vec3 normal = (place - ball.xyz) / radius, ray = normalize(place - eye);
    vec3 colour = texture(ramp_map, vec2(ball.w * 0.996 + 0.002, 0.5)).rgb;
    float sunshine = sun_on(place, normal), facing = max(dot(normal, sun), 0.0);
    vec3 light = sun_light * (0.85 * facing * sunshine + 0.10) + sky_light * (0.75 + 0.45 * normal.z);
    vec3 shown = colour * light;
    if (!means) {
        vec3 back = reflect(ray, normal);
        float mirror = 0.03 + 0.6 * pow(clamp(1.0 - dot(-ray, normal), 0.0, 1.0), 4.0);
        shown = mix(shown, sky_colour(back), mirror);
        shown += cover * cover * sun_light * sunshine * 0.9 * pow(max(dot(back, sun), 0.0), 60.0);
    }
    if (is_surf) { // spray of surf
        if (place.z < sea_level)
            discard;
        shown = vec3(0.72, 0.76, 0.79) * (sun_light * (0.30 + 0.35 * facing) * (0.7 + 0.3 * sunshine) + sky_light);
    }
    gl_FragDepth = depth_of(place);
    pixel = vec4(add_haze(shown, place, 0.0), cover);
}
