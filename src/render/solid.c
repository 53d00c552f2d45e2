#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/solid.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "render/shaders.h"
#include "render/shore.h"
#include "volume/volume.h"

enum { SPAN = 4096, CORNER = 7, FEW_TRIANGLES = 30000, CAST_PARTS = 32 };

// ---- upload ----

// Normals of vertices as the sum of those of their triangles, longer for larger ones.
static void add_normals(const SiltMesh *mesh, float *normals)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->indices + 3 * t;
        const float *a = mesh->positions + 3 * (size_t)corner[0],
                    *b = mesh->positions + 3 * (size_t)corner[1],
                    *c = mesh->positions + 3 * (size_t)corner[2];
        float u[3], v[3];
        for (int k = 0; k < 3; k++) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
        }
        float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        for (int k = 0; k < 9; k++)
            normals[3 * (size_t)corner[k / 3] + (size_t)(k % 3)] += n[k % 3];
    }
}

typedef struct Upload {
    const SiltMesh *mesh;
    const SiltVolume *was;
    const SiltRange *range;
    double rise;
    const float *normals;
    float *corners; // place in the world, normal and how deep it lay in rock, CORNER a vertex
} Upload;

// Voxels that a place lay deep in the rock as it was; 0 where nothing is known.
static float depth_before(const SiltVolume *was, const double place[3])
{
    float at[3];
    for (int k = 0; was && k < 3; k++)
        at[k] = (float)((place[k] - (k == 2 ? was->origin[2] : 0.0)) / was->cell);
    return was ? silt_volume_former(was, at) : 0.0f;
}

static void place_vertices(void *context, int begin, int end)
{
    const Upload *upload = context;
    for (size_t v = (size_t)begin * SPAN; v < (size_t)end * SPAN && v < upload->mesh->vertex_count; v++) {
        const float *from = upload->mesh->positions + 3 * v, *n = upload->normals + 3 * v;
        float *to = upload->corners + CORNER * v;
        double place[3] = {(double)from[0], (double)from[1], (double)from[2] + upload->mesh->origin[2]},
               at[3];
        silt_world_place(upload->range, upload->rise, place, at);
        double normal[3] = {(double)n[0], (double)n[1], (double)n[2] / upload->rise};
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int k = 0; k < 3; k++) {
            to[k] = (float)at[k];
            to[3 + k] = length > 0.0 ? (float)(normal[k] / length) : (float)(k == 2);
        }
        to[6] = depth_before(upload->was, place);
    }
}

static void send(SiltHeap *heap, const float *corners, size_t vertices, const uint32_t *indices,
                 size_t triangles)
{
    glBindVertexArray(heap->array);
    glBindBuffer(GL_ARRAY_BUFFER, heap->corners);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertices * CORNER * sizeof(float)), corners, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, heap->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(triangles * 3 * sizeof(uint32_t)), indices,
                 GL_STATIC_DRAW);
    for (GLuint k = 0; k < 3; k++) {
        glEnableVertexAttribArray(k);
        glVertexAttribPointer(k, k < 2 ? 3 : 1, GL_FLOAT, GL_FALSE, CORNER * sizeof(float),
                              (const void *)(uintptr_t)(k * 3 * sizeof(float)));
    }
    glBindVertexArray(0);
    heap->triangle_count = triangles;
}

// Fewer triangles, where there are so many that pictures which move would wait for them.
static SiltStatus send_coarse(SiltSolid *solid, const SiltFacets *facets)
{
    SiltCoarse coarse;
    float *corners = NULL;
    solid->coarse.triangle_count = 0;
    if (facets->triangle_count <= SILT_MANY_TRIANGLES)
        return SILT_OK;
    SiltStatus status = silt_facets_coarsen(facets, &solid->survey, FEW_TRIANGLES, &coarse);
    if (status != SILT_OK)
        return status;
    status = silt_alloc_for("a picture", coarse.vertex_count, CORNER * sizeof(float), (void **)&corners);
    for (size_t v = 0; v < coarse.vertex_count && status == SILT_OK; v++)
        memcpy(corners + CORNER * v, facets->places + CORNER * (size_t)coarse.vertices[v],
               CORNER * sizeof(float));
    if (status == SILT_OK)
        send(&solid->coarse, corners, coarse.vertex_count, coarse.indices, coarse.triangle_count);
    solid->coarse_cell = coarse.cell;
    silt_free(corners);
    silt_coarse_destroy(&coarse);
    return status;
}

