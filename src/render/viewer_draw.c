// A viewer's pictures: what has changed goes to the graphics card, then the scene is drawn.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "render/facets.h"
#include "render/scene.h"
#include "render/viewer_over.h"

#ifdef SILT_HAS_GL
#include "render/gl.h"

void silt_viewer_drop_frame(SiltFrame *frame)
{
    glDeleteFramebuffers(1, &frame->frame);
    glDeleteRenderbuffers(1, &frame->colour);
    *frame = (SiltFrame){0};
}

SiltStatus silt_viewer_frame(SiltFrame *frame, const int size[2])
{
    if (frame->width == size[0] && frame->height == size[1])
        return SILT_OK;
    silt_viewer_drop_frame(frame);
    glGenFramebuffers(1, &frame->frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame->frame);
    glGenRenderbuffers(1, &frame->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, frame->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size[0], size[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, frame->colour);
    frame->width = size[0];
    frame->height = size[1];
    return silt_gl_check("a picture");
}

void silt_viewer_unload(SiltViewer *viewer, bool context_is_current)
{
    if (context_is_current) // another context may not have the buffer
        silt_viewer_bring(viewer);
    silt_viewer_let_go(viewer);
    if (context_is_current)
        silt_scene_destroy(viewer->scene);
    else
        silt_scene_forget(viewer->scene);
    viewer->scene = NULL;
    silt_viewer_drop_over(viewer, context_is_current);
    if (viewer->before)
        silt_viewer_unload(viewer->before, context_is_current);
    if (context_is_current) {
        silt_viewer_drop_frame(&viewer->rest.to);
        silt_viewer_drop_frame(&viewer->rest.draft);
        silt_viewer_drop_frame(&viewer->left);
        silt_viewer_drop_frame(&viewer->own);
    }
    viewer->rest = (SiltRest){0};
    viewer->left = viewer->own = (SiltFrame){0};
    viewer->pace = (SiltPace){0};
    viewer->shades = false;
    viewer->stale |= SILT_STALE_ALL;
}

// What others may have left in the context, and what they expect to find.
static void begin_state(void)
{
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static void end_state(GLuint framebuffer, int width, int height)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
}

// ---- how plainly ----

// Shares of a picture's width; the first is drawn in more detail than the others.
static const double scales[SILT_PACES] = {1.0, 1.0, 0.75, 0.5, 0.375};
static const double costs[SILT_PACES] = {2.0, 1.2, 0.75, 0.4, 0.27}; // by each other

static bool is_software(void)
{
    const char *name = (const char *)glGetString(GL_RENDERER);
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SwiftShader"));
}

static SiltPace first_pace(void)
{
    bool slow = is_software();
    return (SiltPace){.level = slow ? 3 : 0, .triangle_rate = slow ? 3e6 : 1e9, .is_known = true};
}

// Some 25 frames a second are aimed at. The shortest of a few frames counts: others compiled shaders.
static void keep_pace(SiltPace *pace, double seconds)
{
    pace->times[pace->count++ % SILT_PACE_FRAMES] = seconds;
    if (pace->count < SILT_PACE_FRAMES)
        return;
    double least = pace->times[0];
    for (int k = 1; k < SILT_PACE_FRAMES; k++)
        least = fmin(least, pace->times[k]);
    int level = pace->level;
    if (least > 0.055 && level < SILT_PACES - 1)
        pace->level++;
    else if (level > 0 && least * costs[level - 1] / costs[level] < 0.030)
        pace->level--;
    if (pace->level != level)
        pace->count = 0;
}

// Those that are thrifty are never larger than half of what is seen, and large ones less: what they take,
// they take from a model.
enum { THRIFTY_LEVEL = 3, LARGE_PICTURE = 480 * 360, GLOW_FRAMES = 6 };

static int level_of(const SiltViewer *viewer)
{
    int level = viewer->pace.level;
    int least = THRIFTY_LEVEL + (viewer->width * viewer->height > LARGE_PICTURE);
    return viewer->is_thrifty && level < least ? least : level;
}

// What a frame took says how many triangles the card draws: all of them at their rate, few at this or more.
static void keep_rate(SiltViewer *viewer, bool coarse, double seconds)
{
    SiltPace *pace = &viewer->pace;
    if (level_of(viewer) != pace->level) // a frame of another kind tells nothing of the pace
        return;
    double rate = (double)silt_scene_triangles(viewer->scene, coarse) / fmax(seconds, 1e-6);
    bool has_many = silt_scene_triangles(viewer->scene, false) > SILT_MANY_TRIANGLES;
    if (has_many && (!coarse || rate > pace->triangle_rate))
        pace->triangle_rate = rate;
    if (coarse || !silt_viewer_has_too_many(viewer)) // else there will be fewer triangles next time
        keep_pace(pace, seconds);
}

double silt_viewer_scale(const SiltViewer *viewer)
{
    return scales[level_of(viewer)];
}

void silt_viewer_set_thrifty(SiltViewer *viewer, bool thrifty)
{
    viewer->is_thrifty = thrifty;
    if (viewer->before)
        viewer->before->is_thrifty = thrifty;
}

static SiltStatus draw_moving(SiltViewer *viewer, const SiltCamera *camera, const SiltRenderOptions *options,
                              const int size[2], unsigned framebuffer)
{
    if (level_of(viewer) == 0)
        return silt_scene_draw(viewer->scene, camera, options, size[0], size[1], framebuffer);
    return silt_scene_draw_draft(viewer->scene, camera, options, size, scales[level_of(viewer)], framebuffer);
}

// Glow is soft and changes little while nothing but the land moves: some frames have that of the one before.
static bool keeps_glow(SiltViewer *viewer, const SiltCamera *camera)
{
    bool same = viewer->is_thrifty && memcmp(&viewer->glow_for, camera, sizeof *camera) == 0;
    viewer->glow_for = *camera;
    viewer->glowing = same && viewer->glowing < GLOW_FRAMES ? viewer->glowing + 1 : 0;
    return viewer->glowing > 0;
}

// The ground of a land that plays stays while it is seen from one place and nothing but water has come.
static bool keeps_ground(SiltViewer *viewer, const SiltCamera *camera)
{
    bool same = !viewer->ground_is_new && memcmp(&viewer->kept_for, camera, sizeof *camera) == 0;
    viewer->kept_for = *camera;
    viewer->ground_is_new = false;
    return same;
}

// ---- a picture that rests ----

enum { PARTS = 6, SMALL_PICTURE = 200 * 200 };

static bool is_same_rest(const SiltViewer *viewer, const SiltCamera *camera, const int size[2])
{
    const SiltRest *rest = &viewer->rest;
    return rest->is_begun && rest->version == viewer->version && rest->to.width == size[0] &&
           rest->to.height == size[1] && memcmp(&rest->camera, camera, sizeof *camera) == 0;
}

static SiltTile part_at(const int size[2], int index)
{
    int wide = (size[0] + PARTS - 1) / PARTS, high = (size[1] + PARTS - 1) / PARTS;
    return (SiltTile){index % PARTS * wide, index / PARTS * high, wide, high};
}

// Parts of two kinds would not fit together: a draft is seen until all of the picture is there.
static void show_rest(const SiltRest *rest, unsigned framebuffer)
{
    int width = rest->to.width, height = rest->to.height;
    bool is_whole = rest->next == PARTS * PARTS;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, is_whole ? rest->to.frame : rest->draft.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// All of it where that is quick; else a draft.
static SiltStatus begin_rest(SiltViewer *viewer, const SiltCamera *camera, const SiltRenderOptions *options,
                             const int size[2])
{
    SiltRest *rest = &viewer->rest;
    bool is_fast = viewer->pace.level == 0 && viewer->pace.is_known;
    bool at_once = !silt_viewer_has_too_many(viewer) && (is_fast || size[0] * size[1] < SMALL_PICTURE);
    SiltStatus status = silt_viewer_frame(&rest->to, size);
    if (status == SILT_OK && !at_once)
        status = silt_viewer_frame(&rest->draft, size);
    if (status != SILT_OK)
        return status;
    silt_scene_set_quick(viewer->scene, !at_once);
    status = at_once ? silt_scene_draw(viewer->scene, camera, options, size[0], size[1], rest->to.frame)
                     : silt_scene_draw_draft(viewer->scene, camera, options, size, scales[viewer->pace.level],
                                             rest->draft.frame);
    rest->version = viewer->version;
    rest->camera = *camera;
    rest->next = at_once ? PARTS * PARTS : 0;
    rest->is_begun = status == SILT_OK;
    return status;
}

// For a few hundredths of a second, part by part.
static SiltStatus go_on_with_rest(SiltViewer *viewer, const SiltCamera *camera,
                                  const SiltRenderOptions *options, const int size[2])
{
    SiltRest *rest = &viewer->rest;
    SiltStatus status = SILT_OK;
    double begun = silt_wall_clock();
    silt_scene_set_quick(viewer->scene, false);
    while (status == SILT_OK && rest->next < PARTS * PARTS && silt_wall_clock() - begun < 0.03) {
        SiltTile part = part_at(size, rest->next++);
        if (part.x < size[0] && part.y < size[1])
            status = silt_scene_draw_part(viewer->scene, camera, options, size, &part, rest->to.frame);
        glFinish();
    }
    return status;
}

static SiltStatus draw_resting(SiltViewer *viewer, const SiltCamera *camera, const SiltRenderOptions *options,
                               const int size[2], unsigned framebuffer)
{
    SiltStatus status = SILT_OK;
    if (!is_same_rest(viewer, camera, size))
        status = begin_rest(viewer, camera, options, size);
    else if (viewer->rest.next < PARTS * PARTS)
        status = go_on_with_rest(viewer, camera, options, size);
    if (status == SILT_OK)
        show_rest(&viewer->rest, framebuffer);
    return status;
}

bool silt_viewer_is_unfinished(const SiltViewer *viewer)
{
    const SiltRest *rest = &viewer->rest;
    bool is_half = viewer->is_shown && rest->is_begun && rest->next < PARTS * PARTS;
    return is_half || viewer->waits || (viewer->is_compared && silt_viewer_is_unfinished(viewer->before));
}

// ---- pictures ----

static SiltSending sending_of(const SiltViewer *viewer, bool best)
{
    return !best ? SILT_SEND_SOME : silt_viewer_is_large(viewer) ? SILT_SEND_IN_TURN : SILT_SEND_ALL;
}

SiltStatus silt_viewer_draw_motif(SiltViewer *viewer, const int size[2], bool best, unsigned framebuffer)
{
    SiltRenderOptions options;
    if (!viewer->pace.is_known)
        viewer->pace = first_pace();
    viewer->ground_is_new = true; // this picture looks at all that has come, not at the water alone
    SiltStatus status = silt_viewer_send(viewer, size, sending_of(viewer, best), &options);
    if (status != SILT_OK)
        return status;
    bool coarse = silt_viewer_has_too_many(viewer);
    SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, size[0], size[1]);
    if (best && !viewer->waits)
        return draw_resting(viewer, &camera, &options, size, framebuffer);
    if (is_same_rest(viewer, &camera, size)) { // only marks have moved
        show_rest(&viewer->rest, framebuffer);
        return SILT_OK;
    }
    viewer->rest.is_begun = false;
    double begun = silt_wall_clock();
    silt_scene_set_quick(viewer->scene, true);
    status = draw_moving(viewer, &camera, &options, size, framebuffer);
    glFinish();
    keep_rate(viewer, coarse, silt_wall_clock() - begun);
    return status;
}

// A moving picture that is left as small as it is drawn.
static SiltStatus draw_small(SiltViewer *viewer, const int size[2], int drawn[2], unsigned *framebuffer)
{
    SiltRenderOptions options;
    SiltStatus status = silt_viewer_send(viewer, size, SILT_SEND_SOME, &options);
    if (status != SILT_OK)
        return status;
    bool coarse = silt_viewer_has_too_many(viewer);
    SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, size[0], size[1]);
    viewer->rest.is_begun = false;
    double begun = silt_wall_clock();
    silt_scene_set_quick(viewer->scene, true);
    double scale = scales[level_of(viewer)];
    if (viewer->is_thrifty && silt_scene_can_wash(viewer->scene))
        status = silt_scene_wash(viewer->scene, &camera, &options, size, scale,
                                 !keeps_ground(viewer, &camera), drawn, framebuffer);
    else
        status = silt_scene_sketch(viewer->scene, &camera, &options, size, scale, keeps_glow(viewer, &camera),
                                   drawn, framebuffer);
    glFinish();
    keep_rate(viewer, coarse, silt_wall_clock() - begun);
    return status;
}

