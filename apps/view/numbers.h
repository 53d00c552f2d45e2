// Numbers as people read them.
#ifndef SILT_VIEW_NUMBERS_H
#define SILT_VIEW_NUMBERS_H

// Whole from a hundred on, with commas: "1,000,000"; below it three digits count: "20.5". The caller frees
// it.
char *number_text(double value);

#endif
