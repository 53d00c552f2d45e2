// Recipes made small for tests that run all of them.
#ifndef SILT_SMALL_RECIPES_H
#define SILT_SMALL_RECIPES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "silt/recipe.h"

enum { SMALL_DEFINES = 16 };

// Few cells and short times, over the same ground: what a recipe defines says how it can be made small.
// Presets that shape a coarse land first do so for a short time; `tiny`: so does everything.
static inline int make_small(const SiltRecipe *recipe, int size, double most_steps, bool tiny,
                             char texts[SMALL_DEFINES][64])
{
    const int voxels_now = size * 2 / 3;
    double voxels = 0.0;
    bool sized = false, brief = tiny;
    int count = 0;
    for (int k = 0; k < silt_recipe_define_count(recipe); k++) {
        SiltDefine define = silt_recipe_define_at(recipe, k);
        voxels = strcmp(define.name, "voxels") == 0 ? atof(define.preset) : voxels;
        sized = sized || strcmp(define.name, "size") == 0;
        brief = brief || strcmp(define.name, "coarse") == 0;
    }
    for (int k = 0; k < silt_recipe_define_count(recipe) && count < SMALL_DEFINES; k++) {
        SiltDefine define = silt_recipe_define_at(recipe, k);
        const char *name = define.name;
        double value = atof(define.preset), now = value;
        if (strcmp(name, "size") == 0)
            now = size;
        else if (strcmp(name, "cell") == 0)
            now = value * 256.0 / size;
        else if (strcmp(name, "voxels") == 0)
            now = voxels_now;
        else if (strcmp(name, "layers") == 0 && voxels > 0.0)
            now = floor(value * voxels_now / voxels);
        else if (strcmp(name, "steps") == 0)
            now = fmin(value, most_steps);
        else if (strcmp(name, "time") == 0 && !sized)
            now = value / (voxels > 0.0 ? 16.0 : 60.0);
        else if (strcmp(name, "particles") == 0)
            now = fmin(value, 30000.0);
        else if (strcmp(name, "iterations") == 0)
            now = fmin(value, 10.0);
        if (strcmp(name, "coarse") == 0)
            now = size;
        else if (brief && strcmp(name, "time") == 0)
            now = value / 60.0;
        if (now != value)
            snprintf(texts[count++], 64, "%.40s=%.9g", name, now);
    }
    return count;
}

static inline SiltStatus read_small_recipe(const char *path, int size, double most_steps, bool tiny,
                                           SiltRecipe **out)
{
    char texts[SMALL_DEFINES][64];
    const char *defines[SMALL_DEFINES];
    SiltStatus status = silt_recipe_read(path, NULL, 0, out);
    if (status != SILT_OK)
        return status;
    int count = make_small(*out, size, most_steps, tiny, texts);
    for (int k = 0; k < count; k++)
        defines[k] = texts[k];
    silt_recipe_destroy(*out);
    return silt_recipe_read(path, defines, count, out);
}

#endif