static SiltStatus send_all(SiltSolid *solid, const SiltFacets *facets)
{
    silt_survey_destroy(&solid->survey);
    SiltStatus status = silt_facets_survey(facets, &solid->survey);
    if (status != SILT_OK)
        return status;
    send(&solid->full, facets->places, facets->vertex_count, facets->indices, facets->triangle_count);
    return send_coarse(solid, facets);
}

SiltStatus silt_solid_set(SiltSolid *solid, const SiltMesh *mesh, const SiltVolume *was,
                          const SiltRenderOptions *options, const SiltRange *range, const SiltClip *clip)
{
    float *corners = NULL, *made = NULL;
    SiltStatus status =
        silt_alloc_for("a picture", mesh->vertex_count, CORNER * sizeof(float), (void **)&corners);
    if (status == SILT_OK && !mesh->normals) {
        status = silt_alloc_for("a picture", mesh->vertex_count, 3 * sizeof(float), (void **)&made);
        if (status == SILT_OK)
            add_normals(mesh, made);
    }
    if (status == SILT_OK) {
        Upload upload = {mesh, was, range, options->exaggeration, made ? made : mesh->normals, corners};
        silt_parallel((int)((mesh->vertex_count + SPAN - 1) / SPAN), 1, place_vertices, &upload);
        SiltFacets facets = {corners, CORNER, mesh->vertex_count, mesh->indices, mesh->triangle_count};
        status = send_all(solid, &facets);
        solid->clip = *clip;
        if (status == SILT_OK && clip->sea > -1e29f)
            status = silt_shore_set(&solid->shore, &facets, &solid->clip);
    }
    if (status == SILT_OK)
        status = silt_gl_check("the mesh");
    silt_free(corners);
    silt_free(made);
    return status;
}

// ---- drawing ----

static void use_program(const SiltSolid *solid, const SiltView *view, GLuint program)
{
    glUseProgram(program);
    silt_view_uniforms(view, program);
    silt_clip_uniforms(&solid->clip, program);
}

static void draw_run(const SiltHeap *heap, size_t first, size_t last)
{
    last = last < heap->triangle_count ? last : heap->triangle_count;
    if (last > first)
        glDrawElements(GL_TRIANGLES, (GLsizei)(3 * (last - first)), GL_UNSIGNED_INT,
                       (const void *)(uintptr_t)(3 * first * sizeof(uint32_t)));
}

// Runs of parts of which something may be seen.
static void draw_seen(const SiltSolid *solid, const float matrix[16])
{
    const SiltSurvey *survey = &solid->survey;
    for (int n = 0; n < survey->part_count;) {
        int begin = n;
        while (n < survey->part_count && !silt_facet_box_is_outside(&survey->parts[n], matrix))
            n++;
        draw_run(&solid->full, (size_t)begin * SILT_FACET_PART, (size_t)n * SILT_FACET_PART);
        n += n == begin;
    }
}

size_t silt_solid_triangles(const SiltSolid *solid, bool coarse)
{
    return coarse && solid->coarse.triangle_count > 0 ? solid->coarse.triangle_count
                                                      : solid->full.triangle_count;
}