SiltStatus silt_viewer_draw(SiltViewer *viewer, unsigned framebuffer, int width, int height, bool best)
{
    if (width < 1 || height < 1)
        return SILT_OK;
    viewer->width = width;
    viewer->height = height;
    begin_state();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    SiltStatus status = SILT_OK;
    const int size[2] = {width, height};
    if (viewer->is_shown)
        status = silt_viewer_draw_motif(viewer, size, best, framebuffer);
    if (status == SILT_OK && viewer->is_shown && viewer->is_compared)
        status = silt_viewer_draw_before(viewer, size, best, framebuffer);
    if (status == SILT_OK && viewer->is_shown)
        status = silt_viewer_draw_over(viewer, framebuffer);
    end_state(framebuffer, width, height);
    return status;
}

// Whether the picture can stay smaller than it is seen: it is drawn anew, small, and nothing lies over it.
static bool stays_small(SiltViewer *viewer, const int size[2], bool best)
{
    if (!viewer->pace.is_known)
        viewer->pace = first_pace();
    if (best || !viewer->is_shown || viewer->is_compared || level_of(viewer) == 0 ||
        silt_viewer_has_over(viewer))
        return false;
    SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, size[0], size[1]);
    return viewer->stale != 0 || !is_same_rest(viewer, &camera, size);
}

