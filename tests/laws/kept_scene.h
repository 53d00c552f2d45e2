// What the laws of checkpoints share: scenes of one model that are run, by hand too, a run of one of them
// that was kept, and the warnings that are heard.
#ifndef SILT_LAWS_KEPT_SCENE_H
#define SILT_LAWS_KEPT_SCENE_H

#include "kept.h"

#include "silt/stroke.h"

typedef struct Scene {
    const SiltModel *model;
    const char *settings;
    SiltErodeOptions options;
    const char *hands;
} Scene;

static inline SiltTerrain *ground(void)
{
    SiltTerrain *terrain = make_terrain(72, 66, 2.0);
    make_rough(terrain, 7, 12.0f);
    return terrain;
}

static inline void *params_of(const Scene *scene)
{
    void *params = silt_params_new(silt_model_params(scene->model));
    char copy[512];
    snprintf(copy, sizeof copy, "%s", scene->settings);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        assert_ok(silt_params_assign(silt_model_params(scene->model), params, "test", word));
    return params;
}

static inline SiltStatus run_scene(const Scene *scene, SiltTerrain *terrain, const SiltRun *run,
                                   SiltReport *report)
{
    void *params = params_of(scene);
    SiltStatus status;
    if (scene->hands) {
        SiltHand *hands;
        int count;
        assert_ok(silt_hands_read(scene->hands, &hands, &count));
        status = silt_erode_by_hand(scene->model, terrain, params,
                                    (SiltDuration){.steps = scene->options.steps}, hands, count, run, report);
        silt_hands_free(hands, count);
    } else {
        status = silt_erode_as(scene->model, terrain, params, &scene->options, run, report);
    }
    silt_params_delete(silt_model_params(scene->model), params);
    return status;
}

static inline SiltErodeOptions steps(int count, int pyramid)
{
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = count;
    options.pyramid = pyramid;
    return options;
}

static inline const char *settings_of(const SiltModel *model)
{
    return small_settings(silt_model_name(model));
}

// What was said last.
static char heard[512];
static inline void hear(void *user, const char *text)
{
    (void)user;
    snprintf(heard, sizeof heard, "%s", text);
}

// Six steps of `pipes` that are kept there, more than once.
static inline void keep_one(const char *path)
{
    Scene scene = {silt_model_find("pipes"), "", steps(6, 0), NULL};
    SiltTerrain *terrain = ground();
    SiltCheckpoint *kept;
    SiltRun run = {.seed = 5};
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 0.0, 2));
    assert_ok(silt_checkpoint_set_text(kept, "command", "erode\npipes\n"));
    silt_checkpoint_attach(kept, &run);
    assert_ok(run_scene(&scene, terrain, &run, NULL));
    assert_true(silt_checkpoint_count(kept) >= 2); // so there is one before it
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
}

#endif
