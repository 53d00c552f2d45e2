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
// What an output shows beside the terrain that it finds.
SiltStatus silt_key_add_output(SiltPantry *pantry, const Step *output, SiltText *text);

#endif
