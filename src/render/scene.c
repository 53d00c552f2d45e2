#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/scene.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "render/grain.h"
#include "render/ground.h"
#include "render/light.h"
#include "render/post.h"
#include "render/shaders.h"

enum { LONGEST_SIDE = 8192, TILE_SIDE = 2048, TILE_PIXELS = 2300000 };

struct SiltScene {
    SiltGround ground;
    SiltPost post;
    GLuint land_program, skirt_program, sky_program;
    GLuint grain, array;
    double edge; // pixels an edge of the grid may be long
};

void silt_scene_set_quick(SiltScene *scene, bool quick)
{
    scene->edge = quick ? 7.0 : 3.0;
    silt_post_set_quick(&scene->post, quick);
}

int silt_scene_longest_side(void)
{
    GLint side = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    return side < LONGEST_SIDE ? side : LONGEST_SIDE;
}

static SiltStatus make_grain(GLuint *texture)
{
    static const SiltTextureForm form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true, true, true};
    uint8_t *rgba;
    SiltStatus status =
        silt_alloc_for("the grain of the ground", SILT_GRAIN_SIDE * SILT_GRAIN_SIDE, 4, (void **)&rgba);
    if (status == SILT_OK)
        status = silt_grain_make(rgba);
    if (status == SILT_OK)
        silt_gl_texture(texture, &form, SILT_GRAIN_SIDE, SILT_GRAIN_SIDE, rgba);
    silt_free(rgba);
    return status;
}

SiltStatus silt_scene_create(SiltScene **out)
{
    SiltScene *scene;
    *out = NULL;
    SiltStatus status = silt_alloc_for("a scene", 1, sizeof *scene, (void **)&scene);
    if (status != SILT_OK)
        return status;
    scene->edge = 3.0; // longer ones would show
    glGenVertexArrays(1, &scene->array);
    const char *common = silt_shader_common_glsl;
    status =
        silt_gl_program("land", silt_shader_land_vert, common, silt_shader_land_frag, &scene->land_program);
    if (status == SILT_OK)
        status = silt_gl_program("skirt", silt_shader_skirt_vert, common, silt_shader_skirt_frag,
                                 &scene->skirt_program);
    if (status == SILT_OK)
        status = silt_gl_program("sky", silt_shader_screen_vert, common, silt_shader_sky_frag,
                                 &scene->sky_program);
    if (status == SILT_OK)
        status = make_grain(&scene->grain);
    if (status == SILT_OK)
        status = silt_ground_create(&scene->ground);
    if (status == SILT_OK)
        status = silt_post_create(&scene->post);
    if (status != SILT_OK) {
        silt_scene_destroy(scene);
        return status;
    }
    *out = scene;
    return SILT_OK;
}

void silt_scene_destroy(SiltScene *scene)
{
    if (!scene)
        return;
    silt_ground_destroy(&scene->ground);
    silt_post_destroy(&scene->post);
    glDeleteProgram(scene->land_program);
    glDeleteProgram(scene->skirt_program);
    glDeleteProgram(scene->sky_program);
    glDeleteTextures(1, &scene->grain);
    glDeleteVertexArrays(1, &scene->array);
    silt_free(scene);
}

SiltStatus silt_scene_set_terrain(SiltScene *scene, const SiltTerrain *terrain,
                                  const SiltRenderOptions *options, const SiltRange *range)
{
    return silt_ground_set(&scene->ground, terrain, options, range);
}

// ---- light and air ----

static void set_air(const SiltScene *scene, GLuint program, const SiltCamera *camera,
                    const SiltRenderOptions *options)
{
    SiltSun sun = silt_sun(options);
    float towards[3] = {sun.east, -sun.south, sun.up};
    // near the horizon light comes through more air: weaker and redder
    float low = 1.0f - sun.up, red = low * low * low;
    float sun_light[3] = {3.05f - 0.55f * red, 2.72f - 1.30f * red, 2.30f - 1.80f * red};
    float sky_light[3] = {0.30f, 0.40f, 0.58f};
    float eye[3] = {(float)camera->eye[0], (float)camera->eye[1], (float)camera->eye[2]};
    const SiltGround *ground = &scene->ground;
    double reach = ground->cell * hypot(ground->width, ground->height);
    double away = hypot(camera->eye[0], camera->eye[1]);
    silt_gl_vec3(program, "sun", towards);
    silt_gl_vec3(program, "sun_light", sun_light);
    silt_gl_vec3(program, "sky_light", sky_light);
    silt_gl_vec3(program, "eye", eye);
    silt_gl_vec4(program, "air", fmax(away - 0.5 * reach, 0.0), 1.0 / reach, options->haze,
                 options->transparent);
}

