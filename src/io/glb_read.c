// Reads the triangles of a .glb: every primitive of triangles in the scene, moved by the nodes above it, and
// turned from glTF's y up to our z up. The tree of nodes is walked twice, first to count, then to fill.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/bytes.h"
#include "io/glb.h"
#include "io/json.h"
#include "io/output.h"
#include "mesh/mesh.h"

enum { HEAD = 12, CHUNK_HEAD = 8, DEEPEST = 64, TRIANGLES = 4 };
enum { UNSIGNED_BYTE = 5121, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, FLOAT = 5126 };

typedef struct Table {
    int *items; // values of the JSON
    int count;
} Table;

typedef struct Glb {
    const char *path;
    SiltJson json;
    const unsigned char *binary;
    size_t binary_bytes;
    Table accessors, views, meshes, nodes;
    uint8_t *visited; // of nodes
    SiltMesh *mesh;
    bool is_counting, has_normals, has_colours; // the last: any of them
    uint64_t vertex_count, triangle_count;      // so far
} Glb;

// Columns x, y, z of a linear map, and a translation.
typedef struct Transform {
    double m[12];
} Transform;

typedef struct Accessor {
    const unsigned char *data;
    size_t count, stride;
    int component, width; // width: numbers an item
} Accessor;

static SiltStatus bad_glb(const Glb *glb, const char *what)
{
    return silt_fail(SILT_BAD_FILE, "%s: glTF: %s", glb->path, what);
}

// ---- the container ----

// Finds both chunks; the second may be missing.
static SiltStatus open_chunks(Glb *glb, const char *data, size_t bytes, const char **json, size_t *json_bytes)
{
    if (bytes < HEAD + CHUNK_HEAD || memcmp(data, "glTF", 4) != 0)
        return bad_glb(glb, "the file has no head of glTF");
    if (silt_load_u32(data + 4, false) != 2)
        return bad_glb(glb, "the file's version is not 2");
    *json_bytes = silt_load_u32(data + HEAD, false);
    if (memcmp(data + HEAD + 4, "JSON", 4) != 0 || *json_bytes > bytes - HEAD - CHUNK_HEAD)
        return bad_glb(glb, "the chunk of JSON is missing or truncated");
    *json = data + HEAD + CHUNK_HEAD;
    size_t at = HEAD + CHUNK_HEAD + *json_bytes;
    if (bytes - at < CHUNK_HEAD)
        return SILT_OK;
    size_t binary_bytes = silt_load_u32(data + at, false);
    if (memcmp(data + at + 4, "BIN", 4) != 0 || binary_bytes > bytes - at - CHUNK_HEAD)
        return bad_glb(glb, "the chunk of numbers is truncated");
    glb->binary = (const unsigned char *)data + at + CHUNK_HEAD;
    glb->binary_bytes = binary_bytes;
    return SILT_OK;
}

static bool is_text(const SiltJsonValue *value, const char *text)
{
    return value->type == SILT_JSON_STRING && value->length == strlen(text) &&
           memcmp(value->text, text, value->length) == 0;
}

// Looks and lights may be passed over; whatever changes the shape may not.
static SiltStatus check_extensions(const Glb *glb)
{
    int array = silt_json_member(&glb->json, 0, "extensionsRequired");
    if (array < 0 || glb->json.values[array].type != SILT_JSON_ARRAY)
        return SILT_OK;
    for (int k = 0, at = array + 1; k < glb->json.values[array].count; k++, at = glb->json.values[at].next) {
        const SiltJsonValue *name = &glb->json.values[at];
        bool is_look =
            name->type == SILT_JSON_STRING && name->length > 13 &&
            (memcmp(name->text, "KHR_materials", 13) == 0 || memcmp(name->text, "KHR_texture_", 12) == 0);
        if (!is_look)
            return silt_fail(
                SILT_BAD_FILE, "%s: glTF: it needs the extension %.*s; export it without", glb->path,
                name->type == SILT_JSON_STRING ? (int)(name->length < 60 ? name->length : 60) : 0,
                name->text ? name->text : "");
    }
    return SILT_OK;
}

static SiltStatus open_tables(Glb *glb)
{
    const struct {
        const char *name;
        Table *table;
    } tables[] = {{"accessors", &glb->accessors},
                  {"bufferViews", &glb->views},
                  {"meshes", &glb->meshes},
                  {"nodes", &glb->nodes}};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof tables / sizeof tables[0] && status == SILT_OK; k++)
        status = silt_json_items(&glb->json, silt_json_member(&glb->json, 0, tables[k].name),
                                 &tables[k].table->items, &tables[k].table->count);
    if (status == SILT_OK)
        status = silt_alloc_for(glb->path, (size_t)glb->nodes.count + 1, 1, (void **)&glb->visited);
    return status;
}

