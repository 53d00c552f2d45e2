// Particles as binary PLY and as VTK PolyData with appended raw data; both little-endian.
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/output.h"
#include "silt/io.h"
#include "silt/particles.h"

// East, north and up from the centre of the south-western cell, as meshes have it.
static char *store_position(char *to, const SiltParticles *p, size_t i)
{
    to = silt_store_f32(to, (float)((double)p->x[i] - p->west), false);
    to = silt_store_f32(to, (float)(p->south - (double)p->y[i]), false);
    return silt_store_f32(to, (float)((double)p->z[i] + p->low), false);
}

static char *store_velocity(char *to, const SiltParticles *p, size_t i)
{
    to = silt_store_f32(to, p->u[i], false);
    to = silt_store_f32(to, -p->v[i], false);
    return silt_store_f32(to, p->w[i], false);
}

static float share_of_rock(const SiltParticles *p, size_t i)
{
    return (float)((double)p->sediment[i] * p->load);
}

// ---- PLY ----

static size_t pack_ply(const void *context, size_t begin, size_t end, char *to)
{
    const SiltParticles *p = context;
    char *start = to;
    for (size_t i = begin; i < end; i++) {
        to = store_velocity(store_position(to, p, i), p, i);
        to = silt_store_f32(to, p->density[i], false);
        to = silt_store_f32(to, share_of_rock(p, i), false);
        to = silt_store_u32(to, (uint32_t)p->id[i], false);
    }
    return (size_t)(to - start);
}

static SiltStatus write_ply(SiltOutput *output, const SiltParticles *p)
{
    static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz", "density", "sediment"};
    char number[SILT_NUMBER_SIZE];
    fprintf(output->file,
            "ply\nformat binary_little_endian 1.0\ncomment metres, east north up; sediment as a share of the "
            "volume\n");
    if (p->spacing > 0.0)
        fprintf(output->file, "comment silt spacing %s\n", silt_format_number(p->spacing, number));
    fprintf(output->file, "element vertex %d\n", p->count);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        fprintf(output->file, "property float %s\n", names[k]);
    fprintf(output->file, "property uint id\nend_header\n");
    return silt_output_pack(output, (size_t)p->count, 36, pack_ply, p);
}

// ---- VTK ----

static size_t pack_position(const void *context, size_t begin, size_t end, char *to)
{
    char *start = to;
    for (size_t i = begin; i < end; i++)
        to = store_position(to, context, i);
    return (size_t)(to - start);
}

static size_t pack_velocity(const void *context, size_t begin, size_t end, char *to)
{
    char *start = to;
    for (size_t i = begin; i < end; i++)
        to = store_velocity(to, context, i);
    return (size_t)(to - start);
}

static size_t pack_density(const void *context, size_t begin, size_t end, char *to)
{
    const SiltParticles *p = context;
    char *start = to;
    for (size_t i = begin; i < end; i++)
        to = silt_store_f32(to, p->density[i], false);
    return (size_t)(to - start);
}

static size_t pack_sediment(const void *context, size_t begin, size_t end, char *to)
{
    char *start = to;
    for (size_t i = begin; i < end; i++)
        to = silt_store_f32(to, share_of_rock(context, i), false);
    return (size_t)(to - start);
}

static size_t pack_id(const void *context, size_t begin, size_t end, char *to)
{
    const SiltParticles *p = context;
    char *start = to;
    for (size_t i = begin; i < end; i++)
        to = silt_store_u32(to, (uint32_t)p->id[i], false);
    return (size_t)(to - start);
}

static size_t pack_number(const void *context, size_t begin, size_t end, char *to)
{
    (void)context;
    for (size_t i = begin; i < end; i++)
        to = silt_store_u32(to, (uint32_t)i, false);
    return 4 * (end - begin);
}

static size_t pack_end(const void *context, size_t begin, size_t end, char *to)
{
    (void)context;
    for (size_t i = begin; i < end; i++)
        to = silt_store_u32(to, (uint32_t)i + 1, false);
    return 4 * (end - begin);
}

typedef struct Array {
    const char *opens; // what stands before it in the file
    const char *type, *name;
    int components;
    SiltPackFn pack;
    const char *closes;
} Array;

static const Array arrays[] = {
    {"<PointData Vectors=\"velocity\" Scalars=\"sediment\">\n", "Float32", "velocity", 3, pack_velocity, ""},
    {"", "Float32", "density", 1, pack_density, ""},
    {"", "Float32", "sediment", 1, pack_sediment, ""},
    {"", "UInt32", "id", 1, pack_id, "</PointData>\n"},
    {"<Points>\n", "Float32", "position", 3, pack_position, "</Points>\n"},
    {"<Verts>\n", "Int32", "connectivity", 1, pack_number, ""},
    {"", "Int32", "offsets", 1, pack_end, "</Verts>\n"},
};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static SiltStatus write_vtp(SiltOutput *output, const SiltParticles *p)
{
    FILE *file = output->file;
    char number[SILT_NUMBER_SIZE];
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt32\">\n<PolyData>\n");
    if (p->spacing > 0.0)
        fprintf(file,
                "<FieldData>\n<DataArray type=\"Float64\" Name=\"spacing\" NumberOfTuples=\"1\" "
                "format=\"ascii\">%s"
                "</DataArray>\n</FieldData>\n",
                silt_format_number(p->spacing, number));
    fprintf(file, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\">\n", p->count, p->count);
    size_t offset = 0;
    for (int k = 0; k < ARRAYS; k++) {
        const Array *a = &arrays[k];
        fprintf(file,
                "%s<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                "offset=\"%zu\"/>\n%s",
                a->opens, a->type, a->name, a->components, offset, a->closes);
        offset += 4 + 4 * (size_t)a->components * (size_t)p->count;
    }
    fprintf(file, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    SiltStatus status = SILT_OK;
    for (int k = 0; k < ARRAYS && status == SILT_OK; k++) {
        size_t bytes = 4 * (size_t)arrays[k].components;
        char head[4];
        silt_store_u32(head, (uint32_t)(bytes * (size_t)p->count), false);
        fwrite(head, 1, sizeof head, file);
        status = silt_output_pack(output, (size_t)p->count, bytes, arrays[k].pack, p);
    }
    fprintf(file, "\n</AppendedData>\n</VTKFile>\n");
    return status;
}

SiltStatus silt_particles_write(const SiltParticles *particles, const char *path)
{
    const char *dot = strrchr(path, '.');
    bool ply = dot && strcmp(dot, ".ply") == 0, vtp = dot && strcmp(dot, ".vtp") == 0;
    if (!ply && !vtp)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: particles are written as .ply or .vtp", path);
    SiltOutput output;
    SiltStatus status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    status = ply ? write_ply(&output, particles) : write_vtp(&output, particles);
    if (status == SILT_OK)
        status = silt_output_status(&output);
    return silt_output_end(&output, status);
}
