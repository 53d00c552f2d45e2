// PLY, Stanford's mesh: a header in text that declares elements and their properties, then the numbers.
// Written: binary little-endian, x y z nx ny nz and triangles, z up in metres, the mesh's place on the map in
// a comment
// ("comment silt origin X Y Z"). Read: text and binary of both byte orders; what is not a position, normal or
// face is passed over, polygons are cut into fans.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/format.h"
#include "io/ply_file.h"
#include "mesh/mesh.h"

// ---- writing ----

static size_t pack_vertices(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    char *at = to;
    for (size_t k = begin; k < end; k++) {
        for (size_t axis = 0; axis < 3; axis++)
            at = silt_store_f32(at, mesh->positions[3 * k + axis], false);
        for (size_t axis = 0; mesh->normals && axis < 3; axis++)
            at = silt_store_f32(at, mesh->normals[3 * k + axis], false);
    }
    return (size_t)(at - to);
}

static size_t pack_faces(const void *context, size_t begin, size_t end, char *to)
{
    const SiltMesh *mesh = context;
    char *at = to;
    for (size_t k = begin; k < end; k++) {
        *at++ = 3;
        for (size_t corner = 0; corner < 3; corner++)
            at = silt_store_u32(at, mesh->indices[3 * k + corner], false);
    }
    return (size_t)(at - to);
}

static SiltStatus write_ply(const SiltMesh *mesh, SiltOutput *output)
{
    char number[3][SILT_NUMBER_SIZE];
    fprintf(output->file,
            "ply\nformat binary_little_endian 1.0\ncomment Silt %s: metres, z up\n"
            "comment silt origin %s %s %s\nelement vertex %zu\n"
            "property float x\nproperty float y\nproperty float z\n%s"
            "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
            silt_version(), silt_format_number(mesh->origin[0], number[0]),
            silt_format_number(mesh->origin[1], number[1]), silt_format_number(mesh->origin[2], number[2]),
            mesh->vertex_count,
            mesh->normals ? "property float nx\nproperty float ny\nproperty float nz\n" : "",
            mesh->triangle_count);
    SiltStatus status = silt_output_pack(output, mesh->vertex_count, 24, pack_vertices, mesh);
    if (status == SILT_OK)
        status = silt_output_pack(output, mesh->triangle_count, 13, pack_faces, mesh);
    return status;
}

// ---- reading ----

// What of a mesh a property is.
enum { X, Y, Z, NX, NY, NZ, CORNERS, OTHER };

typedef struct Reader {
    SiltPly ply;
    SiltMesh *mesh;
    size_t triangle_capacity;
} Reader;

static int find_role(const SiltPlyElement *element, const SiltPlyProperty *property)
{
    static const char *const roles[] = {"x", "y", "z", "nx", "ny", "nz"};
    bool is_list = property->count_type != SILT_PLY_NONE;
    for (int k = 0; strcmp(element->name, "vertex") == 0 && !is_list && k < CORNERS; k++)
        if (strcmp(roles[k], property->name) == 0)
            return k;
    bool is_corners =
        strcmp(property->name, "vertex_indices") == 0 || strcmp(property->name, "vertex_index") == 0;
    return strcmp(element->name, "face") == 0 && is_list && is_corners ? CORNERS : OTHER;
}

static SiltStatus add_triangle(Reader *reader, const uint32_t corners[3])
{
    SiltMesh *mesh = reader->mesh;
    if (mesh->triangle_count == reader->triangle_capacity) {
        size_t wanted = reader->triangle_capacity ? reader->triangle_capacity * 2 : 256;
        void *block = mesh->indices;
        SiltStatus status =
            silt_grow(reader->ply.path, &block, mesh->triangle_count, wanted, 3 * sizeof *mesh->indices);
        if (status != SILT_OK)
            return status;
        mesh->indices = block;
        reader->triangle_capacity = wanted;
    }
    memcpy(mesh->indices + 3 * mesh->triangle_count++, corners, 3 * sizeof *corners);
    return SILT_OK;
}

