// Motifs that several tests of pictures draw, and one scene for many pictures: shaders are compiled once.
#ifndef SILT_TESTS_GL_HELP_H
#define SILT_TESTS_GL_HELP_H

#include "golden.h"

#include "render/offscreen.h"
#include "render/scene.h"
#include "silt/erode.h"

static inline SiltVolume *shape(const char *name, int side)
{
    SiltVolume *volume;
    const int size[3] = {side, side, side};
    assert_ok(silt_volume_make(silt_volume_shape_find(name), size, 8, 2.0, NULL, NULL, 1, &volume));
    return volume;
}

// A heap of drops on a plate, and a few that fly.
typedef struct Heap {
    float x[4000], y[4000], z[4000], still[4000], speed[4000], dense[4000], mud[4000];
    int64_t id[4000];
    SiltParticles particles;
} Heap;

static inline void fill_heap(Heap *heap)
{
    int count = 0;
    for (int k = 0; k < 5; k++)
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                float x = (float)i - 11.5f, y = (float)j - 11.5f;
                if (x * x + y * y > 140.0f - 22.0f * (float)k)
                    continue;
                heap->x[count] = 32.0f + x;
                heap->y[count] = 32.0f + y;
                heap->z[count] = 0.5f + (float)k;
                heap->speed[count] = (float)k;
                heap->dense[count] = 1000.0f;
                heap->mud[count++] = 0.01f * (float)i;
            }
    for (int k = 0; k < 5; k++) {
        heap->x[count] = 24.0f + 3.0f * (float)k;
        heap->y[count] = 30.0f;
        heap->z[count++] = 12.0f + (float)k;
    }
    heap->particles = (SiltParticles){.count = count,
                                      .x = heap->x,
                                      .y = heap->y,
                                      .z = heap->z,
                                      .u = heap->speed,
                                      .v = heap->still,
                                      .w = heap->still,
                                      .density = heap->dense,
                                      .sediment = heap->mud,
                                      .id = heap->id,
                                      .load = 1.0,
                                      .west = 0.5,
                                      .south = 63.5,
                                      .spacing = 1.0};
}

static inline Heap *new_heap(void)
{
    Heap *heap = calloc(1, sizeof *heap);
    assert_non_null(heap);
    fill_heap(heap);
    return heap;
}

static inline SiltTerrain *plate(void)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(64, 64, 1.0, &terrain));
    fill_hills(&terrain->layers[0]->field, 3, 32, 3, 1.5f);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] -= 1.0f;
    return terrain;
}

typedef struct Stage {
    SiltOffscreen offscreen;
    SiltScene *scene;
} Stage;

static inline bool open_stage(Stage *stage, SiltGlKind kind)
{
    if (silt_offscreen_begin(kind, &stage->offscreen) != SILT_OK)
        return false;
    assert_ok(silt_scene_create(&stage->scene));
    return true;
}

static inline void close_stage(Stage *stage)
{
    silt_scene_destroy(stage->scene);
    silt_offscreen_end(&stage->offscreen);
}

static inline SiltStatus draw(const Stage *stage, const SiltMotif *motif, const SiltRenderOptions *options,
                              SiltImage *image)
{
    SiltPose pose;
    SiltRange range;
    SiltStatus status = silt_pose_begin(motif, options, NULL, &pose);
    if (status != SILT_OK)
        return status;
    status = silt_pose_range(&pose, options, &range);
    if (status == SILT_OK)
        status = silt_scene_set(stage->scene, &pose, options, &range);
    if (status == SILT_OK) {
        SiltCamera camera = silt_camera(pose.is_solid ? NULL : pose.terrain, options, &range, 0.0,
                                        image->width, image->height);
        status = silt_scene_picture(stage->scene, &camera, options, image);
    }
    silt_pose_end(&pose);
    return status;
}

static inline SiltImage new_image(const SiltRenderOptions *options)
{
    SiltImage image = {options->width, options->height,
                       calloc((size_t)options->width * (size_t)options->height, 4)};
    assert_non_null(image.rgba);
    return image;
}

// ---- laws ----

#endif
