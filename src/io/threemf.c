// 3MF, the printers' own format: a ZIP archive with a model in XML, in millimetres. Written: one object, with
// what a millimetre stands for as its metadata "silt:scale". Read: all meshes of the build, in any unit the
// format has, with their transforms; parts made of other parts are refused.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/status.h"
#include "core/text.h"
#include "io/format.h"
#include "io/zip.h"
#include "mesh/mesh.h"

// ---- writing ----

static const char types[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Types "
    "xmlns=\"http://schemas.openxmlformats.org/package/2006/"
    "content-types\"><Default Extension=\"rels\" "
    "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
    "<Default Extension=\"model\" "
    "ContentType=\"application/vnd.ms-package.3dmanufacturing-3dmodel+xml\"/></Types>\n";
static const char relations[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Relationships "
    "xmlns=\"http://schemas.openxmlformats.org/package/2006/"
    "relationships\"><Relationship Target=\"/3D/3dmodel.model\" Id=\"rel0\" "
    "Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>\n";

static void put_all(SiltOutput *output, const char *text, SiltZipEntry *entry)
{
    silt_zip_put(output, text, strlen(text), entry);
}

static char *put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

static void put_vertices(const SiltMesh *mesh, SiltOutput *output, SiltZipEntry *entry)
{
    static const char *const before[3] = {"<vertex x=\"", "\" y=\"", "\" z=\""};
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        char line[256], *to = line;
        for (size_t k = 0; k < 3; k++) {
            to = put_text(to, before[k]);
            to = silt_write_float(to, (float)((double)mesh->positions[3 * v + k] * 1000.0 / mesh->scale));
        }
        to = put_text(to, "\"/>\n");
        silt_zip_put(output, line, (size_t)(to - line), entry);
    }
}

static void put_triangles(const SiltMesh *mesh, SiltOutput *output, SiltZipEntry *entry)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        char line[128];
        int length = snprintf(line, sizeof line, "<triangle v1=\"%u\" v2=\"%u\" v3=\"%u\"/>\n",
                              mesh->indices[3 * t], mesh->indices[3 * t + 1], mesh->indices[3 * t + 2]);
        silt_zip_put(output, line, (size_t)length, entry);
    }
}

static SiltStatus put_model(const SiltMesh *mesh, SiltOutput *output, SiltZipEntry *entry)
{
    char scale[SILT_NUMBER_SIZE], head[512];
    silt_zip_begin(output, "3D/3dmodel.model", entry);
    snprintf(head, sizeof head,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model unit=\"millimeter\" xml:lang=\"en-US\" "
             "xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\" xmlns:silt=\"silt\">\n"
             "<metadata name=\"Application\">Silt " SILT_VERSION
             "</metadata>\n<metadata name=\"silt:scale\">%s</metadata>\n"
             "<resources><object id=\"1\" type=\"model\"><mesh><vertices>\n",
             silt_format_number(mesh->scale, scale));
    put_all(output, head, entry);
    put_vertices(mesh, output, entry);
    put_all(output, "</vertices><triangles>\n", entry);
    put_triangles(mesh, output, entry);
    put_all(output, "</triangles></mesh></object></resources><build><item objectid=\"1\"/></build></model>\n",
            entry);
    return silt_zip_end(output, entry);
}

static SiltStatus write_3mf(const SiltMesh *mesh, SiltOutput *output)
{
    SiltZipEntry entries[3];
    double bytes = 60.0 * (double)mesh->vertex_count + 50.0 * (double)mesh->triangle_count;
    if (!output->temporary[0])
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: a 3MF is written back and forth, which a pipe or device is not for",
                         output->path);
    if (bytes > 4e9)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %zu triangles are more than a 3MF holds; write fewer, or STL", output->path,
                         mesh->triangle_count);
    silt_zip_begin(output, "[Content_Types].xml", &entries[0]);
    put_all(output, types, &entries[0]);
    SiltStatus status = silt_zip_end(output, &entries[0]);
    silt_zip_begin(output, "_rels/.rels", &entries[1]);
    put_all(output, relations, &entries[1]);
    if (status == SILT_OK)
        status = silt_zip_end(output, &entries[1]);
    if (status == SILT_OK)
        status = put_model(mesh, output, &entries[2]);
    return status == SILT_OK ? silt_zip_finish(output, entries, 3) : status;
}

// ---- reading ----

typedef struct Tag {
    const char *name; // behind '<'
    const char *end;  // the '>'
    const char *next;
} Tag;

// The next tag; comments and declarations are passed over.
static bool next_tag(const char **cursor, Tag *tag)
{
    const char *at = *cursor;
    while ((at = strchr(at, '<'))) {
        if (strncmp(at, "<!--", 4) == 0) {
            at = strstr(at, "-->");
            if (!at)
                return false;
            continue;
        }
        const char *end = strchr(at, '>');
        if (!end)
            return false;
        *tag = (Tag){at + 1, end, end + 1};
        *cursor = end + 1;
        return true;
    }
    return false;
}

