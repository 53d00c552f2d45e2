// Volumes in files (.siltvol): a header, one byte a brick that says whether it is air, rock or has voxels,
// and the voxels of those that have. All numbers are little-endian.
//
//     8 bytes  "SILTVOL2" ("SILTVOL1": the same without the sum at the end)
//     4 u32    voxels east, north and up; voxels along a brick
//     4 f64    metres between voxels; metres of voxel (0, 0, 0)
//     1 u32    kind of rock      5 f64  low, high, size, dip east, dip north      2 u32  seed, low half first
//     2 u32    columns and rows of the map of erodibility, or 0 and 0      f32s  the map, northern row first
//     bytes    of each brick, x fastest: 0 air, 1 rock, 2 voxels
//     f32s     of each brick with voxels: all phi, then all erodibility, x fastest
//     64 bytes of volumes with a place on a map only: what its coordinates are called ("EPSG:32611"), zeros
//     after it
//     3 f64    metres that its meshes count from, where these are not voxel (0, 0, 0) on a map, or 0 without
//     one
//     1 u64    sum of all bytes before it (core/sum.h)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/sum.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/format.h"
#include "physics/silt_fn.h"
#include "volume/brick.h"
#include "volume/volume.h"

enum { AIR, ROCK, VOXELS };
enum { CRS_BYTES = 64, FRAME_BYTES = 3 * 8, SUM_BYTES = 8 };
enum { HEADER_BYTES = 8 + 4 * 4 + 4 * 8 + 4 + 5 * 8 + 8 + 8 };
static const char magic[] = "SILTVOL2", former_magic[] = "SILTVOL1";

bool silt_path_is_volume(const char *path)
{
    return silt_ends_with(path, ".siltvol");
}

// ---- writing ----

static char *put_u64(char *to, uint64_t bits)
{
    return silt_store_u32(silt_store_u32(to, (uint32_t)bits, false), (uint32_t)(bits >> 32), false);
}

static char *put_f64(char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_u64(to, bits);
}

// What fails shows in the end.
static void put_bytes(SiltOutput *output, const char *bytes, size_t count)
{
    silt_sum_add(output->sum, bytes, count);
    fwrite(bytes, 1, count, output->file);
}

static void put_header(const SiltVolume *volume, char *to)
{
    const SiltRock *rock = &volume->rock;
    memcpy(to, magic, 8);
    to += 8;
    for (int axis = 0; axis < 3; axis++)
        to = silt_store_u32(to, (uint32_t)volume->size[axis], false);
    to = silt_store_u32(to, (uint32_t)volume->side, false);
    to = put_f64(to, volume->cell);
    for (int axis = 0; axis < 3; axis++)
        to = put_f64(to, volume->origin[axis]);
    to = silt_store_u32(to, (uint32_t)rock->kind, false);
    const double numbers[5] = {rock->low, rock->high, rock->size, rock->dip[0], rock->dip[1]};
    for (int k = 0; k < 5; k++)
        to = put_f64(to, numbers[k]);
    to = put_u64(to, volume->rock_seed);
    bool has_map = volume->rock_map.data != NULL;
    to = silt_store_u32(to, has_map ? (uint32_t)volume->rock_map.width : 0, false);
    silt_store_u32(to, has_map ? (uint32_t)volume->rock_map.height : 0, false);
}

static size_t pack_map(const void *context, size_t begin, size_t end, char *to)
{
    const SiltField *map = context;
    char *at = to;
    for (size_t n = begin; n < end; n++)
        at = silt_store_f32(
            at, silt_field_at(map, (int)(n % (size_t)map->width), (int)(n / (size_t)map->width)), false);
    return (size_t)(at - to);
}

static size_t pack_states(const void *context, size_t begin, size_t end, char *to)
{
    const SiltVolume *volume = context;
    for (size_t brick = begin; brick < end; brick++)
        to[brick - begin] = (char)(volume->table[brick] == volume->solid   ? ROCK
                                   : volume->table[brick] == volume->empty ? AIR
                                                                           : VOXELS);
    return end - begin;
}

