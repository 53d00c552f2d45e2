in vec2 screen; // -1 to 1
uniform vec3 ray_forward, ray_right, ray_up;
layout(location = 0) out vec4 pixel;

void main()
{
    vec3 way = normalize(ray_forward + screen.x * ray_right + screen.y * ray_up);
    pixel = air.w > 0.5 ? vec4(0.0) : vec4(sky_colour(way), 1.0);
}
