// What stages left, on a disk, by what they read: from one run of the program to the next.
#ifndef SILT_RECIPE_LARDER_H
#define SILT_RECIPE_LARDER_H

#include "io/written.h"
#include "recipe/keys.h"

// Keys of the kitchen's stages.
SiltStatus silt_larder_begin(SiltLarder *larder, Kitchen *kitchen);
void silt_larder_end(Kitchen *kitchen);

// Brings the terrain, and what the stages said, as the last stage that is kept left them; kitchen->at is the
// next. Nothing is brought where nothing is kept.
void silt_larder_fetch(Kitchen *kitchen);
// After stage `index`, -1 is the terrain: keeps the result if it took longer to make than it takes to keep.
void silt_larder_keep(Kitchen *kitchen, int index);

// Whether the output's files are there as an earlier run with the same key wrote them; notes them as written.
bool silt_larder_has_output(Kitchen *kitchen, const Step *output);
// The files that it has been written to.
void silt_larder_note_output(Kitchen *kitchen, const Step *output, const SiltWritten *files);

#endif
