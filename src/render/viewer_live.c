// New values of what a viewer shows, part by part, and the light that follows them.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "render/light.h"
#include "render/viewer_state.h"

SiltRect silt_viewer_join(const SiltRect *a, const SiltRect *b)
{
    if (a->width == 0 || a->height == 0)
        return *b;
    if (b->width == 0 || b->height == 0)
        return *a;
    int i = a->i < b->i ? a->i : b->i, j = a->j < b->j ? a->j : b->j;
    int right = a->i + a->width > b->i + b->width ? a->i + a->width : b->i + b->width;
    int bottom = a->j + a->height > b->j + b->height ? a->j + a->height : b->j + b->height;
    return (SiltRect){i, j, right - i, bottom - j};
}

// ---- large terrains, reduced ----

typedef struct Reduction {
    const SiltField *from, *change; // change may be NULL
    const SiltTerrain *terrain;
    SiltField *to;
    uint8_t *nodata; // NULL: not asked for
    int side;
} Reduction;

static void reduce_cell(const Reduction *work, int i, int j)
{
    int side = work->side, count = 0, all = 0;
    double sum = 0.0;
    for (int y = j * side; y < (j + 1) * side && y < work->from->height; y++)
        for (int x = i * side; x < (i + 1) * side && x < work->from->width; x++) {
            all++;
            if (silt_terrain_is_nodata(work->terrain, x, y))
                continue;
            count++;
            sum += (double)silt_field_at(work->from, x, y);
            sum += work->change ? (double)silt_field_at(work->change, x, y) : 0.0;
        }
    silt_field_row(work->to, j)[i] = count ? (float)(sum / count) : 0.0f;
    if (work->nodata)
        work->nodata[(size_t)j * (size_t)work->to->width + (size_t)i] = 2 * count < all;
}

static void reduce_rows(void *context, int begin, int end)
{
    const Reduction *work = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < work->to->width; i++)
            reduce_cell(work, i, j);
}

SiltStatus silt_viewer_reduce(const SiltTerrain *terrain, int reduction, SiltTerrain **out)
{
    SiltTerrain *small;
    *out = NULL;
    SiltStatus status =
        silt_terrain_create((terrain->width + reduction - 1) / reduction,
                            (terrain->height + reduction - 1) / reduction, terrain->cell * reduction, &small);
    if (status == SILT_OK && terrain->nodata)
        status = silt_terrain_require_nodata(small);
    for (int k = 0; k < terrain->layer_count && status == SILT_OK; k++) {
        const SiltLayer *layer = terrain->layers[k];
        if (strcmp(layer->name, "change") == 0)
            continue;
        Reduction work = {.from = &layer->field, .terrain = terrain, .side = reduction};
        if (strcmp(layer->name, "height") == 0) {
            work.change = silt_terrain_layer(terrain, "change");
            work.nodata = small->nodata;
        }
        status = silt_terrain_require(small, layer->name, &work.to);
        if (status == SILT_OK)
            silt_parallel(small->height, 8, reduce_rows, &work);
    }
    if (status == SILT_OK)
        *out = small;
    else
        silt_terrain_destroy(small);
    return status;
}

// Of a block that the rectangle covers in part, the rest is taken to be as it was.
SiltRect silt_viewer_reduce_part(SiltField *field, int reduction, const SiltRect *rect, const float *values,
                                 size_t stride)
{
    int left = rect->i / reduction, top = rect->j / reduction;
    int right = (rect->i + rect->width - 1) / reduction + 1;
    int bottom = (rect->j + rect->height - 1) / reduction + 1;
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++) {
            double sum = 0.0;
            int count = 0, whole = reduction * reduction;
            for (int y = j * reduction; y < (j + 1) * reduction; y++)
                for (int x = i * reduction; x < (i + 1) * reduction; x++)
                    if (x >= rect->i && x < rect->i + rect->width && y >= rect->j &&
                        y < rect->j + rect->height) {
                        sum += (double)values[(size_t)(y - rect->j) * stride + (size_t)(x - rect->i)];
                        count++;
                    }
            float *at = silt_field_row(field, j) + i;
            bool is_edge = rect->i + rect->width < (i + 1) * reduction && i + 1 == field->width;
            is_edge = is_edge || (rect->j + rect->height < (j + 1) * reduction && j + 1 == field->height);
            whole = is_edge ? count : whole; // beyond the edge there is nothing
            *at = count ? (float)((sum + (double)*at * (whole - count)) / whole) : *at;
        }
    return (SiltRect){left, top, right - left, bottom - top};
}

// ---- what is drawn of a layer ----

static void copy_part(SiltField *to, const SiltRect *rect, const float *values, size_t stride)
{
    for (int n = 0; n < rect->height; n++)
        memcpy(silt_field_row(to, rect->j + n) + rect->i, values + (size_t)n * stride,
               (size_t)rect->width * sizeof(float));
}

