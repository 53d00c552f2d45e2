// Which files were written: who wants to know them all listens, on the thread that writes or
// whose loops do.
#ifndef SILT_IO_WRITTEN_H
#define SILT_IO_WRITTEN_H

#include "silt/base.h"

typedef struct SiltWritten {
    char **paths; // each once, in the order of their bytes: threads write in any
    int count, capacity;
    bool failed, paused;
    struct SiltWritten *outer;     // who listened before
    struct SiltTogether *together; // whose files wait for each other (io/together.h), or NULL
} SiltWritten;

// From begin to end every file that this thread, or another in a loop of its, puts in its place is
// noted. Listeners end in the other order.
void silt_written_begin(SiltWritten *list);
void silt_written_end(SiltWritten *list);
void silt_written_free(SiltWritten *list);

// One that was written before anybody listened.
void silt_written_add(SiltWritten *list, const char *path);

// By those who write.
void silt_written_note(const char *path);
// Only that there was one: asks for no lock and no memory.
void silt_written_say(void);

// Files between hide and show are nobody's outputs, as what a cache keeps for itself.
SiltWritten *silt_written_hide(void);
void silt_written_show(SiltWritten *hidden);

// Whether one was written that is not hidden, by anybody since the program began.
bool silt_written_any(void);

#endif
