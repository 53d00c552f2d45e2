#include "render/viewer_over.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/legend.h"
#include "render/viewer_marks.h"

bool silt_viewer_add_legend(const SiltViewer *viewer, const SiltImage *image, bool dark)
{
    const SiltShown *shown = &viewer->shown;
    SiltRenderOptions options = silt_viewer_drawn_options(viewer);
    const char *unit, *quantity = silt_particle_quantity(options.particle_colour, &unit);
    if (!options.legend || !viewer->is_shown)
        return false;
    if (quantity && shown->range.particle_size > 0.0)
        return silt_legend_draw(image, quantity, unit, &shown->range.particle_scale, dark);
    for (int k = 0; options.overlay[0] && !shown->pose.is_solid && k < shown->land->layer_count; k++)
        if (strcmp(shown->land->layers[k]->name, options.overlay) == 0)
            return silt_legend_draw(image, options.overlay, shown->land->layers[k]->unit, &shown->range.scale,
                                    dark);
    return false;
}

#ifdef SILT_HAS_GL
#include "render/gl.h"
#include "render/shaders.h"

static void begin_blending(void)
{
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

// ---- marks ----

static SiltStatus make_pen(SiltOver *over)
{
    static const char *const parts[] = {silt_shader_mark_frag, NULL};
    if (over->mark_program)
        return SILT_OK;
    GLuint program;
    SiltStatus status = silt_gl_program("mark", "", silt_shader_mark_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    over->mark_program = program;
    glGenVertexArrays(1, &over->mark_array);
    glGenBuffers(1, &over->mark_buffer);
    glBindVertexArray(over->mark_array);
    glBindBuffer(GL_ARRAY_BUFFER, over->mark_buffer);
    static const int sizes[3] = {2, 4, 4};
    size_t offset = 0;
    for (GLuint k = 0; k < 3; k++) {
        glEnableVertexAttribArray(k);
        glVertexAttribPointer(k, sizes[k], GL_FLOAT, GL_FALSE, sizeof(SiltInkDrop), (const void *)offset);
        offset += (size_t)sizes[k] * sizeof(float);
    }
    glBindVertexArray(0);
    return SILT_OK;
}

static SiltStatus draw_marks(SiltViewer *viewer)
{
    SiltOver *over = &viewer->over;
    SiltStatus status = silt_viewer_ink(viewer, &over->ink);
    if (status == SILT_OK)
        status = make_pen(over);
    if (status != SILT_OK || over->ink.count == 0)
        return status;
    glUseProgram(over->mark_program);
    silt_gl_vec2(over->mark_program, "pixels", viewer->width, viewer->height);
    glBindVertexArray(over->mark_array);
    glBindBuffer(GL_ARRAY_BUFFER, over->mark_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)over->ink.count * sizeof(SiltInkDrop)),
                 over->ink.drops, GL_STREAM_DRAW);
    begin_blending();
    glDrawArrays(GL_TRIANGLES, 0, over->ink.count);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    return SILT_OK;
}

// ---- the legend ----

static SiltStatus make_sticker(SiltOver *over)
{
    static const char *const parts[] = {silt_shader_sticker_frag, NULL};
    static const float corners[4][2] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}};
    if (over->sticker_program)
        return SILT_OK;
    GLuint program;
    SiltStatus status = silt_gl_program("sticker", "", silt_shader_sticker_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    over->sticker_program = program;
    glGenVertexArrays(1, &over->sticker_array);
    glGenBuffers(1, &over->sticker_buffer);
    glBindVertexArray(over->sticker_array);
    glBindBuffer(GL_ARRAY_BUFFER, over->sticker_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
    return SILT_OK;
}

// The smallest rectangle with all that was drawn; false: nothing was.
static bool find_box(const SiltImage *image, int box[4])
{
    box[0] = image->width;
    box[1] = image->height;
    box[2] = box[3] = 0;
    for (int j = 0; j < image->height; j++)
        for (int i = 0; i < image->width; i++) {
            if (!image->rgba[((size_t)j * (size_t)image->width + (size_t)i) * 4 + 3])
                continue;
            box[0] = i < box[0] ? i : box[0];
            box[1] = j < box[1] ? j : box[1];
            box[2] = i + 1 > box[2] ? i + 1 : box[2];
            box[3] = j + 1 > box[3] ? j + 1 : box[3];
        }
    return box[2] > box[0];
}

static SiltStatus upload_legend(SiltViewer *viewer)
{
    static const SiltTextureForm form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, false, false, false};
    SiltImage image = {viewer->width, viewer->height, NULL};
    SiltStatus status =
        silt_alloc_for("a legend", (size_t)image.width * (size_t)image.height, 4, (void **)&image.rgba);
    if (status != SILT_OK)
        return status;
    int *box = viewer->over.legend_box;
    viewer->over.has_legend =
        silt_viewer_add_legend(viewer, &image, viewer->is_dark) && find_box(&image, box);
    if (viewer->over.has_legend) {
        glPixelStorei(GL_UNPACK_ROW_LENGTH, image.width);
        silt_gl_texture(&viewer->over.legend, &form, box[2] - box[0], box[3] - box[1],
                        image.rgba + ((size_t)box[1] * (size_t)image.width + (size_t)box[0]) * 4);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    }
    silt_image_destroy(&image);
    return SILT_OK;
}

