// The ground from a camera: a quadtree of patches whose leaves lie SILT_PATCH cells apart, and walls around
// it.
#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/ground.h"

#include <math.h>

#include "core/memory.h"
#include "render/shaders.h"

enum { MAX_LEVELS = 20 };

static void set_ground(const SiltGround *ground, GLuint program)
{
    double span = (ground->range.high - ground->range.low) * ground->exaggeration;
    double side = ground->cell * (ground->width < ground->height ? ground->width : ground->height);
    silt_gl_vec4(program, "grid", ground->width - 1, ground->height - 1, ground->cell, ground->exaggeration);
    silt_gl_vec2(program, "zero", ground->range.low, silt_foot(span, side));
    silt_gl_vec2(program, "water_scale", ground->water_half, ground->cell);
    silt_gl_sampler(program, "ramp_map", 5, ground->ramp_map);
    int thin = silt_ground_thin(ground);
    const SiltTerrain *few = thin > 1 ? ground->few.land : NULL;
    silt_gl_vec4(program, "texels", few ? few->width - 1 : ground->width - 1,
                 few ? few->height - 1 : ground->height - 1, 1.0 / thin, 0.5 / thin - 0.5);
}

// Drafts look at one level of a texture, pictures at two.
static void set_filter(GLuint texture, bool draft)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    draft ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
}

static void set_filters(SiltGround *ground, bool draft)
{
    for (int k = 0; k < ground->pieces_x * ground->pieces_y; k++) {
        set_filter(ground->pieces[k].surface_map, draft);
        if (ground->has_cover)
            set_filter(ground->pieces[k].cover_map, draft);
    }
}

static void set_piece(const SiltGround *ground, const SiltPiece *piece, GLuint program)
{
    int thin = silt_ground_thin(ground); // whose last texels may reach beyond the land
    const SiltTerrain *few = ground->few.land;
    silt_gl_vec4(program, "piece", piece->column, piece->row, thin > 1 ? few->width * thin : piece->width,
                 thin > 1 ? few->height * thin : piece->height);
    silt_gl_sampler(program, "height_map", 0, piece->height_map);
    silt_gl_sampler(program, "water_map", 1, piece->water_map);
    silt_gl_sampler(program, "surface_map", 2, piece->surface_map);
    silt_gl_sampler(program, "cover_map", 3, piece->cover_map);
    silt_gl_sampler(program, "overlay_map", 4, piece->overlay_map);
}

// ---- patches ----

typedef struct Selection {
    const SiltGround *ground;
    const SiltCamera *camera;
    GLuint program;
    float planes[6][4];
    double ranges[MAX_LEVELS]; // metres up to which a level is fine enough
    GLint place, morph;        // uniforms
    const SiltPiece *piece;    // whose textures are bound
} Selection;

typedef struct Node {
    double low[3], high[3];
} Node;

static Node node_box(const SiltGround *ground, int i, int j, int side)
{
    double right = fmin(i + side, ground->width - 1), bottom = fmin(j + side, ground->height - 1);
    double middle_x = 0.5 * (ground->width - 1), middle_y = 0.5 * (ground->height - 1);
    double water = ground->has_water ? 0.02 * (ground->range.high - ground->range.low) + 10.0 : 0.0;
    return (Node){{(i - middle_x) * ground->cell, (middle_y - bottom) * ground->cell, 0.0},
                  {(right - middle_x) * ground->cell, (middle_y - j) * ground->cell,
                   (ground->range.high - ground->range.low + water) * ground->exaggeration}};
}

static bool is_hidden(const Selection *selection, const Node *node)
{
    for (int k = 0; k < 6; k++) {
        const float *plane = selection->planes[k];
        double best = plane[3]; // of the corner furthest inside
        for (int c = 0; c < 3; c++)
            best += plane[c] * (plane[c] > 0.0f ? node->high[c] : node->low[c]);
        if (best < 0.0)
            return true;
    }
    return false;
}

static double box_distance(const Node *node, const double eye[3])
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        double away = fmax(fmax(node->low[c] - eye[c], eye[c] - node->high[c]), 0.0);
        sum += away * away;
    }
    return sqrt(sum);
}

