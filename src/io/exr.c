// OpenEXR: 32-bit float channels. One layer is written as the channel "Y", all layers as channels of their
// own names; cell size, place and nodata go into attributes whose names begin with "silt". Cells without data
// hold the value of siltNodata, never NaN.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "io/exr_file.h"
#include "io/format.h"
#include "io/place.h"
#include "terrain/terrain.h"

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= 4 && memcmp(head, "\x76\x2f\x31\x01", 4) == 0;
}

#ifdef SILT_HAS_EXR

// ---- reading ----

typedef struct Reader {
    SiltExr file;
    exr_attr_box2i_t window;
    int64_t width, height;
    bool tiled;
    int block_width, block_height, across, chunk_count;
    const exr_attr_chlist_t *channels;
    SiltField **targets; // one a channel; NULL for those that are not read
    atomic_int result;   // of the first chunk that failed
} Reader;

static SiltStatus read_window(Reader *reader)
{
    SiltExr *file = &reader->file;
    exr_storage_t storage;
    SiltStatus status = silt_exr_check(file, exr_get_storage(file->context, 0, &storage));
    if (status == SILT_OK)
        status = silt_exr_check(file, exr_get_data_window(file->context, 0, &reader->window));
    if (status == SILT_OK)
        status = silt_exr_check(file, exr_get_channels(file->context, 0, &reader->channels));
    if (status == SILT_OK)
        status = silt_exr_check(file, exr_get_chunk_count(file->context, 0, &reader->chunk_count));
    if (status != SILT_OK)
        return status;
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return silt_fail(SILT_BAD_FILE, "%s: a deep EXR, with many samples a pixel; save it flat",
                         file->path);
    reader->tiled = storage == EXR_STORAGE_TILED;
    reader->width = (int64_t)reader->window.max.x - reader->window.min.x + 1;
    reader->height = (int64_t)reader->window.max.y - reader->window.min.y + 1;
    reader->block_width = (int)(reader->width < SILT_MAX_SIDE ? reader->width : SILT_MAX_SIDE);
    status = silt_exr_check(
        file, reader->tiled
                  ? exr_get_tile_sizes(file->context, 0, 0, 0, &reader->block_width, &reader->block_height)
                  : exr_get_scanlines_per_chunk(file->context, 0, &reader->block_height));
    if (status == SILT_OK && (reader->block_width < 1 || reader->block_height < 1))
        status = silt_fail(SILT_BAD_FILE, "%s: the EXR has tiles of no size", file->path);
    return status;
}

static int find_channel(const exr_attr_chlist_t *channels, const char *name)
{
    for (int k = 0; k < channels->num_channels; k++)
        if (strcmp(channels->entries[k].name.str, name) == 0)
            return k;
    return -1;
}

// The channel that holds heights: "height" of our own files, "Y" (grey), "Z" (depth), or the only one.
static SiltStatus find_height(const Reader *reader, int *out)
{
    static const char *const names[] = {"height", "Y", "Z"};
    const exr_attr_chlist_t *channels = reader->channels;
    *out = -1;
    for (size_t k = 0; k < sizeof names / sizeof names[0] && *out < 0; k++)
        *out = find_channel(channels, names[k]);
    if (*out < 0 && channels->num_channels == 1)
        *out = 0;
    if (*out < 0)
        return silt_fail(
            SILT_BAD_FILE,
            "%s: %d channels, and none is called height, Y or Z; save the heights as one of them",
            reader->file.path, channels->num_channels);
    if (channels->entries[*out].x_sampling != 1 || channels->entries[*out].y_sampling != 1)
        return silt_fail(SILT_BAD_FILE, "%s: channel %s has fewer samples than the picture has pixels",
                         reader->file.path, channels->entries[*out].name.str);
    return SILT_OK;
}

