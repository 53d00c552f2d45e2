// The sources of a supply, from its beginning through its steps.
#ifndef SILT_ERODE_SUPPLY_SOURCES_H
#define SILT_ERODE_SUPPLY_SOURCES_H

#include "silt/base.h"

struct SiltSupply;

// Those of the parameters, and those of the terrain's layer of springs.
SiltStatus silt_sources_begin(const char *owner, struct SiltSupply *supply);
SiltStatus silt_springs_begin(const char *owner, struct SiltSupply *supply);
// All that began or ended before `time` has done so.
void silt_sources_skip(struct SiltSupply *supply, double time);
// What begins or ends within a step flows for its share of it; afterwards it does so wholly.
void silt_sources_step(struct SiltSupply *supply, double time, double dt);
void silt_sources_finish(struct SiltSupply *supply);

#endif
