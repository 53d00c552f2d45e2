// phi of a sparse volume, in voxels: a table of bricks, and the bricks that are not uniform in one block.
uniform highp usampler3D brick_table; // place in the block; and 0, or 255 for rock, or how many bricks around are air
uniform highp sampler3D brick_block; // phi, and what it was before water came or 0
uniform vec3 block_scale; // 1 / texels
uniform vec3 voxel_last;  // the last voxel along each axis
uniform float band;
uniform int brick_shift;

uvec4 brick_at(vec3 voxel, out vec3 corner)
{
    ivec3 brick = ivec3(clamp(voxel, vec3(0.0), voxel_last - 0.001)) >> brick_shift;
    corner = vec3(brick << brick_shift);
    return texelFetch(brick_table, brick, 0);
}

// The voxels of a brick and the first ones of the next stand together, so that the sampler mixes within a brick.
vec2 both_in(uvec4 entry, vec3 corner, vec3 voxel)
{
    float side = float((1 << brick_shift) + 1);
    return texture(brick_block, (vec3(entry.xyz) * side + (voxel - corner) + 0.5) * block_scale).rg;
}

float phi_in(uvec4 entry, vec3 corner, vec3 voxel)
{
    return both_in(entry, corner, voxel).r;
}

float former_at(vec3 voxel)
{
    voxel = clamp(voxel, vec3(0.0), voxel_last);
    vec3 corner;
    uvec4 entry = brick_at(voxel, corner);
    return entry.w == 0u ? both_in(entry, corner, voxel).g : 0.0;
}

float phi_at(vec3 voxel)
{
    voxel = clamp(voxel, vec3(0.0), voxel_last);
    vec3 corner;
    uvec4 entry = brick_at(voxel, corner);
    return entry.w == 0u ? phi_in(entry, corner, voxel) : entry.w == 255u ? band : -band;
}
