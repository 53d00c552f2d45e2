// Files that appear whole or not at all: written under a temporary name beside the target, synced, then
// renamed.
#ifndef SILT_IO_OUTPUT_H
#define SILT_IO_OUTPUT_H

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "io/temporary.h"
#include "silt/io.h"

#define SILT_ASIDE ".silt-old" // behind the name of a sidecar that makes room; NAME~ is what editors keep

typedef struct SiltOutput {
    FILE *file;                  // open for writing and reading back; a writer may also use its descriptor
    char path[SILT_PATH_SIZE];   // as the caller named it, for messages
    char target[SILT_PATH_SIZE]; // where it goes: what a link points to
    char temporary[SILT_TEMPORARY_SIZE]; // where it is until then; empty for devices and pipes, written in
                                         // place
    int mark;            // keeps the temporary ours from the end of writing until it has its place; -1 before
    int slot;            // among the temporaries that silt_output_remove_temporaries knows, or -1
    struct SiltSum *sum; // grows by what silt_output_pack writes; NULL: nobody wants it
    struct SiltOutput *sidecar; // a second file that is only right beside this one, or NULL; from silt_alloc
} SiltOutput;

// Whether files that this thread puts in their places may reach the disk when the system likes: a process
// that is killed loses none of them, a power cut may. For many small files of one work, of which
// silt_sync_folder speaks in the end.
void silt_output_lazily(bool lazy);
// Waits until all that was written to the file system of this folder is on its disk.
void silt_sync_folder(const char *folder);

// After SILT_OK exactly one of commit and abandon must follow.
SiltStatus silt_output_begin(const char *path, SiltOutput *out);
// The same for a little that is only to be abandoned: nothing of it goes to who reads a pipe or a device.
SiltStatus silt_output_try(const char *path, SiltOutput *out);
// Flushes, syncs and renames; on failure the temporary is removed and the old file is untouched. With a
// sidecar both are on the disk under their temporary names before the first of four steps: the old sidecar
// is set aside as SIDECAR.silt-old, the file comes, its sidecar comes, the one aside goes. Whatever breaks in
// between, no file stands beside the sidecar of another, and none is lost. Within a work whose files come
// together (io/together.h) they wait for its end.
SiltStatus silt_output_commit(SiltOutput *output);
void silt_output_abandon(SiltOutput *output);
// commit when `status` is SILT_OK, else abandon and hand the status back.
SiltStatus silt_output_end(SiltOutput *output, SiltStatus status);

// Begins a second file that is committed or abandoned with `output`.
SiltStatus silt_output_add_sidecar(SiltOutput *output, const char *path);

// Writes `count` items in order: pack(context, begin, end, to) writes some of them to memory, at most `limit`
// bytes an item, and returns how many bytes these were. Blocks are packed in parallel.
typedef size_t (*SiltPackFn)(const void *context, size_t begin, size_t end, char *to);
SiltStatus silt_output_pack(SiltOutput *output, size_t count, size_t limit, SiltPackFn pack,
                            const void *context);

// SILT_OK unless a write to output->file has failed so far.
SiltStatus silt_output_status(const SiltOutput *output);

// The whole file in memory (a zero byte follows the last one); the caller frees it. Refuses more than `limit`
// bytes.
SiltStatus silt_read_file(const char *path, size_t limit, char **out, size_t *bytes);

// The steps of a commit, inside the gate of io/temporary.h; `sidecar` may be NULL. 0, or the error and the
// path of the file that met it.
typedef struct SiltMove {
    const char *path, *from, *to; // as the caller named it; its temporary, "" where it has none; its target
} SiltMove;
int silt_move_pair(const SiltMove *file, const SiltMove *sidecar, const char **failed);

// Says so, with what the system says of this error.
SiltStatus silt_cannot_write(const char *path, int error);

// Fails where this is a file that silt_inputs_hold was told of.
SiltStatus silt_input_spare(const char *path);
// Whether it is one of these.
bool silt_input_is_held(const struct stat *info);

// Where a path that need not exist yet leads, links followed; false where it climbs out of what is not there.
bool silt_path_resolve(const char *path, char out[PATH_MAX]);

// Opens for reading and says in the message why it cannot: missing, a directory, no permission.
SiltStatus silt_open_input(const char *path, FILE **out);

// How long an open file is; INT64_MAX for what has no length, such as a pipe.
int64_t silt_input_bytes(FILE *file);

// Bytes from the current place of a file to its end; UINT64_MAX where nobody knows (pipes).
uint64_t silt_input_left(FILE *file);

#endif
