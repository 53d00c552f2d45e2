// STL as printers take it: binary, triangles one by one in millimetres. The head says what a millimetre
// stands for
// ("Silt mm 1:25000"), so that what we write is read back in metres; of other files a millimetre is a metre
// unless the options say otherwise. Read: binary and text. Corners at the same place become one vertex.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/format.h"
#include "mesh/mesh.h"
#include "mesh/weld.h"

enum { HEAD = 80, RECORD = 50 };

// ---- writing ----

static float millimetres(const SiltMesh *mesh, size_t vertex, size_t axis)
{
    return (float)((double)mesh->positions[3 * vertex + axis] * 1000.0 / mesh->scale);
}

static size_t pack_triangles(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    for (size_t t = begin; t < end; t++) {
        float corner[3][3], normal[3];
        for (size_t c = 0; c < 3; c++)
            for (size_t axis = 0; axis < 3; axis++)
                corner[c][axis] = millimetres(mesh, mesh->indices[3 * t + c], axis);
        double u[3], v[3];
        for (int k = 0; k < 3; k++) {
            u[k] = (double)corner[1][k] - (double)corner[0][k];
            v[k] = (double)corner[2][k] - (double)corner[0][k];
        }
        double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            normal[k] = length > 0.0 ? (float)(n[k] / length) : 0.0f;
        for (int k = 0; k < 3; k++)
            to = silt_store_f32(to, normal[k], false);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                to = silt_store_f32(to, corner[c][k], false);
        to = silt_store_u16(to, 0, false);
    }
    return RECORD * (end - begin);
}

static SiltStatus write_stl(const SiltMesh *mesh, SiltOutput *output)
{
    char head[HEAD + 4] = {0}, scale[SILT_NUMBER_SIZE];
    if (mesh->triangle_count > UINT32_MAX)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %zu triangles; an STL counts up to 4294967295", output->path,
                         mesh->triangle_count);
    snprintf(head, HEAD, "Silt mm 1:%s", silt_format_number(mesh->scale, scale));
    silt_store_u32(head + HEAD, (uint32_t)mesh->triangle_count, false);
    fwrite(head, 1, sizeof head, output->file);
    return silt_output_pack(output, mesh->triangle_count, RECORD, pack_triangles, mesh);
}

// ---- reading ----

static double scale_in(const char *text)
{
    double scale = 0.0;
    const char *at = strncmp(text, "Silt mm 1:", 10) == 0 ? text + 10 : NULL;
    return at && silt_parse_number(&at, &scale) && scale > 0.0 && isfinite(scale) ? scale : 0.0;
}

static SiltStatus read_binary(const char *path, const unsigned char *data, size_t bytes, SiltMesh *out)
{
    uint64_t count = silt_load_u32(data + HEAD, false);
    if (bytes < HEAD + 4 + count * RECORD)
        return silt_fail(SILT_BAD_FILE, "%s: truncated: %llu triangles make %llu bytes, and the file has %zu",
                         path, (unsigned long long)count, (unsigned long long)(HEAD + 4 + count * RECORD),
                         bytes);
    SiltStatus status = silt_mesh_allocate(path, 3 * count, count, false, out);
    if (status != SILT_OK)
        return status;
    for (uint64_t t = 0; t < count; t++) {
        const unsigned char *from = data + HEAD + 4 + t * RECORD + 12;
        for (uint64_t k = 0; k < 9; k++) {
            float value = silt_load_f32(from + 4 * k, false);
            if (!isfinite(value))
                return silt_fail(SILT_BAD_FILE, "%s: triangle %llu has a corner that is not a finite number",
                                 path, (unsigned long long)t);
            out->positions[9 * t + k] = value;
        }
        for (uint64_t c = 0; c < 3; c++)
            out->indices[3 * t + c] = (uint32_t)(3 * t + c);
    }
    out->scale = scale_in((const char *)data);
    return SILT_OK;
}

// "vertex x y z" three times a facet; all other words are passed over.
static SiltStatus read_text(const char *path, const char *text, SiltMesh *out)
{
    uint64_t count = 0;
    for (const char *at = text; (at = strstr(at, "vertex")); at += 6)
        count++;
    if (count < 3 || count % 3 != 0)
        return silt_fail(SILT_BAD_FILE, "%s: %llu vertices, and triangles have three each", path,
                         (unsigned long long)count);
    SiltStatus status = silt_mesh_allocate(path, count, count / 3, false, out);
    uint64_t k = 0;
    for (const char *at = text; status == SILT_OK && (at = strstr(at, "vertex")); k++) {
        at += 6;
        for (uint64_t axis = 0; axis < 3; axis++) {
            double value;
            while (isspace((unsigned char)*at))
                at++;
            if (!silt_parse_number(&at, &value) || !isfinite((float)value))
                return silt_fail(SILT_BAD_FILE, "%s: vertex %llu is not three numbers", path,
                                 (unsigned long long)k + 1);
            out->positions[3 * k + axis] = (float)value;
        }
        out->indices[k] = (uint32_t)k;
    }
    const char *note = strstr(text, "Silt mm 1:");
    out->scale = note && note - text < HEAD ? scale_in(note) : 0.0;
    return status;
}

// The words "solid" may begin a binary file too: its length tells.
static bool is_binary(const unsigned char *data, size_t bytes)
{
    return bytes >= HEAD + 4 &&
           (uint64_t)bytes == HEAD + 4 + RECORD * (uint64_t)silt_load_u32(data + HEAD, false);
}

static SiltStatus read_stl(const char *path, SiltMesh *out)
{
    char *data;
    size_t bytes;
    *out = (SiltMesh){0};
    SiltStatus status = silt_read_file(path, (size_t)1 << 36, &data, &bytes);
    if (status != SILT_OK)
        return status;
    bool text = !is_binary((unsigned char *)data, bytes) && strncmp(data, "solid", 5) == 0;
    if (text)
        status = read_text(path, data, out);
    else if (bytes < HEAD + 4)
        status = silt_fail(SILT_BAD_FILE, "%s: %zu bytes are too few for an STL", path, bytes);
    else
        status = read_binary(path, (unsigned char *)data, bytes, out);
    silt_free(data);
    if (status == SILT_OK && out->triangle_count == 0)
        status = silt_fail(SILT_BAD_FILE, "%s: the file has no triangles", path);
    if (status == SILT_OK)
        status = silt_mesh_weld(path, out);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    return status;
}

const SiltFormat silt_format_stl = {
    .name = "STL",
    .endings = "stl",
    .package = "",
    .read_mesh = read_stl,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .write_mesh = write_stl,
    .in_millimetres = true,
};
