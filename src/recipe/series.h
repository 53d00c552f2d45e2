// Outputs `series`: panels taken while a stage runs.
#ifndef SILT_RECIPE_SERIES_H
#define SILT_RECIPE_SERIES_H

#include "recipe/recipe.h"

extern const StageKind silt_output_series;

// Times and stage of every series, which only the whole recipe can tell; `lax` makes them faults.
SiltStatus silt_series_check(SiltRecipe *recipe, bool lax);
// How many panels an output keeps; 0: it is no series.
int silt_series_panels(const Step *output);

// The stage that an output shows; -1: it is no series, or is left out.
int silt_series_stage(const SiltRecipe *recipe, const Step *output);

// Around a stage: its run is asked for the moments that series show, and what it came to is their last panel.
SiltStatus silt_series_watch(Kitchen *kitchen, int stage);
SiltStatus silt_series_close(Kitchen *kitchen, int stage);
// Panels are kept with the run, and come back when it is gone on with.
SiltStatus silt_series_keep(Kitchen *kitchen);
SiltStatus silt_series_go_on(Kitchen *kitchen);
void silt_series_free(Kitchen *kitchen);

#endif