static size_t pack_bricks(const void *context, size_t begin, size_t end, char *to)
{
    const SiltVolume *volume = context;
    char *at = to;
    for (size_t brick = begin; brick < end; brick++)
        for (size_t k = 0; !silt_volume_is_uniform(volume, brick) && k < 2 * silt_brick_voxels(volume); k++)
            at = silt_store_f32(at, volume->table[brick][k], false);
    return (size_t)(at - to);
}

// Where meshes count from unless the file says so.
static void default_frame(const SiltVolume *volume, double frame[3])
{
    for (int axis = 0; axis < 3; axis++)
        frame[axis] = volume->is_placed && axis < 2 ? volume->origin[axis] : 0.0;
}

static void put_frame(const SiltVolume *volume, SiltOutput *output)
{
    double standard[3];
    char bytes[FRAME_BYTES], *to = bytes;
    default_frame(volume, standard);
    if (memcmp(standard, volume->frame, sizeof standard) == 0)
        return;
    for (int axis = 0; axis < 3; axis++)
        to = put_f64(to, volume->frame[axis]);
    put_bytes(output, bytes, sizeof bytes);
}

static SiltStatus put_parts(const SiltVolume *volume, SiltOutput *output)
{
    char header[HEADER_BYTES];
    put_header(volume, header);
    put_bytes(output, header, sizeof header);
    const SiltField *map = &volume->rock_map;
    SiltStatus status = SILT_OK;
    if (map->data)
        status = silt_output_pack(output, (size_t)map->width * (size_t)map->height, 4, pack_map, map);
    if (status == SILT_OK)
        status = silt_output_pack(output, silt_brick_total(volume), 1, pack_states, volume);
    if (status == SILT_OK)
        status = silt_output_pack(output, silt_brick_total(volume), 8 * silt_brick_voxels(volume),
                                  pack_bricks, volume);
    if (status == SILT_OK && volume->is_placed)
        put_bytes(output, volume->crs, CRS_BYTES);
    if (status == SILT_OK)
        put_frame(volume, output);
    return status;
}

static SiltStatus put_volume(const SiltVolume *volume, SiltOutput *output)
{
    SiltSum sum = {.sum = 1};
    char end[SUM_BYTES];
    output->sum = &sum;
    SiltStatus status = put_parts(volume, output);
    output->sum = NULL;
    put_u64(end, silt_sum_end(&sum));
    fwrite(end, 1, sizeof end, output->file);
    return status == SILT_OK ? silt_output_status(output) : status;
}

SiltStatus silt_volume_write(const SiltVolume *volume, const char *path)
{
    SiltOutput output;
    SiltStatus status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    return silt_output_end(&output, put_volume(volume, &output));
}

// A terrain as a volume: its own, or one made from its heights.
static SiltStatus write_terrain(const SiltTerrain *terrain, const SiltWriteOptions *options,
                                SiltOutput *output)
{
    (void)options;
    SiltVolume *own = silt_terrain_volume(terrain), *made = NULL;
    if (terrain->volume && !own)
        silt_warn(
            "%s: the heights have changed since they were those of a volume: its caves and overhangs are "
            "filled",
            output->path);
    SiltStatus status = own ? SILT_OK : silt_volume_from_terrain(terrain, NULL, NULL, 0, &made);
    if (status == SILT_OK)
        status = put_volume(own ? own : made, output);
    silt_volume_destroy(made);
    return status;
}

// ---- reading ----

typedef struct Reader {
    const char *path, *at, *end;
    SiltVolume *volume;
} Reader;

static uint32_t next_u32(Reader *reader)
{
    reader->at += 4;
    return silt_load_u32(reader->at - 4, false);
}

static double next_f64(Reader *reader)
{
    reader->at += 8;
    return silt_load_f64(reader->at - 8, false);
}

static SiltStatus bad(const Reader *reader, const char *what)
{
    return silt_fail(SILT_BAD_FILE, "%s: %s", reader->path, what);
}

