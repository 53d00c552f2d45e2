// Text on pictures: an alphabet of strokes, smooth at any size.
#ifndef SILT_RENDER_LETTERING_H
#define SILT_RENDER_LETTERING_H

#include "render/ramp.h"
#include "silt/render.h"

// Width in pixels of a line of text whose capitals are `size` pixels high. Digits directly behind a letter of
// a unit
// ("m3/s") are raised where `unit` is true.
double silt_text_width(const char *text, double size, bool unit);

// Draws it with its left end and base line at (x, y), in pixels from the upper left corner.
void silt_text_draw(const SiltImage *image, const char *text, double x, double y, double size, bool unit,
                    SiltColour colour);

// Covers a rectangle, by `cover` of 0 to 1.
void silt_image_fill(const SiltImage *image, double x, double y, double width, double height,
                     SiltColour colour, double cover);

#endif
