// All that the results of a recipe's stages follow from, as text.
#ifndef SILT_RECIPE_KEYS_H
#define SILT_RECIPE_KEYS_H

#include "recipe/pantry.h"

// The key of each stage, as the length of a text that all share; ends[0] is the terrain's.
typedef struct Keys {
    SiltText text;
    size_t *ends;
} Keys;

static inline Key silt_key_of(const Keys *keys, int stage)
{
    return (Key){keys->text.data, keys->ends[stage + 1]};
}

// Behind whatever keys->text begins with. The pantry knows the hashes of files.
SiltStatus silt_keys_make(const Kitchen *kitchen, SiltPantry *pantry, Keys *keys);
void silt_keys_free(Keys *keys);
// Puts a copy of what the first stages of a recipe leave into the pantry, where cooking them would have.
SiltStatus silt_cook_keep(const SiltRecipe *recipe, const SiltCook *cook, int stages,
                          const SiltTerrain *terrain, const int nominal[2]);
// A stage of which the pantry knows a run that was kept: goes on with it to the stage's end. `goes_on` false:
// there is none, or the stage is another by now, and nothing was done.
SiltStatus silt_kept_cook(Kitchen *kitchen, const SiltPantry *pantry, int index, bool *goes_on);
// What an output shows beside the terrain that it finds.
SiltStatus silt_key_add_output(SiltPantry *pantry, const Step *output, SiltText *text);

#endif