// The entry that an object's member names by number: -1 when there is no such member, -2 when it is wrong.
static int find_entry(const Glb *glb, int object, const char *name, const Table *table)
{
    double number = silt_json_number(&glb->json, object, name, 0.0, (double)table->count - 1.0, -1.0);
    if (number == -1.0)
        return -1;
    return isnan(number) || number != floor(number) ? -2 : table->items[(int)number];
}

// ---- accessors ----

static size_t component_bytes(int component)
{
    return component == UNSIGNED_BYTE ? 1 : component == UNSIGNED_SHORT ? 2 : 4;
}

static double size_member(const Glb *glb, int object, const char *name, double absent)
{
    double value = silt_json_number(&glb->json, object, name, 0.0, 4294967295.0, absent);
    return value == floor(value) ? value : NAN;
}

// Where the items of an accessor lie, of whose component and width *out knows; false: not wholly in the file.
static bool find_items(const Glb *glb, int entry, int view, Accessor *out)
{
    double item = (double)component_bytes(out->component) * (double)out->width;
    double count = size_member(glb, entry, "count", 0.0), offset = size_member(glb, entry, "byteOffset", 0.0);
    double start = size_member(glb, view, "byteOffset", 0.0),
           length = size_member(glb, view, "byteLength", 0.0);
    double stride = size_member(glb, view, "byteStride", item);
    if (size_member(glb, view, "buffer", -1.0) != 0.0 || !(stride >= item) || !(count >= 1.0) ||
        !(start + length <= (double)glb->binary_bytes) || !(offset + (count - 1.0) * stride + item <= length))
        return false;
    out->data = glb->binary + (size_t)start + (size_t)offset;
    out->count = (size_t)count;
    out->stride = (size_t)stride;
    return true;
}

// Vectors of three floats, or single unsigned integers; all of it must lie inside the file.
static SiltStatus open_accessor(const Glb *glb, int entry, bool is_vector, Accessor *out)
{
    if (entry < 0)
        return bad_glb(glb, "a primitive names an accessor that is not there");
    int view = find_entry(glb, entry, "bufferView", &glb->views);
    if (view < 0 || silt_json_member(&glb->json, entry, "sparse") >= 0)
        return bad_glb(glb, "an accessor is sparse or has no buffer; export it plain");
    int type = silt_json_member(&glb->json, entry, "type");
    double component = size_member(glb, entry, "componentType", 0.0);
    bool is_right =
        type >= 0 && is_text(&glb->json.values[type], is_vector ? "VEC3" : "SCALAR") &&
        (is_vector ? component == FLOAT
                   : component == UNSIGNED_BYTE || component == UNSIGNED_SHORT || component == UNSIGNED_INT);
    if (!is_right)
        return bad_glb(glb, "positions and normals must be float vectors, and indices unsigned integers");
    out->component = (int)component;
    out->width = is_vector ? 3 : 1;
    return find_items(glb, entry, view, out) ? SILT_OK
                                             : bad_glb(glb, "an accessor reaches beyond the file's numbers");
}

// Colours are passed over where they are not as glTF has them: the shape is what counts.
static bool open_colours(const Glb *glb, int entry, size_t vertices, Accessor *out)
{
    int view = entry < 0 ? -1 : find_entry(glb, entry, "bufferView", &glb->views);
    int type = entry < 0 ? -1 : silt_json_member(&glb->json, entry, "type");
    if (view < 0 || type < 0 || silt_json_member(&glb->json, entry, "sparse") >= 0)
        return false;
    double component = size_member(glb, entry, "componentType", 0.0);
    bool four = is_text(&glb->json.values[type], "VEC4");
    if (!(four || is_text(&glb->json.values[type], "VEC3")) ||
        !(component == FLOAT || component == UNSIGNED_BYTE || component == UNSIGNED_SHORT))
        return false;
    out->component = (int)component;
    out->width = four ? 4 : 3;
    return find_items(glb, entry, view, out) && out->count == vertices;
}

