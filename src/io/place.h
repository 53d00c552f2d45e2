// A terrain's place on the map as text, for formats that have no tags for it but can hold a string.
#ifndef SILT_IO_PLACE_H
#define SILT_IO_PLACE_H

#include "core/text.h"
#include "silt/terrain.h"

// Lines "corner X Y", "step X Y", "crs NAME", "keys ...", "doubles ...", "ascii ..." as far as they are
// known; nothing at all for a terrain without a place.
void silt_place_add_text(const SiltGeoreference *geo, SiltText *out);

// Reads such lines back; what is not understood is left out. `out` is zeroed first.
SiltStatus silt_place_from_text(const char *text, SiltGeoreference *out);

#endif
