#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/ground.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "render/light.h"
#include "render/palette.h"

enum { ROWS = 16, LONGEST_SIDE = 8192 };

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
    const SiltPiece *piece;
    const SiltField *height, *water, *sediment, *deposit, *ice, *overlay, *sky, *shadow;
    const SiltScale *scale;
    float rise, water_half;
    uint16_t *surface;
    uint8_t *cover, *places;
} Pack;

static void pack_surface(void *context, int begin, int end)
{
    const Pack *pack = context;
    const SiltPiece *piece = pack->piece;
    for (int row = begin; row < end; row++) {
        uint16_t *to = pack->surface + (size_t)row * (size_t)piece->width * 4;
        int j = piece->row + row, stop = piece->column + piece->width;
        for (int i = piece->column; i < stop; i++, to += 4) {
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
    const SiltPiece *piece = pack->piece;
    for (int row = begin; row < end; row++) {
        uint8_t *to = pack->cover + (size_t)row * (size_t)piece->width * 4;
        int j = piece->row + row, stop = piece->column + piece->width;
        for (int i = piece->column; i < stop; i++, to += 4) {
            to[0] = byte_of(saturating(pack->water, i, j, pack->water_half));
            to[1] = byte_of(pack->ice ? saturating(pack->ice, i, j, 10.0f)
                                      : saturating(pack->sediment, i, j, 0.02f));
            to[2] = byte_of(saturating(pack->deposit, i, j, 0.05f));
            to[3] = silt_terrain_is_nodata(pack->terrain, i, j) ? 0 : 255;
        }
    }
}

static void pack_overlay(void *context, int begin, int end)
{
    const Pack *pack = context;
    const SiltPiece *piece = pack->piece;
    for (int row = begin; row < end; row++)
        for (int i = 0; i < piece->width; i++)
            pack->places[(size_t)row * (size_t)piece->width + (size_t)i] = byte_of(silt_scale_place(
                pack->scale, silt_field_at(pack->overlay, piece->column + i, piece->row + row)));
}

static size_t cells_of(const SiltPiece *piece)
{
    return (size_t)piece->width * (size_t)piece->height;
}

static SiltStatus upload_surface(SiltPiece *piece, Pack *pack)
{
    static const SiltTextureForm form = {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, true, true, false};
    SiltStatus status =
        silt_alloc_for("a picture", cells_of(piece), 4 * sizeof(uint16_t), (void **)&pack->surface);
    if (status != SILT_OK)
        return status;
    silt_parallel(piece->height, ROWS, pack_surface, pack);
    silt_gl_texture(&piece->surface_map, &form, piece->width, piece->height, pack->surface);
    silt_free(pack->surface);
    return SILT_OK;
}

static SiltStatus upload_cover(SiltPiece *piece, Pack *pack)
{
    static const SiltTextureForm form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true, true, false};
    SiltStatus status = silt_alloc_for("a picture", cells_of(piece), 4, (void **)&pack->cover);
    if (status != SILT_OK)
        return status;
    silt_parallel(piece->height, ROWS, pack_cover, pack);
    silt_gl_texture(&piece->cover_map, &form, piece->width, piece->height, pack->cover);
    silt_free(pack->cover);
    return SILT_OK;
}

static SiltStatus upload_overlay(SiltPiece *piece, Pack *pack)
{
    static const SiltTextureForm form = {GL_R8, GL_RED, GL_UNSIGNED_BYTE, true, true, false};
    SiltStatus status = silt_alloc_for("a picture", cells_of(piece), 1, (void **)&pack->places);
    if (status != SILT_OK)
        return status;
    silt_parallel(piece->height, ROWS, pack_overlay, pack);
    silt_gl_texture(&piece->overlay_map, &form, piece->width, piece->height, pack->places);
    silt_free(pack->places);
    return SILT_OK;
}

static void upload_field(GLuint *texture, const SiltField *field, const SiltPiece *piece)
{
    static const SiltTextureForm form = {GL_R32F, GL_RED, GL_FLOAT, false, false, false};
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)field->stride);
    silt_gl_texture(texture, &form, piece->width, piece->height,
                    silt_field_row(field, piece->row) + piece->column);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static void upload_heights(SiltPiece *piece, const SiltField *height, const SiltField *water)
{
    upload_field(&piece->height_map, height, piece);
    if (water)
        upload_field(&piece->water_map, water, piece);
}