// Refuses before anything is allocated what the file is too short for. None of the methods saves more than
// one part in some thousands, and each chunk has 8 bytes in a table.
static SiltStatus check_length(Reader *reader)
{
    exr_compression_t compression;
    SiltStatus status =
        silt_exr_check(&reader->file, exr_get_compression(reader->file.context, 0, &compression));
    if (status != SILT_OK)
        return status;
    double raw = 0.0;
    for (int k = 0; k < reader->channels->num_channels; k++) {
        const exr_attr_chlist_entry_t *entry = &reader->channels->entries[k];
        double samples = (double)reader->width * (double)reader->height;
        raw += samples / (double)entry->x_sampling / (double)entry->y_sampling *
               (entry->pixel_type == EXR_PIXEL_HALF ? 2.0 : 4.0);
    }
    status = silt_raster_check_length(reader->file.path, raw,
                                      compression == EXR_COMPRESSION_NONE ? 1.0 : 5000.0, reader->file.bytes);
    if (status != SILT_OK)
        return status;
    return silt_raster_check_length(reader->file.path, 8.0 * reader->chunk_count, 1.0, reader->file.bytes);
}

static SiltStatus choose_targets(Reader *reader, int height, SiltTerrain *terrain)
{
    const exr_attr_chlist_t *channels = reader->channels;
    SiltStatus status = silt_alloc_for(reader->file.path, (size_t)channels->num_channels,
                                       sizeof *reader->targets, (void **)&reader->targets);
    if (status != SILT_OK)
        return status;
    reader->targets[height] = &terrain->layers[0]->field;
    bool layers = strcmp(channels->entries[height].name.str, "height") == 0;
    for (int k = 0; k < channels->num_channels && status == SILT_OK; k++) {
        const exr_attr_chlist_entry_t *entry = &channels->entries[k];
        const char *name = entry->name.str;
        bool fits = layers && entry->x_sampling == 1 && entry->y_sampling == 1 &&
                    silt_layer_name_is_good(name) && terrain->layer_count < SILT_MAX_LAYERS;
        if (k == height)
            continue;
        if (fits)
            status = silt_terrain_require(terrain, name, &reader->targets[k]);
        else
            silt_warn("%s: channel %s is not used", reader->file.path, name);
    }
    return status;
}

static exr_result_t chunk_info(const Reader *reader, int number, exr_chunk_info_t *out)
{
    if (reader->tiled)
        return exr_read_tile_chunk_info(reader->file.context, 0, number % reader->across,
                                        number / reader->across, 0, 0, out);
    int64_t line = (int64_t)reader->window.min.y + (int64_t)number * reader->block_height;
    return exr_read_scanline_chunk_info(reader->file.context, 0, (int)line, out);
}

// Points the channels of one chunk at the rows they go to.
static exr_result_t aim(const Reader *reader, int number, exr_decode_pipeline_t *pipeline)
{
    int64_t i0 = (int64_t)(number % reader->across) * reader->block_width;
    int64_t j0 = (int64_t)(number / reader->across) * reader->block_height;
    if (i0 + pipeline->chunk.width > reader->width || j0 + pipeline->chunk.height > reader->height)
        return EXR_ERR_BAD_CHUNK_LEADER;
    for (int k = 0; k < pipeline->channel_count; k++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[k];
        int index = find_channel(reader->channels, channel->channel_name);
        SiltField *field = index < 0 ? NULL : reader->targets[index];
        channel->decode_to_ptr = field ? (uint8_t *)(silt_field_row(field, (int)j0) + i0) : NULL;
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_pixel_stride = sizeof(float);
        channel->user_line_stride = field ? (int32_t)(field->stride * sizeof(float)) : 0;
    }
    return EXR_ERR_SUCCESS;
}

static exr_result_t decode(const Reader *reader, int number, bool *ready, exr_decode_pipeline_t *pipeline)
{
    exr_context_t context = reader->file.context;
    exr_chunk_info_t info;
    exr_result_t result = chunk_info(reader, number, &info);
    if (result == EXR_ERR_SUCCESS)
        result = *ready ? exr_decoding_update(context, 0, &info, pipeline)
                        : exr_decoding_initialize(context, 0, &info, pipeline);
    if (result == EXR_ERR_SUCCESS)
        result = aim(reader, number, pipeline);
    if (result == EXR_ERR_SUCCESS && !*ready)
        result = exr_decoding_choose_default_routines(context, 0, pipeline);
    *ready = true;
    return result == EXR_ERR_SUCCESS ? exr_decoding_run(context, 0, pipeline) : result;
}