static SiltStatus read_map(Reader *reader, uint32_t width, uint32_t height)
{
    SiltVolume *volume = reader->volume;
    if (width == 0 && height == 0)
        return SILT_OK;
    if (width != (uint32_t)volume->size[0] || height != (uint32_t)volume->size[1])
        return bad(reader, "the map of erodibility is not as wide and long as the volume");
    if ((uint64_t)(reader->end - reader->at) / 4 < (uint64_t)width * height)
        return bad(reader, "the file ends within its map of erodibility");
    SiltStatus status = silt_field_create((int)width, (int)height, &volume->rock_map);
    for (uint32_t j = 0; j < height && status == SILT_OK; j++)
        for (uint32_t i = 0; i < width; i++, reader->at += 4) {
            float value = silt_load_f32(reader->at, false);
            if (!isfinite(value))
                return bad(reader, "the map of erodibility has a value that is not a finite number");
            if (value < 0.0f)
                return bad(reader, "the map of erodibility has a value below zero");
            silt_field_row(&volume->rock_map, (int)j)[i] = value;
        }
    return status;
}

static SiltStatus read_brick(Reader *reader, size_t brick)
{
    SiltVolume *volume = reader->volume;
    size_t voxels = silt_brick_voxels(volume);
    float *to = volume->table[brick];
    for (size_t k = 0; k < 2 * voxels; k++, reader->at += 4) {
        to[k] = silt_load_f32(reader->at, false);
        if (k >= voxels && to[k] < 0.0f)
            return bad(reader, "an erodibility lies below zero");
        if (!(fabsf(to[k]) < 1e12f)) // larger ones would overflow where they are squared
            return bad(reader, "a voxel is not a finite number below 1e12");
        if (k < voxels) // others may keep distances further than the band
            to[k] = silt_clampf(to[k], -volume->band, volume->band);
    }
    return SILT_OK;
}

#define FARTHEST 1e9 // metres: no map of the Earth has such coordinates

// What follows the bricks, `needed` bytes of them.
static SiltStatus read_place(Reader *reader, uint64_t needed)
{
    SiltVolume *volume = reader->volume;
    uint64_t left = (uint64_t)(reader->end - reader->at), more = left - needed;
    bool has_frame = more == FRAME_BYTES || more == CRS_BYTES + FRAME_BYTES;
    volume->is_placed = more == CRS_BYTES || more == CRS_BYTES + FRAME_BYTES;
    if (left < needed || (more != 0 && !has_frame && !volume->is_placed))
        return bad(reader, "the file is not as long as its bricks need");
    const char *at = reader->at + needed;
    if (volume->is_placed) {
        snprintf(volume->crs, sizeof volume->crs, "%.63s", at);
        for (char *c = volume->crs; *c; c++)
            *c = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
        at += CRS_BYTES;
    }
    default_frame(volume, volume->frame);
    for (int axis = 0; axis < 3 && has_frame; axis++) {
        volume->frame[axis] = silt_load_f64(at + 8 * axis, false);
        if (!(fabs(volume->frame[axis]) <= FARTHEST))
            return bad(reader, "the place its meshes count from is no place on a map");
    }
    return SILT_OK;
}

static SiltStatus read_bricks(Reader *reader)
{
    SiltVolume *volume = reader->volume;
    size_t total = silt_brick_total(volume), count = 0;
    if ((size_t)(reader->end - reader->at) < total)
        return bad(reader, "the file ends within its table of bricks");
    const char *states = reader->at;
    uint32_t *list = NULL;
    SiltStatus status = silt_alloc_for(reader->path, total, sizeof *list, (void **)&list);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++) {
        if (states[brick] < AIR || states[brick] > VOXELS)
            status = bad(reader, "a brick is neither air, rock nor voxels");
        else if (states[brick] == VOXELS)
            list[count++] = (uint32_t)brick;
        volume->table[brick] = states[brick] == ROCK ? volume->solid : volume->empty;
    }
    reader->at += total;
    uint64_t needed = count * 8 * (uint64_t)silt_brick_voxels(volume);
    if (status == SILT_OK)
        status = read_place(reader, needed);
    if (status == SILT_OK)
        status = silt_volume_require_all(volume, list, count);
    for (size_t n = 0; n < count && status == SILT_OK; n++)
        status = read_brick(reader, list[n]);
    silt_free(list);
    return status;
}

