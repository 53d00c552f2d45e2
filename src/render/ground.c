#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/ground.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "render/light.h"

enum { PATCH = 32, ROWS = 16, MAX_LEVELS = 16, RAMP = 256 };

// ---- what lies on the ground, packed for the graphics card ----

// The sixteen bits of a half float; what is too small becomes zero.
static uint16_t half_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    uint32_t rounded = magnitude + 0x1000u;
    uint32_t half = rounded < 0x38800000u    ? 0u
                    : rounded >= 0x47800000u ? 0x7bffu
                                             : (rounded - 0x38000000u) >> 13;
    return (uint16_t)(sign | half);
}

typedef struct Pack {
    const SiltTerrain *terrain;
    const SiltField *height, *water, *sediment, *deposition, *overlay, *sky, *shadow;
    const SiltScale *scale;
    float rise, water_half;
    uint16_t *surface;
    uint8_t *cover, *places;
} Pack;

static void pack_surface(void *context, int begin, int end)
{
    const Pack *pack = context;
    int width = pack->height->width;
    for (int j = begin; j < end; j++) {
        uint16_t *to = pack->surface + (size_t)j * (size_t)width * 4;
        for (int i = 0; i < width; i++, to += 4) {
            float east, south;
            silt_light_slope(pack->height, pack->rise, i, j, &east, &south);
            to[0] = half_of(east);
            to[1] = half_of(-south);
            to[2] = half_of(silt_field_at(pack->sky, i, j));
            to[3] = half_of(pack->shadow ? silt_field_at(pack->shadow, i, j) : 1.0f);
        }
    }
}

static uint8_t byte_of(float value)
{
    return (uint8_t)(value <= 0.0f ? 0.0f : value >= 1.0f ? 255.0f : value * 255.0f + 0.5f);
}

// value / (value + half): fine near zero, never full
static float saturating(const SiltField *field, int i, int j, float half)
{
    float value = field ? silt_field_at(field, i, j) : 0.0f;
    return value > 0.0f ? value / (value + half) : 0.0f;
}

static void pack_cover(void *context, int begin, int end)
{
    const Pack *pack = context;
    int width = pack->terrain->width;
    for (int j = begin; j < end; j++) {
        uint8_t *to = pack->cover + (size_t)j * (size_t)width * 4;
        for (int i = 0; i < width; i++, to += 4) {
            to[0] = byte_of(saturating(pack->water, i, j, pack->water_half));
            to[1] = byte_of(saturating(pack->sediment, i, j, 0.02f));
            to[2] = byte_of(saturating(pack->deposition, i, j, 0.05f));
            to[3] = silt_terrain_is_nodata(pack->terrain, i, j) ? 0 : 255;
        }
    }
}

static void pack_overlay(void *context, int begin, int end)
{
    const Pack *pack = context;
    int width = pack->terrain->width;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < width; i++)
            pack->places[(size_t)j * (size_t)width + (size_t)i] =
                byte_of(silt_scale_place(pack->scale, silt_field_at(pack->overlay, i, j)));
}

static SiltStatus upload_surface(SiltGround *ground, Pack *pack, const SiltRenderOptions *options)
{
    static const SiltTextureForm form = {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, true, true, false};
    float cell = (float)ground->cell, rise = (float)ground->exaggeration;
    SiltField sky = {0}, shadow = {0};
    SiltStatus status = silt_field_create(ground->width, ground->height, &sky);
    if (status == SILT_OK)
        status = silt_light_sky(pack->height, cell, rise, &sky);
    if (status == SILT_OK && options->shadows)
        status = silt_field_create(ground->width, ground->height, &shadow);
    if (status == SILT_OK && options->shadows)
        status = silt_light_shadow(pack->height, cell, rise, silt_sun(options), &shadow);
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    if (status == SILT_OK)
        status = silt_alloc_for("a picture", cells, 4 * sizeof(uint16_t), (void **)&pack->surface);
    if (status == SILT_OK) {
        pack->sky = &sky;
        pack->shadow = options->shadows ? &shadow : NULL;
        pack->rise = rise / cell;
        silt_parallel(ground->height, ROWS, pack_surface, pack);
        silt_gl_texture(&ground->surface_map, &form, ground->width, ground->height, pack->surface);
    }
    silt_free(pack->surface);
    silt_field_destroy(&sky);
    silt_field_destroy(&shadow);
    return status;
}

static SiltStatus upload_cover(SiltGround *ground, Pack *pack)
{
    static const SiltTextureForm form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true, true, false};
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    SiltStatus status = silt_alloc_for("a picture", cells, 4, (void **)&pack->cover);
    if (status != SILT_OK)
        return status;
    silt_parallel(ground->height, ROWS, pack_cover, pack);
    silt_gl_texture(&ground->cover_map, &form, ground->width, ground->height, pack->cover);
    silt_free(pack->cover);
    return SILT_OK;
}

