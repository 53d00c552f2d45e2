// Particles from PLY (any form that has x, y and z) and from VTK PolyData with raw appended data, as Silt
// writes it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/output.h"
#include "io/particles.h"
#include "io/ply_file.h"
#include "silt/io.h"
#include "silt/particles.h"

// The arrays of one block, in the order of SiltParticles.
enum { X, Y, Z, U, V, W, DENSITY, SEDIMENT, ARRAYS };

typedef struct Block {
    SiltParticles particles; // first, so that a pointer to it is one to the block
    float *arrays[ARRAYS];
    int64_t *id;
} Block;

static SiltStatus make_block(const char *what, uint64_t count, Block **out)
{
    *out = NULL;
    if (count > INT32_MAX)
        return silt_fail(SILT_BAD_FILE, "%s: more than %d particles", what, INT32_MAX);
    void *memory;
    SiltStatus status = silt_alloc_for(what, 1, sizeof(Block), &memory);
    if (status != SILT_OK)
        return status;
    Block *block = memory;
    SiltParticles *p = &block->particles;
    const float **places[ARRAYS] = {&p->x, &p->y, &p->z, &p->u, &p->v, &p->w, &p->density, &p->sediment};
    for (int k = 0; k < ARRAYS && status == SILT_OK; k++) {
        status = silt_alloc_for(what, (size_t)count, sizeof(float), &memory);
        *places[k] = block->arrays[k] = status == SILT_OK ? memory : NULL;
    }
    if (status == SILT_OK)
        status = silt_alloc_for(what, (size_t)count, sizeof(int64_t), &memory);
    p->id = block->id = status == SILT_OK ? memory : NULL;
    p->count = (int)count;
    p->load = 1.0;
    *out = block;
    if (status != SILT_OK) {
        silt_particles_destroy(p);
        *out = NULL;
    }
    return status;
}

void silt_particles_destroy(SiltParticles *particles)
{
    Block *block = (Block *)(void *)particles;
    if (!block)
        return;
    for (int k = 0; k < ARRAYS; k++)
        silt_free(block->arrays[k]);
    silt_free(block->id);
    silt_free(block);
}

SiltStatus silt_particles_clone(const SiltParticles *from, SiltParticles **out)
{
    Block *block;
    *out = NULL;
    SiltStatus status = make_block("particles", (uint64_t)from->count, &block);
    if (status != SILT_OK)
        return status;
    const float *arrays[ARRAYS] = {from->x, from->y, from->z,       from->u,
                                   from->v, from->w, from->density, from->sediment};
    for (int k = 0; k < ARRAYS && from->count > 0; k++) // none have no arrays
        memcpy(block->arrays[k], arrays[k], (size_t)from->count * sizeof(float));
    if (from->count > 0)
        memcpy(block->id, from->id, (size_t)from->count * sizeof(int64_t));
    SiltParticles *to = &block->particles;
    to->low = from->low;
    to->load = from->load;
    to->west = from->west;
    to->south = from->south;
    to->spacing = from->spacing;
    *out = to;
    return SILT_OK;
}

void silt_particles_pack(SiltParticles **particles, SiltPack *pack)
{
    int count = pack->reads ? 0 : (*particles)->count;
    SILT_PACK(pack, count);
    if (pack->reads) {
        size_t room = (pack->size - pack->at) / (ARRAYS * sizeof(float) + sizeof(int64_t));
        Block *block = NULL;
        *particles = NULL;
        if (pack->status == SILT_OK && (count < 0 || (size_t)count > room))
            pack->status = silt_fail(SILT_BAD_FILE, "the particles that were kept are damaged");
        if (pack->status == SILT_OK)
            pack->status = make_block("particles", (uint64_t)count, &block);
        if (pack->status != SILT_OK)
            return;
        *particles = &block->particles;
    }
    Block *block = (Block *)(void *)*particles;
    SiltParticles *p = *particles;
    for (int k = 0; k < ARRAYS; k++)
        silt_pack(pack, block->arrays[k], (size_t)count * sizeof(float));
    silt_pack(pack, block->id, (size_t)count * sizeof(int64_t));
    SILT_PACK(pack, p->low);
    SILT_PACK(pack, p->load);
    SILT_PACK(pack, p->west);
    SILT_PACK(pack, p->south);
    SILT_PACK(pack, p->spacing);
}

static bool is_finite(const Block *block, int i)
{
    for (int k = 0; k < ARRAYS; k++)
        if (!isfinite(block->arrays[k][i]))
            return false;
    return true;
}

