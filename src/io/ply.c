// PLY, Stanford's mesh: a header in text that declares elements and their properties, then the numbers.
// Written: binary little-endian, x y z nx ny nz and triangles, z up in metres, the mesh's place on the map in
// a comment
// ("comment silt origin X Y Z"). Read: text and binary of both byte orders; what is not a position, normal or
// face is passed over, polygons are cut into fans.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/format.h"
#include "io/mesh.h"

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

// ---- the header ----

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= 4 && memcmp(head, "ply", 3) == 0 &&
           (head[3] == '\n' || head[3] == '\r' || head[3] == ' ');
}

enum { MAX_ELEMENTS = 16, MAX_PROPERTIES = 64 };
typedef enum Type { NO_TYPE, I8, U8, I16, U16, I32, U32, F32, F64 } Type;
static const size_t type_bytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};

// What of a mesh a property is.
enum { X, Y, Z, NX, NY, NZ, CORNERS, OTHER };

typedef struct Property {
    Type count_type; // of a list's length; NO_TYPE for a plain number
    Type type;
    int role;
} Property;

typedef struct Element {
    bool is_vertex, is_face;
    uint64_t count;
    Property properties[MAX_PROPERTIES];
    int property_count;
} Element;

typedef struct Reader {
    const char *path;
    const char *at, *end;
    bool is_text, big_endian;
    Element elements[MAX_ELEMENTS];
    int element_count;
    SiltMesh *mesh;
    size_t triangle_capacity;
} Reader;

static SiltStatus bad_header(const Reader *reader, const char *what)
{
    return silt_fail(SILT_BAD_FILE, "%s: the PLY header %s", reader->path, what);
}

static Type find_type(const char *name)
{
    static const struct {
        const char *name;
        Type type;
    } names[] = {{"char", I8},   {"int8", I8},     {"uchar", U8},   {"uint8", U8},
                 {"short", I16}, {"int16", I16},   {"ushort", U16}, {"uint16", U16},
                 {"int", I32},   {"int32", I32},   {"uint", U32},   {"uint32", U32},
                 {"float", F32}, {"float32", F32}, {"double", F64}, {"float64", F64}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(names[k].name, name) == 0)
            return names[k].type;
    return NO_TYPE;
}

static int find_role(const Element *element, const char *name, bool is_list)
{
    static const char *const roles[] = {"x", "y", "z", "nx", "ny", "nz"};
    for (int k = 0; element->is_vertex && !is_list && k < CORNERS; k++)
        if (strcmp(roles[k], name) == 0)
            return k;
    bool is_corners = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return element->is_face && is_list && is_corners ? CORNERS : OTHER;
}

static SiltStatus add_element(Reader *reader, const char *name, const char *count)
{
    char *end;
    unsigned long long number = strtoull(count, &end, 10);
    if (reader->element_count == MAX_ELEMENTS || *count < '0' || *count > '9' || *end || number > INT64_MAX)
        return bad_header(reader, "has an element without a count, or more than 16 of them");
    reader->elements[reader->element_count++] = (Element){
        .is_vertex = strcmp(name, "vertex") == 0, .is_face = strcmp(name, "face") == 0, .count = number};
    return SILT_OK;
}

static SiltStatus add_property(Reader *reader, char words[5][32], int count)
{
    Element *element = reader->element_count ? &reader->elements[reader->element_count - 1] : NULL;
    if (!element || element->property_count == MAX_PROPERTIES)
        return bad_header(reader, "has a property outside an element, or more than 64 in one");
    Property property = {0};
    bool is_list = strcmp(words[1], "list") == 0;
    property.count_type = is_list ? find_type(words[2]) : NO_TYPE;
    property.type = find_type(words[is_list ? 3 : 1]);
    if (count != (is_list ? 5 : 3) || property.type == NO_TYPE ||
        (is_list && (property.count_type == NO_TYPE || property.count_type >= F32)))
        return bad_header(reader, "has a property that is not 'TYPE NAME' or 'list TYPE TYPE NAME'");
    property.role = find_role(element, words[is_list ? 4 : 2], is_list);
    element->properties[element->property_count++] = property;
    return SILT_OK;
}

static SiltStatus read_format(Reader *reader, const char *name)
{
    reader->is_text = strcmp(name, "ascii") == 0;
    reader->big_endian = strcmp(name, "binary_big_endian") == 0;
    if (!reader->is_text && !reader->big_endian && strcmp(name, "binary_little_endian") != 0)
        return bad_header(reader, "names no format: ascii, binary_little_endian or binary_big_endian");
    return SILT_OK;
}

