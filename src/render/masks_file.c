// Masks as files: one PNG, TIFF or EXR a mask, the splat map, the colour map, and masks.json beside them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "io/json.h"
#include "io/output.h"
#include "io/picture.h"
#include "io/together.h"
#include "render/masks.h"
#include "silt/io.h"
#include "silt/text.h"

static const char *const endings[] = {
    [SILT_MASKS_PNG] = "png", [SILT_MASKS_TIF] = "tif", [SILT_MASKS_EXR] = "exr"};
static const char *const kinds[] = {
    [SILT_MASK_LINEAR] = "linear", [SILT_MASK_LOG] = "log", [SILT_MASK_SHARE] = "share"};

enum { MESSAGE_SIZE = 2048 };

static int bits_of(const SiltMaskOptions *options)
{
    return options->mask_bits == 0 ? 8 : 16;
}

// ---- in memory ----

static SiltStatus begin_settled(const SiltTerrain *terrain, const SiltMaskOptions *options,
                                SiltTerrain **settled, SiltMasks *masks)
{
    *settled = NULL;
    *masks = (SiltMasks){0};
    SiltStatus status = SILT_OK;
    if (silt_terrain_layer(terrain, "change")) {
        status = silt_terrain_clone(terrain, settled);
        if (status == SILT_OK)
            silt_terrain_settle(*settled);
    }
    return status == SILT_OK ? silt_masks_begin(*settled ? *settled : terrain, options, masks) : status;
}

SiltStatus silt_masks_make(const SiltTerrain *terrain, const SiltMaskOptions *options, SiltTerrain **out,
                           SiltMaskScale scales[SILT_MAX_LAYERS])
{
    SiltTerrain *settled;
    SiltMasks masks;
    *out = NULL;
    SiltStatus status = begin_settled(terrain, options, &settled, &masks);
    if (status == SILT_OK)
        status = silt_masks_fill(&masks);
    if (status == SILT_OK) {
        memcpy(scales, masks.scales, sizeof masks.scales);
        *out = masks.out;
        masks.out = NULL;
    }
    silt_masks_end(&masks);
    silt_terrain_destroy(settled);
    return status;
}

static SiltStatus want_splat(SiltMasks *masks, unsigned largest)
{
    size_t cells = (size_t)masks->terrain->width * (size_t)masks->terrain->height;
    masks->largest = largest;
    return silt_alloc_for("a splat map", cells, 4 * sizeof *masks->splat, (void **)&masks->splat);
}

SiltStatus silt_splat_make(const SiltTerrain *terrain, const SiltMaskOptions *options, unsigned largest,
                           uint16_t **out)
{
    SiltTerrain *settled;
    SiltMasks masks;
    *out = NULL;
    if (largest < 1 || largest > 65535)
        return silt_fail(SILT_BAD_ARGUMENT, "a splat map whose weights add up to %u: they take 1 to 65535",
                         largest);
    SiltStatus status = begin_settled(terrain, options, &settled, &masks);
    if (status == SILT_OK)
        status = want_splat(&masks, largest);
    if (status == SILT_OK)
        status = silt_masks_fill(&masks);
    if (status == SILT_OK) {
        *out = masks.splat;
        masks.splat = NULL;
    }
    silt_masks_end(&masks);
    silt_terrain_destroy(settled);
    return status;
}

// ---- files ----

typedef struct File {
    const SiltMasks *masks;
    int index; // of a mask; count: the splat map; count + 1: the colour map
    int bits;
} File;

// Shares of 0 to 1 as samples of 8 bits, or of 16 with the upper half first.
SILT_CLONES static void store_shares(const float *restrict from, size_t count, int bits, uint8_t *restrict to)
{
    if (bits == 8) {
        for (size_t k = 0; k < count; k++)
            to[k] = (uint8_t)(int)(from[k] * 255.0f + 0.5f);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        int sample = (int)(from[k] * 65535.0f + 0.5f);
        to[2 * k] = (uint8_t)(sample >> 8);
        to[2 * k + 1] = (uint8_t)sample;
    }
}

