// A contact sheet: every layer but the height drawn as a terrain of its own, in rows, with its name; and
// every volume of rock.
#include "recipe/sheet.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/lettering.h"
#include "render/studio.h"
#include "silt/volume.h"

enum { MARGIN = 6, VOXELS = 96 };

// One layer as a terrain whose height it is, with its own water. Borrows the fields.
typedef struct LayerView {
    SiltTerrain terrain;
    SiltLayer layer, water;
} LayerView;

// A layer "bowl-water" is the water on a layer "bowl": the index of the latter, or -1.
static int find_ground(const SiltTerrain *terrain, int index)
{
    const char *name = terrain->layers[index]->name, *ending = strstr(name, "-water");
    for (int k = 1; ending && !ending[6] && k < terrain->layer_count; k++)
        if (strlen(terrain->layers[k]->name) == (size_t)(ending - name) &&
            strncmp(terrain->layers[k]->name, name, (size_t)(ending - name)) == 0)
            return k;
    return -1;
}

static void view_layer(const SiltTerrain *terrain, int index, LayerView *out)
{
    out->terrain = *terrain;
    out->layer = *terrain->layers[index];
    strcpy(out->layer.name, "height");
    out->terrain.layers[0] = &out->layer;
    out->terrain.layer_count = 1;
    for (int k = 1; k < terrain->layer_count; k++)
        if (find_ground(terrain, k) == index) {
            out->water = *terrain->layers[k];
            strcpy(out->water.name, "water");
            out->terrain.layers[1] = &out->water;
            out->terrain.layer_count = 2;
        }
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

static SiltStatus draw_layer(SiltStudio *studio, const SiltTerrain *terrain, int index,
                             const SiltRenderOptions *options, SiltImage *out)
{
    LayerView view;
    SiltRange range;
    view_layer(terrain, index, &view);
    SiltStatus status = silt_range_of(&view.terrain, options, &range);
    return status == SILT_OK
               ? silt_studio_shoot(studio, &(SiltPose){.terrain = &view.terrain}, options, &range, 0.0, out)
               : status;
}

static SiltStatus draw_shape(SiltStudio *studio, const SiltVolumeShape *shape,
                             const SiltRenderOptions *options, SiltImage *out)
{
    static const int size[3] = {VOXELS, VOXELS, VOXELS};
    SiltVolume *volume;
    SiltPose pose;
    SiltRange range;
    SiltStatus status = silt_volume_make(shape, size, 8, 1.0, NULL, NULL, 1, &volume);
    if (status != SILT_OK)
        return status;
    status = silt_pose_begin(&(SiltMotif){.volume = volume}, options, NULL, &pose);
    if (status == SILT_OK) {
        status = silt_pose_range(&pose, options, &range);
        if (status == SILT_OK)
            status = silt_studio_shoot(studio, &pose, options, &range, 0.0, out);
        silt_pose_end(&pose);
    }
    silt_volume_destroy(volume);
    return status;
}

// What is drawn: layers that are no water, then volumes.
typedef struct Motifs {
    const SiltTerrain *terrain;
    int layers[SILT_MAX_LAYERS], layer_count;
    int count;
} Motifs;

static Motifs list_motifs(const SiltTerrain *terrain, bool volumes)
{
    Motifs motifs = {.terrain = terrain};
    for (int k = 1; k < terrain->layer_count; k++)
        if (find_ground(terrain, k) < 0)
            motifs.layers[motifs.layer_count++] = k;
    motifs.count = motifs.layer_count + (volumes ? silt_volume_shape_count() : 0);
    return motifs;
}

static const char *motif_name(const Motifs *motifs, int k)
{
    return k < motifs->layer_count ? motifs->terrain->layers[motifs->layers[k]]->name
                                   : silt_volume_shape_at(k - motifs->layer_count)->name;
}

static SiltStatus draw_motif(SiltStudio *studio, const Motifs *motifs, int k,
                             const SiltRenderOptions *options, SiltImage *out)
{
    return k < motifs->layer_count
               ? draw_layer(studio, motifs->terrain, motifs->layers[k], options, out)
               : draw_shape(studio, silt_volume_shape_at(k - motifs->layer_count), options, out);
}

// Where tile k of a sheet stands, with its name below.
static void place_tile(const SiltImage *tile, const char *name, int k, int columns, int letter, int label,
                       SiltImage *sheet)
{
    static const SiltColour ink = {0.16f, 0.17f, 0.20f};
    int x = MARGIN + k % columns * (tile->width + MARGIN);
    int y = MARGIN + k / columns * (tile->height + label + MARGIN);
    paste(tile, sheet, x, y);
    silt_text_draw(sheet, name, x + 2, y + tile->height + MARGIN / 2 + letter, letter, false, ink);
}

// ---- masks ----

// A mask in grey: each pixel is the mean of the cells below it, or the cell it lies in.
static void draw_mask(const SiltField *mask, SiltImage *tile)
{
    for (int y = 0; y < tile->height; y++)
        for (int x = 0; x < tile->width; x++) {
            int i = (int)((int64_t)x * mask->width / tile->width),
                j = (int)((int64_t)y * mask->height / tile->height);
            int i1 = (int)((int64_t)(x + 1) * mask->width / tile->width),
                j1 = (int)((int64_t)(y + 1) * mask->height / tile->height);
            double sum = 0.0, count = 0.0;
            for (int b = j; b < (j1 > j ? j1 : j + 1); b++)
                for (int a = i; a < (i1 > i ? i1 : i + 1); a++) {
                    sum += (double)silt_field_at(mask, a, b);
                    count += 1.0;
                }
            uint8_t *pixel = tile->rgba + 4 * ((size_t)y * (size_t)tile->width + (size_t)x);
            pixel[0] = pixel[1] = pixel[2] = (uint8_t)(255.0 * sum / count + 0.5);
            pixel[3] = 255;
        }
}

SiltStatus silt_sheet_masks(const SiltTerrain *terrain, const SiltMaskOptions *options, int width,
                            int columns, SiltImage *out)
{
    SiltMaskScale scales[SILT_MAX_LAYERS];
    SiltTerrain *masks = NULL;
    SiltImage tile = {.width = width > 0 ? width : 320};
    int letter = tile.width >= 400 ? 12 : 8, label = letter * 4 / 3 + MARGIN;
    *out = (SiltImage){0};
    tile.height = (int)((double)tile.width * terrain->height / terrain->width + 0.5);
    tile.height = tile.height < 1 ? 1 : tile.height > 16384 ? 16384 : tile.height;
    SiltStatus status = silt_masks_make(terrain, options, &masks, scales);
    if (status == SILT_OK)
        status = silt_alloc_for("a contact sheet", (size_t)tile.width * (size_t)tile.height, 4,
                                (void **)&tile.rgba);
    int count = status == SILT_OK ? masks->layer_count : 0;
    columns = columns < count ? columns : count;
    if (status == SILT_OK)
        status = make_sheet(columns, (count + columns - 1) / columns, &tile, label, out);
    for (int k = 0; k < count && status == SILT_OK; k++) {
        draw_mask(&masks->layers[k]->field, &tile);
        place_tile(&tile, scales[k].name, k, columns, letter, label, out);
    }
    silt_image_destroy(&tile);
    silt_terrain_destroy(masks);
    return status;
}

SiltStatus silt_sheet_draw(const SiltTerrain *terrain, const SiltRenderOptions *options, int columns,
                           bool volumes, SiltImage *out)
{
    *out = (SiltImage){0};
    Motifs motifs = list_motifs(terrain, volumes);
    int count = motifs.count, letter = options->width >= 400 ? 12 : 8;
    if (count < 1)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a contact sheet shows the layers beside the height, and there are none");
    columns = columns < count ? columns : count;
    int label = letter * 4 / 3 + MARGIN; // tails reach below the line
    SiltStudio studio;
    SiltStatus status = silt_studio_begin(options, volumes, &studio);
    for (int k = 0; k < count && status == SILT_OK; k++) {
        SiltImage tile = {0};
        status = draw_motif(&studio, &motifs, k, options, &tile);
        if (status == SILT_OK && k == 0)
            status = make_sheet(columns, (count + columns - 1) / columns, &tile, label, out);
        if (status == SILT_OK)
            place_tile(&tile, motif_name(&motifs, k), k, columns, letter, label, out);
        silt_image_destroy(&tile);
    }
    silt_studio_end(&studio);
    if (status != SILT_OK)
        silt_image_destroy(out);
    return status;
}
