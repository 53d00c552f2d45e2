// Words in pictures: legends and contact sheets.
#ifndef SILT_RENDER_LETTERING_H
#define SILT_RENDER_LETTERING_H

#include "silt/render.h"

// Pixels a text takes when each dot of its letters is a square of `scale` pixels.
int silt_lettering_width(const char *text, int scale);
int silt_lettering_height(int scale);
// Draws a text with its upper left corner at (x, y); what lies outside the picture is left out.
void silt_lettering_draw(SiltImage *image, int x, int y, int scale, const char *text,
                         const unsigned char colour[3]);

#endif