// Whether the tag has this name, with or without a prefix before a colon.
static bool is_tag(const Tag *tag, const char *name)
{
    size_t length = strcspn(tag->name, " \t\r\n/>");
    const char *own = tag->name, *colon = memchr(own, ':', length);
    if (*own == '/') {
        own++;
        length = strcspn(own, " \t\r\n/>");
        colon = memchr(own, ':', length);
        if (name[0] != '/')
            return false;
        name++;
    }
    if (colon) {
        length -= (size_t)(colon + 1 - own);
        own = colon + 1;
    }
    return strlen(name) == length && strncmp(own, name, length) == 0;
}

static const char *attribute(const Tag *tag, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = tag->name; at + length + 2 < tag->end; at++)
        if ((at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n' || at[-1] == '\r') &&
            strncmp(at, name, length) == 0) {
            const char *value = at + length;
            value += strspn(value, " \t\r\n");
            if (*value != '=')
                continue;
            value++;
            value += strspn(value, " \t\r\n");
            return *value == '"' || *value == '\'' ? value + 1 : NULL;
        }
    return NULL;
}

static bool number_of(const Tag *tag, const char *name, double *out)
{
    const char *at = attribute(tag, name);
    return at && silt_parse_number(&at, out) && isfinite(*out);
}

enum { MOST_OBJECTS = 4096 };

typedef struct Object {
    double id;
    size_t first_vertex, vertices, first_triangle, triangles;
    bool parts;
} Object;

typedef struct Model {
    const char *path;
    double unit, scale; // mm of its unit; 1 : scale
    float *vertices;
    uint32_t *corners;
    size_t vertex_count, vertex_room, triangle_count, triangle_room;
    Object *objects;
    int object_count, item_count;
    SiltMesh *mesh;
} Model;

static SiltStatus grow(const char *path, void **block, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return SILT_OK;
    size_t more = *room ? 2 * *room : 1024;
    void *made;
    SiltStatus status = silt_alloc_for(path, more, size, &made);
    if (status != SILT_OK)
        return status;
    if (count > 0)
        memcpy(made, *block, count * size);
    silt_free(*block);
    *block = made;
    *room = more;
    return SILT_OK;
}

static double unit_of(const Tag *tag)
{
    static const struct {
        const char *name;
        double mm;
    } units[] = {{"micron", 1e-3}, {"centimeter", 10.0}, {"inch", 25.4}, {"foot", 304.8}, {"meter", 1000.0}};
    const char *value = attribute(tag, "unit");
    for (size_t k = 0; value && k < sizeof units / sizeof units[0]; k++)
        if (strncmp(value, units[k].name, strlen(units[k].name)) == 0)
            return units[k].mm;
    return 1.0;
}

static SiltStatus add_vertex(Model *model, const Tag *tag)
{
    double p[3];
    Object *object = model->object_count ? &model->objects[model->object_count - 1] : NULL;
    if (!object || !number_of(tag, "x", &p[0]) || !number_of(tag, "y", &p[1]) || !number_of(tag, "z", &p[2]))
        return silt_fail(SILT_BAD_FILE, "%s: vertex %zu is not three numbers x, y and z", model->path,
                         model->vertex_count + 1);
    SiltStatus status = grow(model->path, (void **)&model->vertices, model->vertex_count, &model->vertex_room,
                             3 * sizeof(float));
    for (int k = 0; k < 3 && status == SILT_OK; k++)
        model->vertices[3 * model->vertex_count + (size_t)k] = (float)p[k];
    model->vertex_count += status == SILT_OK;
    object->vertices += status == SILT_OK;
    return status;
}

static SiltStatus add_triangle(Model *model, const Tag *tag)
{
    static const char *const names[] = {"v1", "v2", "v3"};
    Object *object = model->object_count ? &model->objects[model->object_count - 1] : NULL;
    SiltStatus status = grow(model->path, (void **)&model->corners, model->triangle_count,
                             &model->triangle_room, 3 * sizeof(uint32_t));
    for (size_t k = 0; k < 3 && status == SILT_OK; k++) {
        double v;
        if (!object || !number_of(tag, names[k], &v) || v < 0.0 || v != floor(v) ||
            v >= (double)object->vertices)
            return silt_fail(SILT_BAD_FILE, "%s: triangle %zu names a vertex that is not there", model->path,
                             model->triangle_count + 1);
        model->corners[3 * model->triangle_count + k] = (uint32_t)v;
    }
    model->triangle_count += status == SILT_OK;
    object->triangles += status == SILT_OK;
    return status;
}

static SiltStatus add_object(Model *model, const Tag *tag)
{
    double id = 0.0;
    if (model->object_count == MOST_OBJECTS || !number_of(tag, "id", &id))
        return silt_fail(SILT_BAD_FILE, "%s: an object without a number, or more than %d of them",
                         model->path, MOST_OBJECTS);
    model->objects[model->object_count++] =
        (Object){.id = id, .first_vertex = model->vertex_count, .first_triangle = model->triangle_count};
    return SILT_OK;
}