// A patch is drawn where the next finer one would not show; there its corners have slid onto its parent's.
static void select_patch(Selection *selection, int i, int j, int level)
{
    const SiltGround *ground = selection->ground;
    if (i >= ground->width - 1 || j >= ground->height - 1)
        return;
    int side = SILT_PATCH << level;
    Node node = node_box(ground, i, j, side);
    if (is_hidden(selection, &node))
        return;
    bool is_near = level > 0 && box_distance(&node, selection->camera->eye) < selection->ranges[level - 1];
    if (is_near || side > ground->side) {
        // the nearest quarter first, so that what it hides is not drawn
        int middle_i = i + side / 2, middle_j = j + side / 2;
        double x = (middle_i - 0.5 * (ground->width - 1)) * ground->cell;
        double y = (0.5 * (ground->height - 1) - middle_j) * ground->cell;
        int nearest = (selection->camera->eye[0] > x ? 1 : 0) + (selection->camera->eye[1] < y ? 2 : 0);
        for (int k = 0; k < 4; k++) {
            int quarter = nearest ^ k;
            select_patch(selection, quarter & 1 ? middle_i : i, quarter & 2 ? middle_j : j, level - 1);
        }
        return;
    }
    const SiltPiece *piece = &ground->pieces[j / ground->side * ground->pieces_x + i / ground->side];
    if (piece != selection->piece)
        set_piece(ground, piece, selection->program);
    selection->piece = piece;
    double range = selection->ranges[level];
    glUniform3f(selection->place, (float)i, (float)j, (float)(1 << level));
    glUniform2f(selection->morph, (float)(0.7 * range), (float)(1.0 / (0.29 * range)));
    glDrawElements(GL_TRIANGLES, SILT_PATCH * SILT_PATCH * 6, GL_UNSIGNED_SHORT, NULL);
}

static void draw_patches(const SiltGround *ground, const SiltView *view, GLuint program)
{
    const float *matrix = view->matrix;
    Selection selection = {.ground = ground,
                           .camera = view->camera,
                           .program = program,
                           .place = glGetUniformLocation(program, "patch_place"),
                           .morph = glGetUniformLocation(program, "morph")};
    for (int k = 0; k < 6; k++) // clip space is -w <= x, y, z <= w
        for (int c = 0; c < 4; c++)
            selection.planes[k][c] = matrix[4 * c + 3] + (k & 1 ? -1.0f : 1.0f) * matrix[4 * c + k / 2];
    double edge = view->quick ? 7.0 : 3.0; // pixels; longer ones would show
    // metres at which an edge of one cell is as long as it may be
    double range = fmax(0.5 * view->height / view->camera->slope / edge, 4.0 * SILT_PATCH) * ground->cell;
    int levels = 0, longest = ground->width > ground->height ? ground->width : ground->height;
    for (int level = 0; level < MAX_LEVELS; level++) {
        selection.ranges[level] = range * (1 << level);
        levels += ((int64_t)SILT_PATCH << level) < longest - 1;
    }
    selection.ranges[levels] = 1e30; // there is no coarser grid to slide onto
    glBindVertexArray(ground->patch_array);
    select_patch(&selection, 0, 0, levels);
    glBindVertexArray(0);
}

// ---- walls ----

// A strip of pairs, upper and lower corner; the shader places it on the wall it draws.
SiltStatus silt_ground_set_walls(SiltGround *ground)
{
    int length = ground->width > ground->height ? ground->width : ground->height;
    if (ground->wall_length >= length)
        return SILT_OK;
    float *corners;
    SiltStatus status = silt_alloc_for("a picture", (size_t)length, 4 * sizeof(float), (void **)&corners);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < length; k++) {
        corners[4 * k] = corners[4 * k + 2] = (float)k;
        corners[4 * k + 3] = 1.0f;
    }
    if (!ground->wall_array)
        glGenVertexArrays(1, &ground->wall_array);
    if (!ground->wall_corners)
        glGenBuffers(1, &ground->wall_corners);
    glBindVertexArray(ground->wall_array);
    glBindBuffer(GL_ARRAY_BUFFER, ground->wall_corners);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)length * 4 * sizeof(float)), corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
    ground->wall_length = length;
    silt_free(corners);
    return SILT_OK;
}