// Files hold east, north and up; particles run south from a north-western corner, here the point 0, 0. Those
// that are no numbers go.
static SiltStatus finish(const char *path, Block *block)
{
    SiltParticles *p = &block->particles;
    int kept = 0, all = p->count;
    for (int i = 0; i < all; i++) {
        if (!is_finite(block, i))
            continue;
        for (int k = 0; k < ARRAYS; k++)
            block->arrays[k][kept] = block->arrays[k][i];
        block->id[kept] = block->id[i];
        block->arrays[Y][kept] = -block->arrays[Y][kept];
        block->arrays[V][kept] = -block->arrays[V][kept];
        kept++;
    }
    p->count = kept;
    p->left_out = all - kept;
    if (kept == 0 && all > 0)
        return silt_fail(SILT_BAD_FILE, "%s: not one of its %d particles is finite numbers", path, all);
    if (kept < all)
        silt_warn("%s: %d of %d particles are not finite numbers, and are left out", path, all - kept, all);
    if (!isfinite(p->spacing) || p->spacing < 0.0)
        p->spacing = 0.0;
    return SILT_OK;
}

// ---- PLY ----

static int find_role(const SiltPlyProperty *property)
{
    static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz", "density", "sediment", "id"};
    for (int k = 0; property->count_type == SILT_PLY_NONE && k <= ARRAYS; k++)
        if (strcmp(property->name, names[k]) == 0)
            return k;
    return ARRAYS + 1;
}

static SiltStatus read_vertices(SiltPly *ply, const SiltPlyElement *element, Block *block)
{
    double value;
    for (uint64_t item = 0; item < element->count; item++)
        for (int k = 0; k < element->property_count; k++) {
            const SiltPlyProperty *property = &element->properties[k];
            uint64_t length = 1;
            SiltStatus status = SILT_OK;
            if (property->count_type != SILT_PLY_NONE)
                status = silt_ply_list(ply, property, item, &length);
            for (uint64_t n = 0; n < length && status == SILT_OK; n++)
                if (!silt_ply_number(ply, property->type, &value))
                    status = silt_ply_ends_early(ply, "particle", item);
            if (status != SILT_OK)
                return status;
            if (property->role < ARRAYS)
                block->arrays[property->role][item] = (float)value;
            else if (property->role == ARRAYS)
                block->id[item] = fabs(value) < 0x1p53 ? (int64_t)value : 0;
        }
    return SILT_OK;
}

static SiltStatus read_ply(const char *path, Block **out)
{
    void *memory;
    SiltStatus status = silt_alloc_for(path, 1, sizeof(SiltPly), &memory);
    if (status != SILT_OK)
        return status;
    SiltPly *ply = memory;
    status = silt_ply_open(path, ply);
    SiltPlyElement *element = &ply->elements[0];
    unsigned roles = 0;
    for (int k = 0; status == SILT_OK && k < element->property_count; k++) {
        element->properties[k].role = find_role(&element->properties[k]);
        roles |= 1u << element->properties[k].role;
    }
    if (status == SILT_OK && (strcmp(element->name, "vertex") != 0 || (roles & 7u) != 7u))
        status = silt_ply_bad_header(ply, "must begin with a vertex element with x, y and z");
    if (status == SILT_OK)
        status = silt_ply_check_count(ply, element);
    if (status == SILT_OK)
        status = make_block(path, element->count, out);
    if (status == SILT_OK)
        status = read_vertices(ply, element, *out);
    if (status == SILT_OK)
        silt_ply_comment(ply, "spacing", 1, &(*out)->particles.spacing);
    silt_ply_close(ply);
    silt_free(ply);
    return status;
}

// ---- VTK ----

typedef struct Vtp {
    const char *path;
    const char *head, *raw, *end; // the XML, the first appended byte, and the end of the file
} Vtp;

// The value of an attribute of the tag that begins at `tag`.
static const char *attribute(const char *tag, const char *name)
{
    const char *stop = strchr(tag, '>');
    char wanted[64];
    int length = snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *found = strstr(tag, wanted);
    return found && stop && found < stop ? found + length : NULL;
}

static const char *find_array(const Vtp *vtp, const char *name)
{
    size_t length = strlen(name);
    for (const char *tag = vtp->head; (tag = strstr(tag, "<DataArray ")) && tag < vtp->raw; tag++) {
        const char *value = attribute(tag, "Name");
        if (value && strncmp(value, name, length) == 0 && value[length] == '"')
            return tag;
    }
    return NULL;
}

// Where the numbers of four bytes of an array begin; NULL where there is no such array.
static SiltStatus find_numbers(const Vtp *vtp, const char *name, const char *type, size_t count,
                               const char **out)
{
    const char *tag = find_array(vtp, name), *own = tag ? attribute(tag, "type") : NULL;
    const char *offset = tag ? attribute(tag, "offset") : NULL;
    size_t length = strlen(type);
    *out = NULL;
    if (!tag)
        return SILT_OK;
    unsigned long long from = offset ? strtoull(offset, NULL, 10) : 0;
    bool fits = offset && from < (size_t)(vtp->end - vtp->raw) &&
                4 * count + 4 <= (size_t)(vtp->end - vtp->raw) - (size_t)from;
    if (!own || strncmp(own, type, length) != 0 || own[length] != '"' || !fits ||
        silt_load_u32(vtp->raw + from, false) != 4 * count)
        return silt_fail(SILT_BAD_FILE,
                         "%s: the array '%s' is not one of appended raw %s, or the file ends in it",
                         vtp->path, name, type);
    *out = vtp->raw + from + 4;
    return SILT_OK;
}

