#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/ground.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/light.h"
#include "render/palette.h"

enum { LONGEST_SIDE = 8192 };

// ---- textures ----

static const SiltTextureForm surface_form = {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, true, true, false};
static const SiltTextureForm cover_form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true, true, false};
static const SiltTextureForm overlay_form = {GL_R8, GL_RED, GL_UNSIGNED_BYTE, true, true, false};
static const SiltTextureForm field_form = {GL_R32F, GL_RED, GL_FLOAT, false, false, false};

// Room for `bytes`, kept from one change to the next.
static SiltStatus make_room(SiltGround *ground, size_t bytes)
{
    if (bytes <= ground->scratch_bytes)
        return SILT_OK;
    silt_free(ground->scratch);
    ground->scratch_bytes = 0;
    SiltStatus status = silt_alloc_for("a picture", bytes, 1, &ground->scratch);
    ground->scratch_bytes = status == SILT_OK ? bytes : 0;
    return status;
}

// Fills a texture of a piece, all of it or, where there is one already, a part.
static void send_level(GLuint *texture, const SiltTextureForm *form, const SiltPiece *piece,
                       const SiltRect *part, const void *data)
{
    if (!*texture || !piece->is_filled) {
        silt_gl_texture(texture, form, piece->width, piece->height, data);
        return;
    }
    glBindTexture(GL_TEXTURE_2D, *texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, part->i - piece->column, part->j - piece->row, part->width,
                    part->height, form->format, form->type, data);
}

// With the coarser levels.
static void send(GLuint *texture, const SiltTextureForm *form, const SiltPiece *piece, const SiltRect *part,
                 const void *data)
{
    bool is_part = *texture && piece->is_filled;
    send_level(texture, form, piece, part, data);
    if (is_part && form->mipmaps)
        glGenerateMipmap(GL_TEXTURE_2D);
}

static size_t cells_of(const SiltRect *part)
{
    return (size_t)part->width * (size_t)part->height;
}

static SiltStatus send_surface(SiltGround *ground, SiltPiece *piece, const SiltPack *pack,
                               const SiltRect *part)
{
    SiltStatus status = make_room(ground, cells_of(part) * 4 * sizeof(uint16_t));
    if (status != SILT_OK)
        return status;
    silt_pack_surface(pack, part, ground->scratch);
    send(&piece->surface_map, &surface_form, piece, part, ground->scratch);
    return SILT_OK;
}

static SiltStatus send_cover(SiltGround *ground, SiltPiece *piece, const SiltPack *pack, const SiltRect *part,
                             bool is_wash)
{
    SiltStatus status = make_room(ground, cells_of(part) * 4);
    if (status != SILT_OK)
        return status;
    silt_pack_cover(pack, part, ground->scratch);
    (is_wash ? send_level : send)(&piece->cover_map, &cover_form, piece, part, ground->scratch);
    return SILT_OK;
}

static SiltStatus send_overlay(SiltGround *ground, SiltPiece *piece, const SiltPack *pack,
                               const SiltRect *part)
{
    SiltStatus status = make_room(ground, cells_of(part));
    if (status != SILT_OK)
        return status;
    silt_pack_overlay(pack, part, ground->scratch);
    send(&piece->overlay_map, &overlay_form, piece, part, ground->scratch);
    return SILT_OK;
}

static void send_field(GLuint *texture, const SiltField *field, const SiltPiece *piece, const SiltRect *part)
{
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)field->stride);
    send(texture, &field_form, piece, part, silt_field_row(field, part->j) + part->i);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static SiltRect all_of(const SiltPiece *piece)
{
    return (SiltRect){piece->column, piece->row, piece->width, piece->height};
}

void silt_ground_set_thin(SiltGround *ground, int thin)
{
    thin = ground->pieces_x * ground->pieces_y == 1 ? thin : 1;
    if (thin == silt_ground_thin(ground))
        return;
    silt_few_end(&ground->few);
    ground->few.side = thin;
    if (ground->pieces)
        ground->pieces->is_filled = false;
}

int silt_ground_thin(const SiltGround *ground)
{
    return ground->few.side > 1 ? ground->few.side : 1;
}

static SiltStatus upload_piece(SiltGround *ground, SiltPiece *piece, const SiltPack *pack)
{
    SiltRect all = all_of(piece);
    send_field(&piece->height_map, pack->height, piece, &all);
    if (pack->water)
        send_field(&piece->water_map, pack->water, piece, &all);
    SiltStatus status = send_surface(ground, piece, pack, &all);
    if (status == SILT_OK && ground->has_cover)
        status = send_cover(ground, piece, pack, &all, false);
    if (status == SILT_OK && pack->overlay)
        status = send_overlay(ground, piece, pack, &all);
    piece->is_filled = status == SILT_OK;
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
        piece->is_filled = false;
        cut_side(k % across, side, margin, ground->width, &piece->column, &piece->width);
        cut_side(k / across, side, margin, ground->height, &piece->row, &piece->height);
    }
    return SILT_OK;
}