// What a legend says: made anew when that changes.
static SiltLegendKey legend_key(const SiltViewer *viewer)
{
    SiltLegendKey key;
    SiltRenderOptions options = silt_viewer_drawn_options(viewer);
    memset(&key, 0, sizeof key); // it is compared byte for byte
    key.width = viewer->width;
    key.height = viewer->height;
    key.colour = options.particle_colour;
    key.is_wanted = options.legend;
    key.is_dark = viewer->is_dark;
    memcpy(key.overlay, options.overlay, sizeof key.overlay);
    key.scales[0] = viewer->shown.range.scale.low;
    key.scales[1] = viewer->shown.range.scale.high;
    key.scales[2] = viewer->shown.range.scale.kind;
    key.scales[3] = viewer->shown.range.particle_scale.low;
    key.scales[4] = viewer->shown.range.particle_scale.high;
    key.scales[5] = viewer->shown.range.particle_size > 0.0;
    return key;
}

static SiltStatus draw_legend(SiltViewer *viewer)
{
    SiltOver *over = &viewer->over;
    SiltLegendKey key = legend_key(viewer);
    SiltStatus status = SILT_OK;
    if (!over->is_legend_known || memcmp(&key, &over->legend_key, sizeof key) != 0) {
        status = upload_legend(viewer);
        over->legend_key = key;
        over->is_legend_known = status == SILT_OK;
    }
    if (status == SILT_OK && over->has_legend)
        status = make_sticker(over);
    if (status != SILT_OK || !over->has_legend)
        return status;
    const int *box = over->legend_box;
    GLuint program = over->sticker_program;
    glUseProgram(program);
    silt_gl_sampler(program, "picture", 0, over->legend);
    silt_gl_vec2(program, "pixels", viewer->width, viewer->height);
    silt_gl_vec4(program, "place", box[0], viewer->height - box[3], box[2] - box[0], box[3] - box[1]);
    begin_blending();
    glBindVertexArray(over->sticker_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glDisable(GL_BLEND);
    return SILT_OK;
}

// ---- all of it ----

bool silt_viewer_has_over(const SiltViewer *viewer)
{
    SiltRenderOptions options = silt_viewer_drawn_options(viewer);
    const char *unit;
    bool has_scale = (options.overlay[0] && !viewer->shown.pose.is_solid) ||
                     silt_particle_quantity(options.particle_colour, &unit);
    return viewer->mark_count > 0 || (options.legend && has_scale);
}

SiltStatus silt_viewer_draw_over(SiltViewer *viewer, unsigned framebuffer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, viewer->width, viewer->height);
    SiltStatus status = draw_legend(viewer);
    if (status == SILT_OK && viewer->mark_count > 0)
        status = draw_marks(viewer);
    return status == SILT_OK ? silt_gl_check("marks") : status;
}

void silt_viewer_drop_over(SiltViewer *viewer, bool context_is_current)
{
    SiltOver *over = &viewer->over;
    if (context_is_current) {
        GLuint arrays[] = {over->mark_array, over->sticker_array};
        GLuint buffers[] = {over->mark_buffer, over->sticker_buffer};
        glDeleteVertexArrays(2, arrays);
        glDeleteBuffers(2, buffers);
        glDeleteTextures(1, &over->legend);
        glDeleteProgram(over->mark_program);
        glDeleteProgram(over->sticker_program);
    }
    silt_free(over->ink.drops);
    *over = (SiltOver){0};
}

#endif
