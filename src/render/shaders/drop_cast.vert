// A disc across the light.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 drop;
uniform vec4 rows[3];
uniform float radius;
out vec2 disc;

void main()
{
    disc = corner;
    vec3 place = drop.xyz + radius * (corner.x * normalize(rows[0].xyz) + corner.y * normalize(rows[1].xyz));
    vec4 at = vec4(place, 1.0);
    gl_Position = vec4(2.0 * vec3(dot(rows[0], at), dot(rows[1], at), dot(rows[2], at)) - 1.0, 1.0);
}
