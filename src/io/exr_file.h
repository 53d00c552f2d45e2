// OpenEXR's C core over a descriptor of our own, with our memory and its errors as sentences.
#ifndef SILT_IO_EXR_FILE_H
#define SILT_IO_EXR_FILE_H

#include "silt/base.h"

#ifdef SILT_HAS_EXR

#include <openexr.h>
#include <pthread.h>
#include <stdio.h>

typedef struct SiltExr {
    exr_context_t context;
    const char *path;
    int descriptor; // not closed by silt_exr_close
    bool writing;
    int64_t bytes; // of a file that is read
    // chunks are read on many threads, and any of them may complain
    pthread_mutex_t lock;
    int error;        // errno of the read or write that failed
    char reason[200]; // the library's own words for its first complaint
} SiltExr;

// After SILT_OK silt_exr_close must follow.
SiltStatus silt_exr_open_read(const char *path, FILE *file, SiltExr *out);
SiltStatus silt_exr_open_write(const char *path, FILE *file, SiltExr *out);
// Writes what is still to be written; the status given comes back unless that fails.
SiltStatus silt_exr_close(SiltExr *file, SiltStatus status);

// Ends a piece of work on the calling thread, whatever thread that is: keeps what OpenEXR said and gives
// `result` back, or EXR_ERR_OUT_OF_MEMORY when an allocation failed though OpenEXR calls it a success.
exr_result_t silt_exr_settle(SiltExr *file, exr_result_t result);
// The same on the thread that opened the file, and silt_fail when it is an error.
SiltStatus silt_exr_check(SiltExr *file, exr_result_t result);

#endif
#endif