// sRGB to linear light, as bytes: the ramps are given as they shall look.
static uint8_t linear_byte(float value)
{
    return byte_of(value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f));
}

static void upload_ramp(GLuint *texture, const SiltScale *scale)
{
    static const SiltTextureForm form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true, false, false};
    uint8_t ramp[RAMP][4];
    for (int k = 0; k < RAMP; k++) {
        float place = (float)k / (RAMP - 1);
        SiltColour colour = scale ? silt_scale_colour(scale, place) : silt_ramp_heights(place);
        ramp[k][0] = linear_byte(colour.r);
        ramp[k][1] = linear_byte(colour.g);
        ramp[k][2] = linear_byte(colour.b);
        ramp[k][3] = byte_of(scale ? silt_scale_cover(scale, place) : 1.0f);
    }
    silt_gl_texture(texture, &form, RAMP, 1, ramp);
}

static SiltStatus upload_overlay(SiltGround *ground, Pack *pack)
{
    static const SiltTextureForm form = {GL_R8, GL_RED, GL_UNSIGNED_BYTE, true, true, false};
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    SiltStatus status = silt_alloc_for("a picture", cells, 1, (void **)&pack->places);
    if (status != SILT_OK)
        return status;
    pack->scale = &ground->range.scale;
    silt_parallel(ground->height, ROWS, pack_overlay, pack);
    silt_gl_texture(&ground->overlay_map, &form, ground->width, ground->height, pack->places);
    upload_ramp(&ground->ramp_map, pack->scale);
    silt_free(pack->places);
    return SILT_OK;
}

static void upload_field(GLuint *texture, const SiltField *field)
{
    static const SiltTextureForm form = {GL_R32F, GL_RED, GL_FLOAT, false, false, false};
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)field->stride);
    silt_gl_texture(texture, &form, field->width, field->height, field->data);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static const SiltField *layer_if(bool wanted, const SiltTerrain *terrain, const char *name)
{
    return wanted ? silt_terrain_layer(terrain, name) : NULL;
}

static SiltStatus set_walls(SiltGround *ground);

SiltStatus silt_ground_set(SiltGround *ground, const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range)
{
    Pack pack = {.terrain = terrain,
                 .height = silt_terrain_layer(terrain, "height"),
                 .water = layer_if(options->water, terrain, "water"),
                 .sediment = layer_if(options->sediment, terrain, "sediment"),
                 .deposition = layer_if(options->sediment, terrain, "deposition"),
                 .overlay = layer_if(options->overlay[0] != '\0', terrain, options->overlay)};
    ground->width = terrain->width;
    ground->height = terrain->height;
    ground->cell = terrain->cell;
    ground->exaggeration = options->exaggeration;
    ground->range = *range;
    ground->snow = silt_snow_line(options, range);
    ground->has_water = pack.water != NULL;
    ground->has_cover = pack.water || pack.sediment || pack.deposition || terrain->nodata;
    ground->has_overlay = pack.overlay != NULL;
    ground->water_half = 0.1 * terrain->cell + 0.5;
    pack.water_half = (float)ground->water_half;
    upload_field(&ground->height_map, pack.height);
    if (pack.water)
        upload_field(&ground->water_map, pack.water);
    SiltStatus status = upload_surface(ground, &pack, options);
    if (status == SILT_OK && ground->has_cover)
        status = upload_cover(ground, &pack);
    if (status == SILT_OK && pack.overlay)
        status = upload_overlay(ground, &pack);
    if (status == SILT_OK)
        status = set_walls(ground);
    return status == SILT_OK ? silt_gl_check("the terrain") : status;
}

// ---- patches: a quadtree whose leaves lie PATCH cells apart ----

