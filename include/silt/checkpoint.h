// silt/checkpoint.h — runs that are kept on the way, in one file, and gone on with to the same bytes.
//
//     SiltCheckpoint *kept;
//     silt_checkpoint_create(&kept);
//     silt_checkpoint_write_to(kept, "alps.silt", 300.0, 0);
//     silt_checkpoint_attach(kept, &run);
//     silt_erode_as(model, terrain, params, &options, &run, &report); // writes alps.silt every five minutes
//     silt_checkpoint_destroy(kept);
//
// and after whatever has happened, on any number of threads and on any device:
//
//     silt_checkpoint_open("alps.silt", &kept);
//     silt_checkpoint_terrain(kept, &terrain);
//     silt_checkpoint_attach(kept, &run);
//     silt_erode_as(model, terrain, params, &options, &run, &report); // goes on, and ends as it would have
#ifndef SILT_CHECKPOINT_H
#define SILT_CHECKPOINT_H

#include "silt/erode.h"
#include "silt/record.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltCheckpoint SiltCheckpoint;

// One that writes nothing yet and goes on from nothing.
SILT_API SiltStatus silt_checkpoint_create(SiltCheckpoint **out);
// One that runs go on from. Every part is compared with its checksum; a file that is damaged or of another
// version is refused, and the file before it (PATH~) is named where it is whole.
SILT_API SiltStatus silt_checkpoint_open(const char *path, SiltCheckpoint **out);
SILT_API void silt_checkpoint_destroy(SiltCheckpoint *checkpoint);

// Runs are kept there, after the first step that ends so many seconds after the last time, or so many steps
// (0: by seconds). The file before stays as PATH~. Of a link it is the file it points to; what is there, also
// as PATH~ or PATH.new, and is no regular file is refused. A disk that is full does not stop the run: a
// warning says so, and it is tried again. Until the checkpoint is destroyed no other run is kept there, of
// this program or another: that one is refused with SILT_IO_ERROR, as is one that goes on from what another
// has gone on with since it was read.
SILT_API SiltStatus silt_checkpoint_write_to(SiltCheckpoint *checkpoint, const char *path, double seconds,
                                             int64_t steps);
// Only where a stage turns out to take longer than so many seconds, under that name or its like with a number
// (scene-2.silt), so that nothing that is there is touched; a warning then says so.
SILT_API SiltStatus silt_checkpoint_write_if_long(SiltCheckpoint *checkpoint, const char *path,
                                                  double longest, double seconds);
// Who is told when it cannot be written, in place of whoever hears warnings: for programs that are told to be
// quiet and must not lose work so. NULL: as warnings are.
SILT_API void silt_checkpoint_tell_failure(SiltCheckpoint *checkpoint, SiltWarningFn handler, void *user);
// How many times it has been written; and the path, or "".
SILT_API int silt_checkpoint_count(const SiltCheckpoint *checkpoint);
SILT_API const char *silt_checkpoint_path(const SiltCheckpoint *checkpoint);
// Whether keeping a run there, or going on with it there, takes the place of this file: PATH, PATH~,
// PATH.new.
SILT_API bool silt_checkpoint_writes(const char *path, const char *file);
// Whether it is written only because the run turned out to be long; also one that is gone on with in its
// file.
SILT_API bool silt_checkpoint_is_automatic(const SiltCheckpoint *checkpoint);
// The run is over: removes the files.
SILT_API void silt_checkpoint_discard(SiltCheckpoint *checkpoint);

// The run is over, and what it made is where it should be: notes so in the file, which stays.
SILT_API void silt_checkpoint_finish(SiltCheckpoint *checkpoint);
// What a new run would replace: "a run of pipes that is not finished (400 of 20000 steps)" into `what`, which
// the caller frees; NULL: it is finished. Files of other versions too. Fails where there is none to be read.
SILT_API SiltStatus silt_checkpoint_unfinished(const char *path, char **what);
// The run begins anew in a file that holds another: that becomes FILE~ now, and is not taken for this one
// until there is a checkpoint. Not for a run that goes on with what the file holds.
SILT_API SiltStatus silt_checkpoint_set_aside(SiltCheckpoint *checkpoint);

// The run, recipe or stage that gets this SiltRun is kept, and goes on where the file left it.
SILT_API void silt_checkpoint_attach(SiltCheckpoint *checkpoint, SiltRun *run);

// ---- what is in it ----

// Texts for whoever goes on: "command" (words, each ended by a line feed; \n and \\ in one are a line feed
// and a backslash), "folder" (where that was given, as an absolute path), "recipe" (its text). Lengths are
// taken up to the zero byte; NULL: there is none.
SILT_API SiltStatus silt_checkpoint_set_text(SiltCheckpoint *checkpoint, const char *name, const char *text);
SILT_API const char *silt_checkpoint_text(const SiltCheckpoint *checkpoint, const char *name);
// A file that the run reads, by the hash of what is in it.
SILT_API SiltStatus silt_checkpoint_add_input(SiltCheckpoint *checkpoint, const char *path);
// The input of that name has other bytes than it had; one that is gone has not. NULL: none; else its path.
SILT_API const char *silt_checkpoint_changed_input(const SiltCheckpoint *checkpoint);
// Whether this one of them has.
SILT_API bool silt_checkpoint_has_changed(const SiltCheckpoint *checkpoint, const char *path);
// What the run that is gone on with has read by that name, whatever lies there now: its SHA-256, and how long
// it was. False: it did not note it.
SILT_API bool silt_checkpoint_input(const SiltCheckpoint *checkpoint, const char *path,
                                    char hash[SILT_HASH_SIZE], uint64_t *bytes);

// Of a recipe, the stage at hand, which goes on from the terrain that is kept; -1: nobody knows.
SILT_API int silt_checkpoint_stage(SiltCheckpoint *checkpoint);
// The terrain that the stage at hand began with. The caller destroys it.
SILT_API SiltStatus silt_checkpoint_terrain(SiltCheckpoint *checkpoint, SiltTerrain **out);
// The terrain as far as the run had come, all its layers up to date. The caller destroys it. Nothing can be
// gone on with afterwards.
SILT_API SiltStatus silt_checkpoint_show(SiltCheckpoint *checkpoint, SiltTerrain **out);

// What a person wants to know of it: version, stage, steps, parts with their bytes. The caller frees it.
SILT_API char *silt_checkpoint_about(const SiltCheckpoint *checkpoint);
// The same for programs: a JSON object (docs/formats.md). The caller frees it; NULL: memory ran out.
SILT_API char *silt_checkpoint_json(SiltCheckpoint *checkpoint);

// Whether the file begins as checkpoints do.
SILT_API bool silt_path_is_checkpoint(const char *path);

#ifdef __cplusplus
}
#endif
#endif
