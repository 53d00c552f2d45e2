// How hard a pen is pressed, as strength of a brush.
#ifndef SILT_VIEW_PEN_H
#define SILT_VIEW_PEN_H

// 0 to 1 of the usual, which a mouse has: gently at first, all of it where the pen is pressed hard. What a
// device says beyond 0 to 1 counts as its end; what is no number, as a mouse.
double pen_strength(double pressure);

#endif