static void store_weights(const uint16_t *restrict from, size_t count, int bits, uint8_t *restrict to)
{
    for (size_t k = 0; k < count && bits == 8; k++)
        to[k] = (uint8_t)from[k];
    for (size_t k = 0; k < count && bits == 16; k++) {
        to[2 * k] = (uint8_t)(from[k] >> 8);
        to[2 * k + 1] = (uint8_t)from[k];
    }
}

static void fill_band_row(const SiltMasks *masks, int j, int band, int bits, uint8_t *row)
{
    enum { CELLS = 1024 };
    float shares[CELLS];
    int width = masks->terrain->width;
    for (int begin = 0; begin < width; begin += CELLS) {
        int count = width - begin < CELLS ? width - begin : CELLS;
        silt_mask_band_row(masks, j, band, begin, count, shares);
        store_shares(shares, (size_t)count, bits, row + (size_t)begin * (size_t)(bits / 8));
    }
}

static void fill_row(const void *context, int j, uint8_t *row)
{
    const File *file = context;
    const SiltMasks *masks = file->masks;
    size_t width = (size_t)masks->terrain->width;
    if (file->index > masks->count) {
        memcpy(row, masks->colour + 3 * (size_t)j * width, 3 * width);
        return;
    }
    bool is_splat = file->index == masks->count;
    int band = masks->bands_later ? file->index - masks->first_band : -1;
    if (band >= 0 && band < masks->options->bands) {
        fill_band_row(masks, j, band, file->bits, row);
        return;
    }
    if (is_splat)
        store_weights(masks->splat + 4 * (size_t)j * width, 4 * width, file->bits, row);
    else
        store_shares(silt_field_row(silt_terrain_layer(masks->out, masks->scales[file->index].name), j),
                     width, file->bits, row);
}

static void describe(const SiltMaskScale *scale, char text[160])
{
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    snprintf(text, 160, "%s %s %s %.32s of %.32s", kinds[scale->kind], silt_format_number(scale->low, low),
             silt_format_number(scale->high, high), scale->unit, scale->layer);
}

static SiltStatus write_png(const File *file, const char *path)
{
    const SiltMasks *masks = file->masks;
    bool is_mask = file->index < masks->count;
    char cell[SILT_NUMBER_SIZE], scale[160] = "";
    if (is_mask)
        describe(&masks->scales[file->index], scale);
    const char *notes[] = {"Software",
                           "Silt " SILT_VERSION,
                           "Silt-Cell",
                           silt_format_number(masks->terrain->cell, cell),
                           "Silt-Layer",
                           is_mask ? masks->scales[file->index].name : "splat",
                           is_mask ? "Silt-Scale" : NULL,
                           scale,
                           "Silt-Unit",
                           "1",
                           "Silt-Heights",
                           "0 1",
                           NULL};
    SiltPngForm form = {masks->terrain->width, masks->terrain->height,
                        is_mask                       ? 1
                        : file->index == masks->count ? 4
                                                      : 3,
                        file->bits, notes};
    return silt_png_write_rows(path, &form, fill_row, file);
}

static SiltStatus write_raster(const File *file, const char *path)
{
    SiltWriteOptions options;
    SiltStatus status = silt_params_init(&silt_write_params, &options);
    if (status != SILT_OK)
        return status;
    bool is_exr = file->masks->options->mask_format == SILT_MASKS_EXR;
    options.bits = is_exr ? SILT_BITS_AUTO : file->bits == 16 ? SILT_BITS_16 : SILT_BITS_8;
    options.heights[0] = 0.0;
    options.heights[1] = 1.0;
    snprintf(options.layer, sizeof options.layer, "%s", file->masks->scales[file->index].name);
    return silt_terrain_write(file->masks->out, path, &options);
}

// Every file in a thread of its own: packing takes longer than all the rest.
typedef struct Batch {
    const SiltMasks *masks;
    const char *folder;
    int *which; // indices as in File
    SiltStatus *status;
    char (*message)[MESSAGE_SIZE];
} Batch;