static void make_patch(SiltGround *ground)
{
    float corners[(PATCH + 1) * (PATCH + 1)][2];
    uint16_t indices[PATCH * PATCH][6];
    for (int j = 0; j <= PATCH; j++)
        for (int i = 0; i <= PATCH; i++) {
            corners[j * (PATCH + 1) + i][0] = (float)i;
            corners[j * (PATCH + 1) + i][1] = (float)j;
        }
    for (int j = 0; j < PATCH; j++)
        for (int i = 0; i < PATCH; i++) {
            uint16_t nw = (uint16_t)(j * (PATCH + 1) + i), ne = (uint16_t)(nw + 1);
            uint16_t sw = (uint16_t)(nw + PATCH + 1), se = (uint16_t)(sw + 1);
            uint16_t two[6] = {nw, sw, se, nw, se, ne};
            memcpy(indices[j * PATCH + i], two, sizeof two);
        }
    glGenVertexArrays(1, &ground->patch_array);
    glBindVertexArray(ground->patch_array);
    glGenBuffers(1, &ground->patch_corners);
    glBindBuffer(GL_ARRAY_BUFFER, ground->patch_corners);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glGenBuffers(1, &ground->patch_indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, ground->patch_indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
}

typedef struct Selection {
    const SiltGround *ground;
    const SiltCamera *camera;
    float planes[6][4];
    double ranges[MAX_LEVELS]; // metres up to which a level is fine enough
    GLint place, morph;        // uniforms
} Selection;

typedef struct Node {
    double low[3], high[3];
} Node;

static Node node_box(const SiltGround *ground, int i, int j, int side)
{
    double right = fmin(i + side, ground->width - 1), bottom = fmin(j + side, ground->height - 1);
    double middle_x = 0.5 * (ground->width - 1), middle_y = 0.5 * (ground->height - 1);
    double water = ground->has_water ? 0.02 * (ground->range.high - ground->range.low) + 10.0 : 0.0;
    return (Node){{(i - middle_x) * ground->cell, (middle_y - bottom) * ground->cell, 0.0},
                  {(right - middle_x) * ground->cell, (middle_y - j) * ground->cell,
                   (ground->range.high - ground->range.low + water) * ground->exaggeration}};
}

static bool is_hidden(const Selection *selection, const Node *node)
{
    for (int k = 0; k < 6; k++) {
        const float *plane = selection->planes[k];
        double best = plane[3]; // of the corner furthest inside
        for (int c = 0; c < 3; c++)
            best += plane[c] * (plane[c] > 0.0f ? node->high[c] : node->low[c]);
        if (best < 0.0)
            return true;
    }
    return false;
}

static double box_distance(const Node *node, const double eye[3])
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        double away = fmax(fmax(node->low[c] - eye[c], eye[c] - node->high[c]), 0.0);
        sum += away * away;
    }
    return sqrt(sum);
}

// A patch is drawn where the next finer one would not show; there its corners have slid onto its parent's.
static void select_patch(const Selection *selection, int i, int j, int level)
{
    const SiltGround *ground = selection->ground;
    if (i >= ground->width - 1 || j >= ground->height - 1)
        return;
    int side = PATCH << level;
    Node node = node_box(ground, i, j, side);
    if (is_hidden(selection, &node))
        return;
    if (level > 0 && box_distance(&node, selection->camera->eye) < selection->ranges[level - 1]) {
        // the nearest quarter first, so that what it hides is not drawn
        int middle_i = i + side / 2, middle_j = j + side / 2;
        double x = (middle_i - 0.5 * (ground->width - 1)) * ground->cell;
        double y = (0.5 * (ground->height - 1) - middle_j) * ground->cell;
        int nearest = (selection->camera->eye[0] > x ? 1 : 0) + (selection->camera->eye[1] < y ? 2 : 0);
        for (int k = 0; k < 4; k++) {
            int quarter = nearest ^ k;
            select_patch(selection, quarter & 1 ? middle_i : i, quarter & 2 ? middle_j : j, level - 1);
        }
        return;
    }
    double range = selection->ranges[level];
    glUniform3f(selection->place, (float)i, (float)j, (float)(1 << level));
    glUniform2f(selection->morph, (float)(0.7 * range), (float)(1.0 / (0.29 * range)));
    glDrawElements(GL_TRIANGLES, PATCH * PATCH * 6, GL_UNSIGNED_SHORT, NULL);
}

void silt_ground_draw_patches(const SiltGround *ground, GLuint program, const SiltCamera *camera,
                              const float matrix[16], double focal)
{
    Selection selection = {.ground = ground,
                           .camera = camera,
                           .place = glGetUniformLocation(program, "patch_place"),
                           .morph = glGetUniformLocation(program, "morph")};
    for (int k = 0; k < 6; k++) // clip space is -w <= x, y, z <= w
        for (int c = 0; c < 4; c++)
            selection.planes[k][c] = matrix[4 * c + 3] + (k & 1 ? -1.0f : 1.0f) * matrix[4 * c + k / 2];
    double range = fmax(focal, 4.0 * PATCH) * ground->cell;
    int levels = 0, longest = ground->width > ground->height ? ground->width : ground->height;
    for (int level = 0; level < MAX_LEVELS; level++) {
        selection.ranges[level] = range * (1 << level);
        levels += (PATCH << level) < longest - 1;
    }
    selection.ranges[levels] = 1e30; // there is no coarser grid to slide onto
    glBindVertexArray(ground->patch_array);
    select_patch(&selection, 0, 0, levels);
    glBindVertexArray(0);
}

