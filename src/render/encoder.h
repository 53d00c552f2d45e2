// ffmpeg as a process of its own that takes frames through a pipe.
#ifndef SILT_RENDER_ENCODER_H
#define SILT_RENDER_ENCODER_H

#include <stdio.h>
#include <sys/types.h>

#include "io/output.h"
#include "silt/render.h"

typedef struct SiltEncoder {
    SiltOutput output; // where ffmpeg writes, until the film is whole
    pid_t process;
    int helper;      // by which a signal's handler knows the process, or -1
    int frames;      // the end of the pipe we write to
    FILE *complaint; // what ffmpeg says on its standard error
} SiltEncoder;

// Whether ffmpeg can write films with this ending; the message says which there are.
bool silt_encoder_knows(const char *path);

// Whether there is an ffmpeg and the path can be written, before the first frame is drawn.
SiltStatus silt_encoder_check(const char *path);

// Every frame is a picture of these sides; `is_clear` keeps what is transparent in them, where the form can.
SiltStatus silt_encoder_begin(const char *path, const int sides[2], bool is_clear, double fps,
                              SiltEncoder *out);
SiltStatus silt_encoder_add(SiltEncoder *encoder, const SiltImage *frame);
// Waits until ffmpeg is done. The film appears when all went well, and not otherwise.
SiltStatus silt_encoder_end(SiltEncoder *encoder, SiltStatus status);

#endif
