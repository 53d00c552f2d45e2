// What the two files about parameter tables share.
#ifndef SILT_CORE_PARAM_H
#define SILT_CORE_PARAM_H

#include "silt/param.h"

int silt_param_choice_count(const SiltParam *param);
// The unit as it stands behind a number: none where it is a share, whose unit is 1.
const char *silt_param_unit(const SiltParam *param);

#endif