static void read_comment(const char *line, double origin[3])
{
    double place[3];
    if (strncmp(line, "comment silt origin ", 20) != 0)
        return;
    line += 20;
    for (int axis = 0; axis < 3; axis++)
        if (!silt_parse_number(&line, &place[axis]) || !isfinite(place[axis]))
            return;
    memcpy(origin, place, sizeof place);
}

static SiltStatus read_header_line(Reader *reader, const char *line, bool *has_format)
{
    char words[5][32] = {"", "", "", "", ""};
    int count = sscanf(line, "%31s %31s %31s %31s %31s", words[0], words[1], words[2], words[3], words[4]);
    if (count < 1 || strcmp(words[0], "obj_info") == 0 || strcmp(words[0], "ply") == 0)
        return SILT_OK;
    if (strcmp(words[0], "comment") == 0) {
        read_comment(line, reader->mesh->origin);
        return SILT_OK;
    }
    if (strcmp(words[0], "format") == 0) {
        *has_format = true;
        return read_format(reader, words[1]);
    }
    if (strcmp(words[0], "element") == 0)
        return add_element(reader, words[1], words[2]);
    if (strcmp(words[0], "property") == 0)
        return add_property(reader, words, count);
    return bad_header(reader, "has a line that is neither format, element, property nor comment");
}

