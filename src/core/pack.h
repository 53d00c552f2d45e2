// State into a block of memory and back. One function says what there is, in order; it serves to measure, to
// write and to read, so the three cannot differ.
#ifndef SILT_CORE_PACK_H
#define SILT_CORE_PACK_H

#include "silt/base.h"

typedef struct SiltPack {
    char *block;     // NULL: only measures
    size_t at, size; // bytes so far; of the block
    bool reads;      // the block is the source
    SiltStatus status;
    // In place of a block: takes bytes on their way out, or brings them in, one after the other.
    SiltStatus (*flow)(void *user, void *bytes, size_t count);
    void *user;
} SiltPack;

// A value or an array of `bytes`. Does nothing after a failure, or (SILT_BAD_ARGUMENT) at the end of a block
// that is too short.
void silt_pack(SiltPack *pack, void *value, size_t bytes);
// A number that must be what it is: sizes and names of what the block belongs to. When reading, false (and
// SILT_BAD_ARGUMENT) where it is another.
bool silt_pack_same(SiltPack *pack, uint64_t value);
// A yes or no. When reading, SILT_BAD_ARGUMENT where it is neither.
void silt_pack_flag(SiltPack *pack, bool *flag);
// Up to `room` elements of `size` bytes and how many there are.
void silt_pack_array(SiltPack *pack, void *elements, size_t size, int64_t *count, int64_t room);
// An array that may have any length: when reading, the old one is given back and a new one made.
void silt_pack_owned(SiltPack *pack, void **elements, size_t size, int64_t *count);

#define SILT_PACK(pack, value) silt_pack(pack, &(value), sizeof(value))

#endif
