// OBJ, Wavefront's mesh in text. Written: v, vn and triangles, z up in metres, with the mesh's place on the
// map in a comment ("# silt origin X Y Z"). Read: v, vn and f, polygons cut into fans, negative indices
// counted back from the last vertex; all other lines are passed over.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/status.h"
#include "core/text.h"
#include "io/format.h"
#include "mesh/mesh.h"

// ---- writing ----

static size_t pack_vertices(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    char *at = to;
    for (size_t k = begin; k < end; k++) {
        *at++ = 'v';
        for (size_t axis = 0; axis < 3; axis++) {
            *at++ = ' ';
            at = silt_write_float(at, mesh->positions[3 * k + axis]);
        }
        *at++ = '\n';
    }
    return (size_t)(at - to);
}

// Five digits after the point: a direction to a thousandth of a degree.
static size_t pack_normals(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    char *at = to;
    for (size_t k = begin; k < end; k++) {
        *at++ = 'v';
        *at++ = 'n';
        for (size_t axis = 0; axis < 3; axis++) {
            *at++ = ' ';
            at = silt_write_float(at, (float)(floor((double)mesh->normals[3 * k + axis] * 1e5 + 0.5) / 1e5));
        }
        *at++ = '\n';
    }
    return (size_t)(at - to);
}

static size_t pack_faces(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    char *at = to;
    for (size_t k = begin; k < end; k++) {
        *at++ = 'f';
        for (size_t corner = 0; corner < 3; corner++) {
            uint64_t number = (uint64_t)mesh->indices[3 * k + corner] + 1;
            *at++ = ' ';
            at = silt_write_integer(at, number);
            if (mesh->normals) {
                *at++ = '/';
                *at++ = '/';
                at = silt_write_integer(at, number);
            }
        }
        *at++ = '\n';
    }
    return (size_t)(at - to);
}

static SiltStatus write_obj(const SiltMesh *mesh, SiltOutput *output)
{
    char number[3][SILT_NUMBER_SIZE];
    fprintf(output->file, "# Silt %s: metres, z up\n# silt origin %s %s %s\no terrain\n", silt_version(),
            silt_format_number(mesh->origin[0], number[0]), silt_format_number(mesh->origin[1], number[1]),
            silt_format_number(mesh->origin[2], number[2]));
    SiltStatus status =
        silt_output_pack(output, mesh->vertex_count, 3 * (SILT_FLOAT_SIZE + 1) + 2, pack_vertices, mesh);
    if (status == SILT_OK && mesh->normals)
        status =
            silt_output_pack(output, mesh->vertex_count, 3 * (SILT_FLOAT_SIZE + 1) + 3, pack_normals, mesh);
    if (status == SILT_OK)
        status = silt_output_pack(output, mesh->triangle_count, 3 * 24 + 2, pack_faces, mesh);
    return status;
}

// ---- reading ----

typedef struct List {
    void *data;
    size_t count, capacity; // in items of `size` bytes
    size_t size;
} List;

typedef struct Reader {
    const char *path;
    size_t line;
    List positions;      // float[3]
    List normals;        // float[3]
    List triangles;      // uint32_t[3]
    List vertex_normals; // uint32_t a vertex: number of its normal from 1, or 0
    double origin[3];
} Reader;

static SiltStatus append(Reader *reader, List *list, const void *item)
{
    if (list->count == list->capacity) {
        size_t wanted = list->capacity ? list->capacity * 2 : 256;
        SiltStatus status = silt_grow(reader->path, &list->data, list->count, wanted, list->size);
        if (status != SILT_OK)
            return status;
        list->capacity = wanted;
    }
    memcpy((char *)list->data + list->count++ * list->size, item, list->size);
    return SILT_OK;
}

static SiltStatus bad_line(const Reader *reader, const char *what)
{
    return silt_fail(SILT_BAD_FILE, "%s: line %zu: %s", reader->path, reader->line, what);
}

// Blanks and line feeds behind a backslash; a plain line feed ends the statement.
static const char *skip_blanks(Reader *reader, const char *at)
{
    for (;;) {
        if (at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'))) {
            at += at[1] == '\n' ? 2 : 3;
            reader->line++;
        } else if (*at == ' ' || *at == '\t' || *at == '\r') {
            at++;
        } else {
            return at;
        }
    }
}

static SiltStatus read_vector(Reader *reader, const char **cursor, List *list)
{
    float vector[3];
    for (int axis = 0; axis < 3; axis++) {
        *cursor = skip_blanks(reader, *cursor);
        double value;
        if (**cursor == '\n' || !silt_parse_number(cursor, &value) || !isfinite((float)value))
            return bad_line(reader, "three finite numbers were expected");
        vector[axis] = (float)value;
    }
    if (list->count >= UINT32_MAX)
        return bad_line(reader, "more than 4294967295 vertices");
    return append(reader, list, vector);
}

static bool read_integer(const char **cursor, int64_t *out)
{
    const char *at = *cursor;
    bool negative = *at == '-';
    at += negative;
    if (!isdigit((unsigned char)*at))
        return false;
    int64_t value = 0;
    for (; isdigit((unsigned char)*at); at++)
        value = value > INT64_MAX / 20 ? value : value * 10 + (*at - '0');
    *cursor = at;
    *out = negative ? -value : value;
    return true;
}

// From 1 as OBJ counts, or from the end backwards.
static bool resolve(int64_t number, size_t count, uint32_t *out)
{
    int64_t index = number > 0 ? number - 1 : (int64_t)count + number;
    if (number == 0 || index < 0 || index >= (int64_t)count)
        return false;
    *out = (uint32_t)index;
    return true;
}

