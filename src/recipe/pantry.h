// What stages left, kept by what they read.
#ifndef SILT_RECIPE_PANTRY_H
#define SILT_RECIPE_PANTRY_H

#include "recipe/recipe.h"
#include "silt/stack.h"

// All that a result follows from, as text: stage after stage, each with its values. The first `bytes` of it
// are the key of a stage.
typedef struct Key {
    const char *text;
    size_t bytes;
} Key;

bool silt_pantry_has(const SiltPantry *pantry, Key key);
// A copy of what is kept, for the caller to destroy; `nominal` is as Kitchen has it. The key must be there.
SiltStatus silt_pantry_fetch(SiltPantry *pantry, Key key, SiltTerrain **out, int nominal[2]);
// Keeps a copy, beside what the key `before` kept: layers that are the same there are shared. What does not
// fit, or finds no memory, is not kept.
void silt_pantry_keep(SiltPantry *pantry, Key key, Key before, const SiltTerrain *terrain,
                      const int nominal[2]);

// The checkpoint that keeps a run of this stage; "": none does. Then the one that does, or NULL.
void silt_pantry_set_kept(SiltPantry *pantry, const char *path, int stage);
const char *silt_pantry_kept(const SiltPantry *pantry, int stage);

// What a file holds, as a few words; reads it when it may have changed since it was read last.
SiltStatus silt_pantry_file(SiltPantry *pantry, const char *path, SiltText *out);

#endif
