// silt/record.h — what a report says beside what was done, so that it can be done again: version, command,
// recipe, seeds, threads, machine, the hash of every file that was read and written, drainage before and
// after.
//
//     SiltRecord *record;
//     silt_record_read("report.json", &record);
//     for (int k = 0; k < record->output_count; k++)
//         compare(&record->outputs[k]);
//     silt_record_destroy(record);
#ifndef SILT_RECORD_H
#define SILT_RECORD_H

#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SILT_HASH_SIZE 65 // 64 digits of SHA-256 and the closing zero

// SHA-256 of a file, as `sha256sum` prints it, and how long it is.
SILT_API SiltStatus silt_file_hash(const char *path, char hash[SILT_HASH_SIZE], uint64_t *bytes);

// Whether this process has put any file in its place, or found that an earlier one did and it is still so; a
// signal handler may ask.
SILT_API bool silt_any_written(void);

// ---- recording ----

// Given to a run (SiltRun.recorder). While it is there it notes every file that its thread
// writes, or others in loops of its.
typedef struct SiltRecorder SiltRecorder;
SILT_API SiltStatus silt_recorder_create(SiltRecorder **out);
SILT_API void silt_recorder_destroy(SiltRecorder *recorder);
// How the run was asked for: "erode" and the words behind it.
SILT_API SiltStatus silt_recorder_command(SiltRecorder *recorder, const char *command, int count,
                                          char *const *words);
// The device it runs on; "cpu" without a call.
SILT_API void silt_recorder_device(SiltRecorder *recorder, const char *name);
// Files that are read; one that is not there is not noted.
SILT_API SiltStatus silt_recorder_input(SiltRecorder *recorder, const char *path);
// One that an earlier session of the run has read, as it was then: what is there now by that name is not
// noted any more.
SILT_API SiltStatus silt_recorder_input_was(SiltRecorder *recorder, const char *path,
                                            const char hash[SILT_HASH_SIZE], uint64_t bytes);
// One that an earlier session of the run has written.
SILT_API void silt_recorder_output(SiltRecorder *recorder, const char *path);
// The drainage of the ground before the first stage and, with every later call, after the last.
SILT_API void silt_recorder_measure(SiltRecorder *recorder, const SiltTerrain *terrain);
// What was measured before, as JSON ("": nothing was); and to be told so where the stages before are not
// done.
SILT_API const char *silt_recorder_before(const SiltRecorder *recorder);
SILT_API void silt_recorder_set_before(SiltRecorder *recorder, const char *json);
// Reports are no results: what is written between two calls is not noted.
SILT_API void silt_recorder_pause(SiltRecorder *recorder, bool paused);
// "version": ... to "drainage": {...}, the members of an object without its braces; the caller frees it. The
// files that were written are read and hashed here.
SILT_API char *silt_recorder_json(SiltRecorder *recorder, const char *recipe, const uint64_t *seeds,
                                  int seed_count);

// ---- reading ----

typedef struct SiltRecordFile {
    char *path;
    double bytes;
    char hash[SILT_HASH_SIZE];
} SiltRecordFile;

typedef struct SiltRecord {
    char *version;
    char **words; // the command and what followed it
    int word_count;
    char *recipe; // its text, or NULL
    SiltRecordFile *inputs, *outputs;
    int input_count, output_count;
    char *drainage; // as the report has it, or NULL
    bool cancelled;
} SiltRecord;

// Refuses what is no report, or one that does not say how to do it again.
SILT_API SiltStatus silt_record_read(const char *path, SiltRecord **out);
SILT_API void silt_record_destroy(SiltRecord *record);

// Where an output goes when all of them go below `folder`: "out/a.tif" to "folder/out/a.tif". Roots and ".."
// do not lead out of it.
SILT_API SiltStatus silt_path_below(const char *folder, const char *path, char out[SILT_PATH_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
