#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/rays.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "render/shaders.h"
#include "volume/brick.h"

enum { ROCK = 255, FURTHEST = 254, SPAN = 16 };

typedef struct Packing {
    const SiltVolume *volume;
    SiltBlock block; // the voxels of a brick and the first of the next ones
    uint8_t (*table)[4];
    uint8_t *is_mixed; // of each brick: rock and air may meet in its cells
    uint32_t *order;   // the mixed bricks
    int columns, rows; // bricks along the block
    size_t channels;   // phi, and where it is asked for what phi was
    float *values;     // of the block
    size_t row, slab;  // texels from one row and one layer of the block to the next
} Packing;

enum { MOST_VALUES = (SILT_MAX_BRICK + 1) * (SILT_MAX_BRICK + 1) * (SILT_MAX_BRICK + 1) };

// Cells between a uniform brick and the next may hold the surface all the same.
static void find_mixed(void *context, int begin, int end)
{
    Packing *packing = context;
    const SiltVolume *volume = packing->volume;
    float values[MOST_VALUES];
    int count = packing->block.slab * (volume->side + 1);
    for (int brick = begin; brick < end; brick++) {
        bool mixed = !silt_volume_is_uniform(volume, (size_t)brick);
        if (!mixed) {
            bool is_rock = volume->table[brick] == volume->solid;
            SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
            bool alone = true;
            for (int n = 1; n < 8 && alone; n++)
                alone = volume->table[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)] ==
                        volume->table[brick];
            if (!alone)
                silt_block_read(volume, (size_t)brick, &packing->block, values);
            for (int k = 0; !alone && k < count && !mixed; k++)
                mixed = (values[k] > 0.0f) != is_rock;
        }
        packing->is_mixed[brick] = mixed;
    }
}

// phi as it was at the voxels of one row of a brick.
static void recall_row(const SiltVolume *volume, size_t brick, size_t row, float *to)
{
    int side = volume->side + 1;
    SiltBrickAt at = silt_brick_at(volume, brick);
    for (int x = 0; x < side; x++) {
        const float place[3] = {(float)(at.at[0] * volume->side + x),
                                (float)(at.at[1] * volume->side + (int)row % side),
                                (float)(at.at[2] * volume->side + (int)row / side)};
        to[2 * x + 1] = silt_volume_former(volume, place);
    }
}

static void copy_bricks(void *context, int begin, int end)
{
    const Packing *packing = context;
    float values[MOST_VALUES];
    size_t side = (size_t)packing->volume->side + 1, channels = packing->channels;
    for (int n = begin; n < end; n++) {
        silt_block_read(packing->volume, packing->order[n], &packing->block, values);
        size_t x = (size_t)(n % packing->columns), y = (size_t)(n / packing->columns % packing->rows),
               z = (size_t)(n / packing->columns / packing->rows);
        float *brick =
            packing->values + channels * (z * side * packing->slab + y * side * packing->row + x * side);
        for (size_t k = 0; k < side * side; k++) {
            float *to = brick + channels * (k / side * packing->slab + k % side * packing->row);
            for (size_t i = 0; i < side; i++)
                to[channels * i] = values[k * side + i];
            if (channels > 1)
                recall_row(packing->volume, packing->order[n], k, to);
        }
    }
}

// How many bricks around each brick of air are air too, so that a ray passes them all in one step.
static void measure_air(Packing *packing)
{
    const int *bricks = packing->volume->bricks;
    for (int pass = 0; pass < 2;
         pass++) // towards the far corner, then back: distances along axes and diagonals
        for (size_t n = 0, total = silt_brick_total(packing->volume); n < total; n++) {
            size_t brick = pass == 0 ? n : total - 1 - n;
            uint8_t *far = &packing->table[brick][3];
            if (*far == 0 || *far == ROCK)
                continue;
            SiltBrickAt at = silt_brick_at(packing->volume, brick);
            int best = *far, back = pass == 0 ? -1 : 1;
            for (int k = 0; k < 13; k++) { // the neighbours that were visited before
                int a = k < 9 ? k % 3 - 1 : k < 12 ? k - 10 : -1, b = k < 9 ? k / 3 - 1 : k < 12 ? -1 : 0;
                int c = k < 9 ? -1 : 0;
                int to[3] = {at.at[0] - back * a, at.at[1] - back * b, at.at[2] - back * c};
                if (to[0] < 0 || to[1] < 0 || to[2] < 0 || to[0] >= bricks[0] || to[1] >= bricks[1] ||
                    to[2] >= bricks[2])
                    continue;
                int there = packing->table[silt_brick_index(packing->volume, to[0], to[1], to[2])][3];
                there = there == ROCK ? 0 : there;
                best = there + 1 < best ? there + 1 : best;
            }
            *far = (uint8_t)best;
        }
}

