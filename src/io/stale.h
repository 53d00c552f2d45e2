// Temporaries of runs that were killed: the next one that writes into a folder removes them.
#ifndef SILT_IO_STALE_H
#define SILT_IO_STALE_H

#include <stdbool.h>

#define SILT_TEMPORARY ".silt-XXXXXX" // behind the name of the file it will be

// Marks an open temporary as being written, for as long as it or a copy of its descriptor is open. False
// where another run found it before it was marked, and removed it: make another.
bool silt_stale_mark(int descriptor);
// A lock on a folder: as long as it is open nobody removes temporaries in it, marked or not; -1: none can be
// had.
int silt_stale_keep(const char *folder);
// Removes temporaries in the folder of `path` that nobody writes any more; once for each folder.
void silt_stale_remove(const char *path);

#endif