static void decode_chunks(void *context, int begin, int end)
{
    Reader *reader = context;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    bool ready = false;
    for (int k = begin; k < end && atomic_load(&reader->result) == EXR_ERR_SUCCESS; k++) {
        int none = EXR_ERR_SUCCESS,
            result = silt_exr_settle(&reader->file, decode(reader, k, &ready, &pipeline));
        if (result != EXR_ERR_SUCCESS)
            atomic_compare_exchange_strong(&reader->result, &none, result);
    }
    exr_decoding_destroy(reader->file.context, &pipeline);
}

static SiltStatus read_chunks(Reader *reader)
{
    reader->across = reader->tiled ? (int)((reader->width - 1) / reader->block_width) + 1 : 1;
    int down = (int)((reader->height - 1) / reader->block_height) + 1;
    // other levels of a tiled picture follow the first
    if ((int64_t)reader->across * down > reader->chunk_count)
        return silt_fail(SILT_BAD_FILE, "%s: the EXR has fewer chunks than its size needs",
                         reader->file.path);
    silt_parallel(reader->across * down, 4, decode_chunks, reader);
    return silt_exr_check(&reader->file, atomic_load(&reader->result));
}

static SiltStatus read_attributes(Reader *reader, SiltTerrain *terrain)
{
    exr_context_t context = reader->file.context;
    double nodata;
    if (exr_attr_get_double(context, 0, "siltNodata", &nodata) == EXR_ERR_SUCCESS)
        terrain->nodata_value = nodata;
    int32_t length = 0;
    const char *place = NULL, *layer = NULL;
    if (exr_attr_get_string(context, 0, "siltLayer", &length, &layer) == EXR_ERR_SUCCESS && layer &&
        silt_layer_name_is_good(layer))
        silt_terrain_set_holds(terrain, layer);
    if (exr_attr_get_string(context, 0, "siltPlace", &length, &place) != EXR_ERR_SUCCESS || !place)
        return SILT_OK;
    return silt_place_from_text(place, &terrain->geo);
}

static SiltStatus read_open(Reader *reader, const SiltReadOptions *options, SiltTerrain **terrain)
{
    const char *path = reader->file.path;
    int height = 0, parts = 0;
    SiltStatus status = read_window(reader);
    if (status == SILT_OK)
        status = find_height(reader, &height);
    if (status == SILT_OK)
        status = check_length(reader);
    if (status != SILT_OK)
        return status;
    if (exr_get_count(reader->file.context, &parts) == EXR_ERR_SUCCESS && parts > 1)
        silt_warn("%s: only the first of %d parts is read", path, parts);
    double cell = 0.0;
    if (exr_attr_get_double(reader->file.context, 0, "siltCell", &cell) != EXR_ERR_SUCCESS)
        cell = 0.0;
    status = silt_raster_create(path, reader->width, reader->height, silt_raster_cell(path, options, cell),
                                terrain);
    if (status == SILT_OK)
        status = read_attributes(reader, *terrain);
    if (status == SILT_OK)
        status = choose_targets(reader, height, *terrain);
    if (status == SILT_OK)
        status = read_chunks(reader);
    return status == SILT_OK ? silt_raster_finish(path, options, *terrain) : status;
}

static SiltStatus read_exr(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    FILE *input;
    SiltStatus status = silt_open_input(path, &input);
    if (status != SILT_OK)
        return status;
    Reader reader = {0};
    SiltTerrain *terrain = NULL;
    status = silt_exr_open_read(path, input, &reader.file);
    if (status == SILT_OK)
        status = silt_exr_close(&reader.file, read_open(&reader, options, &terrain));
    silt_free(reader.targets);
    fclose(input);
    if (status != SILT_OK) {
        silt_terrain_destroy(terrain);
        return status;
    }
    *out = terrain;
    return SILT_OK;
}

// ---- writing ----

enum { SLOTS = 32 }; // chunks packed at the same time, then written in order

typedef struct Writer {
    SiltExr file;
    const SiltTerrain *terrain;
    const SiltLayer *layers[SILT_MAX_LAYERS];
    const char *names[SILT_MAX_LAYERS]; // of their channels
    int layer_count;
    float nodata;
    int lines;   // of a chunk
    float *rows; // SLOTS * layer_count * lines * width
    exr_chunk_info_t chunks[SLOTS];
    exr_encode_pipeline_t slots[SLOTS];
    bool ready[SLOTS];
    atomic_int result;
} Writer;