static SiltStatus upload_piece(SiltPiece *piece, Pack *pack, bool has_cover)
{
    pack->piece = piece;
    upload_heights(piece, pack->height, pack->water);
    SiltStatus status = upload_surface(piece, pack);
    if (status == SILT_OK && has_cover)
        status = upload_cover(piece, pack);
    if (status == SILT_OK && pack->overlay)
        status = upload_overlay(piece, pack);
    return status;
}

// ---- pieces ----

static void drop_pieces(SiltGround *ground)
{
    for (int k = 0; k < ground->pieces_x * ground->pieces_y; k++) {
        const SiltPiece *piece = &ground->pieces[k];
        GLuint maps[] = {piece->height_map, piece->water_map, piece->surface_map, piece->cover_map,
                         piece->overlay_map};
        glDeleteTextures((GLsizei)(sizeof maps / sizeof maps[0]), maps);
    }
    silt_free(ground->pieces);
    ground->pieces = NULL;
    ground->pieces_x = ground->pieces_y = 0;
}

// Where a piece begins and how long it is, along one side of the terrain.
static void cut_side(int index, int side, int margin, int length, int *first, int *count)
{
    int begin = index * side - margin, end = (index + 1) * side + 1 + margin;
    begin = begin < 0 ? 0 : begin;
    end = end > length ? length : end;
    *first = begin;
    *count = end - begin;
}

// One piece where the terrain fits into a texture; else as many as it takes, cut where patches meet.
static SiltStatus cut_pieces(SiltGround *ground)
{
    int longest = ground->width > ground->height ? ground->width : ground->height;
    int side = SILT_PATCH, margin = ground->longest / 16;
    while (longest <= ground->longest ? side < longest : 2 * side + 1 + 2 * margin <= ground->longest)
        side *= 2;
    int across = (ground->width + side - 1) / side, down = (ground->height + side - 1) / side;
    if (across != ground->pieces_x || down != ground->pieces_y) {
        drop_pieces(ground);
        SiltStatus status = silt_alloc_for("a picture", (size_t)across * (size_t)down, sizeof(SiltPiece),
                                           (void **)&ground->pieces);
        if (status != SILT_OK)
            return status;
        ground->pieces_x = across;
        ground->pieces_y = down;
    }
    ground->side = side;
    for (int k = 0; k < across * down; k++) {
        SiltPiece *piece = &ground->pieces[k];
        cut_side(k % across, side, margin, ground->width, &piece->column, &piece->width);
        cut_side(k / across, side, margin, ground->height, &piece->row, &piece->height);
    }
    return SILT_OK;
}

static SiltStatus upload(SiltGround *ground, Pack *pack, const SiltRenderOptions *options)
{
    float cell = (float)ground->cell, rise = (float)ground->exaggeration;
    SiltField sky = {0}, shadow = {0};
    SiltStatus status = silt_field_create(ground->width, ground->height, &sky);
    if (status == SILT_OK)
        status = silt_light_sky(pack->height, cell, rise, &sky);
    if (status == SILT_OK && options->shadows)
        status = silt_field_create(ground->width, ground->height, &shadow);
    if (status == SILT_OK && options->shadows)
        status = silt_light_shadow(pack->height, cell, rise, silt_sun(options), &shadow);
    pack->sky = &sky;
    pack->shadow = options->shadows ? &shadow : NULL;
    pack->rise = rise / cell;
    for (int k = 0; k < ground->pieces_x * ground->pieces_y && status == SILT_OK; k++)
        status = upload_piece(&ground->pieces[k], pack, ground->has_cover);
    silt_field_destroy(&sky);
    silt_field_destroy(&shadow);
    return status;
}

static const SiltField *layer_if(bool wanted, const SiltTerrain *terrain, const char *name)
{
    return wanted ? silt_terrain_layer(terrain, name) : NULL;
}

