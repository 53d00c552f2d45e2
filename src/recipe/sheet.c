// A contact sheet: every layer but the height drawn as a terrain of its own, in rows, with its name.
#include "recipe/sheet.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/lettering.h"
#include "render/studio.h"

enum { MARGIN = 6 };

// One layer as a terrain whose height it is. Borrows the field.
typedef struct LayerView {
    SiltTerrain terrain;
    SiltLayer layer;
} LayerView;

static void view_layer(const SiltTerrain *terrain, int index, LayerView *out)
{
    out->terrain = *terrain;
    out->layer = *terrain->layers[index];
    strcpy(out->layer.name, "height");
    out->terrain.layers[0] = &out->layer;
    out->terrain.layer_count = 1;
}

static void paste(const SiltImage *tile, SiltImage *sheet, int x, int y)
{
    for (int j = 0; j < tile->height; j++)
        memcpy(sheet->rgba + ((size_t)(y + j) * (size_t)sheet->width + (size_t)x) * 4,
               tile->rgba + (size_t)j * (size_t)tile->width * 4, (size_t)tile->width * 4);
}

static SiltStatus make_sheet(int columns, int rows, const SiltImage *tile, int label, SiltImage *out)
{
    *out = (SiltImage){columns * (tile->width + MARGIN) + MARGIN,
                       rows * (tile->height + label + MARGIN) + MARGIN, NULL};
    size_t bytes = (size_t)out->width * (size_t)out->height * 4;
    SiltStatus status = silt_alloc_for("a contact sheet", bytes, 1, (void **)&out->rgba);
    if (status == SILT_OK)
        memset(out->rgba, 255, bytes);
    return status;
}

SiltStatus silt_sheet_draw(const SiltTerrain *terrain, const SiltRenderOptions *options, int columns,
                           SiltImage *out)
{
    static const SiltColour ink = {0.16f, 0.17f, 0.20f};
    *out = (SiltImage){0};
    int count = terrain->layer_count - 1, letter = options->width >= 400 ? 12 : 8;
    if (count < 1)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a contact sheet shows the layers beside the height, and there are none");
    columns = columns < count ? columns : count;
    int label = letter * 4 / 3 + MARGIN; // tails reach below the line
    SiltStudio studio;
    SiltStatus status = silt_studio_begin(options, false, &studio);
    for (int k = 0; k < count && status == SILT_OK; k++) {
        LayerView view;
        SiltImage tile = {0};
        SiltRange range;
        view_layer(terrain, k + 1, &view);
        status = silt_range_of(&view.terrain, options, &range);
        if (status == SILT_OK)
            status = silt_studio_shoot(&studio, &(SiltPose){.terrain = &view.terrain}, options, &range, 0.0,
                                       &tile);
        if (status == SILT_OK && k == 0)
            status = make_sheet(columns, (count + columns - 1) / columns, &tile, label, out);
        if (status == SILT_OK) {
            int x = MARGIN + k % columns * (tile.width + MARGIN);
            int y = MARGIN + k / columns * (tile.height + label + MARGIN);
            paste(&tile, out, x, y);
            silt_text_draw(out, terrain->layers[k + 1]->name, x + 2, y + tile.height + MARGIN / 2 + letter,
                           letter, false, ink);
        }
        silt_image_destroy(&tile);
    }
    silt_studio_end(&studio);
    if (status != SILT_OK)
        silt_image_destroy(out);
    return status;
}
