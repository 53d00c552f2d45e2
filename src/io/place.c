#include "io/place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "terrain/terrain.h"

static void add_pair(SiltText *out, const char *name, double x, double y)
{
    silt_text_add(out, name);
    silt_text_add_number(out, x);
    silt_text_add(out, " ");
    silt_text_add_number(out, y);
    silt_text_add(out, "\n");
}

void silt_place_add_text(const SiltGeoreference *geo, SiltText *out)
{
    if (geo->placed) {
        add_pair(out, "corner ", geo->x, geo->y);
        add_pair(out, "step ", geo->step_x, geo->step_y);
    }
    if (geo->crs[0])
        silt_text_addf(out, "crs %s\n", geo->crs);
    if (!geo->keys)
        return;
    silt_text_add(out, "keys");
    for (int k = 0; k < geo->key_count; k++)
        silt_text_addf(out, " %u", (unsigned)geo->keys[k]);
    silt_text_add(out, "\n");
    if (geo->doubles) {
        silt_text_add(out, "doubles");
        for (int k = 0; k < geo->double_count; k++) {
            silt_text_add(out, " ");
            silt_text_add_number(out, geo->doubles[k]);
        }
        silt_text_add(out, "\n");
    }
    if (geo->ascii)
        silt_text_addf(out, "ascii %s\n", geo->ascii);
}

// The numbers of one line into a new block; none at all is no failure.
static SiltStatus read_numbers(const char *line, size_t length, double **out, int *count)
{
    *out = NULL;
    *count = 0;
    int room = (int)(length / 2) + 1; // a number and its space take two bytes at least
    void *block;
    SiltStatus status = silt_alloc_for("a georeference", (size_t)room, sizeof(double), &block);
    if (status != SILT_OK)
        return status;
    *out = block;
    const char *cursor = line;
    while (*count < room && cursor < line + length && silt_parse_number(&cursor, *out + *count) &&
           cursor <= line + length)
        ++*count;
    return SILT_OK;
}

static SiltStatus read_keys(const char *line, size_t length, SiltGeoreference *geo)
{
    double *numbers;
    int count;
    SiltStatus status = read_numbers(line, length, &numbers, &count);
    if (status != SILT_OK)
        return status;
    void *block = NULL;
    if (count >= 4 && count <= UINT16_MAX)
        status = silt_alloc_for("a georeference", (size_t)count, sizeof *geo->keys, &block);
    if (block) {
        silt_free(geo->keys);
        geo->keys = block;
        geo->key_count = count;
        for (int k = 0; k < count; k++)
            geo->keys[k] = numbers[k] >= 0.0 && numbers[k] <= UINT16_MAX ? (uint16_t)numbers[k] : 0;
    }
    silt_free(numbers);
    return status;
}

static SiltStatus read_doubles(const char *line, size_t length, SiltGeoreference *geo)
{
    silt_free(geo->doubles);
    return read_numbers(line, length, &geo->doubles, &geo->double_count);
}

static SiltStatus read_ascii(const char *line, size_t length, SiltGeoreference *geo)
{
    void *block;
    SiltStatus status = silt_alloc_for("a georeference", length + 1, 1, &block);
    if (status != SILT_OK)
        return status;
    memcpy(block, line, length);
    silt_free(geo->ascii);
    geo->ascii = block;
    return SILT_OK;
}

static bool read_pair(const char *line, double *x, double *y)
{
    return silt_parse_number(&line, x) && silt_parse_number(&line, y) && isfinite(*x) && isfinite(*y);
}

// A name for people: no control characters.
static void read_crs(const char *text, size_t length, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)length, text);
    for (char *c = out; *c; c++)
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
}

SiltStatus silt_place_from_text(const char *text, SiltGeoreference *out)
{
    *out = (SiltGeoreference){0};
    SiltStatus status = SILT_OK;
    bool corner = false, step = false;
    while (*text && status == SILT_OK) {
        size_t length = strcspn(text, "\n");
        if (strncmp(text, "corner ", 7) == 0)
            corner = read_pair(text + 7, &out->x, &out->y);
        else if (strncmp(text, "step ", 5) == 0)
            step =
                read_pair(text + 5, &out->step_x, &out->step_y) && out->step_x != 0.0 && out->step_y != 0.0;
        else if (strncmp(text, "crs ", 4) == 0)
            read_crs(text + 4, length - 4, out->crs, sizeof out->crs);
        else if (strncmp(text, "keys ", 5) == 0)
            status = read_keys(text + 5, length - 5, out);
        else if (strncmp(text, "doubles ", 8) == 0)
            status = read_doubles(text + 8, length - 8, out);
        else if (strncmp(text, "ascii ", 6) == 0)
            status = read_ascii(text + 6, length - 6, out);
        text += length;
        text += *text == '\n';
    }
    out->placed = corner && step;
    if (status != SILT_OK)
        silt_georeference_clear(out);
    return status;
}