// ---- walls ----

// A strip of pairs, upper and lower corner; the shader places it on the wall it draws.
static SiltStatus set_walls(SiltGround *ground)
{
    int length = ground->width > ground->height ? ground->width : ground->height;
    if (ground->wall_length >= length)
        return SILT_OK;
    float *corners;
    SiltStatus status = silt_alloc_for("a picture", (size_t)length, 4 * sizeof(float), (void **)&corners);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < length; k++) {
        corners[4 * k] = corners[4 * k + 2] = (float)k;
        corners[4 * k + 3] = 1.0f;
    }
    if (!ground->wall_array)
        glGenVertexArrays(1, &ground->wall_array);
    if (!ground->wall_corners)
        glGenBuffers(1, &ground->wall_corners);
    glBindVertexArray(ground->wall_array);
    glBindBuffer(GL_ARRAY_BUFFER, ground->wall_corners);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)length * 4 * sizeof(float)), corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
    ground->wall_length = length;
    silt_free(corners);
    return SILT_OK;
}

void silt_ground_draw_walls(const SiltGround *ground, GLuint program, const SiltCamera *camera)
{
    double half_x = 0.5 * (ground->width - 1) * ground->cell,
           half_y = 0.5 * (ground->height - 1) * ground->cell;
    bool faces[4] = {camera->eye[1] > half_y, camera->eye[0] > half_x, camera->eye[1] < -half_y,
                     camera->eye[0] < -half_x};
    glBindVertexArray(ground->wall_array);
    for (int wall = 0; wall < 4; wall++) {
        if (!faces[wall])
            continue;
        silt_gl_int(program, "wall", wall);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (wall & 1 ? ground->height : ground->width));
    }
    glBindVertexArray(0);
}

double silt_ground_foot(const SiltGround *ground)
{
    double span = (ground->range.high - ground->range.low) * ground->exaggeration;
    double side = ground->cell * (ground->width < ground->height ? ground->width : ground->height);
    return silt_foot(span, side);
}

// ---- life, and what the shaders ask for ----

SiltStatus silt_ground_create(SiltGround *out)
{
    *out = (SiltGround){0};
    make_patch(out);
    upload_ramp(&out->tint_map, NULL);
    return silt_gl_check("the grid");
}

void silt_ground_destroy(SiltGround *ground)
{
    GLuint textures[] = {ground->height_map,  ground->water_map, ground->surface_map, ground->cover_map,
                         ground->overlay_map, ground->ramp_map,  ground->tint_map};
    GLuint buffers[] = {ground->patch_corners, ground->patch_indices, ground->wall_corners};
    GLuint arrays[] = {ground->patch_array, ground->wall_array};
    glDeleteTextures((GLsizei)(sizeof textures / sizeof textures[0]), textures);
    glDeleteBuffers((GLsizei)(sizeof buffers / sizeof buffers[0]), buffers);
    glDeleteVertexArrays((GLsizei)(sizeof arrays / sizeof arrays[0]), arrays);
    *ground = (SiltGround){0};
}

void silt_ground_uniforms(const SiltGround *ground, GLuint program, const SiltRenderOptions *options)
{
    double low = ground->range.low, span = ground->range.high - low, least = span > 0.0 ? span : 1.0;
    silt_gl_vec4(program, "grid", ground->width - 1, ground->height - 1, ground->cell, ground->exaggeration);
    silt_gl_vec2(program, "zero", low, silt_ground_foot(ground));
    silt_gl_vec4(program, "relief", low, 1.0 / least, (ground->snow - low) / least, least);
    silt_gl_vec2(program, "water_scale", ground->water_half, ground->cell);
    silt_gl_float(program, "contour", silt_contour_interval(span));
    silt_gl_int(program, "look", options->look);
    silt_gl_int(program, "has_water", ground->has_water);
    silt_gl_int(program, "has_cover", ground->has_cover);
    silt_gl_int(program, "has_overlay", ground->has_overlay);
    silt_gl_sampler(program, "height_map", 0, ground->height_map);
    silt_gl_sampler(program, "water_map", 1, ground->water_map);
    silt_gl_sampler(program, "surface_map", 2, ground->surface_map);
    silt_gl_sampler(program, "cover_map", 3, ground->cover_map);
    silt_gl_sampler(program, "overlay_map", 4, ground->overlay_map);
    silt_gl_sampler(program, "ramp_map", 5, ground->ramp_map);
    silt_gl_sampler(program, "tint_map", 6, ground->tint_map);
}

#endif