// Number n of colour k; white where there is none.
static uint16_t share_at(const Accessor *accessor, size_t k, size_t n)
{
    if (!accessor || n >= (size_t)accessor->width)
        return 65535;
    const unsigned char *at =
        accessor->data + k * accessor->stride + n * component_bytes(accessor->component);
    float share = accessor->component == FLOAT ? silt_load_f32(at, false) : 0.0f;
    return accessor->component == UNSIGNED_BYTE    ? (uint16_t)(257u * *at)
           : accessor->component == UNSIGNED_SHORT ? silt_load_u16(at, false)
           : share > 0.0f ? (uint16_t)(share < 1.0f ? share * 65535.0f + 0.5f : 65535.0f)
                          : 0;
}

static uint32_t index_at(const Accessor *accessor, size_t k)
{
    const unsigned char *at = accessor->data + k * accessor->stride;
    return accessor->component == UNSIGNED_BYTE    ? *at
           : accessor->component == UNSIGNED_SHORT ? silt_load_u16(at, false)
                                                   : silt_load_u32(at, false);
}

// ---- nodes ----

static Transform multiply(const Transform *a, const Transform *b)
{
    Transform product;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row++) {
            double sum = column == 3 ? a->m[9 + row] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += a->m[3 * k + row] * b->m[3 * column + k];
            product.m[3 * column + row] = sum;
        }
    return product;
}

static Transform from_parts(const double t[3], const double q[4], const double s[3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                                2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                                2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
    Transform transform;
    for (int k = 0; k < 9; k++)
        transform.m[k] = rotation[k] * s[k / 3];
    memcpy(transform.m + 9, t, 3 * sizeof *t);
    return transform;
}

// A node has a matrix, or translation, rotation and scale.
static Transform node_transform(const Glb *glb, int node)
{
    double matrix[16], t[3] = {0.0, 0.0, 0.0}, q[4] = {0.0, 0.0, 0.0, 1.0}, s[3] = {1.0, 1.0, 1.0};
    const SiltJson *json = &glb->json;
    if (silt_json_numbers(json, silt_json_member(json, node, "matrix"), 16, matrix)) {
        Transform transform;
        for (int column = 0; column < 4; column++)
            memcpy(transform.m + 3 * column, matrix + 4 * column, 3 * sizeof *matrix);
        return transform;
    }
    silt_json_numbers(json, silt_json_member(json, node, "translation"), 3, t);
    silt_json_numbers(json, silt_json_member(json, node, "rotation"), 4, q);
    silt_json_numbers(json, silt_json_member(json, node, "scale"), 3, s);
    return from_parts(t, q, s);
}

static double determinant(const Transform *t)
{
    const double *m = t->m;
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[3] * (m[1] * m[8] - m[2] * m[7]) +
           m[6] * (m[1] * m[5] - m[2] * m[4]);
}

// ---- primitives ----

// Our z is their y, our y their -z.
static void store_turned(float *to, const double v[3])
{
    to[0] = (float)v[0];
    to[1] = (float)(0.0 - v[2]); // never -0
    to[2] = (float)v[1];
}

static SiltStatus fill_positions(const Glb *glb, const Accessor *accessor, const Transform *t)
{
    for (size_t k = 0; k < accessor->count; k++) {
        const unsigned char *at = accessor->data + k * accessor->stride;
        double p[3], moved[3];
        for (int axis = 0; axis < 3; axis++)
            p[axis] = (double)silt_load_f32(at + 4 * axis, false);
        for (int row = 0; row < 3; row++)
            moved[row] = t->m[row] * p[0] + t->m[3 + row] * p[1] + t->m[6 + row] * p[2] + t->m[9 + row];
        float *to = glb->mesh->positions + 3 * (glb->vertex_count + k);
        store_turned(to, moved);
        if (!isfinite(to[0]) || !isfinite(to[1]) || !isfinite(to[2]))
            return bad_glb(glb, "a position is not a finite number");
    }
    return SILT_OK;
}

// Normals turn with the matrix of cofactors, which is the inverse transposed but for its length.
static void fill_normals(const Glb *glb, const Accessor *accessor, const Transform *t)
{
    const double *m = t->m;
    double sign = determinant(t) < 0.0 ? -1.0 : 1.0;
    const double cofactor[9] = {
        m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
        m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
        m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3]};
    for (size_t k = 0; k < accessor->count; k++) {
        const unsigned char *at = accessor->data + k * accessor->stride;
        double n[3], turned[3], length = 0.0;
        for (int axis = 0; axis < 3; axis++)
            n[axis] = (double)silt_load_f32(at + 4 * axis, false);
        for (int row = 0; row < 3; row++) {
            turned[row] = sign * (cofactor[row] * n[0] + cofactor[3 + row] * n[1] + cofactor[6 + row] * n[2]);
            length += turned[row] * turned[row];
        }
        length = sqrt(length);
        for (int row = 0; row < 3; row++)
            turned[row] = length > 0.0 && isfinite(length) ? turned[row] / length : row == 1;
        store_turned(glb->mesh->normals + 3 * (glb->vertex_count + k), turned);
    }
}

