// A GL context beside the one that draws: it shares textures and buffers with that, and belongs to another
// thread, which makes buffers in it and waits for nobody who draws.
#ifndef SILT_RENDER_BESIDE_H
#define SILT_RENDER_BESIDE_H

#include "silt/base.h"

typedef struct SiltBeside {
    void *display, *context; // EGL's
    unsigned kind;           // of GL, for EGL
} SiltBeside;

// On the thread that draws, with its context current.
SiltStatus silt_beside_create(SiltBeside *out);
// On the other thread, for as long as it is used there.
SiltStatus silt_beside_enter(SiltBeside *beside);
// There, or on any thread where it was never entered; with buffers that were made in it (0: none).
void silt_beside_destroy(SiltBeside *beside, const unsigned *buffers, int count);

// Buffers, there. 0: no memory.
unsigned silt_beside_buffer(size_t bytes);
void silt_beside_drop(unsigned buffer);
// What lies in one; false: it cannot be read.
bool silt_beside_read(unsigned buffer, size_t bytes, void *out);

#endif