// A file whose sum is right ends before it; one of the former version has none.
static SiltStatus check_sum(Reader *reader)
{
    size_t bytes = (size_t)(reader->end - reader->at);
    if (bytes >= HEADER_BYTES && memcmp(reader->at, former_magic, 8) == 0)
        return SILT_OK;
    if (bytes < HEADER_BYTES + SUM_BYTES || memcmp(reader->at, magic, 8) != 0)
        return bad(reader, "not a volume of Silt");
    reader->end -= SUM_BYTES;
    uint64_t sum = silt_load_u32(reader->end, false) | (uint64_t)silt_load_u32(reader->end + 4, false) << 32;
    return sum == silt_sum_of(reader->at, bytes - SUM_BYTES)
               ? SILT_OK
               : bad(reader, "the volume is damaged or cut off: its bytes are not those that were written");
}

static SiltStatus read_volume(Reader *reader)
{
    SiltStatus status = check_sum(reader);
    if (status != SILT_OK)
        return status;
    reader->at += 8;
    int size[3];
    uint32_t claimed[4];
    for (int k = 0; k < 4; k++)
        claimed[k] = next_u32(reader);
    for (int axis = 0; axis < 3; axis++)
        size[axis] = claimed[axis] <= SILT_MAX_VOXELS ? (int)claimed[axis] : -1;
    double cell = next_f64(reader), origin[3];
    for (int axis = 0; axis < 3; axis++)
        origin[axis] = next_f64(reader);
    uint32_t kind = next_u32(reader);
    SiltRock rock = {.kind = kind <= SILT_ROCK_STRATA ? (int)kind : -1};
    double *numbers[5] = {&rock.low, &rock.high, &rock.size, &rock.dip[0], &rock.dip[1]};
    for (int k = 0; k < 5; k++)
        *numbers[k] = next_f64(reader);
    uint64_t seed = next_u32(reader);
    seed |= (uint64_t)next_u32(reader) << 32;
    uint32_t width = next_u32(reader), height = next_u32(reader);
    bool is_placed = true; // where a float still tells one voxel from the next
    for (int axis = 0; axis < 3; axis++)
        is_placed = is_placed && fabs(origin[axis]) <= FARTHEST;
    // a byte for every brick must follow: a few bytes cannot ask for a large table
    uint64_t bricks = 1, side = claimed[3] == 16 ? 16 : 8;
    for (int axis = 0; axis < 3; axis++)
        bricks *= ((uint64_t)claimed[axis] + side - 1) / side;
    if (!is_placed || size[0] < 0 || size[1] < 0 || size[2] < 0 ||
        bricks > (uint64_t)(reader->end - reader->at))
        return bad(reader, "the header claims a size or a place that no file of this length can have");
    status =
        silt_volume_create(size, claimed[3] <= 16 ? (int)claimed[3] : 0, cell, &rock, seed, &reader->volume);
    if (status == SILT_BAD_ARGUMENT) {
        char why[256];
        snprintf(why, sizeof why, "%s", silt_message());
        return bad(reader, why);
    }
    if (status != SILT_OK)
        return status;
    memcpy(reader->volume->origin, origin, sizeof origin);
    status = read_map(reader, width, height);
    return status == SILT_OK ? read_bricks(reader) : status;
}

SiltStatus silt_volume_read(const char *path, SiltVolume **out)
{
    *out = NULL;
    char *bytes = NULL;
    size_t count;
    SiltStatus status = silt_read_file(path, SIZE_MAX / 4, &bytes, &count);
    if (status != SILT_OK)
        return status;
    Reader reader = {.path = path, .at = bytes, .end = bytes + count};
    status = read_volume(&reader);
    silt_free(bytes);
    if (status != SILT_OK) {
        silt_volume_destroy(reader.volume);
        return status;
    }
    *out = reader.volume;
    return SILT_OK;
}

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= 8 && (memcmp(head, magic, 8) == 0 || memcmp(head, former_magic, 8) == 0);
}

static SiltStatus read_terrain(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    (void)options;
    SiltVolume *volume;
    SiltStatus status = silt_volume_read(path, &volume);
    if (status == SILT_OK && silt_terrain_from_volume(volume, out) != SILT_OK)
        status = silt_fail(SILT_BAD_FILE, "%s: %s", path, silt_message());
    return status;
}

const SiltFormat silt_format_siltvol = {
    .name = "Silt volume",
    .endings = "siltvol",
    .package = "",
    .recognise = recognise,
    .read = read_terrain,
    .write = write_terrain,
    .bits = SILT_CAN(SILT_BITS_32),
};
