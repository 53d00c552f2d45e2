// glTF 2.0 in one binary file: twelve bytes of head, a chunk of JSON, a chunk of numbers. glTF's y points up
// and its z south, so (x, y, z) of ours is written as (x, z, -y). The mesh's place on the map goes into the
// asset's extras as "silt_origin".
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/format.h"
#include "io/glb.h"
#include "mesh/mesh.h"

enum { HEAD = 12, CHUNK_HEAD = 8 };

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= HEAD && memcmp(head, "glTF", 4) == 0;
}

static char *store_turned(char *to, const float *vector)
{
    to = silt_store_f32(to, vector[0], false);
    to = silt_store_f32(to, vector[2], false);
    return silt_store_f32(to, 0.0f - vector[1], false);
}

static size_t pack_positions(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    for (size_t k = begin; k < end; k++)
        to = store_turned(to, mesh->positions + 3 * k);
    return 12 * (end - begin);
}

static size_t pack_normals(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    for (size_t k = begin; k < end; k++)
        to = store_turned(to, mesh->normals + 3 * k);
    return 12 * (end - begin);
}

// From the map's north-western corner east and south, as pictures of it are read.
static size_t pack_places(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    double half = 0.5 * mesh->frame[2];
    for (size_t k = begin; k < end; k++) {
        double east = (double)mesh->positions[3 * k], north = (double)mesh->positions[3 * k + 1];
        to = silt_store_f32(to, (float)((east + half) / mesh->frame[0]), false);
        to = silt_store_f32(to, (float)(1.0 - (north + half) / mesh->frame[1]), false);
    }
    return 8 * (end - begin);
}

static bool has_places(const SiltMesh *mesh)
{
    return mesh->frame[0] > 0.0 && mesh->frame[1] > 0.0;
}

static size_t pack_colours(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    for (size_t k = 4 * begin; k < 4 * end; k++)
        to = silt_store_u16(to, mesh->colours[k], false);
    return 8 * (end - begin);
}

static size_t pack_indices(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    for (size_t k = begin; k < end; k++)
        to = silt_store_u32(to, mesh->indices[k], false);
    return 4 * (end - begin);
}

static void find_bounds(const SiltMesh *mesh, float low[3], float high[3])
{
    for (size_t axis = 0; axis < 3; axis++)
        low[axis] = high[axis] = mesh->positions[axis];
    for (size_t k = 1; k < mesh->vertex_count; k++) {
        for (size_t axis = 0; axis < 3; axis++) {
            float value = mesh->positions[3 * k + axis];
            low[axis] = value < low[axis] ? value : low[axis];
            high[axis] = value > high[axis] ? value : high[axis];
        }
    }
}

static void add_vector(SiltText *text, const char *name, double x, double y, double z)
{
    silt_text_addf(text, "\"%s\":[", name);
    silt_text_add_number(text, x);
    silt_text_add(text, ",");
    silt_text_add_number(text, y);
    silt_text_add(text, ",");
    silt_text_add_number(text, z);
    silt_text_add(text, "]");
}

// ---- what a vertex has, one array after the other ----

enum { UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, FLOAT = 5126 };
enum { MOST_ARRAYS = 5 };

typedef struct Array {
    const char *name; // of the attribute; NULL: indices
    const char *type;
    int component;
    size_t count, item; // how many, of how many bytes
    size_t (*pack)(const void *context, size_t begin, size_t end, char *to);
} Array;

static int list_arrays(const SiltMesh *mesh, Array arrays[MOST_ARRAYS])
{
    int count = 0;
    size_t vertices = mesh->vertex_count;
    arrays[count++] = (Array){"POSITION", "VEC3", FLOAT, vertices, 12, pack_positions};
    if (mesh->normals)
        arrays[count++] = (Array){"NORMAL", "VEC3", FLOAT, vertices, 12, pack_normals};
    if (has_places(mesh))
        arrays[count++] = (Array){"TEXCOORD_0", "VEC2", FLOAT, vertices, 8, pack_places};
    if (mesh->colours)
        arrays[count++] = (Array){"COLOR_0", "VEC4", UNSIGNED_SHORT, vertices, 8, pack_colours};
    arrays[count++] = (Array){NULL, "SCALAR", UNSIGNED_INT, 3 * mesh->triangle_count, 4, pack_indices};
    return count;
}

