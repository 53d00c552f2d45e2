// A small map of each run, and all of them on one sheet with their values.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/picture.h"
#include "recipe/sweep.h"
#include "render/lettering.h"
#include "silt/render.h"

enum { TILE = 192, MARGIN = 8, LETTER = 8, LINE = 13, MOST_LABELS = 4 };

// The map is drawn as the recipe's own picture is, where it has one, as far as a map can be.
SiltStatus silt_sweep_draw(const SiltSweep *sweep, const SiltTerrain *terrain, const SiltRecipe *recipe,
                           const char *path)
{
    (void)sweep;
    SiltRenderOptions options;
    SiltStatus status = silt_params_init(&silt_render_params, &options);
    if (status != SILT_OK)
        return status;
    const SiltRenderOptions *look = silt_recipe_look(recipe);
    if (look) {
        options.look = look->look;
        options.snow = look->snow;
        options.sea = look->sea;
        options.arid = look->arid;
    }
    int longest = terrain->width > terrain->height ? terrain->width : terrain->height;
    options.view = SILT_VIEW_MAP;
    options.width = (int)((double)TILE * terrain->width / longest + 0.5);
    options.height = (int)((double)TILE * terrain->height / longest + 0.5);
    options.width = options.width < 16 ? 16 : options.width;
    options.height = options.height < 16 ? 16 : options.height;
    options.legend = false;
    status = silt_render_file(terrain, &options, path);
    return status == SILT_MISSING_FEATURE ? SILT_OK : status; // a table without pictures is a table
}

static void paste(const SiltImage *sheet, int x, int y, const char *path)
{
    int width, height;
    uint8_t *rgba;
    if (silt_png_read_rgba(path, &width, &height, &rgba) != SILT_OK)
        return;
    for (int j = 0; j < height && j < TILE; j++)
        memcpy(sheet->rgba + ((size_t)(y + j) * (size_t)sheet->width + (size_t)x) * 4,
               rgba + (size_t)j * (size_t)width * 4, (size_t)(width < TILE ? width : TILE) * 4);
    silt_free(rgba);
}

// The columns go with the axis that changes fastest, so that rows and columns are values.
static int column_count(const SiltSweep *sweep)
{
    int last = sweep->several_count > 0 ? sweep->axes[sweep->several[sweep->several_count - 1]].count : 1;
    if (sweep->several_count < 2 && last > 6)
        last = 6;
    while (last > 16)
        last = (last + 1) / 2;
    return last;
}

SiltStatus silt_sweep_sheet(const SiltSweep *sweep, const char *folder)
{
    static const SiltColour ink = {0.16f, 0.17f, 0.20f};
    int columns = column_count(sweep), rows = (sweep->row_count + columns - 1) / columns;
    int labels = sweep->several_count < MOST_LABELS ? sweep->several_count : MOST_LABELS;
    int label = labels * LINE + MARGIN;
    double pixels = (double)columns * (TILE + MARGIN) * rows * (TILE + label);
    if (pixels > 4e8)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a contact sheet of %d pictures would be too large; the pictures "
                         "are in %s/pictures",
                         sweep->row_count, folder);
    SiltImage sheet = {columns * (TILE + MARGIN) + MARGIN, rows * (TILE + label) + MARGIN, NULL};
    size_t bytes = (size_t)sheet.width * (size_t)sheet.height * 4;
    SiltStatus status = silt_alloc_for("a contact sheet", bytes, 1, (void **)&sheet.rgba);
    if (status != SILT_OK)
        return status;
    memset(sheet.rgba, 255, bytes);
    char path[SILT_PATH_SIZE];
    for (int k = 0; k < sweep->row_count; k++) {
        int x = MARGIN + k % columns * (TILE + MARGIN), y = MARGIN + k / columns * (TILE + label);
        if (!sweep->rows[k].line)
            continue;
        snprintf(path, sizeof path, "%.900s/pictures/%04d.png", folder, sweep->rows[k].number);
        paste(&sheet, x, y, path);
        for (int n = 0; n < labels; n++) {
            int axis = sweep->several[n];
            char words[64], value[SWEEP_CAPTION];
            silt_sweep_caption(sweep, axis, silt_sweep_index(sweep, axis, k), value);
            snprintf(words, sizeof words, "%s = %.24s", sweep->axes[axis].name, value);
            silt_text_draw(&sheet, words, x + 2, y + TILE + 4 + LETTER + n * LINE, LETTER, false, ink);
        }
    }
    snprintf(path, sizeof path, "%.900s/sheet.png", folder);
    status = silt_image_write(&sheet, path);
    silt_image_destroy(&sheet);
    if (status != SILT_MISSING_FEATURE)
        return status;
    silt_warn("%s", silt_message());
    return SILT_OK;
}