static void fill_colours(const Glb *glb, const Accessor *accessor, size_t vertices)
{
    uint16_t *to = glb->mesh->colours + 4 * glb->vertex_count;
    for (size_t k = 0; k < 4 * vertices; k++)
        to[k] = share_at(accessor, k / 4, k % 4);
}

static SiltStatus fill_triangles(const Glb *glb, const Accessor *indices, size_t vertex_count,
                                 bool is_mirrored, size_t triangle_count)
{
    uint32_t *to = glb->mesh->indices + 3 * glb->triangle_count;
    for (size_t k = 0; k < 3 * triangle_count; k++) {
        size_t corner = k % 3, turned = is_mirrored && corner ? 3 - corner : corner;
        size_t index = indices ? index_at(indices, k) : k;
        if (index >= vertex_count)
            return bad_glb(glb, "a triangle names a vertex that is not there");
        to[k - corner + turned] = (uint32_t)(glb->vertex_count + index);
    }
    return SILT_OK;
}

static SiltStatus add_primitive(Glb *glb, int primitive, const Transform *t)
{
    const SiltJson *json = &glb->json;
    int attributes = silt_json_member(json, primitive, "attributes");
    int positions_entry = find_entry(glb, attributes, "POSITION", &glb->accessors);
    if (silt_json_number(json, primitive, "mode", 0.0, 6.0, TRIANGLES) != TRIANGLES || positions_entry == -1)
        return SILT_OK; // points and lines have no surface
    Accessor positions, normals, indices, colours;
    SiltStatus status = open_accessor(glb, positions_entry, true, &positions);
    int indices_entry = find_entry(glb, primitive, "indices", &glb->accessors);
    if (status == SILT_OK && indices_entry != -1)
        status = open_accessor(glb, indices_entry, false, &indices);
    int normals_entry = find_entry(glb, attributes, "NORMAL", &glb->accessors);
    if (status == SILT_OK && normals_entry != -1)
        status = open_accessor(glb, normals_entry, true, &normals);
    if (status != SILT_OK)
        return status;
    bool coloured =
        open_colours(glb, find_entry(glb, attributes, "COLOR_0", &glb->accessors), positions.count, &colours);
    size_t triangle_count = (indices_entry != -1 ? indices.count : positions.count) / 3;
    if (glb->is_counting) {
        glb->has_colours = glb->has_colours || coloured;
        glb->has_normals = glb->has_normals && normals_entry != -1 && normals.count == positions.count;
    } else {
        status = fill_positions(glb, &positions, t);
        if (glb->has_normals)
            fill_normals(glb, &normals, t);
        if (glb->mesh->colours)
            fill_colours(glb, coloured ? &colours : NULL, positions.count);
        if (status == SILT_OK)
            status = fill_triangles(glb, indices_entry != -1 ? &indices : NULL, positions.count,
                                    determinant(t) < 0.0, triangle_count);
    }
    glb->vertex_count += positions.count;
    glb->triangle_count += triangle_count;
    return status;
}

static SiltStatus add_mesh(Glb *glb, int mesh, const Transform *t)
{
    int primitives = silt_json_member(&glb->json, mesh, "primitives");
    if (primitives < 0 || glb->json.values[primitives].type != SILT_JSON_ARRAY)
        return bad_glb(glb, "a mesh has no primitives");
    SiltStatus status = SILT_OK;
    int at = primitives + 1;
    for (int k = 0; k < glb->json.values[primitives].count && status == SILT_OK; k++) {
        status = add_primitive(glb, at, t);
        at = glb->json.values[at].next;
    }
    return status;
}

static SiltStatus walk_list(Glb *glb, int array, const Transform *parent, int depth);

