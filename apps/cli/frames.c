// --frames DIR: the terrain as it grows, a file a frame, and statistics.csv beside them.
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "silt/drainage.h"

enum { FRAMES = 50 }; // where --every does not say how many

// ---- statistics.csv ----

// When the frame that comes next was taken: by the run itself, for frames come after whole steps.
static void on_when(void *user, int64_t steps, double time, const char *clock)
{
    Watch *watch = user;
    watch->steps = steps;
    watch->time = time;
    snprintf(watch->clock, sizeof watch->clock, "%.30s", clock);
}

// Units in the names of columns; a model without a clock has steps alone.
static void begin_statistics(Watch *watch)
{
    SiltStatistic item;
    silt_text_addf(&watch->table, "frame,step%s%s,height_min_m,height_max_m,height_mean_m",
                   watch->clock[0] ? ",time_" : "", watch->clock);
    for (int k = 0; silt_drainage_statistic_at(k, NULL, &item); k++)
        silt_text_addf(&watch->table, ",%s%s%s", item.name, item.unit[0] ? "_" : "",
                       strcmp(item.unit, "1/km") == 0 ? "per_km" : item.unit);
    silt_text_add(&watch->table, "\n");
}

static void add_cell(SiltText *text, double value)
{
    silt_text_add(text, ",");
    if (isfinite(value))
        silt_text_add_number(text, value);
}

// The whole table after each frame: a run that is killed leaves what it had. What keeps the run keeps it too,
// so that it is as long as the frames are many when that is gone on with.
static SiltStatus write_statistics(const Watch *watch)
{
    char path[SILT_PATH_SIZE + 32];
    if (watch->table.failed)
        return silt_fail(SILT_NO_MEMORY, "not enough memory for statistics");
    snprintf(path, sizeof path, "%s/statistics.csv", watch->frames);
    SiltStatus status = silt_write_file(path, watch->table.data, watch->table.length);
    return status == SILT_OK && watch->checkpoint
               ? silt_checkpoint_set_text(watch->checkpoint, "statistics", watch->table.data)
               : status;
}

SiltStatus frames_keep(Watch *watch, SiltCheckpoint *checkpoint)
{
    const char *before = watch->measures ? silt_checkpoint_text(checkpoint, "statistics") : NULL;
    watch->checkpoint = checkpoint;
    if (!before)
        return SILT_OK;
    silt_text_add(&watch->table, before);
    return write_statistics(watch);
}

static SiltStatus add_statistics(Watch *watch, const SiltTerrain *terrain, int index)
{
    SiltTerrain *ground;
    SiltDrainageStatistics drainage;
    SiltFieldStatistics heights;
    SiltStatistic item;
    SiltStatus status = silt_terrain_clone(terrain, &ground);
    if (status != SILT_OK)
        return status;
    silt_terrain_settle(ground);
    status = silt_drainage_statistics(ground, &drainage);
    silt_field_statistics(silt_terrain_layer(ground, "height"), ground->nodata, &heights);
    silt_terrain_destroy(ground);
    if (status != SILT_OK)
        return status;
    if (watch->table.length == 0 && index > 0)
        silt_warn("%s/statistics.csv: it begins with frame %d: the rows before were not kept with the run",
                  watch->frames, index);
    if (watch->table.length == 0)
        begin_statistics(watch);
    silt_text_addf(&watch->table, "%d,%lld", index, (long long)watch->steps);
    if (watch->clock[0])
        add_cell(&watch->table, watch->time);
    add_cell(&watch->table, heights.minimum);
    add_cell(&watch->table, heights.maximum);
    add_cell(&watch->table, heights.mean);
    for (int k = 0; silt_drainage_statistic_at(k, &drainage, &item); k++)
        add_cell(&watch->table, item.value);
    silt_text_add(&watch->table, "\n");
    return write_statistics(watch);
}

// ---- frames ----

// TIFF, which keeps a terrain's layers; heights as text, where this build has none.
static const char *terrain_ending(void)
{
    for (int k = 0; k < silt_format_count(); k++)
        if (strncmp(silt_format_at(k).endings, "tif", 3) == 0)
            return silt_format_at(k).writes ? "tif" : "asc";
    return "asc";
}

