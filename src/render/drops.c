#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/drops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/fluid.h"
#include "render/palette.h"
#include "render/pose.h"
#include "render/shaders.h"
#include "silt/particles.h"

// ---- upload ----

static SiltStatus grow(SiltDrops *drops, int count)
{
    if (count <= drops->capacity)
        return SILT_OK;
    void *at = NULL, *sorted = NULL, *order = NULL;
    SiltStatus status = silt_alloc_for("a picture", (size_t)count, 4 * sizeof(float), &at);
    if (status == SILT_OK)
        status = silt_alloc_for("a picture", (size_t)count, 4 * sizeof(float), &sorted);
    if (status == SILT_OK)
        status = silt_alloc_for("a picture", (size_t)count, sizeof(SiltDropOrder), &order);
    if (status != SILT_OK) {
        silt_free(at);
        silt_free(sorted);
        return status;
    }
    silt_free(drops->at);
    silt_free(drops->sorted);
    silt_free(drops->order);
    drops->at = at;
    drops->sorted = sorted;
    drops->order = order;
    drops->capacity = count;
    return SILT_OK;
}

static void send(const SiltDrops *drops, const float *places)
{
    glBindBuffer(GL_ARRAY_BUFFER, drops->places);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)drops->count * 4 * sizeof(float)), places,
                 GL_DYNAMIC_DRAW);
}

// ---- spray: drops that fly alone are no part of the surface ----

enum { SLOTS = 1 << 18, COMPANY = 10 };

static uint32_t slot_of(int x, int y, int z)
{
    uint32_t hash = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)z * 0xc2b2ae3du;
    return (hash ^ hash >> 15) % SLOTS;
}

static void cell_of(const SiltDrops *drops, int i, int cell[3])
{
    for (int k = 0; k < 3; k++)
        cell[k] = (int)fmax(fmin(floor((double)drops->at[i][k] / (3.0 * drops->radius)), 1e9), -1e9);
}

// Brings drops in company to the front; two cells that share a slot make company of strangers, seldom.
static SiltStatus part_spray(SiltDrops *drops)
{
    uint16_t *crowd;
    SiltStatus status = silt_alloc_for("a picture", SLOTS, sizeof *crowd, (void **)&crowd);
    if (status != SILT_OK)
        return status;
    int cell[3], spray = 0;
    for (int i = 0; i < drops->count; i++) {
        cell_of(drops, i, cell);
        uint16_t *slot = &crowd[slot_of(cell[0], cell[1], cell[2])];
        *slot = (uint16_t)(*slot < UINT16_MAX ? *slot + 1 : UINT16_MAX);
    }
    drops->fluid_count = 0;
    for (int i = 0; i < drops->count; i++) {
        int company = -1;
        cell_of(drops, i, cell);
        for (int n = 0; n < 27 && company < COMPANY; n++)
            company += crowd[slot_of(cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1)];
        float *to =
            company >= COMPANY ? drops->at[drops->fluid_count++] : drops->sorted + 4 * (size_t)spray++;
        memmove(to, drops->at[i], 4 * sizeof(float));
    }
    memcpy(drops->at[drops->fluid_count], drops->sorted, (size_t)spray * 4 * sizeof(float));
    silt_free(crowd);
    return SILT_OK;
}

SiltStatus silt_drops_set(SiltDrops *drops, const SiltParticles *p, const SiltRenderOptions *options,
                          const SiltRange *range, const SiltClip *clip)
{
    SiltStatus status = grow(drops, p->count);
    if (status != SILT_OK)
        return status;
    int colour = options->particle_colour, kept = 0;
    for (int i = 0; i < p->count; i++) {
        double place[3] = {(double)p->x[i] - p->west, p->south - (double)p->y[i], (double)p->z[i] + p->low},
               at[3];
        float value = silt_particle_value(p, colour, i);
        silt_world_place(range, options->exaggeration, place, at);
        float *to = drops->at[kept];
        for (int k = 0; k < 3; k++)
            to[k] = (float)at[k];
        kept += silt_clip_keeps(clip, to);
        to[3] = colour == SILT_COLOUR_WATER ? value / (value + 0.05f)
                                            : silt_scale_place(&range->particle_scale, value);
    }
    drops->count = kept;
    drops->clip = *clip;
    drops->radius = 0.5 * range->particle_size;
    drops->look = options->particle_look;
    drops->means = colour != SILT_COLOUR_WATER;
    drops->is_surf = !drops->means && clip->sea > -1e29f;
    if (drops->means)
        silt_palette_upload(&drops->ramp, &range->particle_scale);
    else
        silt_palette_water(&drops->ramp);
    status = part_spray(drops);
    if (status != SILT_OK)
        return status;
    send(drops, drops->at[0]);
    return silt_gl_check("particles");
}

// ---- drawing ----

void silt_drops_use(const SiltDrops *drops, const SiltView *view, GLuint program, double radius)
{
    glUseProgram(program);
    silt_view_uniforms(view, program);
    silt_gl_float(program, "radius", radius);
    silt_gl_int(program, "means", drops->means);
    silt_gl_int(program, "is_surf", drops->is_surf);
    silt_gl_sampler(program, "ramp_map", 0, drops->ramp);
}

void silt_drops_some(const SiltDrops *drops, int first, int count)
{
    glBindVertexArray(drops->array);
    glBindBuffer(GL_ARRAY_BUFFER, drops->places);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, (const void *)((uintptr_t)first * 4 * sizeof(float)));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
    glBindVertexArray(0);
}

