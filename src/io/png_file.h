// libpng with its errors as sentences: nothing on stderr, nothing leaked when it jumps out of a call.
#ifndef SILT_IO_PNG_FILE_H
#define SILT_IO_PNG_FILE_H

#include "silt/base.h"

#ifdef SILT_HAS_PNG

#include <png.h>
#include <setjmp.h>
#include <stdio.h>

typedef struct SiltPng {
    const char *path;
    FILE *file; // not closed by silt_png_close
    png_structp png;
    png_infop info;
    jmp_buf jump;
    size_t most; // bytes libpng may ask for at once
    bool writing, no_memory, failed;
    char reason[160]; // libpng's own words
} SiltPng;

SiltStatus silt_png_open(const char *path, FILE *file, bool writing, SiltPng *out);
void silt_png_close(SiltPng *png);

// Runs `step`, in which libpng may jump out of any call: it must own nothing that is not in `context`.
typedef void (*SiltPngStep)(SiltPng *png, void *context);
SiltStatus silt_png_try(SiltPng *png, SiltPngStep step, void *context);

// Reads what comes before the samples, and refuses a file too short for them.
SiltStatus silt_png_read_header(SiltPng *png);

#endif
#endif