static SiltStatus walk_node(Glb *glb, int number, const Transform *parent, int depth)
{
    if (glb->visited[number] || depth > DEEPEST)
        return bad_glb(glb, "its nodes do not form a tree, or a very deep one");
    glb->visited[number] = 1;
    int node = glb->nodes.items[number];
    Transform local = node_transform(glb, node), world = multiply(parent, &local);
    int mesh = find_entry(glb, node, "mesh", &glb->meshes);
    if (mesh == -2)
        return bad_glb(glb, "a node names a mesh that is not there");
    SiltStatus status = mesh >= 0 ? add_mesh(glb, mesh, &world) : SILT_OK;
    int children = silt_json_member(&glb->json, node, "children");
    return status == SILT_OK && children >= 0 ? walk_list(glb, children, &world, depth + 1) : status;
}

static SiltStatus walk_list(Glb *glb, int array, const Transform *parent, int depth)
{
    const SiltJsonValue *values = glb->json.values;
    if (values[array].type != SILT_JSON_ARRAY)
        return bad_glb(glb, "a list of nodes is not a list");
    SiltStatus status = SILT_OK;
    for (int k = 0, at = array + 1; k < values[array].count && status == SILT_OK; k++, at = values[at].next) {
        double number = values[at].number;
        if (values[at].type != SILT_JSON_NUMBER || !(number >= 0.0 && number < glb->nodes.count))
            return bad_glb(glb, "a list names a node that is not there");
        status = walk_node(glb, (int)number, parent, depth);
    }
    return status;
}

// The scene that the file opens with; a file without scenes is a store of meshes, all taken as they are.
static SiltStatus walk(Glb *glb)
{
    const Transform identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}};
    glb->vertex_count = glb->triangle_count = 0;
    memset(glb->visited, 0, (size_t)glb->nodes.count);
    Table scenes = {0};
    SiltStatus status =
        silt_json_items(&glb->json, silt_json_member(&glb->json, 0, "scenes"), &scenes.items, &scenes.count);
    if (status != SILT_OK)
        return status;
    if (scenes.count > 0) {
        int scene = find_entry(glb, 0, "scene", &scenes);
        int roots = silt_json_member(&glb->json, scene == -1 ? scenes.items[0] : scene, "nodes");
        status = roots < 0 ? bad_glb(glb, "the scene is empty") : walk_list(glb, roots, &identity, 0);
    }
    for (int k = 0; scenes.count == 0 && k < glb->meshes.count && status == SILT_OK; k++)
        status = add_mesh(glb, glb->meshes.items[k], &identity);
    silt_free(scenes.items);
    return status;
}

static SiltStatus build(Glb *glb)
{
    glb->is_counting = glb->has_normals = true;
    SiltStatus status = walk(glb);
    if (status == SILT_OK && glb->triangle_count == 0)
        status = bad_glb(glb, "the scene has no triangles");
    if (status == SILT_OK)
        status = silt_mesh_allocate(glb->path, glb->vertex_count, glb->triangle_count, glb->has_normals,
                                    glb->mesh);
    if (status == SILT_OK && glb->has_colours)
        status = silt_alloc_for(glb->path, (size_t)glb->vertex_count, 4 * sizeof *glb->mesh->colours,
                                (void **)&glb->mesh->colours);
    if (status != SILT_OK)
        return status;
    int asset = silt_json_member(&glb->json, 0, "asset");
    int extras = silt_json_member(&glb->json, asset, "extras");
    double origin[3];
    if (silt_json_numbers(&glb->json, silt_json_member(&glb->json, extras, "silt_origin"), 3, origin))
        memcpy(glb->mesh->origin, origin, sizeof origin);
    glb->is_counting = false;
    return walk(glb);
}

SiltStatus silt_glb_read(const char *path, SiltMesh *out)
{
    *out = (SiltMesh){0};
    char *data = NULL;
    const char *json = NULL;
    size_t bytes, json_bytes = 0;
    Glb glb = {.path = path, .mesh = out};
    SiltStatus status = silt_read_file(path, SIZE_MAX / 4, &data, &bytes);
    if (status == SILT_OK)
        status = open_chunks(&glb, data, bytes, &json, &json_bytes);
    if (status == SILT_OK)
        status = silt_json_parse(path, json, json_bytes, &glb.json);
    if (status == SILT_OK)
        status = check_extensions(&glb);
    if (status == SILT_OK)
        status = open_tables(&glb);
    if (status == SILT_OK)
        status = build(&glb);
    silt_free(data);
    silt_json_free(&glb.json);
    silt_free(glb.accessors.items);
    silt_free(glb.views.items);
    silt_free(glb.meshes.items);
    silt_free(glb.nodes.items);
    silt_free(glb.visited);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    return status;
}