static SiltStatus name_file(const Batch *batch, int index, char path[SILT_PATH_SIZE])
{
    const SiltMasks *masks = batch->masks;
    const char *name = index < masks->count    ? masks->scales[index].name
                       : index == masks->count ? "splat"
                                               : "colour";
    const char *ending = index < masks->count ? endings[masks->options->mask_format] : "png";
    int length = snprintf(path, SILT_PATH_SIZE, "%s/%s.%s", batch->folder, name, ending);
    return length < SILT_PATH_SIZE
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", batch->folder);
}

static void write_files(void *context, int begin, int end)
{
    const Batch *batch = context;
    for (int k = begin; k < end; k++) {
        File file = {batch->masks, batch->which[k], bits_of(batch->masks->options)};
        if (file.index > batch->masks->count)
            file.bits = 8;
        char path[SILT_PATH_SIZE];
        SiltStatus status = name_file(batch, file.index, path);
        bool is_png =
            file.index >= batch->masks->count || batch->masks->options->mask_format == SILT_MASKS_PNG;
        if (status == SILT_OK)
            status = is_png ? write_png(&file, path) : write_raster(&file, path);
        batch->status[k] = status;
        if (status != SILT_OK)
            snprintf(batch->message[k], sizeof batch->message[k], "%s", silt_message());
    }
}

static SiltStatus write_all(const SiltMasks *masks, const char *folder)
{
    enum { MOST = SILT_MAX_LAYERS + 2 };
    int which[MOST], count = 0;
    SiltStatus status[MOST], result = SILT_OK;
    void *messages;
    if (masks->splat)
        which[count++] = masks->count; // the largest first
    if (masks->colour)
        which[count++] = masks->count + 1;
    for (int k = 0; k < masks->count; k++)
        which[count++] = k;
    result = silt_alloc_for(folder, (size_t)count, MESSAGE_SIZE, &messages);
    if (result != SILT_OK)
        return result;
    Batch batch = {masks, folder, which, status, messages};
    silt_parallel(count, 1, write_files, &batch);
    for (int k = 0; k < count && result == SILT_OK; k++)
        if (status[k] != SILT_OK)
            result = silt_fail(status[k], "%s", batch.message[k]);
    silt_free(messages);
    return result;
}

// ---- what each means ----

enum { MOST_BYTES = 1 << 20 }; // of a masks.json

static void add_mask_json(SiltText *text, const SiltMasks *masks, int k)
{
    const SiltMaskScale *scale = &masks->scales[k];
    silt_text_addf(text, "%s\n    {\"file\": \"%s.%s\", \"layer\": ", k ? "," : "", scale->name,
                   endings[masks->options->mask_format]);
    silt_text_add_json(text, scale->layer);
    silt_text_add(text, ", \"unit\": ");
    silt_text_add_json(text, scale->unit);
    silt_text_addf(text, ", \"scale\": \"%s\", \"low\": ", kinds[scale->kind]);
    silt_text_add_json_number(text, scale->low);
    silt_text_add(text, ", \"high\": ");
    silt_text_add_json_number(text, scale->high);
    silt_text_add(text, "}");
}

static char *masks_json(const SiltMasks *masks)
{
    SiltText text = {0};
    silt_text_addf(&text, "{\n  \"width\": %d, \"height\": %d, \"cell\": ", masks->terrain->width,
                   masks->terrain->height);
    silt_text_add_json_number(&text, masks->terrain->cell);
    silt_text_addf(&text, ", \"bits\": %d,\n  \"masks\": [",
                   masks->options->mask_format == SILT_MASKS_EXR ? 32 : bits_of(masks->options));
    for (int k = 0; k < masks->count; k++)
        add_mask_json(&text, masks, k);
    silt_text_add(&text, "\n  ]");
    if (masks->splat)
        silt_text_addf(
            &text,
            ",\n  \"splat\": {\"file\": \"splat.png\", \"red\": \"sand\", \"green\": \"grass\", \"blue\": "
            "\"rock\", \"alpha\": \"snow\", \"sum\": %u}",
            masks->largest);
    if (masks->colour)
        silt_text_add(&text, ",\n  \"colour\": {\"file\": \"colour.png\", \"space\": \"sRGB\"}");
    silt_text_add(&text, "\n}\n");
    if (!text.failed)
        return text.data;
    silt_text_free(&text);
    return NULL;
}