// "7", "7/1", "7//3" or "7/1/3"
static SiltStatus read_corner(Reader *reader, const char **cursor, uint32_t *vertex)
{
    int64_t number;
    if (!read_integer(cursor, &number))
        return bad_line(reader, "a face has something that is not a vertex number");
    if (!resolve(number, reader->positions.count, vertex))
        return bad_line(reader, "a face names a vertex that is not there");
    if (**cursor != '/')
        return SILT_OK;
    ++*cursor;
    read_integer(cursor, &number); // the texture is not ours
    if (**cursor != '/')
        return SILT_OK;
    ++*cursor;
    uint32_t normal;
    if (!read_integer(cursor, &number))
        return SILT_OK;
    if (!resolve(number, reader->normals.count, &normal))
        return bad_line(reader, "a face names a normal that is not there");
    uint32_t none = 0;
    while (reader->vertex_normals.count <= *vertex) {
        SiltStatus status = append(reader, &reader->vertex_normals, &none);
        if (status != SILT_OK)
            return status;
    }
    ((uint32_t *)reader->vertex_normals.data)[*vertex] = normal + 1;
    return SILT_OK;
}

static SiltStatus read_face(Reader *reader, const char **cursor)
{
    uint32_t fan[3];
    size_t corner_count = 0;
    for (;; corner_count++) {
        *cursor = skip_blanks(reader, *cursor);
        if (**cursor == '\n' || **cursor == '\0' || **cursor == '#')
            break;
        uint32_t vertex = 0;
        SiltStatus status = read_corner(reader, cursor, &vertex);
        if (status != SILT_OK)
            return status;
        if (corner_count < 2) {
            fan[corner_count] = vertex;
            continue;
        }
        fan[2] = vertex;
        status = append(reader, &reader->triangles, fan);
        if (status != SILT_OK)
            return status;
        fan[1] = vertex;
    }
    return corner_count >= 3 ? SILT_OK : bad_line(reader, "a face needs three corners");
}

static void read_comment(Reader *reader, const char *at)
{
    if (strncmp(at, "# silt origin ", 14) != 0)
        return;
    double origin[3];
    at += 14;
    for (int axis = 0; axis < 3; axis++)
        if (!silt_parse_number(&at, &origin[axis]) || !isfinite(origin[axis]))
            return;
    memcpy(reader->origin, origin, sizeof origin);
}

static SiltStatus read_statement(Reader *reader, const char **cursor)
{
    const char *at = skip_blanks(reader, *cursor);
    SiltStatus status = SILT_OK;
    bool has_blank = at[0] && (at[1] == ' ' || at[1] == '\t');
    if (*at == '#') {
        read_comment(reader, at);
    } else if (at[0] == 'v' && has_blank) {
        at++;
        status = read_vector(reader, &at, &reader->positions);
    } else if (at[0] == 'v' && at[1] == 'n' && (at[2] == ' ' || at[2] == '\t')) {
        at += 2;
        status = read_vector(reader, &at, &reader->normals);
    } else if (at[0] == 'f' && has_blank) {
        at++;
        status = read_face(reader, &at);
    }
    while (*at && *at != '\n')
        at++;
    reader->line += *at == '\n';
    *cursor = *at ? at + 1 : at;
    return status;
}

// Every vertex must have its normal, or the mesh has none.
static bool all_have_normals(const Reader *reader)
{
    const uint32_t *numbers = reader->vertex_normals.data;
    bool all = reader->vertex_normals.count == reader->positions.count;
    for (size_t k = 0; k < reader->vertex_normals.count && all; k++)
        all = numbers[k] != 0;
    return all;
}

static SiltStatus finish(const Reader *reader, SiltMesh *out)
{
    if (reader->triangles.count == 0)
        return silt_fail(SILT_BAD_FILE, "%s: the file has no faces", reader->path);
    bool has_normals = all_have_normals(reader);
    SiltStatus status =
        silt_mesh_allocate(reader->path, reader->positions.count, reader->triangles.count, has_normals, out);
    if (status != SILT_OK)
        return status;
    memcpy(out->positions, reader->positions.data, reader->positions.count * reader->positions.size);
    memcpy(out->indices, reader->triangles.data, reader->triangles.count * reader->triangles.size);
    memcpy(out->origin, reader->origin, sizeof out->origin);
    const float *normals = reader->normals.data;
    const uint32_t *numbers = reader->vertex_normals.data;
    for (size_t k = 0; has_normals && k < out->vertex_count; k++)
        memcpy(out->normals + 3 * k, normals + 3 * (size_t)(numbers[k] - 1), 3 * sizeof *normals);
    return SILT_OK;
}

static SiltStatus read_obj(const char *path, SiltMesh *out)
{
    *out = (SiltMesh){0};
    char *text;
    size_t bytes;
    SiltStatus status = silt_read_file(path, SIZE_MAX / 4, &text, &bytes);
    if (status != SILT_OK)
        return status;
    Reader reader = {.path = path,
                     .line = 1,
                     .positions.size = 3 * sizeof(float),
                     .normals.size = 3 * sizeof(float),
                     .triangles.size = 3 * sizeof(uint32_t),
                     .vertex_normals.size = sizeof(uint32_t)};
    const char *cursor = text;
    while (*cursor && status == SILT_OK)
        status = read_statement(&reader, &cursor);
    if (status == SILT_OK)
        status = finish(&reader, out);
    silt_free(text);
    silt_free(reader.positions.data);
    silt_free(reader.normals.data);
    silt_free(reader.triangles.data);
    silt_free(reader.vertex_normals.data);
    return status;
}

const SiltFormat silt_format_obj = {
    .name = "OBJ",
    .endings = "obj",
    .package = "",
    .read_mesh = read_obj,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .write_mesh = write_obj,
};
