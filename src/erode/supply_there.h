// Rain as drops, made on a device: what the processor would make for it and bring over in every step.
#ifndef SILT_ERODE_SUPPLY_THERE_H
#define SILT_ERODE_SUPPLY_THERE_H

#include "grid/grid.h"

struct SiltSupply;
struct SiltSupplyStep;

// As SiltGridProgram has it: field `which` of SILT_SUPPLY_DROPS and on.
SiltStatus silt_supply_make_there(const struct SiltSupplyStep *step, int which, const SiltGridThere *there,
                                  bool *made);

typedef struct SiltDropsThere SiltDropsThere;
void silt_drops_there_destroy(SiltDropsThere *drops); // NULL: nothing

#endif