// Ground with ice on it and the sea over it, as silt_pose_begin has it.
static void settle_part(const SiltViewer *viewer, const SiltRect *rect)
{
    const SiltRenderOptions *options = &viewer->options;
    const SiltTerrain *land = viewer->shown.land, *drawn = viewer->shown.pose.own_terrain;
    const SiltField *ground = silt_terrain_layer(land, "height"), *water = silt_terrain_layer(land, "water");
    const SiltField *ice = options->ice ? silt_terrain_layer(land, "ice") : NULL;
    SiltField *height = silt_terrain_layer(drawn, "height"), *depth = silt_terrain_layer(drawn, "water");
    for (int j = rect->j; j < rect->j + rect->height; j++)
        for (int i = rect->i; i < rect->i + rect->width; i++) {
            float level = silt_field_at(ground, i, j);
            level += ice ? silt_field_at(ice, i, j) : 0.0f;
            silt_field_row(height, j)[i] = level;
            if (!depth)
                continue;
            float here = water ? silt_field_at(water, i, j) : 0.0f;
            float sea = isnan(options->sea) ? here : (float)options->sea - level;
            silt_field_row(depth, j)[i] = sea > here ? sea : here;
        }
}

// Heights beyond the range would lie outside of what is looked for.
static void widen_range(SiltRange *range, const SiltField *height, const SiltRect *rect)
{
    float low = (float)range->low, high = (float)range->high;
    for (int j = rect->j; j < rect->j + rect->height; j++) {
        const float *row = silt_field_row(height, j);
        for (int i = rect->i; i < rect->i + rect->width; i++) {
            low = row[i] < low ? row[i] : low;
            high = row[i] > high ? row[i] : high;
        }
    }
    if (low < (float)range->low)
        range->low = (double)low;
    if (high > (float)range->high)
        range->high = (double)high;
}

static void note(SiltRect *rect, const SiltRect *part, bool wanted)
{
    if (wanted)
        *rect = silt_viewer_join(rect, part);
}

// Which of the card's textures a layer is in.
static void note_part(SiltViewer *viewer, const char *layer, const SiltRect *part)
{
    const SiltRenderOptions *options = &viewer->options;
    bool is_ice = options->ice && strcmp(layer, "ice") == 0;
    bool is_ground = strcmp(layer, "height") == 0 || is_ice;
    bool is_water = strcmp(layer, "water") == 0 || (is_ground && !isnan(options->sea));
    bool is_mud = options->sediment && (strcmp(layer, "sediment") == 0 || strcmp(layer, "deposit") == 0);
    bool is_over = options->overlay[0] && strcmp(layer, options->overlay) == 0;
    note(&viewer->heights, part, is_ground);
    note(&viewer->waters, part, is_water);
    note(&viewer->covers, part, is_water || is_mud || is_ice);
    note(&viewer->overlays, part, is_over);
    viewer->stale |= SILT_STALE_PART;
    if (is_ground)
        viewer->stale |= SILT_STALE_LIGHT;
    if (is_ground || is_over)
        viewer->stale |= SILT_STALE_RANGE;
}

static bool is_drawn(const SiltRenderOptions *options, const char *layer)
{
    return strcmp(layer, "height") == 0 || (options->water && strcmp(layer, "water") == 0) ||
           (options->ice && strcmp(layer, "ice") == 0) || strcmp(layer, options->overlay) == 0 ||
           (options->sediment && (strcmp(layer, "sediment") == 0 || strcmp(layer, "deposit") == 0));
}

static SiltStatus check_part(const SiltShown *shown, const char *layer, const SiltRect *rect)
{
    if (!shown->land)
        return silt_fail(SILT_BAD_ARGUMENT, "view: there is no terrain whose '%s' could change", layer);
    if (rect->i < 0 || rect->j < 0 || rect->width < 1 || rect->height < 1 ||
        rect->width > shown->width - rect->i || rect->height > shown->height - rect->j)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "view: %d x %d cells from column %d, row %d are not all within %d x %d", rect->width,
                         rect->height, rect->i, rect->j, shown->width, shown->height);
    return SILT_OK;
}

