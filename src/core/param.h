// What the two files about parameter tables share.
#ifndef SILT_CORE_PARAM_H
#define SILT_CORE_PARAM_H

#include "silt/param.h"

int silt_param_choice_count(const SiltParam *param);

#endif
