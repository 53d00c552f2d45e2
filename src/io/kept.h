// A file of named parts, each with a checksum, that is there whole at any moment: written beside the old one,
// synced and renamed; the old one stays as NAME~. Numbers are those of a little-endian machine.
//
//   64 bytes   "SILT\r\n\x1a\n", format, 0x01020304, version of Silt (16), length of the file, parts, state,
//              sum; the state is 1 while the run is under way, 2 when it is finished (0: nobody noted it)
//   48 bytes   of each part: name (24), length, sum of the bytes, sum of this head and that of the part
//   before
//              (0: none); the bytes follow, and zeros up to a multiple of 8
#ifndef SILT_IO_KEPT_H
#define SILT_IO_KEPT_H

#include "core/sum.h"
#include "silt/io.h"

enum { SILT_PART_NAME = 24, SILT_MOST_PARTS = 32 };

typedef struct SiltKeptPart {
    char name[SILT_PART_NAME];
    uint64_t bytes, at; // where its bytes begin
    uint64_t sum;
} SiltKeptPart;

// ---- where it lies (kept_place.c) ----

// The file itself, or what a link of that name points to; the one before it; the one that is being written.
enum { SILT_KEPT_FILE, SILT_KEPT_BEFORE, SILT_KEPT_FRESH, SILT_KEPT_NAMES };
typedef struct SiltKeptNames {
    char list[SILT_KEPT_NAMES][SILT_PATH_SIZE + 8];
} SiltKeptNames;
void silt_kept_name(const char *path, SiltKeptNames *out);
// Refuses what is there under one of the names and is no regular file, and beside the file what is no kept
// one.
SiltStatus silt_kept_check(const char *path);
// Whether nothing is there under any of the names.
bool silt_kept_is_free(const char *path);
// Whether one of the names leads to this file.
bool silt_kept_writes(const char *path, const char *file);

// ---- whose it is (kept_claim.c) ----

typedef struct SiltKeptClaim {
    SiltKeptNames names;
    int files[SILT_KEPT_NAMES]; // locked; -1: none
    int slot;                   // of NAME.new among the temporaries that go with the program
    bool has_no_locks;          // nor has the file system
} SiltKeptClaim;

void silt_kept_unclaimed(SiltKeptClaim *out);
// From here to release nobody else keeps a run under the names; asked again, it looks whether they still lead
// to our files. Refuses where somebody does, with the process. A disk that cannot be written to is no reason.
// What a program that was killed left in NAME.new is removed.
SiltStatus silt_kept_claim(const char *path, SiltKeptClaim *claim);
// Of names that are all free: 0, or the error; EEXIST: they are not.
int silt_kept_claim_new(const char *path, SiltKeptClaim *claim);
void silt_kept_release(SiltKeptClaim *claim);
// Removes the file and the one before it, where they are ours.
void silt_kept_remove(SiltKeptClaim *claim);
// The file becomes the one before it, and there is none until the next is written: 0, or the error.
int silt_kept_set_aside(SiltKeptClaim *claim);
// NAME.new, empty, for the file that is to take the place: 0, or the error.
int silt_kept_make_fresh(SiltKeptClaim *claim);
// It will not; where there is no file it keeps the place.
void silt_kept_drop_fresh(SiltKeptClaim *claim);
// It has; the file before `keeps` its place as NAME~.
void silt_kept_moved(SiltKeptClaim *claim, bool keeps);
// Whether the name leads to this open file (-1: none).
bool silt_kept_is_at(int file, const char *name);

// ---- writing ----

typedef struct SiltKeptWriter {
    char path[SILT_PATH_SIZE]; // as the caller named it
    SiltKeptClaim *claim;      // the caller's, or
    SiltKeptClaim own;         // for as long as it is written
    int file;                  // of the claim
    bool is_new;               // takes the place of nothing
    int error;                 // of the first write that failed
    uint64_t at;
    SiltKeptPart parts[SILT_MOST_PARTS];
    int count;
    SiltSum sum;    // of the part at hand
    uint64_t chain; // that of the last head
    char *buffer;
    size_t used;
} SiltKeptWriter;

// Whether a file can be begun, and whether the disk has room for so many bytes: in the words in which writing
// it would fail.
SiltStatus silt_kept_try(const char *path, SiltKeptClaim *claim);
SiltStatus silt_kept_has_room(const char *path, uint64_t bytes);
// After SILT_OK exactly one of commit and abandon follows. `claim` (NULL: it is ours while it is written) is
// that of the path; refused where another run is kept there.
SiltStatus silt_kept_begin(const char *path, SiltKeptClaim *claim, SiltKeptWriter *out);
// The same under a name that is free: `path`, or its like with a number (scene.silt, scene-2.silt);
// writer->path is the one, which the claim takes.
SiltStatus silt_kept_begin_new(const char *path, SiltKeptClaim *claim, SiltKeptWriter *out);
SiltStatus silt_kept_open_part(SiltKeptWriter *writer, const char *name);
SiltStatus silt_kept_write(SiltKeptWriter *writer, const void *bytes, size_t count);
SiltStatus silt_kept_close_part(SiltKeptWriter *writer);
SiltStatus silt_kept_commit(SiltKeptWriter *writer);
void silt_kept_abandon(SiltKeptWriter *writer);

enum { SILT_KEPT_UNKNOWN, SILT_KEPT_UNDER_WAY, SILT_KEPT_FINISHED };
// Notes in the head that the run is finished, where the file is the one that this thread wrote last, or the
// one that `source` (-1: none) has open; else it is somebody else's by now.
void silt_kept_finish(const char *path, int source);

// ---- reading ----

typedef struct SiltKeptReader {
    char path[SILT_PATH_SIZE];
    int file;
    char version[16]; // of Silt
    uint64_t state;
    SiltKeptPart parts[SILT_MOST_PARTS];
    int count;
} SiltKeptReader;

// Reads all of it once and compares every sum. A file that is damaged is refused with SILT_BAD_FILE, in a
// sentence that names the part and, where it is whole, the file before it.
SiltStatus silt_kept_read(const char *path, SiltKeptReader *out);
void silt_kept_close(SiltKeptReader *reader);
const SiltKeptPart *silt_kept_find(const SiltKeptReader *reader, const char *name);
// Bytes of a part from `from` on.
SiltStatus silt_kept_load(const SiltKeptReader *reader, const SiltKeptPart *part, uint64_t from, void *to,
                          size_t count);
// Whether the file begins as such a file does.
bool silt_kept_recognise(const char *path);

#endif
