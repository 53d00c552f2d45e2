// Which files were written: who wants to know them all listens, on the thread that writes.
#ifndef SILT_IO_WRITTEN_H
#define SILT_IO_WRITTEN_H

#include "silt/base.h"

typedef struct SiltWritten {
    char **paths; // each once, in the order they came
    int count, capacity;
    bool failed, paused;
    struct SiltWritten *outer; // who listened before
} SiltWritten;

// From begin to end every file that this thread puts in its place is noted. Listeners end in the other order.
void silt_written_begin(SiltWritten *list);
void silt_written_end(SiltWritten *list);
void silt_written_free(SiltWritten *list);

// By those who write.
void silt_written_note(const char *path);

#endif
