// What laws of kept runs share: a watcher that stops a run, what land it came to, and recipes by text.
#ifndef SILT_LAWS_KEPT_H
#define SILT_LAWS_KEPT_H

#include "erode_help.h"

#include <limits.h>

#include "files.h"
#include "silt/checkpoint.h"
#include "silt/recipe.h"

// Stops a run after so many frames, of which each step has one, and counts them; `rests` is how often it lets
// water be looked at that comes to rest, where somebody asks.
typedef struct Watcher {
    int left, rests, seen;
} Watcher;

static inline SiltStatus look(void *user, const SiltTerrain *terrain, int index)
{
    (void)terrain, (void)index;
    Watcher *watcher = user;
    watcher->seen++;
    return watcher->left-- > 0 ? SILT_OK : silt_fail(SILT_CANCELLED, "stopped");
}

static inline uint64_t hash_of(const SiltTerrain *terrain)
{
    uint64_t hash = 1;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 31 + silt_field_hash(&terrain->layers[k]->field);
    return hash;
}

// Tests that hold one are skipped where recipes cannot be read.
static inline SiltRecipe *recipe_of(const char *text, const char *const *defines, int count)
{
    SiltRecipe *recipe;
    SiltStatus status = silt_recipe_read_text("r.yaml", text, defines, count, &recipe);
    if (status == SILT_MISSING_FEATURE)
        skip();
    assert_ok(status);
    return recipe;
}

#endif
