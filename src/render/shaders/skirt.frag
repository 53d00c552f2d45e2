// The cut through the ground: soil on top, then layers of rock, darker towards the foot.
in vec3 world;
in vec3 side;
in vec2 cells;
in vec2 top;
uniform vec4 grid;
uniform vec2 zero;
layout(location = 0) out vec4 pixel;
#if KEPT
layout(location = 1) out vec4 place_kept; // nowhere on land
#endif

void main()
{
    float ground = top.x;
    float along = dot(world.xy, side.yx * vec2(1.0, -1.0)) / grid.z;
    float depth = max(ground - world.z, 0.0) / grid.z, deep = (ground - zero.y) / grid.z;
    vec4 rock = cut_rock(vec2(along, world.z / grid.z));
    float soil = 1.0 - smoothstep(0.6, 1.8, depth + rock.a);
    soil *= clamp(1.6 / max(fwidth(depth), 1e-6) - 0.4, 0.0, 1.0); // thinner than a pixel it would be dashes
    vec3 colour = mix(rock.rgb, vec3(0.062, 0.048, 0.034), 0.7 * soil);
    float facing = max(dot(side, sun), 0.0);
    float lift = clamp(1.0 - depth / max(deep, 1e-3), 0.0, 1.0); // the lower, the less of the sky
    vec3 light = sun_light * facing * 0.55 + (sky_light + vec3(0.42, 0.38, 0.32)) * (0.75 + 0.25 * lift);
    colour *= light;
    if (world.z > ground && top.y - top.x > 0.004 * grid.z) { // water seen from the side
        float below = (top.y - world.z) / grid.z;
        colour = vec3(0.030, 0.105, 0.145) * (sun_light * 0.25 + sky_light) * exp(-0.10 * below);
    }
    pixel = vec4(add_haze(colour, world, 0.0), 1.0);
#if KEPT
    place_kept = vec4(0.0);
#endif
}