// One wall of one piece, if it lies on the edge: from the piece's first column or row to the next piece's.
static void draw_wall(const SiltGround *ground, GLuint program, int index, int wall)
{
    int across = index % ground->pieces_x, down = index / ground->pieces_x;
    bool is_edge = wall == 0   ? down == 0
                   : wall == 1 ? across == ground->pieces_x - 1
                   : wall == 2 ? down == ground->pieces_y - 1
                               : across == 0;
    if (!is_edge)
        return;
    int64_t first = (int64_t)(wall & 1 ? down : across) * ground->side, end = first + ground->side + 1;
    int length = wall & 1 ? ground->height : ground->width;
    end = end > length ? length : end;
    silt_gl_int(program, "wall", wall);
    glDrawArrays(GL_TRIANGLE_STRIP, (GLint)(2 * first), (GLsizei)(2 * (end - first)));
}

// Those that face the camera.
static void draw_walls(const SiltGround *ground, const SiltView *view, GLuint program)
{
    const double *eye = view->camera->eye;
    double half_x = 0.5 * (ground->width - 1) * ground->cell,
           half_y = 0.5 * (ground->height - 1) * ground->cell;
    bool faces[4] = {eye[1] > half_y, eye[0] > half_x, eye[1] < -half_y, eye[0] < -half_x};
    silt_gl_float(program, "pixel_size", 2.0 * view->camera->slope / view->height);
    glBindVertexArray(ground->wall_array);
    for (int k = 0; k < ground->pieces_x * ground->pieces_y; k++) {
        set_piece(ground, &ground->pieces[k], program);
        for (int wall = 0; wall < 4; wall++)
            if (faces[wall])
                draw_wall(ground, program, k, wall);
    }
    glBindVertexArray(0);
}

static void use(const SiltGround *ground, const SiltView *view, GLuint program)
{
    glUseProgram(program);
    silt_view_uniforms(view, program);
    set_ground(ground, program);
}

void silt_ground_uniforms(const SiltGround *ground, const SiltView *view, GLuint program)
{
    use(ground, view, program);
    set_piece(ground, &ground->pieces[0], program);
}

SiltStatus silt_ground_draw(SiltGround *ground, const SiltView *view)
{
    static const char *const land_parts[] = {silt_shader_common_glsl, silt_shader_land_glsl,
                                             silt_shader_shade_glsl,  silt_shader_water_glsl,
                                             silt_shader_land_frag,   NULL};
    static const char *const skirt_parts[] = {silt_shader_common_glsl, silt_shader_land_glsl,
                                              silt_shader_cut_glsl, silt_shader_skirt_frag, NULL};
    unsigned own = (ground->has_water ? SILT_WITH_WATER : 0) | (ground->has_cover ? SILT_WITH_COVER : 0) |
                   (ground->has_overlay ? SILT_WITH_OVERLAY : 0) | (ground->has_ice ? SILT_WITH_ICE : 0) |
                   (view->draft ? SILT_WITH_DRAFT : 0) | (view->keeps ? SILT_WITH_KEPT : 0);
    GLuint land, skirt;
    SiltStatus status = silt_view_program(&ground->land, silt_view_key(view, own), "land",
                                          silt_shader_land_vert, land_parts, &land);
    if (status == SILT_OK)
        status = silt_view_program(&ground->skirt, own & (SILT_WITH_WATER | SILT_WITH_KEPT), "skirt",
                                   silt_shader_skirt_vert, skirt_parts, &skirt);
    if (status != SILT_OK)
        return status;
    set_filters(ground, view->draft);
    use(ground, view, land);
    draw_patches(ground, view, land);
    use(ground, view, skirt);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 4.0f);
    draw_walls(ground, view, skirt);
    glDisable(GL_POLYGON_OFFSET_FILL);
    return SILT_OK;
}

#endif
