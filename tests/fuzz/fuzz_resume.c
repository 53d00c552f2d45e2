// Goes on with a checkpoint whose sums are right, whoever made it: brings the run back, steps it twice,
// stores it; the recipe in it, up to the stage it was in; and that stage as a live run. Either it goes on, or
// there is a sentence.
#include <string.h>

#include "core/memory.h"
#include "erode/keeper.h"
#include "fuzz.h"
#include "kept.h"
#include "recipe/checkpoint_inside.h"
#include "silt/checkpoint.h"
#include "silt/parallel.h"
#include "silt/stack.h"

enum { PATIENCE = 64 }; // calls; who asks for more steps of a second's share has shown enough
// What a run says that it takes is refused by the memory that is free, or granted: not tried here beyond
// this.
#define ROOM (UINT64_C(256) << 20)

static bool wait_a_little(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total, (void)unit;
    int *calls = user;
    return ++*calls < PATIENCE;
}

static bool never(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)user, (void)stage, (void)done, (void)total, (void)unit;
    return false;
}

static void must_say(SiltStatus status)
{
    if (status != SILT_OK && !silt_message()[0])
        abort();
}

static void step(SiltCheckpoint *kept, const SiltStageNote *note, SiltTerrain *terrain)
{
    int calls = 0;
    SiltErosion *erosion = NULL;
    SiltRun run = {.seed = note->seed, .began = note->began, .user = &calls, .progress = wait_a_little};
    silt_checkpoint_attach(kept, &run);
    SiltStatus status = silt_erosion_begin(note->model, terrain, note->params, &run, &erosion);
    if (status == SILT_OK)
        status = silt_erosion_go_on(erosion, NULL);
    for (int k = 0; k < 2 && status == SILT_OK; k++)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = 1});
    if (status == SILT_OK)
        status = silt_erosion_store(erosion);
    must_say(status);
    silt_erosion_end(erosion);
}

// False: it asks for more than is tried here.
static bool resume_stage(const char *path)
{
    bool has_room = false;
    SiltCheckpoint *kept;
    SiltTerrain *terrain = NULL;
    SiltPack pack;
    SiltStageNote note = {.find = silt_model_find};
    if (silt_checkpoint_open(path, &kept) != SILT_OK)
        return false;
    if (silt_checkpoint_terrain(kept, &terrain) == SILT_OK && silt_checkpoint_take(kept, "stage", &pack)) {
        silt_stage_pack(&note, &pack);
        has_room = pack.status == SILT_OK && silt_erode_bytes(note.model, note.params, terrain) < ROOM;
        if (has_room)
            step(kept, &note, terrain);
    }
    if (note.model)
        silt_params_delete(silt_model_params(note.model), note.params);
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
    return has_room;
}

static void resume_recipe(const char *path)
{
    SiltCheckpoint *kept;
    SiltRecipe *recipe = NULL;
    SiltTerrain *terrain = NULL;
    if (silt_checkpoint_open(path, &kept) != SILT_OK)
        return;
    const char *text = silt_checkpoint_text(kept, "recipe");
    bool is_there = silt_kept_find(&kept->source, "kitchen") != NULL;
    if (text && is_there && silt_recipe_read_text("resumed.yaml", text, NULL, 0, &recipe) == SILT_OK) {
        SiltRun run = {.progress = never};
        silt_checkpoint_attach(kept, &run);
        must_say(silt_recipe_grow(recipe, &run, &terrain));
        silt_terrain_destroy(terrain);
    }
    silt_recipe_destroy(recipe);
    silt_checkpoint_destroy(kept);
}

// As a window does: its recipe in hand, the stage live at the step it had come to, and two steps more.
static void take_up(const char *path)
{
    SiltStack *stack;
    SiltRecipe *recipe = NULL;
    SiltPantry *pantry = NULL;
    SiltTerrain *terrain = NULL;
    SiltErosion *erosion = NULL;
    SiltDuration duration;
    int stage, hands, calls = 0;
    SiltRun run = {.user = &calls, .progress = wait_a_little};
    SiltStatus status = silt_stack_from_checkpoint(path, &stack, &stage);
    if (status == SILT_OK)
        status = silt_stack_recipe(stack, &recipe);
    if (status == SILT_OK)
        status = silt_pantry_create(1 << 24, &pantry);
    if (status == SILT_OK)
        status = silt_pantry_go_on_from(pantry, path);
    SiltCook cook = {.pantry = pantry, .run = &run};
    if (status == SILT_OK)
        status = silt_recipe_go_on_live(recipe, stage, &cook, path, &terrain, &erosion, &duration, &hands);
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = 2});
    must_say(status);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    silt_pantry_destroy(pantry);
    silt_recipe_destroy(recipe);
    silt_stack_destroy(stack);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char path[64];
    uint8_t *copy = malloc(bytes + 1);
    if (!copy)
        return 0;
    silt_set_threads(1);
    memcpy(copy, data, bytes);
    kept_mend(copy, bytes);
    int descriptor = fuzz_open(copy, bytes, path);
    bool has_room = resume_stage(path);
    resume_recipe(path);
    if (has_room)
        take_up(path);
    close(descriptor);
    free(copy);
    return 0;
}