static void set_texture(GLuint texture, GLint filter)
{
    glBindTexture(GL_TEXTURE_3D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
}

// The block as nearly a cube as can be.
static SiltStatus plan_block(SiltRays *rays, const SiltVolume *volume, size_t count, Packing *packing)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &most);
    int along = (int)ceil(cbrt((double)(count > 0 ? count : 1))), side = volume->side + 1;
    int layers = (int)((count + (size_t)along * (size_t)along - 1) / ((size_t)along * (size_t)along));
    layers = layers > 0 ? layers : 1;
    if (along > 256 || along * side > most || volume->bricks[0] > most || volume->bricks[1] > most ||
        volume->bricks[2] > most)
        return silt_fail(SILT_MISSING_FEATURE,
                         "render: %zu bricks do not fit into a texture of this machine; take volume = mesh",
                         count);
    packing->columns = packing->rows = along;
    rays->size[0] = rays->size[1] = along * side;
    rays->size[2] = layers * side;
    packing->row = (size_t)rays->size[0];
    packing->slab = packing->row * (size_t)rays->size[1];
    return SILT_OK;
}

static SiltStatus pack(SiltRays *rays, Packing *packing)
{
    const SiltVolume *volume = packing->volume;
    size_t total = silt_brick_total(volume), count = 0;
    silt_parallel((int)total, SPAN, find_mixed, packing);
    for (size_t brick = 0; brick < total; brick++)
        count += packing->is_mixed[brick];
    SiltStatus status = plan_block(rays, volume, count, packing);
    if (status == SILT_OK)
        status = silt_alloc_for("a picture", count + 1, sizeof *packing->order, (void **)&packing->order);
    if (status == SILT_OK)
        status = silt_alloc_for("a picture", packing->slab * (size_t)rays->size[2],
                                packing->channels * sizeof(float), (void **)&packing->values);
    if (status != SILT_OK)
        return status;
    int columns = packing->columns, rows = packing->rows, next = 0;
    for (size_t brick = 0; brick < total; brick++) {
        uint8_t *entry = packing->table[brick];
        entry[3] = volume->table[brick] == volume->solid ? ROCK : FURTHEST;
        if (!packing->is_mixed[brick])
            continue;
        entry[0] = (uint8_t)(next % columns);
        entry[1] = (uint8_t)(next / columns % rows);
        entry[2] = (uint8_t)(next / columns / rows);
        entry[3] = 0;
        packing->order[next++] = (uint32_t)brick;
    }
    silt_parallel((int)count, SPAN, copy_bricks, packing);
    measure_air(packing);
    return SILT_OK;
}

SiltStatus silt_rays_set(SiltRays *rays, const SiltVolume *volume, bool with_former, const SiltClip *clip)
{
    int side = volume->side;
    size_t total = silt_brick_total(volume);
    Packing packing = {.volume = volume,
                       .channels = with_former ? 2 : 1,
                       .block = {.above = 1, .row = side + 1, .slab = (side + 1) * (side + 1)}};
    SiltStatus status = silt_alloc_for("a picture", total, 4, (void **)&packing.table);
    if (status == SILT_OK)
        status = silt_alloc_for("a picture", total, 1, (void **)&packing.is_mixed);
    if (status == SILT_OK)
        status = pack(rays, &packing);
    if (status == SILT_OK) {
        set_texture(rays->table, GL_NEAREST);
        glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8UI, volume->bricks[0], volume->bricks[1], volume->bricks[2], 0,
                     GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, packing.table);
        set_texture(rays->block, GL_LINEAR);
        glTexImage3D(GL_TEXTURE_3D, 0, with_former ? GL_RG16F : GL_R16F, rays->size[0], rays->size[1],
                     rays->size[2], 0, with_former ? GL_RG : GL_RED, GL_FLOAT, packing.values);
        for (int axis = 0; axis < 3; axis++)
            rays->last[axis] = volume->size[axis] - 1;
        rays->shift = volume->shift;
        rays->band = volume->band;
        rays->cell = volume->cell;
        rays->low = volume->origin[2];
        rays->clip = *clip;
        status = silt_gl_check("the volume");
    }
    silt_free(packing.table);
    silt_free(packing.is_mixed);
    silt_free(packing.order);
    silt_free(packing.values);
    return status;
}

