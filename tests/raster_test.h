// What the tests of raster formats share: a terrain to write, and the laws every format obeys.
#ifndef SILT_RASTER_TEST_H
#define SILT_RASTER_TEST_H

#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "silt/io.h"

static char raster_warnings[4096]; // what was warned of since raster_listen

static inline void raster_hear(void *user, const char *text)
{
    (void)user;
    size_t length = strlen(raster_warnings);
    snprintf(raster_warnings + length, sizeof raster_warnings - length, "%s\n", text);
}

static inline void raster_listen(void)
{
    raster_warnings[0] = '\0';
    silt_set_warning_handler(raster_hear, NULL);
}

#define assert_warned(words)                                                                                 \
    do {                                                                                                     \
        if (!strstr(raster_warnings, (words)))                                                               \
            fail_msg("no warning says '%s', but: %s", (words), raster_warnings);                             \
    } while (0)

// Hills of some hundred metres on a grid with a place; with `holes`, some cells have no data.
static inline SiltTerrain *raster_make(int width, int height, bool holes)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, 12.5, &terrain));
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] =
                (float)(-20.0 + 0.37 * i * i / width + 3.1 * j + 11.0 * ((i * 7 + j * 13) % 17));
    if (holes) {
        assert_ok(silt_terrain_require_nodata(terrain));
        for (int k = 0; k < width * height; k += 7) {
            terrain->nodata[k] = 1;
            silt_field_row(&terrain->layers[0]->field, k / width)[k % width] = 0.0f;
        }
    }
    terrain->geo.placed = true;
    terrain->geo.x = 376313.655454263498541;
    terrain->geo.y = 3807917.827628375496715;
    terrain->geo.step_x = 12.5;
    terrain->geo.step_y = -12.5;
    strcpy(terrain->geo.crs, "EPSG:32611");
    return terrain;
}

static inline double raster_span(const SiltTerrain *terrain)
{
    SiltFieldStatistics statistics;
    silt_field_statistics(&terrain->layers[0]->field, terrain->nodata, &statistics);
    return statistics.maximum - statistics.minimum;
}

// Same size, cell, place and holes, and heights within `tolerance`.
static inline void raster_same(const SiltTerrain *a, const SiltTerrain *b, double tolerance)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_true(a->cell == b->cell);
    assert_int_equal(a->geo.placed, b->geo.placed);
    assert_near(a->geo.x, b->geo.x, 1e-9);
    assert_near(a->geo.y, b->geo.y, 1e-9);
    assert_true(a->geo.step_x == b->geo.step_x && a->geo.step_y == b->geo.step_y);
    assert_string_equal(a->geo.crs, b->geo.crs);
    for (int j = 0; j < a->height; j++) {
        for (int i = 0; i < a->width; i++) {
            assert_int_equal(silt_terrain_is_nodata(a, i, j), silt_terrain_is_nodata(b, i, j));
            if (!silt_terrain_is_nodata(a, i, j))
                assert_near((double)silt_field_at(&a->layers[0]->field, i, j),
                            (double)silt_field_at(&b->layers[0]->field, i, j), tolerance);
        }
    }
}

static inline SiltWriteOptions raster_write_options(void)
{
    SiltWriteOptions options;
    assert_ok(silt_params_init(&silt_write_params, &options));
    return options;
}

static inline SiltReadOptions raster_read_options(void)
{
    SiltReadOptions options;
    assert_ok(silt_params_init(&silt_read_params, &options));
    return options;
}

// Writes, reads back, compares, removes.
static inline void raster_round_trip(const SiltTerrain *terrain, const char *path,
                                     const SiltWriteOptions *options, double tolerance)
{
    SiltTerrain *back;
    assert_ok(silt_terrain_write(terrain, path, options));
    assert_ok(silt_terrain_read(path, NULL, &back));
    raster_same(terrain, back, tolerance);
    silt_terrain_destroy(back);
    unlink(path);
}

// Reading fails with a sentence that begins with the path and has these words.
static inline void raster_refused(const char *path, SiltStatus wanted, const char *words)
{
    SiltTerrain *terrain = (SiltTerrain *)&terrain;
    assert_fails(silt_terrain_read(path, NULL, &terrain), wanted, words);
    assert_null(terrain);
    assert_int_equal(strncmp(silt_message(), path, strlen(path)), 0);
    assert_null(strchr(silt_message(), '\n'));
}

static inline void raster_save(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static inline size_t raster_load(const char *path, char **out)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    assert_true(file && fstat(fileno(file), &info) == 0);
    *out = malloc((size_t)info.st_size + 1);
    assert_int_equal(fread(*out, 1, (size_t)info.st_size, file), info.st_size);
    fclose(file);
    return (size_t)info.st_size;
}

// A file cut off anywhere is refused, and no damage to single bytes leaves a height that is not finite.
static inline void raster_survives_damage(const char *path)
{
    char *bytes, cut_path[256];
    size_t count = raster_load(path, &bytes);
    snprintf(cut_path, sizeof cut_path, "cut_%s", path);
    SiltTerrain *terrain;
    for (size_t cut = 0; cut < count; cut += 37) {
        raster_save(cut_path, bytes, cut);
        if (silt_terrain_read(cut_path, NULL, &terrain) == SILT_OK)
            fail_msg("%s cut to %zu of %zu bytes is read", path, cut, count);
        assert_null(terrain);
    }
    for (size_t at = 0; at < count; at += 23) {
        bytes[at] = (char)(bytes[at] ^ 0x5a);
        raster_save(cut_path, bytes, count);
        bytes[at] = (char)(bytes[at] ^ 0x5a);
        if (silt_terrain_read(cut_path, NULL, &terrain) != SILT_OK)
            continue;
        SiltFieldStatistics statistics;
        silt_field_statistics(&terrain->layers[0]->field, NULL, &statistics);
        assert_int_equal(statistics.bad_count, 0);
        silt_terrain_destroy(terrain);
    }
    unlink(cut_path);
    free(bytes);
}

// Whichever allocation fails, reading fails for lack of memory and leaves nothing behind, and so does
// writing, with the old file still there.
static inline void raster_survives_no_memory(const SiltTerrain *terrain, const char *path,
                                             const SiltWriteOptions *options)
{
    assert_ok(silt_terrain_write(terrain, path, options));
    SiltTerrain *whole, *read;
    silt_fail_allocation(0);
    assert_ok(silt_terrain_read(path, NULL, &whole));
    long reads = silt_allocation_count();
    uint64_t hash = silt_field_hash(&whole->layers[0]->field);
    silt_terrain_destroy(whole);
    assert_true(reads > 0);
    for (long n = 1; n <= reads; n++) {
        silt_fail_allocation(n);
        SiltStatus status = silt_terrain_read(path, NULL, &read);
        silt_fail_allocation(0);
        if (status != SILT_NO_MEMORY)
            fail_msg("allocation %ld of %ld failed, and reading says: %s", n, reads,
                     silt_status_name(status));
        assert_null(read);
    }
    assert_ok(silt_terrain_write(terrain, path, options));
    long writes = silt_allocation_count();
    for (long n = 1; n <= writes; n++) {
        silt_fail_allocation(n);
        SiltStatus status = silt_terrain_write(terrain, path, options);
        silt_fail_allocation(0);
        if (status != SILT_NO_MEMORY)
            fail_msg("allocation %ld of %ld failed, and writing says: %s", n, writes,
                     silt_status_name(status));
        assert_ok(silt_terrain_read(path, NULL, &read));
        assert_true(silt_field_hash(&read->layers[0]->field) == hash);
        silt_terrain_destroy(read);
    }
    unlink(path);
}

#endif