SiltStatus silt_ground_set(SiltGround *ground, const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range)
{
    Pack pack = {.terrain = terrain,
                 .height = silt_terrain_layer(terrain, "height"),
                 .water = layer_if(options->water, terrain, "water"),
                 .sediment = layer_if(options->sediment, terrain, "sediment"),
                 .deposit = layer_if(options->sediment, terrain, "deposit"),
                 .ice = layer_if(options->ice, terrain, "ice"),
                 .overlay = layer_if(options->overlay[0] != '\0', terrain, options->overlay),
                 .scale = &range->scale};
    ground->width = terrain->width;
    ground->height = terrain->height;
    ground->cell = terrain->cell;
    ground->exaggeration = options->exaggeration;
    ground->range = *range;
    ground->has_water = pack.water != NULL;
    ground->has_cover = pack.water || pack.sediment || pack.deposit || pack.ice || terrain->nodata;
    ground->has_ice = pack.ice != NULL;
    ground->has_overlay = pack.overlay != NULL;
    ground->water_half = 0.1 * terrain->cell + 0.5;
    pack.water_half = (float)ground->water_half;
    SiltStatus status = cut_pieces(ground);
    if (status == SILT_OK)
        status = upload(ground, &pack, options);
    if (status == SILT_OK && pack.overlay)
        silt_palette_upload(&ground->ramp_map, pack.scale);
    if (status == SILT_OK)
        status = silt_ground_set_walls(ground);
    return status == SILT_OK ? silt_gl_check("the terrain") : status;
}

void silt_ground_set_heights(SiltGround *ground, const SiltTerrain *terrain)
{
    const SiltField *water = layer_if(ground->has_water, terrain, "water");
    for (int k = 0; k < ground->pieces_x * ground->pieces_y; k++)
        upload_heights(&ground->pieces[k], silt_terrain_layer(terrain, "height"), water);
}

// ---- life ----

static void make_patch(SiltGround *ground)
{
    float corners[(SILT_PATCH + 1) * (SILT_PATCH + 1)][2];
    uint16_t indices[SILT_PATCH * SILT_PATCH][6];
    for (int j = 0; j <= SILT_PATCH; j++)
        for (int i = 0; i <= SILT_PATCH; i++) {
            corners[j * (SILT_PATCH + 1) + i][0] = (float)i;
            corners[j * (SILT_PATCH + 1) + i][1] = (float)j;
        }
    for (int j = 0; j < SILT_PATCH; j++)
        for (int i = 0; i < SILT_PATCH; i++) {
            uint16_t nw = (uint16_t)(j * (SILT_PATCH + 1) + i), ne = (uint16_t)(nw + 1);
            uint16_t sw = (uint16_t)(nw + SILT_PATCH + 1), se = (uint16_t)(sw + 1);
            uint16_t two[6] = {nw, sw, se, nw, se, ne};
            memcpy(indices[j * SILT_PATCH + i], two, sizeof two);
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

SiltStatus silt_ground_create(SiltGround *out)
{
    *out = (SiltGround){0};
    GLint side = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    out->longest = side < LONGEST_SIDE ? side : LONGEST_SIDE;
    make_patch(out);
    return silt_gl_check("the grid");
}

void silt_ground_forget(SiltGround *ground)
{
    silt_free(ground->pieces);
    *ground = (SiltGround){0};
}

void silt_ground_destroy(SiltGround *ground)
{
    GLuint buffers[] = {ground->patch_corners, ground->patch_indices, ground->wall_corners};
    GLuint arrays[] = {ground->patch_array, ground->wall_array};
    drop_pieces(ground);
    glDeleteTextures(1, &ground->ramp_map);
    silt_gl_drop_variants(&ground->land);
    silt_gl_drop_variants(&ground->skirt);
    glDeleteBuffers((GLsizei)(sizeof buffers / sizeof buffers[0]), buffers);
    glDeleteVertexArrays((GLsizei)(sizeof arrays / sizeof arrays[0]), arrays);
    *ground = (SiltGround){0};
}

#endif
