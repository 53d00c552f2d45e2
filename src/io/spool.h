// Pipes read as files: readers look at the first bytes, go back and forth, and open a file more than once.
#ifndef SILT_IO_SPOOL_H
#define SILT_IO_SPOOL_H

#include <stdio.h>
#include <sys/stat.h>

// What comes out of the pipe `path`, from its beginning, each time it is opened: the first time it is copied
// into a file without a name. NULL, with errno, when that cannot be.
FILE *silt_spool_open(const char *path, const struct stat *info);

#endif