static bool is_of_masks(const SiltJson *json)
{
    return silt_json_member(json, 0, "bits") >= 0 && silt_json_member(json, 0, "masks") >= 0;
}

// A masks.json that is there is one of ours, or empty.
static SiltStatus check_json(const char *folder)
{
    char path[SILT_PATH_SIZE + 16], *text = NULL;
    size_t bytes = 0;
    SiltJson json = {0};
    snprintf(path, sizeof path, "%s/masks.json", folder);
    if (access(path, F_OK) != 0)
        return SILT_OK;
    SiltStatus status = silt_read_file(path, MOST_BYTES, &text, &bytes);
    bool is_ours =
        status == SILT_OK &&
        (bytes == 0 || (silt_json_parse(path, text, bytes, &json) == SILT_OK && is_of_masks(&json)));
    silt_json_free(&json);
    silt_free(text);
    return is_ours || status == SILT_NO_MEMORY
               ? status
               : silt_fail(SILT_BAD_ARGUMENT,
                           "%s: is there and no list of masks; choose another folder for them", path);
}

SiltStatus silt_masks_check(const char *folder, const SiltMaskOptions *options)
{
    if (silt_maps_check(folder) != SILT_OK || silt_ends_with(folder, ".exr"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: masks go into a folder with a file each; name one", folder);
    SiltStatus status = silt_mask_options_check(options, folder);
    if (status == SILT_OK)
        status = silt_folder_check(folder);
    if (status == SILT_OK)
        status = check_json(folder);
    char path[SILT_PATH_SIZE + 16];
    SiltWriteOptions plain;
    if (status == SILT_OK)
        status = silt_params_init(&silt_write_params, &plain);
    snprintf(path, sizeof path, "%s/height.%s", folder, endings[options->mask_format]);
    return status == SILT_OK ? silt_write_check(path, &plain) : status;
}

// ---- what an earlier call left ----

// Whether a file is called as masks are: by a layer that is known, a band or a map of all.
static bool is_called_as_masks_are(const char *file)
{
    static const char *const others[] = {"splat",     "colour", "slope", "curvature",
                                         "occlusion", "snow",   "scree"};
    const char *dot = strrchr(file, '.');
    char name[SILT_NAME_SIZE];
    if (!dot || strchr(file, '/') || dot - file >= SILT_NAME_SIZE ||
        (strcmp(dot, ".png") != 0 && strcmp(dot, ".tif") != 0 && strcmp(dot, ".exr") != 0))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(dot - file), file);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (strcmp(name, others[k]) == 0)
            return true;
    size_t digits = strncmp(name, "band_", 5) == 0 ? strspn(name + 5, "0123456789") : 0;
    return (digits > 0 && !name[5 + digits]) || silt_layer_about(name)[0];
}

// Removes one that the new list does not name.
// How many of the files that masks.json names `does` says yes to.
static int count_masks(const char *path, const char *text, size_t bytes,
                       bool (*does)(const void *context, const char *file), const void *context)
{
    SiltJson json = {0};
    int *items = NULL, count = 0, found = 0;
    if (silt_json_parse(path, text, bytes, &json) == SILT_OK && is_of_masks(&json))
        silt_json_items(&json, silt_json_member(&json, 0, "masks"), &items, &count);
    for (int k = 0; k < count + 2; k++) {
        int object = k < count ? items[k] : silt_json_member(&json, 0, k == count ? "splat" : "colour");
        int member = object >= 0 && count > 0 ? silt_json_member(&json, object, "file") : -1;
        char *file = member >= 0 ? silt_json_string(&json, member) : NULL;
        found += file && is_called_as_masks_are(file) && does(context, file);
        silt_free(file);
    }
    silt_free(items);
    silt_json_free(&json);
    return found;
}

// The text of masks.json where one lies; the caller frees it.
static char *read_older(const char *path, size_t *bytes)
{
    char *text = NULL;
    return access(path, F_OK) == 0 && silt_read_file(path, MOST_BYTES, &text, bytes) == SILT_OK ? text : NULL;
}

static bool is_file(const void *context, const char *file)
{
    return strcmp(context, file) == 0;
}

bool silt_masks_writes(const char *folder, const SiltMaskOptions *options, const char *file)
{
    char name[SILT_PATH_SIZE], path[SILT_PATH_SIZE + 16];
    if (!silt_path_lies_in(file, folder, name))
        return false;
    if (silt_masks_has_file(options, name))
        return true;
    size_t bytes = 0;
    snprintf(path, sizeof path, "%.*s/masks.json", SILT_PATH_SIZE, folder);
    char *text = read_older(path, &bytes);
    bool found = text && count_masks(path, text, bytes, is_file, name) > 0;
    silt_free(text);
    return found;
}

typedef struct Renewal {
    const char *folder, *now; // masks.json as it is now
} Renewal;

static bool removes(const void *context, const char *file)
{
    const Renewal *renewal = context;
    char path[SILT_PATH_SIZE], quoted[SILT_NAME_SIZE + 16];
    snprintf(quoted, sizeof quoted, "\"%s\"", file);
    return !strstr(renewal->now, quoted) &&
           snprintf(path, sizeof path, "%s/%s", renewal->folder, file) < SILT_PATH_SIZE && unlink(path) == 0;
}

// Who takes all files of the folder would take masks of an earlier call for some of this: removed is what its
// masks.json names and the new one does not.
static void remove_older(const char *folder, const char *path, const char *old, size_t bytes, const char *now)
{
    Renewal renewal = {folder, now};
    int gone = count_masks(path, old, bytes, removes, &renewal);
    if (gone > 0)
        silt_warn("%s: %d mask%s of an earlier call that this one does not make %s removed", folder, gone,
                  gone == 1 ? "" : "s", gone == 1 ? "was" : "were");
}

// All files and masks.json, or none: a call that fails leaves what one before it wrote. Hands out the text.
static SiltStatus write_together(SiltMasks *masks, const char *folder, const char *path, char **text)
{
    SiltTogether *together;
    SiltStatus status = silt_together_begin(path, &together);
    if (status != SILT_OK)
        return status;
    status = write_all(masks, folder);
    if (status == SILT_OK && !(*text = masks_json(masks)))
        status = silt_fail_memory("text", 1.0);
    if (status == SILT_OK)
        status = silt_write_file(path, *text, strlen(*text));
    return silt_together_end(together, status);
}

static SiltStatus write_made(SiltMasks *masks, const char *folder, char **json)
{
    char path[SILT_PATH_SIZE + 16], *text = NULL, *old = NULL;
    size_t bytes = 0;
    size_t cells = (size_t)masks->terrain->width * (size_t)masks->terrain->height;
    SiltStatus status = SILT_OK;
    masks->bands_later = masks->options->mask_format == SILT_MASKS_PNG;
    if (masks->options->splat)
        status = want_splat(masks, bits_of(masks->options) == 16 ? 65535 : 255);
    if (status == SILT_OK && masks->options->colour)
        status = silt_alloc_for("a colour map", cells, 3, (void **)&masks->colour);
    if (status == SILT_OK)
        status = silt_masks_fill(masks);
    snprintf(path, sizeof path, "%s/masks.json", folder);
    if (status == SILT_OK)
        status = silt_make_folders(path);
    if (status == SILT_OK)
        old = read_older(path, &bytes);
    if (status == SILT_OK)
        status = write_together(masks, folder, path, &text);
    if (status == SILT_OK && old)
        remove_older(folder, path, old, bytes, text);
    silt_free(old);
    if (json && status == SILT_OK)
        *json = text;
    else
        silt_free(text);
    return status;
}

SiltStatus silt_masks_write(const SiltTerrain *terrain, const char *folder, const SiltMaskOptions *options,
                            char **json)
{
    SiltTerrain *settled = NULL;
    SiltMasks masks = {0};
    SiltMaskOptions defaults;
    if (json)
        *json = NULL;
    SiltStatus status = silt_params_init(&silt_mask_params, &defaults);
    if (status == SILT_OK)
        status = begin_settled(terrain, options ? options : &defaults, &settled, &masks);
    if (status == SILT_OK)
        status = write_made(&masks, folder, json);
    silt_masks_end(&masks);
    silt_terrain_destroy(settled);
    return status;
}
