// Files of one work that come together or not at all: each is written whole under its temporary name, and the
// last of them brings all to their places.
//
//     SiltTogether *together;
//     SiltStatus status = silt_together_begin("out/tiles.json", &together);
//     if (status == SILT_OK)
//         status = silt_together_end(together, write_them(...));
#ifndef SILT_IO_TOGETHER_H
#define SILT_IO_TOGETHER_H

#include <stdatomic.h>

#include "io/output.h"
#include "io/written.h"

typedef struct SiltHeld SiltHeld;
typedef struct SiltTogether {
    SiltWritten listener;     // by which threads that write for this one find it
    _Atomic(SiltHeld *) held; // the last one first
    char sign[SILT_PATH_SIZE], folder[SILT_PATH_SIZE];
    int lock;  // on the folder: nobody takes what lies there for abandoned; -1: none
    int place; // among those that silt_output_remove_temporaries knows, or -1
} SiltTogether;

// From now on files that this thread, or another in a loop of its, commits wait for the end. `sign` is the
// one that says that the others are all there: it is removed before the first of them comes, and committed
// last.
SiltStatus silt_together_begin(const char *sign, SiltTogether **out);
// Brings all that wait to their places, in their order, and notes them as written; where the status is not
// SILT_OK, removes them: then all is as it was. Hands the status on, and frees `together`.
SiltStatus silt_together_end(SiltTogether *together, SiltStatus status);

// The work that files of this thread belong to, or NULL.
SiltTogether *silt_together(void);
// Takes over a file whose writing is finished: its temporary, and that of its sidecar.
SiltStatus silt_together_hold(SiltTogether *together, SiltOutput *output);

// Removes all temporaries that wait anywhere; only where the gate of io/temporary.h is closed for good.
void silt_together_remove_all(void);

#endif
