// ZIP archives, as far as 3MF needs them: entries found by name, and a few written one after the other.
#ifndef SILT_IO_ZIP_H
#define SILT_IO_ZIP_H

#include "io/output.h"

// The entry of that name in an archive in memory, unpacked, with a zero byte behind it; the caller frees it.
// An entry whose name ends so counts where `ending` is true.
SiltStatus silt_zip_find(const char *path, const char *data, size_t bytes, const char *name, bool ending,
                         char **out, size_t *length);

typedef struct SiltZipEntry {
    const char *name;
    uint32_t crc, bytes, offset;
} SiltZipEntry;

// Entries are stored as they are. Begin, write with silt_zip_put, end; silt_zip_finish writes the list of
// all.
void silt_zip_begin(SiltOutput *output, const char *name, SiltZipEntry *entry);
void silt_zip_put(SiltOutput *output, const char *data, size_t bytes, SiltZipEntry *entry);
SiltStatus silt_zip_end(SiltOutput *output, SiltZipEntry *entry);
SiltStatus silt_zip_finish(SiltOutput *output, const SiltZipEntry *entries, int count);

#endif