static void add_accessors(SiltText *text, const SiltMesh *mesh, const Array *arrays, int count)
{
    float low[3], high[3];
    find_bounds(mesh, low, high);
    silt_text_add(text, "\"accessors\":[");
    for (int k = 0; k < count; k++) {
        silt_text_addf(text, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
                       k ? "," : "", k, arrays[k].component, arrays[k].count, arrays[k].type);
        if (arrays[k].component == UNSIGNED_SHORT)
            silt_text_add(text, ",\"normalized\":true");
        if (k == 0) {
            silt_text_add(text, ",");
            add_vector(text, "min", (double)low[0], (double)low[2], -(double)high[1]);
            silt_text_add(text, ",");
            add_vector(text, "max", (double)high[0], (double)high[2], -(double)low[1]);
        }
        silt_text_add(text, "}");
    }
    silt_text_add(text, "],\"bufferViews\":[");
    uint64_t offset = 0;
    for (int k = 0; k < count; k++) {
        enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
        uint64_t bytes = (uint64_t)arrays[k].count * arrays[k].item;
        silt_text_addf(text, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":%d}",
                       k ? "," : "", (unsigned long long)offset, (unsigned long long)bytes,
                       arrays[k].name ? ARRAY_BUFFER : ELEMENT_ARRAY_BUFFER);
        offset += bytes;
    }
}

static void describe(SiltText *text, const SiltMesh *mesh, const Array *arrays, int count,
                     uint64_t binary_bytes)
{
    silt_text_addf(text, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Silt %s\",\"extras\":{",
                   silt_version());
    add_vector(text, "silt_origin", mesh->origin[0], mesh->origin[1], mesh->origin[2]);
    // colours of vertices are multiplied by the material's
    silt_text_addf(
        text,
        "}},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"terrain\",\"mesh\":0}],"
        "\"materials\":[{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
        "[%s,1],\"metallicFactor\":0,\"roughnessFactor\":0.95}}],"
        "\"meshes\":[{\"name\":\"terrain\",\"primitives\":[{\"attributes\":{",
        mesh->colours ? "1,1,1" : "0.55,0.5,0.43");
    for (int k = 0; k < count && arrays[k].name; k++)
        silt_text_addf(text, "%s\"%s\":%d", k ? "," : "", arrays[k].name, k);
    silt_text_addf(text, "},\"indices\":%d,\"material\":0}]}],", count - 1);
    add_accessors(text, mesh, arrays, count);
    silt_text_addf(text, "],\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)binary_bytes);
    while (text->length % 4 && !text->failed)
        silt_text_add(text, " ");
}

static void store_chunk_head(char *to, uint64_t bytes, const char *name)
{
    silt_store_u32(to, (uint32_t)bytes, false);
    memcpy(to + 4, name, 4);
}

static SiltStatus write_heads(const char *json, size_t json_bytes, uint64_t binary_bytes, SiltOutput *output)
{
    uint64_t whole = HEAD + 2 * CHUNK_HEAD + (uint64_t)json_bytes + binary_bytes;
    if (whole > UINT32_MAX)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "%s: the mesh takes %.1f GiB, and a .glb holds 4 at the most; write .ply, or resample it",
            output->path, (double)whole / 1073741824.0);
    char head[HEAD + CHUNK_HEAD] = "glTF", binary_head[CHUNK_HEAD];
    silt_store_u32(head + 4, 2, false);
    silt_store_u32(head + 8, (uint32_t)whole, false);
    store_chunk_head(head + HEAD, json_bytes, "JSON");
    store_chunk_head(binary_head, binary_bytes, "BIN\0");
    fwrite(head, 1, sizeof head, output->file);
    fwrite(json, 1, json_bytes, output->file);
    fwrite(binary_head, 1, sizeof binary_head, output->file);
    return silt_output_status(output);
}

static SiltStatus write_glb(const SiltMesh *mesh, SiltOutput *output)
{
    Array arrays[MOST_ARRAYS];
    int count = list_arrays(mesh, arrays);
    uint64_t binary_bytes = 0;
    for (int k = 0; k < count; k++)
        binary_bytes += (uint64_t)arrays[k].count * arrays[k].item;
    SiltText text = {0};
    describe(&text, mesh, arrays, count, binary_bytes);
    size_t json_bytes = text.length;
    char *json = silt_text_take(&text);
    if (!json)
        return SILT_NO_MEMORY;
    SiltStatus status = write_heads(json, json_bytes, binary_bytes, output);
    silt_free(json);
    for (int k = 0; k < count && status == SILT_OK; k++)
        status = silt_output_pack(output, arrays[k].count, arrays[k].item, arrays[k].pack, mesh);
    return status;
}

const SiltFormat silt_format_glb = {
    .name = "glTF",
    .endings = "glb",
    .package = "",
    .recognise = recognise,
    .read_mesh = silt_glb_read,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .write_mesh = write_glb,
    .has_colours = true,
};
