// Pictures: 8 bits a channel, red green blue alpha, row after row from the top.
#ifndef SILT_IO_PICTURE_H
#define SILT_IO_PICTURE_H

#include "silt/base.h"

// A PNG, whole or not at all. Four bytes a pixel always; without `alpha` the fourth is left out of the file.
SiltStatus silt_png_write_rgba(const char *path, int width, int height, const uint8_t *rgba, bool alpha);

// A PNG of 1 (grey), 3 or 4 channels and 8 or 16 bits, row by row: fill(context, j, row) stores samples of 16
// bits with the high byte first. `notes` are pairs of key and text, ended by NULL.
typedef struct SiltPngForm {
    int width, height, channels, bits;
    const char *const *notes;
} SiltPngForm;
typedef void (*SiltFillRowFn)(const void *context, int j, uint8_t *row);
SiltStatus silt_png_write_rows(const char *path, const SiltPngForm *form, SiltFillRowFn fill,
                               const void *context);

// Any PNG as four bytes a pixel (255 where it has no alpha); the caller frees *rgba with silt_free.
SiltStatus silt_png_read_rgba(const char *path, int *width, int *height, uint8_t **rgba);

#endif