SiltStatus silt_solid_draw(SiltSolid *solid, const SiltView *view)
{
    static const char *const parts[] = {
        silt_shader_common_glsl, silt_shader_land_glsl,  silt_shader_shade_glsl,
        silt_shader_cut_glsl,    silt_shader_box_glsl,   silt_shader_sea_glsl,
        silt_shader_rock_glsl,   silt_shader_solid_frag, NULL};
    GLuint program;
    unsigned own = (solid->clip.is_cut || solid->clip.has_walls ? SILT_WITH_CUT : 0) |
                   (view->draft ? SILT_WITH_DRAFT : 0);
    SiltStatus status = silt_view_program(&solid->programs, silt_view_key(view, own), "solid",
                                          silt_shader_solid_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    use_program(solid, view, program);
    silt_gl_int(program, "has_walls", solid->clip.has_walls);
    silt_gl_int(program, "is_closed", solid->survey.is_closed);
    bool coarse = view->coarse && solid->coarse.triangle_count > 0;
    glBindVertexArray(coarse ? solid->coarse.array : solid->full.array);
    if (coarse)
        draw_run(&solid->coarse, 0, solid->coarse.triangle_count);
    else
        draw_seen(solid, view->matrix);
    glBindVertexArray(0);
    return SILT_OK;
}

SiltStatus silt_solid_draw_sea(SiltSolid *solid, const SiltView *view)
{
    static const char *const parts[] = {
        silt_shader_common_glsl, silt_shader_land_glsl, silt_shader_shade_glsl,
        silt_shader_cut_glsl,    silt_shader_box_glsl,  silt_shader_sea_glsl,
        silt_shader_rock_glsl,   silt_shader_sea_frag,  NULL};
    GLuint program;
    if (solid->clip.sea < -1e29f)
        return SILT_OK;
    SiltStatus status = silt_view_program(&solid->seas, silt_view_key(view, 0), "sea",
                                          silt_shader_screen_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    use_program(solid, view, program);
    glBindVertexArray(solid->screen_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    return SILT_OK;
}

bool silt_solid_cast(const SiltSolid *solid, const SiltLightView *light, bool coarse, int *at)
{
    const SiltHeap *heap = coarse && solid->coarse.triangle_count > 0 ? &solid->coarse : &solid->full;
    size_t first = (size_t)*at * SILT_FACET_PART, last = first + CAST_PARTS * SILT_FACET_PART;
    *at += CAST_PARTS;
    glUseProgram(solid->cast_program);
    silt_gl_rows(solid->cast_program, "rows", 3, &light->rows[0][0]);
    silt_clip_uniforms(&solid->clip, solid->cast_program);
    glBindVertexArray(heap->array);
    draw_run(heap, first, last);
    glBindVertexArray(0);
    return last >= heap->triangle_count;
}

static void make_heap(SiltHeap *heap)
{
    glGenVertexArrays(1, &heap->array);
    glGenBuffers(1, &heap->corners);
    glGenBuffers(1, &heap->indices);
}

static void drop_heap(SiltHeap *heap)
{
    GLuint buffers[] = {heap->corners, heap->indices};
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &heap->array);
}

SiltStatus silt_solid_create(SiltSolid *out)
{
    static const char *const cast[] = {silt_shader_cast_frag, NULL};
    *out = (SiltSolid){0};
    make_heap(&out->full);
    make_heap(&out->coarse);
    glGenVertexArrays(1, &out->screen_array);
    return silt_gl_program("cast", "", silt_shader_cast_vert, cast, &out->cast_program);
}

void silt_solid_forget(SiltSolid *solid)
{
    silt_survey_destroy(&solid->survey);
    *solid = (SiltSolid){0};
}

void silt_solid_destroy(SiltSolid *solid)
{
    drop_heap(&solid->full);
    drop_heap(&solid->coarse);
    glDeleteVertexArrays(1, &solid->screen_array);
    glDeleteTextures(1, &solid->shore);
    silt_gl_drop_variants(&solid->programs);
    silt_gl_drop_variants(&solid->seas);
    glDeleteProgram(solid->cast_program);
    silt_solid_forget(solid);
}

#endif