static void drop_light(SiltGround *ground)
{
    silt_field_destroy(&ground->sky);
    silt_field_destroy(&ground->shadow);
}

static bool fits(const SiltGround *ground, const SiltField *field)
{
    return field->data && field->width == ground->width && field->height == ground->height;
}

// What there was, or an open sky with the sun in it.
static SiltStatus take_any_light(SiltGround *ground, bool shadows)
{
    if (fits(ground, &ground->sky) && (!shadows || fits(ground, &ground->shadow)))
        return SILT_OK;
    drop_light(ground);
    SiltStatus status = silt_field_create(ground->width, ground->height, &ground->sky);
    if (status == SILT_OK && shadows)
        status = silt_field_create(ground->width, ground->height, &ground->shadow);
    if (status == SILT_OK)
        silt_field_fill(&ground->sky, 0.92f);
    if (status == SILT_OK && shadows)
        silt_field_fill(&ground->shadow, 1.0f);
    return status;
}

static SiltStatus make_light(SiltGround *ground, const SiltField *height, const SiltRenderOptions *options)
{
    float cell = (float)ground->cell, rise = (float)ground->exaggeration;
    if (ground->lights_later)
        return take_any_light(ground, options->shadows);
    drop_light(ground);
    SiltStatus status = silt_field_create(ground->width, ground->height, &ground->sky);
    if (status == SILT_OK)
        status = silt_light_sky(height, cell, rise, &ground->sky);
    if (status == SILT_OK && options->shadows)
        status = silt_field_create(ground->width, ground->height, &ground->shadow);
    if (status == SILT_OK && options->shadows)
        status = silt_light_shadow(height, cell, rise, silt_sun(options), &ground->shadow);
    return status;
}

static const SiltField *layer_if(bool wanted, const SiltTerrain *terrain, const char *name)
{
    return wanted ? silt_terrain_layer(terrain, name) : NULL;
}

static SiltPack make_pack(const SiltGround *ground, const SiltTerrain *terrain,
                          const SiltRenderOptions *options)
{
    return (SiltPack){.terrain = terrain,
                      .height = silt_terrain_layer(terrain, "height"),
                      .water = layer_if(options->water, terrain, "water"),
                      .sediment = layer_if(options->sediment, terrain, "sediment"),
                      .deposit = layer_if(options->sediment, terrain, "deposit"),
                      .ice = layer_if(options->ice, terrain, "ice"),
                      .overlay = layer_if(options->overlay[0] != '\0', terrain, options->overlay),
                      .sky = &ground->sky,
                      .shadow = ground->shadow.data ? &ground->shadow : NULL,
                      .scale = &ground->range.scale,
                      .rise = (float)ground->exaggeration / (float)ground->cell,
                      .water_half = (float)ground->water_half,
                      .most_deposit = (float)ground->range.most_deposit,
                      .most_mud = (float)ground->range.most_mud};
}

SiltStatus silt_ground_set(SiltGround *ground, const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range)
{
    ground->width = terrain->width;
    ground->height = terrain->height;
    ground->cell = terrain->cell;
    ground->exaggeration = options->exaggeration;
    ground->range = *range;
    ground->water_half = 0.1 * terrain->cell + 0.5;
    silt_few_end(&ground->few);
    silt_ground_drop_shared(ground); // the size may be another
    SiltStatus status = cut_pieces(ground);
    if (status == SILT_OK)
        status = make_light(ground, silt_terrain_layer(terrain, "height"), options);
    SiltPack pack = make_pack(ground, terrain, options);
    ground->has_water = pack.water != NULL;
    ground->has_cover = pack.water || pack.sediment || pack.deposit || pack.ice || terrain->nodata;
    ground->has_ice = pack.ice != NULL;
    ground->has_overlay = pack.overlay != NULL;
    for (int k = 0; k < ground->pieces_x * ground->pieces_y && status == SILT_OK; k++)
        status = upload_piece(ground, &ground->pieces[k], &pack);
    if (!ground->is_live) {
        drop_light(ground);
        silt_free(ground->scratch);
        ground->scratch = NULL;
        ground->scratch_bytes = 0;
    }
    if (status == SILT_OK && pack.overlay)
        silt_palette_upload(&ground->ramp_map, pack.scale);
    if (status == SILT_OK)
        status = silt_ground_set_walls(ground);
    return status == SILT_OK ? silt_gl_check("the terrain") : status;
}

// ---- parts that change ----

void silt_ground_set_heights(SiltGround *ground, const SiltTerrain *terrain)
{
    const SiltField *water = layer_if(ground->has_water, terrain, "water");
    for (int k = 0; k < ground->pieces_x * ground->pieces_y; k++) {
        SiltRect all = all_of(&ground->pieces[k]);
        send_field(&ground->pieces[k].height_map, silt_terrain_layer(terrain, "height"), &ground->pieces[k],
                   &all);
        if (water)
            send_field(&ground->pieces[k].water_map, water, &ground->pieces[k], &all);
    }
}

