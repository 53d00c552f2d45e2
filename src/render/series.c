// Moments of one run side by side: every panel with the camera and the light of the last, its words below it.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/particles.h"
#include "render/lettering.h"
#include "render/series.h"
#include "render/studio.h"
#include "render/visible.h"
#include "silt/particles.h"
#include "volume/brick.h"
#include "volume/keep.h"

enum { MARGIN = 6, MOST_WORDS = 64 };

typedef struct Panel {
    SiltTerrain *terrain; // with its volume, if it has one
    SiltParticles *particles;
    char words[MOST_WORDS];
} Panel;

struct SiltSeries {
    SiltRenderOptions options;
    int columns;
    Panel panels[SILT_MOST_PANELS];
    int count;
};

SiltStatus silt_series_begin(const SiltRenderOptions *options, int columns, SiltSeries **out)
{
    *out = NULL;
    SiltSeries *series;
    SiltStatus status = silt_alloc_for("a series", 1, sizeof *series, (void **)&series);
    if (status != SILT_OK)
        return status;
    series->columns = columns;
    status = silt_params_init(&silt_render_params, &series->options);
    if (options)
        series->options = *options;
    if (status == SILT_OK)
        status = silt_params_check(&silt_render_params, &series->options, "render");
    if (status == SILT_OK)
        *out = series;
    else
        silt_free(series);
    return status;
}

int silt_series_count(const SiltSeries *series)
{
    return series->count;
}

static void empty_panel(Panel *panel)
{
    silt_terrain_destroy(panel->terrain);
    silt_particles_destroy(panel->particles);
    *panel = (Panel){0};
}

void silt_series_end(SiltSeries *series)
{
    if (!series)
        return;
    for (int k = 0; k < series->count; k++)
        empty_panel(&series->panels[k]);
    silt_free(series);
}

static SiltStatus copy_volume(const SiltTerrain *from, SiltTerrain *to)
{
    SiltVolume *volume = silt_terrain_volume(from);
    SiltStatus status = volume ? silt_volume_clone(volume, &to->volume) : SILT_OK;
    to->destroy_volume = silt_volume_destroy;
    return status;
}

SiltStatus silt_series_add(SiltSeries *series, const SiltTerrain *terrain, const SiltParticles *particles,
                           const char *words)
{
    if (series->count == SILT_MOST_PANELS)
        return silt_fail(SILT_BAD_ARGUMENT, "render: a series has %d panels at the most", SILT_MOST_PANELS);
    Panel panel = {0};
    SiltStatus status = silt_terrain_clone(terrain, &panel.terrain);
    if (status == SILT_OK)
        status = copy_volume(terrain, panel.terrain);
    if (status == SILT_OK && particles && series->options.particle_look != SILT_PARTICLES_NONE)
        status = silt_particles_clone(particles, &panel.particles);
    snprintf(panel.words, sizeof panel.words, "%s", words);
    if (status == SILT_OK)
        series->panels[series->count++] = panel;
    else
        empty_panel(&panel);
    return status;
}

// ---- kept with a run ----

static void pack_panel(Panel *panel, SiltPack *pack)
{
    uint8_t has_particles = panel->particles != NULL;
    SILT_PACK(pack, panel->words);
    panel->words[MOST_WORDS - 1] = '\0';
    SILT_PACK(pack, has_particles);
    if (pack->status == SILT_OK)
        silt_terrain_pack(&panel->terrain, pack);
    if (pack->status == SILT_OK && has_particles)
        silt_particles_pack(&panel->particles, pack);
}

void silt_series_pack(SiltSeries *series, int most, SiltPack *pack)
{
    int count = series->count;
    SILT_PACK(pack, count);
    if (pack->status == SILT_OK && (count < 0 || count > most || count > SILT_MOST_PANELS))
        pack->status = silt_fail(SILT_BAD_FILE, "the series that was kept is damaged");
    for (int k = 0; k < count && pack->status == SILT_OK; k++) {
        if (pack->reads)
            series->count = k + 1; // what is made of a panel goes with the series
        pack_panel(&series->panels[k], pack);
    }
}

// ---- drawing ----

// Panels in a row: as was asked for, or up to three, and four as two rows.
static int columns_of(const SiltSeries *series)
{
    int few = series->count == 4 ? 2 : 3, columns = series->columns > 0 ? series->columns : few;
    return columns < series->count ? columns : series->count;
}

static SiltMotif motif_of(const Panel *panel)
{
    return (SiltMotif){.terrain = panel->terrain, .particles = panel->particles};
}

