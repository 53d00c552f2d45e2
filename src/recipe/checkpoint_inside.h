// A checkpoint, as the files that keep runs and look into kept ones see it.
#ifndef SILT_RECIPE_CHECKPOINT_INSIDE_H
#define SILT_RECIPE_CHECKPOINT_INSIDE_H

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "erode/keeper.h"
#include "io/kept.h"
#include "silt/checkpoint.h"

// A part as it will be written: packed already, or when its turn comes.
typedef struct Note {
    char name[SILT_PART_NAME];
    SiltPackPart pack;
    void *context;
    FILE *spool; // the part as it was, in a file without a name; or NULL
    char *text;  // or this
    char *bytes; // or the part as it was, where no file had room for it
    size_t length;
    bool is_missing; // nor had memory
} Note;

enum { SILT_MOST_REASONS = 8 };

struct SiltCheckpoint {
    SiltKeeper keeper; // the first, so that it leads back here
    char path[SILT_PATH_SIZE];
    SiltKeptClaim claim; // of the file it is kept in
    bool writes, automatic;
    bool owns; // the file was not there before, and is not asked for: it goes when the run is done
    double seconds, longest;
    double minutes; // that the run may take, which this model was seen to need
    const char *model;
    int64_t steps;
    double last_time, stage_time; // when it was written, and when the stage began
    int64_t last_steps;
    int count;
    bool is_foreseen; // whether it can be written there
    bool is_kept;     // what the stage, or the level of a pyramid, at hand began with is in the file, or more
    bool goes_on;     // with what the file holds: those parts come again, and nothing was done since
    uint64_t told[SILT_MOST_REASONS]; // why it cannot be written, as sums of the sentences
    int told_count;
    SiltWarningFn failed; // who is told so; NULL: whoever hears warnings
    void *failed_user;
    Note notes[SILT_MOST_PARTS];
    int note_count;
    SiltText inputs;       // with their hashes
    SiltText inputs_later; // those whose hash is taken when the run is first kept

    bool reads;
    SiltKeptReader source;
    bool taken[SILT_MOST_PARTS];
    const SiltKeptPart *reading;
    uint64_t read_bytes;
    char *texts[SILT_MOST_PARTS]; // of the source, as they were asked for
};

// Of a text with a line each.
static inline const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

// A view of the part's bytes; false where there is none, or it has been taken.
bool silt_checkpoint_take(SiltCheckpoint *checkpoint, const char *name, SiltPack *out);
// Takes the hashes of the inputs that wait for it.
void silt_checkpoint_sum_inputs(SiltCheckpoint *checkpoint);

#endif