static int compare_depth(const void *a, const void *b)
{
    const SiltDropOrder *x = a, *y = b;
    return x->depth > y->depth ? -1 : x->depth < y->depth ? 1 : (x->index > y->index) - (x->index < y->index);
}

// What is clear is drawn from the back to the front.
static void sort_drops(SiltDrops *drops, const SiltCamera *camera)
{
    SiltDropOrder *order = drops->order;
    for (int i = 0; i < drops->count; i++) {
        double depth = 0.0;
        for (int k = 0; k < 3; k++)
            depth += ((double)drops->at[i][k] - camera->eye[k]) * camera->forward[k];
        order[i] = (SiltDropOrder){(float)depth, i};
    }
    qsort(order, (size_t)drops->count, sizeof *order, compare_depth);
    for (int i = 0; i < drops->count; i++)
        memcpy(drops->sorted + 4 * (size_t)i, drops->at[order[i].index], 4 * sizeof(float));
    send(drops, drops->sorted);
}

static void begin_blending(void)
{
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

static SiltStatus draw_sprites(SiltDrops *drops, const SiltView *view)
{
    static const char *const parts[] = {silt_shader_common_glsl, silt_shader_shade_glsl,
                                        silt_shader_ball_glsl, silt_shader_sprite_frag, NULL};
    GLuint program;
    SiltStatus status = silt_view_program(&drops->sprites, silt_view_key(view, 0), "sprite",
                                          silt_shader_drop_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    sort_drops(drops, view->camera);
    silt_drops_use(drops, view, program, 1.1 * drops->radius);
    begin_blending();
    glDepthMask(GL_FALSE);
    silt_drops_some(drops, 0, drops->count);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    return SILT_OK;
}

// All of them, or the spray beside a surface: single drops, which must not outshine it.
static SiltStatus draw_balls(SiltDrops *drops, const SiltView *view, bool is_spray)
{
    int first = is_spray ? drops->fluid_count : 0;
    static const char *const parts[] = {silt_shader_common_glsl, silt_shader_shade_glsl,
                                        silt_shader_ball_glsl, silt_shader_ball_frag, NULL};
    GLuint program;
    SiltStatus status = silt_view_program(&drops->balls, silt_view_key(view, 0), "ball",
                                          silt_shader_drop_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    double size = !is_spray ? 1.0 : drops->is_surf ? 0.35 : 0.7;
    silt_drops_use(drops, view, program, size * drops->radius);
    silt_clip_uniforms(&drops->clip, program);
    silt_gl_float(program, "cover", is_spray && !drops->means ? 0.5 : 1.0);
    begin_blending();
    silt_drops_some(drops, first, drops->count - first);
    glDisable(GL_BLEND);
    return SILT_OK;
}

SiltStatus silt_drops_draw(SiltDrops *drops, const SiltView *view, SiltPost *post)
{
    if (drops->look == SILT_PARTICLES_SPRITES)
        return draw_sprites(drops, view);
    bool drawn = false;
    SiltStatus status = SILT_OK;
    if (drops->look == SILT_PARTICLES_FLUID)
        status = silt_fluid_draw(drops, view, post, &drawn);
    if (status == SILT_OK)
        status = draw_balls(drops, view, drawn);
    return status;
}

void silt_drops_cast(const SiltDrops *drops, const SiltLightView *light)
{
    GLuint program = drops->cast_program;
    if (drops->is_surf)
        return;
    glUseProgram(program);
    silt_gl_rows(program, "rows", 3, &light->rows[0][0]);
    silt_gl_float(program, "radius", drops->radius);
    silt_drops_some(drops, 0, drops->count);
}

// ---- life ----

static void make_array(SiltDrops *drops)
{
    static const float corners[4][2] = {{-1.0f, -1.0f}, {1.0f, -1.0f}, {-1.0f, 1.0f}, {1.0f, 1.0f}};
    glGenVertexArrays(1, &drops->array);
    glGenVertexArrays(1, &drops->screen_array);
    glGenBuffers(1, &drops->corners);
    glGenBuffers(1, &drops->places);
    glBindVertexArray(drops->array);
    glBindBuffer(GL_ARRAY_BUFFER, drops->corners);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, drops->places);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(1, 1);
    glBindVertexArray(0);
}

SiltStatus silt_drops_create(SiltDrops *out)
{
    static const char *const cast[] = {silt_shader_drop_cast_frag, NULL};
    *out = (SiltDrops){0};
    make_array(out);
    SiltStatus status =
        silt_gl_program("drop cast", "", silt_shader_drop_cast_vert, cast, &out->cast_program);
    return status == SILT_OK ? silt_fluid_create(out) : status;
}

void silt_drops_forget(SiltDrops *drops)
{
    silt_free(drops->at);
    silt_free(drops->sorted);
    silt_free(drops->order);
    *drops = (SiltDrops){0};
}

void silt_drops_destroy(SiltDrops *drops)
{
    GLuint programs[] = {drops->cast_program, drops->depth_program, drops->smooth_program,
                         drops->thick_program};
    silt_gl_drop_variants(&drops->balls);
    silt_gl_drop_variants(&drops->sprites);
    silt_gl_drop_variants(&drops->fluids);
    GLuint buffers[] = {drops->corners, drops->places}, arrays[] = {drops->array, drops->screen_array};
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++)
        glDeleteProgram(programs[k]);
    silt_fluid_drop_targets(drops);
    glDeleteTextures(1, &drops->ramp);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(2, arrays);
    silt_drops_forget(drops);
}

#endif