// What of a frame's files tells that Silt wrote it: not the name alone.
typedef struct FrameKind {
    const char *form; // of the name, with the frame's number
    const char *mark; // somewhere in the file
} FrameKind;

static const FrameKind kinds[] = {
    {"%s/%05d.tif", "SILT_LAYER"},
    {"%s/%05d.siltvol", "SILTVOL"},
    {"%s/particles_%05d.ply", "comment silt spacing"},
    {"%s/particles_%05d.vtp", "Name=\"spacing\""},
};
enum { TERRAIN, VOLUME, PLY, VTP, KINDS };

// What an earlier session of the run made of a frame is its output too. False: there is none.
static bool note_earlier(const Watch *watch, int index)
{
    char path[SILT_PATH_SIZE + 48];
    struct stat info;
    bool is_there = false;
    for (int kind = -1; kind < KINDS; kind++) {
        if (kind < 0)
            snprintf(path, sizeof path, "%s/%05d.%s", watch->frames, index, terrain_ending());
        else
            snprintf(path, sizeof path, kinds[kind].form, watch->frames, index);
        if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        is_there = is_there || kind < 0;
        if (watch->has_earlier && watch->run.recorder)
            silt_recorder_output(watch->run.recorder, path);
    }
    return is_there;
}

// Before the first frame of a run that was gone on with: those before it, whose film has no hole where all of
// them lie there.
static void look_back(const Watch *watch, int index)
{
    int missing = 0;
    for (int k = 0; k < index; k++)
        missing += !note_earlier(watch, k);
    if (missing == index)
        silt_warn("--frames %s: it begins with frame %d: those before were not written there", watch->frames,
                  index);
    else if (missing > 0)
        silt_warn("--frames %s: %d of the %d frames before frame %d are not there", watch->frames, missing,
                  index, index);
}

static SiltStatus on_frame(void *user, const SiltTerrain *terrain, int index)
{
    Watch *watch = user;
    if (watch->goes_on && watch->frame_count == 0 && index > 0)
        look_back(watch, index);
    watch->frame_count = index + 1; // those before a checkpoint too
    char path[SILT_PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/%05d.%s", watch->frames, index, terrain_ending());
    SiltStatus status = silt_terrain_write(terrain, path, NULL);
    if (status == SILT_OK && watch->measures)
        status = add_statistics(watch, terrain, index);
    if (status != SILT_OK || !terrain->volume)
        return status;
    watch->makes_volumes = true;
    snprintf(path, sizeof path, "%s/%05d.siltvol", watch->frames, index);
    return silt_terrain_write(terrain, path, NULL);
}

static SiltStatus on_particles(void *user, const SiltParticles *particles, int index)
{
    static const char *const endings[] = {"ply", "vtp"};
    Watch *watch = user;
    watch->makes_particles = true;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < 2 && status == SILT_OK; k++) {
        char path[SILT_PATH_SIZE + 48];
        snprintf(path, sizeof path, "%s/particles_%05d.%s", watch->frames, index, endings[k]);
        status = silt_particles_write(particles, path);
    }
    return status;
}

// Whether a name is one that on_frame or on_particles gives.
bool is_frame_name(const char *name)
{
    static const char *const endings[] = {".tif", ".asc", ".siltvol", ".ply", ".vtp"};
    const char *number = strncmp(name, "particles_", 10) == 0 ? name + 10 : name;
    size_t digits = strspn(number, "0123456789");
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++)
        if (digits >= 5 && strcmp(number + digits, endings[k]) == 0)
            return true;
    return false;
}

// ---- frames of an earlier run ----

static bool holds(const char *path, const char *mark)
{
    FILE *file = fopen(path, "rb");
    size_t length = strlen(mark), kept = 0;
    char block[1 << 14];
    bool is_there = false;
    for (size_t got; file && !is_there && (got = fread(block + kept, 1, sizeof block - kept, file)) > 0;) {
        size_t filled = kept + got;
        for (size_t k = 0; k + length <= filled && !is_there; k++)
            is_there = block[k] == mark[0] && memcmp(block + k, mark, length) == 0;
        kept = filled < length - 1 ? filled : length - 1;
        memmove(block, block + filled - kept, kept);
    }
    if (file)
        fclose(file);
    return is_there;
}