SiltStatus silt_viewer_draw_apart(SiltViewer *viewer, int width, int height, bool best, int drawn[2])
{
    const int size[2] = {width, height};
    drawn[0] = drawn[1] = 0;
    if (width < 1 || height < 1)
        return SILT_OK;
    unsigned framebuffer = 0;
    SiltStatus status = SILT_OK;
    if (stays_small(viewer, size, best)) {
        viewer->width = width;
        viewer->height = height;
        begin_state();
        status = draw_small(viewer, size, drawn, &framebuffer);
        end_state(framebuffer, width, height);
    } else {
        status = silt_viewer_frame(&viewer->own, size);
        framebuffer = viewer->own.frame;
        if (status == SILT_OK)
            status = silt_viewer_draw(viewer, framebuffer, width, height, best);
        drawn[0] = width;
        drawn[1] = height;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    return status;
}

SiltStatus silt_viewer_take_picture(SiltViewer *viewer, SiltImage *image)
{
    SiltRenderOptions options;
    const int size[2] = {image->width, image->height};
    viewer->stale |= SILT_STALE_SHADE; // as fine as a picture of this size has them
    SiltStatus status = silt_viewer_send(viewer, size, SILT_SEND_ALL, &options);
    if (status != SILT_OK)
        return status;
    SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, size[0], size[1]);
    silt_scene_set_quick(viewer->scene, false);
    return silt_scene_picture(viewer->scene, &camera, &options, image);
}