static void draw_with(const SiltRays *rays, const SiltView *view, double least_depth, GLuint program)
{
    double rise = view->options->exaggeration, first[3] = {0.0, 0.0, rays->low}, zero[3];
    float scale[3], shift[3], last[3], texels[3];
    silt_world_place(view->range, rise, first, zero);
    for (int k = 0; k < 3; k++) {
        scale[k] = (float)(1.0 / (rays->cell * (k == 2 ? rise : 1.0)));
        shift[k] = (float)(-zero[k] / (rays->cell * (k == 2 ? rise : 1.0)));
        last[k] = (float)rays->last[k];
        texels[k] = 1.0f / (float)rays->size[k];
    }
    glUseProgram(program);
    silt_view_uniforms(view, program);
    silt_clip_uniforms(&rays->clip, program);
    silt_gl_vec3(program, "voxel_scale", scale);
    silt_gl_vec3(program, "voxel_shift", shift);
    silt_gl_vec3(program, "voxel_last", last);
    silt_gl_vec3(program, "block_scale", texels);
    silt_gl_float(program, "band", (double)rays->band);
    silt_gl_float(program, "least_depth", least_depth);
    silt_gl_int(program, "brick_shift", rays->shift);
    silt_gl_sampler_of(program, "brick_table", 0, GL_TEXTURE_3D, rays->table);
    silt_gl_sampler_of(program, "brick_block", 1, GL_TEXTURE_3D, rays->block);
    glBindVertexArray(rays->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

SiltStatus silt_rays_draw(SiltRays *rays, const SiltView *view)
{
    static const char *const parts[] = {silt_shader_common_glsl,
                                        silt_shader_land_glsl,
                                        silt_shader_shade_glsl,
                                        silt_shader_cut_glsl,
                                        silt_shader_bricks_glsl,
                                        silt_shader_box_glsl,
                                        silt_shader_sea_glsl,
                                        silt_shader_rock_glsl,
                                        silt_shader_trace_glsl,
                                        silt_shader_rays_frag,
                                        NULL};
    GLuint program;
    SiltStatus status = silt_view_program(&rays->programs, silt_view_key(view, 0), "rays",
                                          silt_shader_screen_vert, parts, &program);
    if (status == SILT_OK)
        draw_with(rays, view, 0.0, program);
    return status;
}

SiltStatus silt_rays_draw_veil(SiltRays *rays, const SiltView *view)
{
    static const char *const parts[] = {silt_shader_common_glsl, silt_shader_bricks_glsl,
                                        silt_shader_box_glsl,    silt_shader_trace_glsl,
                                        silt_shader_veil_frag,   NULL};
    GLuint program;
    SiltStatus status = silt_view_program(&rays->programs, silt_view_key(view, 0), "veil",
                                          silt_shader_screen_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    draw_with(rays, view, 0.4, program); // what hardly moved is not veiled
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    return SILT_OK;
}

void silt_rays_create(SiltRays *out)
{
    *out = (SiltRays){0};
    glGenVertexArrays(1, &out->array);
    glGenTextures(1, &out->table);
    glGenTextures(1, &out->block);
}

void silt_rays_destroy(SiltRays *rays)
{
    GLuint textures[] = {rays->table, rays->block};
    glDeleteTextures(2, textures);
    glDeleteVertexArrays(1, &rays->array);
    silt_gl_drop_variants(&rays->programs);
    *rays = (SiltRays){0};
}

#endif
