// The items of silt_erode_params, for tables that are made of them at compile time.
#ifndef SILT_ERODE_STAGE_H
#define SILT_ERODE_STAGE_H

#include "silt/erode.h"

enum { SILT_ERODE_ITEMS = 4 };
extern const SiltParam silt_erode_items[SILT_ERODE_ITEMS];

#endif