SiltStatus silt_viewer_update(SiltViewer *viewer, const char *layer, const SiltRect *rect,
                              const float *values, size_t stride)
{
    SiltShown *shown = &viewer->shown;
    SiltRect all = {0, 0, shown->width, shown->height};
    rect = rect ? rect : &all;
    SiltStatus status = check_part(shown, layer, rect);
    if (status != SILT_OK)
        return status;
    bool is_new = !silt_terrain_layer(shown->land, layer);
    SiltField *field;
    status = silt_terrain_require(shown->land, layer, &field);
    if (status != SILT_OK)
        return status;
    SiltRect part = *rect;
    if (shown->reduction > 1)
        part = silt_viewer_reduce_part(field, shown->reduction, rect, values, stride);
    else
        copy_part(field, rect, values, stride);
    const SiltTerrain *own = shown->pose.own_terrain;
    if (!is_drawn(&viewer->options, layer))
        return SILT_OK;
    if (is_new || (own && (own->width != shown->land->width || own->height != shown->land->height)) ||
        (own && !silt_terrain_layer(own, layer))) {
        viewer->stale |= SILT_STALE_POSE;
        return SILT_OK;
    }
    if (own) {
        copy_part(silt_terrain_layer(own, layer), &part, silt_field_row(field, part.j) + part.i,
                  field->stride);
        settle_part(viewer, &part);
    }
    note_part(viewer, layer, &part);
    if (shown->pose.terrain && viewer->heights.width > 0)
        widen_range(&shown->range, silt_terrain_layer(shown->pose.terrain, "height"), &part);
    return SILT_OK;
}

SiltStatus silt_viewer_update_particles(SiltViewer *viewer, const SiltParticles *particles)
{
    SiltShown *shown = &viewer->shown;
    SiltParticles *copy = NULL;
    if (!viewer->is_shown)
        return silt_fail(SILT_BAD_ARGUMENT, "view: nothing is shown that particles could move in");
    SiltStatus status = particles ? silt_particles_clone(particles, &copy) : SILT_OK;
    if (status != SILT_OK)
        return status;
    bool had = shown->pose.particles && shown->pose.particles->count > 0, has = copy && copy->count > 0;
    bool hidden = viewer->options.particle_look == SILT_PARTICLES_NONE;
    silt_particles_destroy(shown->drops);
    shown->drops = copy;
    shown->pose.particles = hidden ? NULL : copy;
    if (!hidden)
        viewer->stale |= had && has ? SILT_STALE_DROPS | SILT_STALE_SHADE : (unsigned)SILT_STALE_POSE;
    return SILT_OK;
}

// ---- light ----

void silt_viewer_drop_light(SiltViewer *viewer)
{
    silt_field_destroy(&viewer->daylight.height);
    silt_field_destroy(&viewer->daylight.sky);
    silt_field_destroy(&viewer->daylight.shadow);
    viewer->daylight = (SiltDaylight){0};
}

static SiltStatus require_field(SiltField *field, const SiltField *like)
{
    if (field->data && field->width == like->width && field->height == like->height)
        return SILT_OK;
    silt_field_destroy(field);
    return silt_field_create(like->width, like->height, field);
}

static SiltStatus begin_light(SiltViewer *viewer)
{
    SiltDaylight *light = &viewer->daylight;
    const SiltField *height = silt_terrain_layer(viewer->shown.pose.terrain, "height");
    SiltStatus status = require_field(&light->height, height);
    if (status == SILT_OK)
        status = require_field(&light->sky, height);
    if (!viewer->options.shadows)
        silt_field_destroy(&light->shadow);
    else if (status == SILT_OK)
        status = require_field(&light->shadow, height);
    if (status != SILT_OK)
        return status;
    silt_field_copy(height, &light->height);
    light->row = 0;
    light->rows = light->rows > 0 ? light->rows : 64;
    light->is_busy = true;
    viewer->stale &= ~(unsigned)SILT_STALE_LIGHT;
    return SILT_OK;
}

bool silt_viewer_make_light(SiltViewer *viewer, double seconds, SiltStatus *status)
{
    SiltDaylight *light = &viewer->daylight;
    *status = SILT_OK;
    if (!light->is_busy) {
        if (viewer->stale & SILT_STALE_LIGHT)
            *status = begin_light(viewer);
        return false;
    }
    float cell = (float)viewer->shown.pose.terrain->cell, rise = (float)viewer->options.exaggeration;
    int left = light->height.height - light->row;
    if (left > 0) {
        int count = light->rows < left ? light->rows : left;
        double begun = silt_wall_clock();
        *status = silt_light_sky_rows(&light->height, cell, rise, light->row, count, &light->sky);
        double taken = silt_wall_clock() - begun, share = seconds / fmax(taken, 1e-6);
        light->rows = (int)fmin(fmax(light->rows * fmin(fmax(share, 0.25), 4.0), 16.0), 4096.0);
        light->row += count;
        return false;
    }
    if (viewer->options.shadows && light->shadow.data)
        *status = silt_light_shadow(&light->height, cell, rise, silt_sun(&viewer->options), &light->shadow);
    light->is_busy = false;
    return *status == SILT_OK;
}

SiltStatus silt_viewer_relight(SiltViewer *viewer)
{
    viewer->lights_now = true;
    return SILT_OK;
}