SiltStatus silt_viewer_picture(SiltViewer *viewer, int width, int height, SiltImage *out)
{
    *out = (SiltImage){width, height, NULL};
    if (!viewer->is_shown || width < 1 || height < 1)
        return silt_fail(SILT_BAD_ARGUMENT, "view: there is nothing to take a picture of");
    SiltStatus status = silt_alloc_for("a picture", (size_t)width * (size_t)height, 4, (void **)&out->rgba);
    begin_state();
    if (status == SILT_OK)
        status = silt_viewer_take_picture(viewer, out);
    if (status == SILT_OK && viewer->is_compared)
        status = silt_viewer_add_before(viewer, out);
    if (status == SILT_OK)
        silt_viewer_add_legend(viewer, out, false);
    end_state(0, viewer->width, viewer->height);
    if (status != SILT_OK)
        silt_image_destroy(out);
    return status;
}

#else

bool silt_viewer_is_unfinished(const SiltViewer *viewer)
{
    (void)viewer;
    return false;
}

void silt_viewer_unload(SiltViewer *viewer, bool context_is_current)
{
    (void)viewer, (void)context_is_current;
}

static SiltStatus refuse(void)
{
    return silt_fail(SILT_MISSING_FEATURE,
                     "view: this build draws maps only; install libepoxy-dev and libegl-dev and build again");
}

SiltStatus silt_viewer_draw(SiltViewer *viewer, unsigned framebuffer, int width, int height, bool best)
{
    (void)viewer, (void)framebuffer, (void)width, (void)height, (void)best;
    return refuse();
}

SiltStatus silt_viewer_draw_apart(SiltViewer *viewer, int width, int height, bool best, int drawn[2])
{
    (void)viewer, (void)width, (void)height, (void)best;
    drawn[0] = drawn[1] = 0;
    return refuse();
}

void silt_viewer_set_thrifty(SiltViewer *viewer, bool thrifty)
{
    viewer->is_thrifty = thrifty;
}

SiltStatus silt_viewer_picture(SiltViewer *viewer, int width, int height, SiltImage *out)
{
    (void)viewer;
    *out = (SiltImage){width, height, NULL};
    return refuse();
}

#endif