static bool is_ours(const char *path, const char *mark)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) && holds(path, mark);
}

// Who opens all files of a folder would take two runs for one. Frames that follow, without a gap, on the last
// of this run and that Silt wrote are those of a longer one; all others stay.
static int remove_older(const Watch *watch)
{
    int removed = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        bool made = kind == TERRAIN || (kind == VOLUME ? watch->makes_volumes : watch->makes_particles);
        for (int index = made ? watch->frame_count : 0;; index++) {
            char path[SILT_PATH_SIZE + 48];
            snprintf(path, sizeof path, kinds[kind].form, watch->frames, index);
            if (!is_ours(path, kinds[kind].mark) || unlink(path) != 0)
                break;
            removed++;
        }
    }
    return removed;
}

void frames_clear(const Arguments *arguments, const Watch *watch, SiltStatus status)
{
    bool is_over = status == SILT_OK || status == SILT_CANCELLED;
    // of a run that was kept, and came to no frame since, nobody knows how many there were
    if (!watch->frames || !is_over || (arguments->kept && watch->frame_count == 0))
        return;
    int removed = remove_older(watch);
    if (removed > 0)
        silt_warn(
            "--frames %s: %d file%s of an earlier run's frames, which this run does not make, %s removed",
            watch->frames, removed, removed == 1 ? "" : "s", removed == 1 ? "was" : "were");
}

// ---- the whole ----

// Whether an earlier session of the run made its frames in this folder.
static bool was_begun_there(const Arguments *arguments)
{
    for (int k = 0; k < arguments->kept_count; k++) {
        const char *word = arguments->given_words[k];
        if (strcmp(word + (strncmp(word, "--frames=", 9) == 0 ? 9 : 0), arguments->frames) == 0)
            return true;
    }
    return false;
}

bool frames_begin(const Arguments *arguments, Watch *out)
{
    if (!arguments->frames)
        return true;
    char folder[SILT_PATH_SIZE + 1];
    snprintf(folder, sizeof folder, "%s/", arguments->frames);
    if (silt_make_folders(folder) != SILT_OK) {
        complain("%s", silt_message());
        return false;
    }
    out->frames = arguments->frames;
    out->measures = arguments->statistics;
    out->goes_on = arguments->kept != NULL;
    out->has_earlier = arguments->kept && was_begun_there(arguments);
    out->run.frame = on_frame;
    out->run.when = on_when;
    out->run.frame_interval = arguments->every > 0.0 ? arguments->every : 0.0;
    out->run.frames = FRAMES;
    out->run.particles = on_particles;
    return true;
}

// Frames are the land after whole steps: where they are asked for more often, there is one a step.
static void tell_of_fewer(const Watch *watch, bool timed)
{
    double last = timed ? watch->time : (double)watch->steps, every = watch->run.frame_interval;
    double wanted = every > 0.0 ? floor(last / every * (1.0 + 1e-12)) : watch->run.frames;
    if (watch->frame_count < wanted)
        say("%s: %d frames, and not %.0f: a frame is the land after a step, and there were %lld\n",
            watch->frames, watch->frame_count, wanted, (long long)watch->steps);
}

void frames_end(const Arguments *arguments, const Watch *watch, SiltStatus status)
{
    frames_clear(arguments, watch, status);
    for (int k = 0; watch->frames && watch->has_earlier && watch->frame_count == 0 && note_earlier(watch, k);)
        k++; // it had come behind its last frame
    if (status != SILT_OK || !watch->frames)
        return;
    if (watch->frame_count == 0)
        silt_warn("--frames %s: the run was over before the first frame; %s", watch->frames,
                  watch->run.frame_interval > 0.0 ? "take a smaller --every" : "nothing in it makes frames");
    else if (!arguments->quiet && !arguments->json && !(arguments->erode.pyramid > 0))
        tell_of_fewer(watch, arguments->time_text != NULL);
}
