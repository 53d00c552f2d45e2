// Slopes that came from a device take their place beside the light; drawn into red and green alone.
uniform sampler2D slopes_map;
out vec4 pixel;

void main()
{
    pixel = vec4(texelFetch(slopes_map, ivec2(gl_FragCoord.xy), 0).rg, 0.0, 0.0);
}