static SiltStatus read_list(Reader *reader, const SiltPlyProperty *property, uint64_t item)
{
    SiltPly *ply = &reader->ply;
    uint64_t length;
    double value;
    SiltStatus status = silt_ply_list(ply, property, item, &length);
    uint32_t fan[3] = {0};
    for (uint64_t k = 0; k < length && status == SILT_OK; k++) {
        if (!silt_ply_number(ply, property->type, &value))
            return silt_ply_ends_early(ply, "list", item);
        if (property->role != CORNERS)
            continue;
        if (!(value >= 0.0 && value < (double)reader->mesh->vertex_count))
            return silt_fail(SILT_BAD_FILE, "%s: face %llu names vertex %g, and there are %zu", ply->path,
                             (unsigned long long)item, value, reader->mesh->vertex_count);
        fan[k < 2 ? k : 2] = (uint32_t)value;
        if (k < 2)
            continue;
        status = add_triangle(reader, fan);
        fan[1] = fan[2];
    }
    return status;
}

static SiltStatus read_item(Reader *reader, const SiltPlyElement *element, uint64_t item)
{
    SiltPly *ply = &reader->ply;
    for (int k = 0; k < element->property_count; k++) {
        const SiltPlyProperty *property = &element->properties[k];
        if (property->count_type != SILT_PLY_NONE) {
            SiltStatus status = read_list(reader, property, item);
            if (status != SILT_OK)
                return status;
            continue;
        }
        double value;
        if (!silt_ply_number(ply, property->type, &value))
            return silt_ply_ends_early(ply, "element", item);
        if (property->role <= Z) {
            if (!isfinite((float)value))
                return silt_fail(SILT_BAD_FILE, "%s: vertex %llu is not a finite number", ply->path,
                                 (unsigned long long)item);
            reader->mesh->positions[3 * item + (uint64_t)property->role] = (float)value;
        } else if (property->role <= NZ && reader->mesh->normals) {
            reader->mesh->normals[3 * item + (uint64_t)(property->role - NX)] = (float)value;
        }
    }
    return SILT_OK;
}

static SiltStatus begin_vertices(Reader *reader, const SiltPlyElement *element)
{
    unsigned roles = 0;
    for (int k = 0; k < element->property_count; k++)
        roles |= 1u << element->properties[k].role;
    if ((roles & 7u) != 7u || reader->mesh->positions)
        return silt_ply_bad_header(&reader->ply, "must have one vertex element with x, y and z");
    bool has_normals = (roles >> NX & 7u) == 7u;
    SiltStatus status = silt_mesh_allocate(reader->ply.path, element->count, 0, has_normals, reader->mesh);
    silt_free(reader->mesh->indices); // they grow with the faces
    reader->mesh->indices = NULL;
    return status;
}

static SiltStatus read_body(Reader *reader)
{
    SiltPly *ply = &reader->ply;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < ply->element_count && status == SILT_OK; k++) {
        SiltPlyElement *element = &ply->elements[k];
        for (int n = 0; n < element->property_count; n++)
            element->properties[n].role = find_role(element, &element->properties[n]);
        status = silt_ply_check_count(ply, element);
        if (status == SILT_OK && strcmp(element->name, "vertex") == 0)
            status = begin_vertices(reader, element);
        if (element->property_count == 0)
            continue;
        for (uint64_t item = 0; item < element->count && status == SILT_OK; item++)
            status = read_item(reader, element, item);
    }
    if (status == SILT_OK && reader->mesh->triangle_count == 0)
        status = silt_fail(SILT_BAD_FILE, "%s: the file has no faces", ply->path);
    silt_ply_comment(ply, "origin", 3, reader->mesh->origin);
    return status;
}

static SiltStatus read_ply(const char *path, SiltMesh *out)
{
    *out = (SiltMesh){0};
    void *block = NULL;
    SiltStatus status = silt_alloc_for(path, 1, sizeof(Reader), &block);
    if (status != SILT_OK)
        return status;
    Reader *reader = block;
    reader->mesh = out;
    status = silt_ply_open(path, &reader->ply);
    if (status == SILT_OK)
        status = read_body(reader);
    silt_ply_close(&reader->ply);
    silt_free(block);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    return status;
}

const SiltFormat silt_format_ply = {
    .name = "PLY",
    .endings = "ply",
    .package = "",
    .recognise = silt_ply_recognise,
    .read_mesh = read_ply,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .write_mesh = write_ply,
};
