// Where the ray of this fragment meets the ball.
flat in vec4 ball;
in vec3 world;
in vec2 disc;
uniform float radius;
uniform mat4 camera;

// False beside it; `chord` is how far the ray goes through it.
bool meet_ball(out vec3 place, out float chord)
{
    vec3 ray = normalize(world - eye), middle = ball.xyz - eye;
    float along = dot(middle, ray);
    vec3 beside = middle - along * ray;
    float rest = radius * radius - dot(beside, beside);
    if (rest <= 0.0)
        return false;
    chord = 2.0 * sqrt(rest);
    place = eye + (along - 0.5 * chord) * ray;
    return true;
}

float depth_of(vec3 place)
{
    vec4 clip = camera * vec4(place, 1.0);
    return 0.5 + 0.5 * clip.z / clip.w;
}