// What of a rectangle, widened by `more` cells, lies in a piece; false: nothing.
static bool part_of(const SiltPiece *piece, const SiltRect *rect, int more, SiltRect *out)
{
    int left = rect->i - more, top = rect->j - more, right = rect->i + rect->width + more;
    int bottom = rect->j + rect->height + more;
    left = left < piece->column ? piece->column : left;
    top = top < piece->row ? piece->row : top;
    right = right > piece->column + piece->width ? piece->column + piece->width : right;
    bottom = bottom > piece->row + piece->height ? piece->row + piece->height : bottom;
    *out = (SiltRect){left, top, right - left, bottom - top};
    return rect->width > 0 && rect->height > 0 && right > left && bottom > top;
}

static SiltStatus update_piece(SiltGround *ground, SiltPiece *piece, const SiltPack *pack,
                               const SiltChange *change)
{
    SiltRect part;
    SiltStatus status = SILT_OK;
    if (part_of(piece, &change->height, 0, &part))
        send_field(&piece->height_map, pack->height, piece, &part);
    if (part_of(piece, &change->height, 1, &part)) // slopes look at the neighbours
        status = send_surface(ground, piece, pack, &part);
    if (pack->water && part_of(piece, &change->water, 0, &part))
        send_field(&piece->water_map, pack->water, piece, &part);
    if (status == SILT_OK && ground->has_cover && part_of(piece, &change->cover, 0, &part))
        status = send_cover(ground, piece, pack, &part, change->is_wash);
    if (status == SILT_OK && pack->overlay && part_of(piece, &change->overlay, 0, &part))
        status = send_overlay(ground, piece, pack, &part);
    return status;
}

static SiltStatus update_whole(SiltGround *ground, SiltPiece *piece, const SiltPack *pack,
                               const SiltChange *change)
{
    SiltStatus status = update_piece(ground, piece, pack, change);
    piece->is_filled = piece->is_filled || status == SILT_OK;
    return status;
}

// The same with few cells: parts and piece as they lie among them.
static SiltStatus update_few(SiltGround *ground, SiltPack *pack, const SiltChange *change)
{
    SiltFew *few = &ground->few;
    SiltStatus status = silt_few_take(few, pack, &change->height, &change->cover, &change->overlay);
    if (status != SILT_OK)
        return status;
    SiltPiece small = ground->pieces[0];
    small.width = few->land->width;
    small.height = few->land->height;
    SiltChange less = {silt_few_part(few, &change->height), silt_few_part(few, &change->water),
                       silt_few_part(few, &change->cover), silt_few_part(few, &change->overlay),
                       change->is_wash};
    status = update_piece(ground, &small, pack, &less);
    small.width = ground->pieces[0].width;
    small.height = ground->pieces[0].height;
    small.is_filled = status == SILT_OK;
    ground->pieces[0] = small;
    return status;
}

SiltStatus silt_ground_update(SiltGround *ground, const SiltTerrain *terrain,
                              const SiltRenderOptions *options, const SiltRange *range,
                              const SiltChange *change)
{
    ground->range = *range;
    SiltPack pack = make_pack(ground, terrain, options);
    SiltStatus status = SILT_OK;
    if (silt_ground_thin(ground) > 1)
        status = update_few(ground, &pack, change);
    else
        for (int k = 0; k < ground->pieces_x * ground->pieces_y && status == SILT_OK; k++)
            status = update_whole(ground, &ground->pieces[k], &pack, change);
    if (status == SILT_OK && pack.overlay && change->overlay.width > 0)
        silt_palette_upload(&ground->ramp_map, pack.scale);
    return status == SILT_OK ? silt_gl_check("the terrain") : status;
}

static void exchange(SiltField *a, SiltField *b)
{
    SiltField kept = *a;
    *a = *b;
    *b = kept;
}

void silt_ground_exchange_light(SiltGround *ground, SiltField *sky, SiltField *shadow)
{
    exchange(&ground->sky, sky);
    exchange(&ground->shadow, shadow);
    ground->few.is_lit = false;
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
    drop_light(ground);
    silt_few_end(&ground->few);
    silt_free(ground->scratch);
    silt_free(ground->pieces);
    *ground = (SiltGround){0};
}

void silt_ground_destroy(SiltGround *ground)
{
    GLuint buffers[] = {ground->patch_corners, ground->patch_indices, ground->wall_corners};
    GLuint arrays[] = {ground->patch_array, ground->wall_array};
    drop_pieces(ground);
    silt_ground_drop_shared(ground);
    glDeleteTextures(1, &ground->ramp_map);
    silt_gl_drop_variants(&ground->land);
    silt_gl_drop_variants(&ground->skirt);
    glDeleteBuffers((GLsizei)(sizeof buffers / sizeof buffers[0]), buffers);
    glDeleteVertexArrays((GLsizei)(sizeof arrays / sizeof arrays[0]), arrays);
    silt_ground_forget(ground);
}

#endif