// Where the land lies and how high it is, the camera has from the last panel; colours of quantities mean the
// same in all of them.
static SiltStatus find_range(const SiltSeries *series, SiltRange *out)
{
    SiltStatus status = SILT_OK;
    for (int k = series->count - 1; k >= 0 && status == SILT_OK; k--) {
        SiltRenderOptions options = series->options;
        SiltMotif motif = motif_of(&series->panels[k]);
        SiltPose pose;
        SiltRange range, last = *out;
        if (!silt_terrain_layer(motif.terrain, options.overlay))
            options.overlay[0] = '\0'; // the model that makes it has not begun
        status = silt_pose_begin(&motif, &options, NULL, &pose);
        if (status != SILT_OK)
            break;
        status = silt_pose_range(&pose, &options, &range);
        if (status == SILT_OK && k == series->count - 1) {
            status = silt_visible_check(&pose, &options, &range);
            *out = range;
        } else if (status == SILT_OK) {
            silt_range_include(out, &range);
            out->low = last.low, out->high = last.high;
            out->west = last.west, out->east = last.east;
            out->south = last.south, out->north = last.north;
        }
        silt_pose_end(&pose);
    }
    return status;
}

static SiltStatus shoot(SiltStudio *studio, const SiltSeries *series, int index, const SiltRange *range,
                        SiltImage *out)
{
    SiltRenderOptions options = series->options;
    SiltMotif motif = motif_of(&series->panels[index]);
    SiltPose pose;
    options.legend = options.legend && index == 0; // one is enough, where least is to be seen
    if (!silt_terrain_layer(motif.terrain, options.overlay))
        options.overlay[0] = '\0';
    SiltStatus status = silt_pose_begin(&motif, &options, NULL, &pose);
    if (status != SILT_OK)
        return status;
    status = silt_studio_shoot(studio, &pose, &options, range, 0.0, out);
    silt_pose_end(&pose);
    return status;
}

static SiltStatus make_paper(int columns, int rows, const SiltImage *panel, int label, SiltImage *out)
{
    *out = (SiltImage){columns * (panel->width + MARGIN) + MARGIN,
                       rows * (panel->height + label + MARGIN) + MARGIN, NULL};
    size_t bytes = (size_t)out->width * (size_t)out->height * 4;
    SiltStatus status = silt_alloc_for("a series", bytes, 1, (void **)&out->rgba);
    if (status == SILT_OK)
        memset(out->rgba, 255, bytes);
    return status;
}

static SiltStatus put_panel(const SiltSeries *series, int index, const SiltImage *panel, SiltImage *out)
{
    static const SiltColour ink = {0.16f, 0.17f, 0.20f};
    int columns = columns_of(series), rows = (series->count + columns - 1) / columns;
    int letter = panel->width >= 400 ? 12 : 8;
    int label = letter * 4 / 3 + MARGIN; // tails reach below the line
    SiltStatus status = out->rgba ? SILT_OK : make_paper(columns, rows, panel, label, out);
    if (status != SILT_OK)
        return status;
    int x = MARGIN + index % columns * (panel->width + MARGIN);
    int y = MARGIN + index / columns * (panel->height + label + MARGIN);
    if (x + panel->width > out->width || y + panel->height > out->height)
        return silt_fail(SILT_BAD_ARGUMENT, "render: the panels of a series need terrains of one shape");
    for (int j = 0; j < panel->height; j++)
        memcpy(out->rgba + ((size_t)(y + j) * (size_t)out->width + (size_t)x) * 4,
               panel->rgba + (size_t)j * (size_t)panel->width * 4, (size_t)panel->width * 4);
    const char *words = series->panels[index].words;
    silt_text_draw(out, words, x + 0.5 * (panel->width - silt_text_width(words, letter, false)),
                   y + panel->height + 0.5 * MARGIN + letter, letter, false, ink);
    return SILT_OK;
}

SiltStatus silt_series_draw(const SiltSeries *series, SiltImage *out)
{
    *out = (SiltImage){0};
    if (series->count == 0)
        return silt_fail(SILT_BAD_ARGUMENT, "render: a series without a panel shows nothing");
    SiltRange range = {0};
    SiltStudio studio = {0};
    SiltStatus status =
        silt_overlay_check(series->panels[series->count - 1].terrain, NULL, series->options.overlay);
    if (status == SILT_OK)
        status = find_range(series, &range);
    if (status == SILT_OK)
        status = silt_studio_begin(&series->options, false, &studio);
    studio.leaves_room = series->options.legend && series->options.overlay[0];
    for (int k = 0; k < series->count && status == SILT_OK; k++) {
        SiltImage panel = {0};
        status = shoot(&studio, series, k, &range, &panel);
        if (status == SILT_OK)
            status = put_panel(series, k, &panel, out);
        silt_image_destroy(&panel);
    }
    silt_studio_end(&studio);
    if (status != SILT_OK)
        silt_image_destroy(out);
    return status;
}