static SiltStatus choose_layers(const char *path, const SiltTerrain *terrain, const SiltWriteOptions *options,
                                Writer *writer)
{
    writer->terrain = terrain;
    writer->nodata = silt_raster_write_nodata(terrain);
    if (strcmp(options->layer, "all") != 0 || silt_terrain_layer(terrain, "all")) {
        writer->layer_count = 1;
        writer->names[0] = "Y";
        return silt_raster_layer(path, terrain, options, &writer->layers[0]);
    }
    writer->layer_count = terrain->layer_count;
    for (int k = 0; k < terrain->layer_count; k++) {
        writer->layers[k] = terrain->layers[k];
        writer->names[k] = terrain->layers[k]->name;
    }
    return SILT_OK;
}

static exr_result_t add_attributes(exr_context_t context, const Writer *writer, const char *place)
{
    const SiltLayer *layer = writer->layers[0];
    exr_result_t result = exr_attr_set_double(context, 0, "siltCell", writer->terrain->cell);
    if (result == EXR_ERR_SUCCESS)
        result = exr_attr_set_string(context, 0, "software", "Silt " SILT_VERSION);
    if (result == EXR_ERR_SUCCESS && writer->layer_count == 1)
        result =
            exr_attr_set_string(context, 0, "siltLayer", silt_terrain_layer_name(writer->terrain, layer));
    if (result == EXR_ERR_SUCCESS && writer->layer_count == 1 && layer->unit[0])
        result = exr_attr_set_string(context, 0, "siltUnit", layer->unit);
    if (result == EXR_ERR_SUCCESS && !isnan(writer->nodata))
        result = exr_attr_set_double(context, 0, "siltNodata", (double)writer->nodata);
    if (result == EXR_ERR_SUCCESS && place)
        result = exr_attr_set_string(context, 0, "siltPlace", place);
    return result;
}

static SiltStatus write_header(Writer *writer, const SiltWriteOptions *options)
{
    exr_context_t context = writer->file.context;
    SiltText place = {0};
    silt_place_add_text(&writer->terrain->geo, &place);
    if (place.failed)
        return silt_fail_memory("text", (double)place.length);
    int part;
    exr_result_t result = exr_add_part(context, NULL, EXR_STORAGE_SCANLINE, &part);
    if (result == EXR_ERR_SUCCESS)
        result = exr_initialize_required_attr_simple(
            context, 0, writer->terrain->width, writer->terrain->height,
            options->compression == SILT_COMPRESS_NONE ? EXR_COMPRESSION_NONE : EXR_COMPRESSION_ZIP);
    for (int k = 0; k < writer->layer_count && result == EXR_ERR_SUCCESS; k++)
        result =
            exr_add_channel(context, 0, writer->names[k], EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR, 1, 1);
    if (result == EXR_ERR_SUCCESS)
        result = add_attributes(context, writer, place.data);
    if (result == EXR_ERR_SUCCESS)
        result = exr_write_header(context);
    if (result == EXR_ERR_SUCCESS)
        result = exr_get_scanlines_per_chunk(context, 0, &writer->lines);
    silt_text_free(&place);
    return silt_exr_check(&writer->file, result);
}

// Cells without data are marked in the height alone (or in the one layer there is).
static void fill_rows(const Writer *writer, int index, int j0, int rows, float *to)
{
    int width = writer->terrain->width;
    for (int j = j0; j < j0 + rows; j++, to += width)
        silt_raster_float_row(writer->terrain, writer->layers[index], 0, j, width,
                              index == 0 ? writer->nodata : NAN, to);
}

static exr_result_t keep_chunk(exr_encode_pipeline_t *pipeline)
{
    (void)pipeline; // it is written when its turn comes
    return EXR_ERR_SUCCESS;
}