// `components` numbers a particle of an array; arrays that are not there stay zero.
static SiltStatus read_array(const Vtp *vtp, const char *name, int components, Block *block, int first)
{
    size_t count = (size_t)block->particles.count * (size_t)components;
    const char *at;
    SiltStatus status = find_numbers(vtp, name, "Float32", count, &at);
    for (size_t k = 0; at && k < count; k++)
        block->arrays[first + (int)(k % (size_t)components)][k / (size_t)components] =
            silt_load_f32(at + 4 * k, false);
    return status;
}

// Ids of another program, of another type, need not be those of one run.
static SiltStatus read_ids(const Vtp *vtp, Block *block)
{
    const char *tag = find_array(vtp, "id"), *type = tag ? attribute(tag, "type") : NULL;
    if (!type || strncmp(type, "UInt32\"", 7) != 0)
        return SILT_OK;
    size_t count = (size_t)block->particles.count;
    const char *at;
    SiltStatus status = find_numbers(vtp, "id", "UInt32", count, &at);
    for (size_t k = 0; at && k < count; k++)
        block->id[k] = silt_load_u32(at + 4 * k, false);
    return status;
}

static SiltStatus read_text(Vtp *vtp, Block **out)
{
    static const char start[] = "<AppendedData encoding=\"raw\">";
    const char *raw = strstr(vtp->head, start), *piece = strstr(vtp->head, "<Piece ");
    const char *points = piece ? attribute(piece, "NumberOfPoints") : NULL;
    raw = raw ? strchr(raw + sizeof start - 1, '_') : NULL;
    if (!raw || !points || !strstr(vtp->head, "\"LittleEndian\"") ||
        !strstr(vtp->head, "header_type=\"UInt32\""))
        return silt_fail(SILT_BAD_FILE,
                         "%s: not VTK PolyData with raw little-endian appended data, as Silt writes it",
                         vtp->path);
    if (*points < '0' || *points > '9')
        return silt_fail(SILT_BAD_FILE, "%s: NumberOfPoints is no whole number from 0 on", vtp->path);
    vtp->raw = raw + 1;
    unsigned long long count = strtoull(points, NULL, 10);
    if (count > (size_t)(vtp->end - vtp->raw) / 12)
        return silt_fail(SILT_BAD_FILE, "%s: %llu particles do not fit into the file", vtp->path, count);
    SiltStatus status = make_block(vtp->path, count, out);
    static const struct {
        const char *name;
        int components, first;
    } arrays[] = {{"position", 3, X}, {"velocity", 3, U}, {"density", 1, DENSITY}, {"sediment", 1, SEDIMENT}};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0] && status == SILT_OK; k++)
        status = read_array(vtp, arrays[k].name, arrays[k].components, *out, arrays[k].first);
    if (status == SILT_OK)
        status = read_ids(vtp, *out);
    const char *spacing = find_array(vtp, "spacing");
    const char *value = spacing ? strchr(spacing, '>') : NULL;
    if (status == SILT_OK && value && value++ < vtp->raw)
        silt_parse_number(&value, &(*out)->particles.spacing);
    return status;
}

static SiltStatus read_vtp(const char *path, Block **out)
{
    char *text = NULL;
    size_t bytes;
    SiltStatus status = silt_read_file(path, SIZE_MAX / 4, &text, &bytes);
    if (status == SILT_OK) {
        Vtp vtp = {.path = path, .head = text, .end = text + bytes};
        status = read_text(&vtp, out);
    }
    silt_free(text);
    return status;
}

// ---- either ----

bool silt_path_is_particles(const char *path)
{
    if (silt_ends_with(path, ".vtp"))
        return true;
    char head[4096] = "";
    FILE *file;
    if (!silt_ends_with(path, ".ply") ||
        silt_open_input(path, &file) != SILT_OK) // a pipe too, which is copied
        return false;
    size_t length = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[length] = '\0';
    const char *end = strstr(head, "end_header"), *face = strstr(head, "element face");
    return end && strstr(head, "element vertex") && !(face && face < end);
}

SiltStatus silt_particles_read(const char *path, SiltParticles **out)
{
    *out = NULL;
    Block *block = NULL;
    SiltStatus status = silt_ends_with(path, ".vtp") ? read_vtp(path, &block)
                        : silt_ends_with(path, ".ply")
                            ? read_ply(path, &block)
                            : silt_fail(SILT_BAD_ARGUMENT, "%s: particles are read from .ply or .vtp", path);
    if (status == SILT_OK)
        status = finish(path, block);
    if (status != SILT_OK) {
        silt_particles_destroy(block ? &block->particles : NULL);
        return status;
    }
    *out = &block->particles;
    return SILT_OK;
}