static SiltStatus read_header(Reader *reader)
{
    bool has_format = false;
    while (reader->at < reader->end) {
        char line[256];
        size_t length = strcspn(reader->at, "\r\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < 255 ? length : 255), reader->at);
        const char *stop = reader->at + length;
        if (*stop == '\0')
            break; // the end of the file, or a byte that no header has
        reader->at = stop + (stop[0] == '\r' && stop[1] == '\n' ? 2 : 1);
        if (strcmp(line, "end_header") == 0)
            return has_format ? SILT_OK : bad_header(reader, "has no format line");
        SiltStatus status = read_header_line(reader, line, &has_format);
        if (status != SILT_OK)
            return status;
    }
    return bad_header(reader, "has no end_header");
}

// ---- the numbers ----

static SiltStatus ends_early(const Reader *reader, const char *what, uint64_t index)
{
    return silt_fail(SILT_BAD_FILE, "%s: the file ends, or has no number, in %s %llu", reader->path, what,
                     (unsigned long long)index);
}

static bool next_number(Reader *reader, Type type, double *out)
{
    if (reader->is_text)
        return silt_parse_number(&reader->at, out);
    if ((size_t)(reader->end - reader->at) < type_bytes[type])
        return false;
    const char *at = reader->at;
    bool big = reader->big_endian;
    reader->at += type_bytes[type];
    switch (type) {
    case I8:
        *out = (double)(int8_t)*at;
        break;
    case U8:
        *out = (double)(uint8_t)*at;
        break;
    case I16:
        *out = (double)(int16_t)silt_load_u16(at, big);
        break;
    case U16:
        *out = (double)silt_load_u16(at, big);
        break;
    case I32:
        *out = (double)(int32_t)silt_load_u32(at, big);
        break;
    case U32:
        *out = (double)silt_load_u32(at, big);
        break;
    case F32:
        *out = (double)silt_load_f32(at, big);
        break;
    case F64:
        *out = silt_load_f64(at, big);
        break;
    case NO_TYPE:
        return false;
    }
    return true;
}

static SiltStatus add_triangle(Reader *reader, const uint32_t corners[3])
{
    SiltMesh *mesh = reader->mesh;
    if (mesh->triangle_count == reader->triangle_capacity) {
        size_t wanted = reader->triangle_capacity ? reader->triangle_capacity * 2 : 256;
        void *block = mesh->indices;
        SiltStatus status =
            silt_grow(reader->path, &block, mesh->triangle_count, wanted, 3 * sizeof *mesh->indices);
        if (status != SILT_OK)
            return status;
        mesh->indices = block;
        reader->triangle_capacity = wanted;
    }
    memcpy(mesh->indices + 3 * mesh->triangle_count++, corners, 3 * sizeof *corners);
    return SILT_OK;
}

static SiltStatus read_list(Reader *reader, const Property *property, uint64_t item)
{
    double length, value;
    if (!next_number(reader, property->count_type, &length))
        return ends_early(reader, "list", item);
    if (!(length >= 0.0 && length <= (double)(reader->end - reader->at)))
        return silt_fail(SILT_BAD_FILE, "%s: a list of %g numbers does not fit into the file", reader->path,
                         length);
    uint32_t fan[3] = {0};
    for (uint64_t k = 0; k < (uint64_t)length; k++) {
        if (!next_number(reader, property->type, &value))
            return ends_early(reader, "list", item);
        if (property->role != CORNERS)
            continue;
        if (!(value >= 0.0 && value < (double)reader->mesh->vertex_count))
            return silt_fail(SILT_BAD_FILE, "%s: face %llu names vertex %g, and there are %zu", reader->path,
                             (unsigned long long)item, value, reader->mesh->vertex_count);
        fan[k < 2 ? k : 2] = (uint32_t)value;
        if (k < 2)
            continue;
        SiltStatus status = add_triangle(reader, fan);
        if (status != SILT_OK)
            return status;
        fan[1] = fan[2];
    }
    return SILT_OK;
}

static SiltStatus read_item(Reader *reader, const Element *element, uint64_t item)
{
    for (int k = 0; k < element->property_count; k++) {
        const Property *property = &element->properties[k];
        if (property->count_type != NO_TYPE) {
            SiltStatus status = read_list(reader, property, item);
            if (status != SILT_OK)
                return status;
            continue;
        }
        double value;
        if (!next_number(reader, property->type, &value))
            return ends_early(reader, "element", item);
        if (property->role <= Z) {
            if (!isfinite((float)value))
                return silt_fail(SILT_BAD_FILE, "%s: vertex %llu is not a finite number", reader->path,
                                 (unsigned long long)item);
            reader->mesh->positions[3 * item + (uint64_t)property->role] = (float)value;
        } else if (property->role <= NZ && reader->mesh->normals) {
            reader->mesh->normals[3 * item + (uint64_t)(property->role - NX)] = (float)value;
        }
    }
    return SILT_OK;
}

// The fewest bytes an item can take, so that a count no file could hold is refused before memory is asked
// for.
static SiltStatus check_count(const Reader *reader, const Element *element)
{
    size_t least = 0;
    for (int k = 0; k < element->property_count; k++) {
        const Property *property = &element->properties[k];
        least +=
            reader->is_text ? 2 : type_bytes[property->count_type ? property->count_type : property->type];
    }
    double left = (double)(reader->end - reader->at) + 1.0; // the last number of a text needs no space
    if ((double)element->count * (double)least > left)
        return silt_fail(SILT_BAD_FILE, "%s: %llu elements do not fit into the %.0f bytes that follow",
                         reader->path, (unsigned long long)element->count, left - 1.0);
    return SILT_OK;
}

static SiltStatus begin_vertices(Reader *reader, const Element *element)
{
    unsigned roles = 0;
    for (int k = 0; k < element->property_count; k++)
        roles |= 1u << element->properties[k].role;
    if ((roles & 7u) != 7u || reader->mesh->positions)
        return bad_header(reader, "must have one vertex element with x, y and z");
    double origin[3];
    memcpy(origin, reader->mesh->origin, sizeof origin);
    bool has_normals = (roles >> NX & 7u) == 7u;
    SiltStatus status = silt_mesh_allocate(reader->path, element->count, 0, has_normals, reader->mesh);
    memcpy(reader->mesh->origin, origin, sizeof origin);
    silt_free(reader->mesh->indices); // they grow with the faces
    reader->mesh->indices = NULL;
    return status;
}

static SiltStatus read_body(Reader *reader)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < reader->element_count && status == SILT_OK; k++) {
        const Element *element = &reader->elements[k];
        status = check_count(reader, element);
        if (status == SILT_OK && element->is_vertex)
            status = begin_vertices(reader, element);
        if (element->property_count == 0)
            continue;
        for (uint64_t item = 0; item < element->count && status == SILT_OK; item++)
            status = read_item(reader, element, item);
    }
    if (status == SILT_OK && reader->mesh->triangle_count == 0)
        status = silt_fail(SILT_BAD_FILE, "%s: the file has no faces", reader->path);
    return status;
}

static SiltStatus read_ply(const char *path, SiltMesh *out)
{
    *out = (SiltMesh){0};
    char *text = NULL;
    size_t bytes;
    void *block = NULL;
    SiltStatus status = silt_read_file(path, SIZE_MAX / 4, &text, &bytes);
    if (status == SILT_OK)
        status = silt_alloc_for(path, 1, sizeof(Reader), &block);
    Reader *reader = block;
    if (status == SILT_OK) {
        reader->path = path;
        reader->at = text;
        reader->end = text + bytes;
        reader->mesh = out;
        status = recognise((const unsigned char *)text, bytes)
                     ? read_header(reader)
                     : silt_fail(SILT_BAD_FILE, "%s: not a PLY mesh", path);
    }
    if (status == SILT_OK)
        status = read_body(reader);
    silt_free(text);
    silt_free(block);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    return status;
}

const SiltFormat silt_format_ply = {
    .name = "PLY",
    .endings = "ply",
    .package = "",
    .recognise = recognise,
    .read_mesh = read_ply,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .write_mesh = write_ply,
};
