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

static void add_view(SiltText *text, uint64_t offset, uint64_t bytes, int target)
{
    silt_text_addf(text, "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":%d}",
                   (unsigned long long)offset, (unsigned long long)bytes, target);
}

static void describe(SiltText *text, const SiltMesh *mesh, uint64_t binary_bytes)
{
    enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963, FLOAT = 5126, UNSIGNED_INT = 5125 };
    float low[3], high[3];
    find_bounds(mesh, low, high);
    uint64_t vertex_bytes = 12 * (uint64_t)mesh->vertex_count,
             index_bytes = 12 * (uint64_t)mesh->triangle_count;
    int place_view = mesh->normals ? 2 : 1, index_view = place_view + has_places(mesh);
    char places[32] = "";
    if (has_places(mesh))
        snprintf(places, sizeof places, ",\"TEXCOORD_0\":%d", place_view);
    silt_text_addf(text, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Silt %s\",\"extras\":{",
                   silt_version());
    add_vector(text, "silt_origin", mesh->origin[0], mesh->origin[1], mesh->origin[2]);
    silt_text_addf(
        text,
        "}},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"terrain\",\"mesh\":0}],"
        "\"materials\":[{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
        "[0.55,0.5,0.43,1],\"metallicFactor\":0,\"roughnessFactor\":0.95}}],"
        "\"meshes\":[{\"name\":\"terrain\",\"primitives\":[{\"attributes\":{\"POSITION\":0%s%s},"
        "\"indices\":%d,\"material\":0}]}],\"accessors\":[",
        mesh->normals ? ",\"NORMAL\":1" : "", places, index_view);
    silt_text_addf(text, "{\"bufferView\":0,\"componentType\":%d,\"count\":%zu,\"type\":\"VEC3\",", FLOAT,
                   mesh->vertex_count);
    add_vector(text, "min", (double)low[0], (double)low[2], -(double)high[1]);
    silt_text_add(text, ",");
    add_vector(text, "max", (double)high[0], (double)high[2], -(double)low[1]);
    if (mesh->normals)
        silt_text_addf(text, "},{\"bufferView\":1,\"componentType\":%d,\"count\":%zu,\"type\":\"VEC3\"",
                       FLOAT, mesh->vertex_count);
    if (has_places(mesh))
        silt_text_addf(text, "},{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"VEC2\"",
                       place_view, FLOAT, mesh->vertex_count);
    silt_text_addf(text, "},{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}],",
                   index_view, UNSIGNED_INT, 3 * mesh->triangle_count);
    silt_text_add(text, "\"bufferViews\":[");
    add_view(text, 0, vertex_bytes, ARRAY_BUFFER);
    silt_text_add(text, ",");
    if (mesh->normals) {
        add_view(text, vertex_bytes, vertex_bytes, ARRAY_BUFFER);
        silt_text_add(text, ",");
    }
    if (has_places(mesh)) {
        add_view(text, (mesh->normals ? 2 : 1) * vertex_bytes, 8 * (uint64_t)mesh->vertex_count,
                 ARRAY_BUFFER);
        silt_text_add(text, ",");
    }
    add_view(text, binary_bytes - index_bytes, index_bytes, ELEMENT_ARRAY_BUFFER);
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
    uint64_t vertex_arrays = mesh->normals ? 2 : 1;
    uint64_t binary_bytes =
        12 * (vertex_arrays * (uint64_t)mesh->vertex_count + (uint64_t)mesh->triangle_count) +
        (has_places(mesh) ? 8 * (uint64_t)mesh->vertex_count : 0);
    SiltText text = {0};
    describe(&text, mesh, binary_bytes);
    size_t json_bytes = text.length;
    char *json = silt_text_take(&text);
    if (!json)
        return SILT_NO_MEMORY;
    SiltStatus status = write_heads(json, json_bytes, binary_bytes, output);
    silt_free(json);
    if (status == SILT_OK)
        status = silt_output_pack(output, mesh->vertex_count, 12, pack_positions, mesh);
    if (status == SILT_OK && mesh->normals)
        status = silt_output_pack(output, mesh->vertex_count, 12, pack_normals, mesh);
    if (status == SILT_OK && has_places(mesh))
        status = silt_output_pack(output, mesh->vertex_count, 8, pack_places, mesh);
    if (status == SILT_OK)
        status = silt_output_pack(output, 3 * mesh->triangle_count, 4, pack_indices, mesh);
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
};