static void draw_sky(const SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                     const int size[2], const SiltTile *tile)
{
    double high = camera->slope, wide = high * size[0] / size[1];
    double middle_x = wide * ((2.0 * tile->x + tile->width) / size[0] - 1.0);
    double middle_y = high * ((2.0 * tile->y + tile->height) / size[1] - 1.0);
    float forward[3], right[3], up[3];
    for (int k = 0; k < 3; k++) {
        forward[k] = (float)(camera->forward[k] + middle_x * camera->right[k] + middle_y * camera->up[k]);
        right[k] = (float)(wide * tile->width / size[0] * camera->right[k]);
        up[k] = (float)(high * tile->height / size[1] * camera->up[k]);
    }
    GLuint program = scene->sky_program;
    glUseProgram(program);
    set_air(scene, program, camera, options);
    silt_gl_vec3(program, "ray_forward", forward);
    silt_gl_vec3(program, "ray_right", right);
    silt_gl_vec3(program, "ray_up", up);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(scene->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

static void draw_tile(const SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                      const int size[2], const SiltTile *tile)
{
    float matrix[16];
    silt_camera_matrix(camera, size[0], size[1], tile, matrix);
    draw_sky(scene, camera, options, size, tile);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    GLuint programs[2] = {scene->land_program, scene->skirt_program};
    for (int k = 0; k < 2; k++) {
        glUseProgram(programs[k]);
        set_air(scene, programs[k], camera, options);
        silt_ground_uniforms(&scene->ground, programs[k], options);
        silt_gl_sampler(programs[k], "noise_map", 7, scene->grain);
        silt_gl_mat4(programs[k], "camera", matrix);
        if (k == 0)
            silt_ground_draw_patches(&scene->ground, programs[k], camera, matrix,
                                     0.5 * size[1] / camera->slope / scene->edge);
        else {
            silt_gl_float(programs[k], "pixel_size", 2.0 * camera->slope / size[1]);
            glEnable(GL_POLYGON_OFFSET_FILL);
            glPolygonOffset(1.0f, 4.0f);
            silt_ground_draw_walls(&scene->ground, programs[k], camera);
            glDisable(GL_POLYGON_OFFSET_FILL);
        }
    }
}

SiltStatus silt_scene_draw(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                           int width, int height, unsigned framebuffer)
{
    SiltStatus status = silt_post_begin(&scene->post, width, height);
    if (status != SILT_OK)
        return status;
    SiltTile whole = {0, 0, width, height};
    draw_tile(scene, camera, options, (int[2]){width, height}, &whole);
    silt_post_resolve(&scene->post);
    silt_post_make_bloom(&scene->post);
    silt_post_finish(&scene->post, &whole, width, height, framebuffer);
    return silt_gl_check("a picture");
}

// ---- pictures in memory ----

// Rows come from the lower edge up, and go to the image from its upper edge down.
static SiltStatus read_tile(const SiltScene *scene, const SiltTile *tile, SiltImage *image)
{
    uint8_t *rows;
    size_t row = (size_t)tile->width * 4, stride = (size_t)image->width * 4;
    SiltStatus status = silt_alloc_for("a picture", (size_t)tile->height, row, (void **)&rows);
    if (status != SILT_OK)
        return status;
    glBindFramebuffer(GL_FRAMEBUFFER, scene->post.shown);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, tile->width, tile->height, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    for (int j = 0; j < tile->height; j++)
        memcpy(image->rgba + (size_t)(image->height - 1 - tile->y - j) * stride + (size_t)tile->x * 4,
               rows + (size_t)j * row, row);
    silt_free(rows);
    return SILT_OK;
}

// The glow of a large picture comes from a small one of the same view, so that tiles have no seams.
static SiltStatus bloom_from_small(SiltScene *scene, const SiltCamera *camera,
                                   const SiltRenderOptions *options, const SiltImage *image, SiltPost *small)
{
    double scale = 640.0 / (image->width > image->height ? image->width : image->height);
    int size[2] = {(int)ceil(image->width * scale), (int)ceil(image->height * scale)};
    SiltStatus status = silt_post_create(small);
    if (status == SILT_OK)
        status = silt_post_begin(small, size[0], size[1]);
    if (status != SILT_OK)
        return status;
    SiltTile whole = {0, 0, size[0], size[1]};
    draw_tile(scene, camera, options, size, &whole);
    silt_post_resolve(small);
    silt_post_make_bloom(small);
    return SILT_OK;
}

static SiltStatus draw_by_tiles(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                                SiltImage *image)
{
    SiltPost small = {0};
    SiltStatus status = bloom_from_small(scene, camera, options, image, &small);
    int side = 1024, size[2] = {image->width, image->height};
    for (int y = 0; status == SILT_OK && y < image->height; y += side)
        for (int x = 0; status == SILT_OK && x < image->width; x += side) {
            SiltTile tile = {x, y, image->width - x < side ? image->width - x : side,
                             image->height - y < side ? image->height - y : side};
            status = silt_post_begin(&scene->post, tile.width, tile.height);
            if (status != SILT_OK)
                break;
            draw_tile(scene, camera, options, size, &tile);
            silt_post_resolve(&scene->post);
            GLuint own = scene->post.bloom_light[0];
            scene->post.bloom_light[0] = small.bloom_light[0];
            silt_post_finish(&scene->post, &tile, image->width, image->height, scene->post.shown);
            scene->post.bloom_light[0] = own;
            status = read_tile(scene, &tile, image);
        }
    silt_post_destroy(&small);
    return status == SILT_OK ? silt_gl_check("a picture") : status;
}

SiltStatus silt_scene_picture(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                              SiltImage *image)
{
    if (image->width > TILE_SIDE || image->height > TILE_SIDE ||
        (int64_t)image->width * image->height > TILE_PIXELS)
        return draw_by_tiles(scene, camera, options, image);
    // draws into the targets of this size, which silt_scene_draw makes
    SiltStatus status = silt_post_begin(&scene->post, image->width, image->height);
    if (status == SILT_OK)
        status = silt_scene_draw(scene, camera, options, image->width, image->height, scene->post.shown);
    SiltTile whole = {0, 0, image->width, image->height};
    return status == SILT_OK ? read_tile(scene, &whole, image) : status;
}

#endif