// Twelve numbers: x' = x m0 + y m3 + z m6 + m9 ...
static bool transform_of(const Tag *tag, double m[12])
{
    static const double none[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const char *at = attribute(tag, "transform");
    memcpy(m, none, sizeof none);
    for (int k = 0; at && k < 12; k++) {
        at += strspn(at, " \t\r\n");
        if (!silt_parse_number(&at, &m[k]) || !isfinite(m[k]))
            return false;
    }
    return true;
}

static SiltStatus add_item(Model *model, const Tag *tag)
{
    double id, m[12], unit = model->unit;
    if (++model->item_count > MOST_OBJECTS)
        return silt_fail(SILT_BAD_FILE, "%s: more than %d items in the build", model->path, MOST_OBJECTS);
    if (!number_of(tag, "objectid", &id) || !transform_of(tag, m))
        return silt_fail(SILT_BAD_FILE,
                         "%s: an item of the build names no object, or is turned in no way there is",
                         model->path);
    for (int k = 0; k < model->object_count; k++) {
        const Object *object = &model->objects[k];
        if (object->id != id)
            continue;
        if (object->parts)
            return silt_fail(SILT_BAD_FILE, "%s: an object is made of other objects; save it as one mesh",
                             model->path);
        SiltMesh *mesh = model->mesh, grown;
        SiltStatus status = silt_mesh_allocate(model->path, mesh->vertex_count + object->vertices,
                                               mesh->triangle_count + object->triangles, false, &grown);
        if (status != SILT_OK)
            return status;
        if (mesh->vertex_count > 0) {
            memcpy(grown.positions, mesh->positions, 3 * mesh->vertex_count * sizeof(float));
            memcpy(grown.indices, mesh->indices, 3 * mesh->triangle_count * sizeof(uint32_t));
        }
        for (size_t v = 0; v < object->vertices; v++) {
            const float *p = model->vertices + 3 * (object->first_vertex + v);
            for (size_t axis = 0; axis < 3; axis++)
                grown.positions[3 * (mesh->vertex_count + v) + axis] =
                    (float)(unit * ((double)p[0] * m[axis] + (double)p[1] * m[3 + axis] +
                                    (double)p[2] * m[6 + axis] + m[9 + axis]));
        }
        for (size_t c = 0; c < 3 * object->triangles; c++)
            grown.indices[3 * mesh->triangle_count + c] =
                (uint32_t)mesh->vertex_count + model->corners[3 * object->first_triangle + c];
        silt_mesh_destroy(mesh);
        *mesh = grown;
        return SILT_OK;
    }
    return silt_fail(SILT_BAD_FILE, "%s: the build names object %g, which is not there", model->path, id);
}

static SiltStatus read_model(Model *model, const char *text)
{
    SiltStatus status = SILT_OK;
    Tag tag;
    const char *cursor = text;
    while (status == SILT_OK && next_tag(&cursor, &tag)) {
        if (is_tag(&tag, "vertex"))
            status = add_vertex(model, &tag);
        else if (is_tag(&tag, "triangle"))
            status = add_triangle(model, &tag);
        else if (is_tag(&tag, "object"))
            status = add_object(model, &tag);
        else if (is_tag(&tag, "component") && model->object_count > 0)
            model->objects[model->object_count - 1].parts = true;
        else if (is_tag(&tag, "item"))
            status = add_item(model, &tag);
        else if (is_tag(&tag, "model"))
            model->unit = unit_of(&tag);
        else if (is_tag(&tag, "metadata") && attribute(&tag, "name") &&
                 strncmp(attribute(&tag, "name"), "silt:scale", 10) == 0) {
            const char *at = tag.next;
            if (!silt_parse_number(&at, &model->scale) || !(model->scale > 0.0))
                model->scale = 0.0;
        }
    }
    if (status == SILT_OK && model->mesh->triangle_count == 0)
        status = silt_fail(SILT_BAD_FILE, "%s: its build has no triangles", model->path);
    return status;
}

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= 4 && memcmp(head, "PK\3\4", 4) == 0;
}

static SiltStatus read_3mf(const char *path, SiltMesh *out)
{
    char *data, *text = NULL;
    size_t bytes, length;
    *out = (SiltMesh){0};
    SiltStatus status = silt_read_file(path, (size_t)1 << 33, &data, &bytes);
    if (status != SILT_OK)
        return status;
    status = silt_zip_find(path, data, bytes, ".model", true, &text, &length);
    silt_free(data);
    Model model = {.path = path, .unit = 1.0, .mesh = out};
    if (status == SILT_OK)
        status = silt_alloc_for(path, MOST_OBJECTS, sizeof(Object), (void **)&model.objects);
    if (status == SILT_OK)
        status = read_model(&model, text);
    silt_free(text);
    silt_free(model.objects);
    silt_free(model.vertices);
    silt_free(model.corners);
    if (status == SILT_OK)
        status = silt_mesh_check(path, out);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    else
        out->scale = model.scale;
    return status;
}

const SiltFormat silt_format_3mf = {
    .name = "3MF",
    .endings = "3mf",
    .package = "",
    .recognise = recognise,
    .read_mesh = read_3mf,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .write_mesh = write_3mf,
    .in_millimetres = true,
};