static exr_result_t encode(Writer *writer, int slot)
{
    exr_context_t context = writer->file.context;
    exr_encode_pipeline_t *pipeline = &writer->slots[slot];
    const exr_chunk_info_t *info = &writer->chunks[slot];
    exr_result_t result = writer->ready[slot] ? exr_encoding_update(context, 0, info, pipeline)
                                              : exr_encoding_initialize(context, 0, info, pipeline);
    if (result != EXR_ERR_SUCCESS)
        return result;
    size_t width = (size_t)writer->terrain->width, plane = width * (size_t)writer->lines;
    float *rows = writer->rows + (size_t)slot * (size_t)writer->layer_count * plane;
    for (int k = 0; k < pipeline->channel_count; k++, rows += plane) {
        exr_coding_channel_info_t *channel = &pipeline->channels[k];
        int index = 0;
        while (strcmp(writer->names[index], channel->channel_name) != 0)
            index++;
        fill_rows(writer, index, info->start_y, info->height, rows);
        channel->encode_from_ptr = (const uint8_t *)rows;
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_pixel_stride = sizeof(float);
        channel->user_line_stride = (int32_t)(width * sizeof(float));
    }
    if (!writer->ready[slot])
        result = exr_encoding_choose_default_routines(context, 0, pipeline);
    writer->ready[slot] = true;
    pipeline->write_fn = keep_chunk;
    pipeline->yield_until_ready_fn = NULL;
    return result == EXR_ERR_SUCCESS ? exr_encoding_run(context, 0, pipeline) : result;
}

static void encode_slots(void *context, int begin, int end)
{
    Writer *writer = context;
    for (int k = begin; k < end; k++) {
        int none = EXR_ERR_SUCCESS, result = silt_exr_settle(&writer->file, encode(writer, k));
        if (result != EXR_ERR_SUCCESS)
            atomic_compare_exchange_strong(&writer->result, &none, result);
    }
}

static exr_result_t write_chunks(Writer *writer)
{
    exr_context_t context = writer->file.context;
    int count = (writer->terrain->height - 1) / writer->lines + 1;
    for (int first = 0; first < count; first += SLOTS) {
        int used = count - first < SLOTS ? count - first : SLOTS;
        for (int k = 0; k < used; k++) {
            exr_result_t result =
                exr_write_scanline_chunk_info(context, 0, (first + k) * writer->lines, &writer->chunks[k]);
            if (result != EXR_ERR_SUCCESS)
                return result;
        }
        silt_parallel(used, 1, encode_slots, writer);
        exr_result_t result = atomic_load(&writer->result);
        for (int k = 0; k < used && result == EXR_ERR_SUCCESS; k++)
            result = exr_write_scanline_chunk(context, 0, writer->chunks[k].start_y,
                                              writer->slots[k].compressed_buffer,
                                              writer->slots[k].compressed_bytes);
        if (result != EXR_ERR_SUCCESS)
            return result;
    }
    return EXR_ERR_SUCCESS;
}

static SiltStatus write_open(Writer *writer, const SiltWriteOptions *options)
{
    SiltStatus status = write_header(writer, options);
    if (status != SILT_OK)
        return status;
    size_t plane = (size_t)writer->terrain->width * (size_t)writer->lines;
    status = silt_alloc_for(writer->file.path, SLOTS * (size_t)writer->layer_count * plane, sizeof(float),
                            (void **)&writer->rows);
    if (status == SILT_OK)
        status = silt_exr_check(&writer->file, write_chunks(writer));
    for (int k = 0; k < SLOTS; k++)
        exr_encoding_destroy(writer->file.context, &writer->slots[k]);
    silt_free(writer->rows);
    return status;
}

static SiltStatus write_exr(const SiltTerrain *terrain, const SiltWriteOptions *options, SiltOutput *output)
{
    void *block;
    SiltStatus status = silt_alloc_for(output->path, 1, sizeof(Writer), &block);
    if (status != SILT_OK)
        return status;
    Writer *writer = block;
    status = choose_layers(output->path, terrain, options, writer);
    if (status == SILT_OK)
        status = silt_exr_open_write(output->path, output->file, &writer->file);
    if (status == SILT_OK)
        status = silt_exr_close(&writer->file, write_open(writer, options));
    silt_free(writer);
    return status;
}

#endif

const SiltFormat silt_format_exr = {
    .name = "OpenEXR",
    .endings = "exr",
    .package = "libopenexr-dev",
    .recognise = recognise,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
#ifdef SILT_HAS_EXR
    .read = read_exr,
    .write = write_exr,
#endif
};
