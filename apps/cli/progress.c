// A bar with rate and time left on a terminal, nothing in a pipe; Ctrl-C once stops cleanly, again at once.
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "silt/drainage.h"
#include "silt/record.h"

// any thread may be the one that takes the signal
static atomic_bool watching, worth, waiting;
static atomic_int interrupted;   // the signal that came first
static atomic_long first_second; // when it came
static void (*on_leave)(void);   // set before anything can be left

void watch_on_leave(void (*act)(void))
{
    on_leave = act;
}

// Ends the program here and now, by a signal handler's means.
static _Noreturn void leave(int number, const char *why)
{
    silt_output_remove_temporaries();
    if (on_leave)
        on_leave();
    answer_stopped(why);
    const char *const parts[] = {"\nsilt: ", why, "\n"};
    for (int k = 0; k < 3 && why[0]; k++)
        if (write(STDERR_FILENO, parts[k], strlen(parts[k])) < 0) // nobody is there to hear it
            break;
    _exit(128 + number);
}

// The first Ctrl-C of a run that has done something is a wish, granted at the next step. Where there is
// nothing to keep yet, or when a second one follows a moment later, the program ends here. (Programs that run
// others may send one signal twice at once: that is still the first.)
static void on_interrupt(int number)
{
    int error = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!watching)
        leave(number, "");
    if (waiting)
        leave(number, silt_any_written() ? "stopped between two runs; what the runs before wrote is there"
                                         : "stopped between two runs; nothing was written");
    if (!worth && !interrupted)
        leave(number, silt_any_written()
                          ? "stopped; the files that were finished before are there and whole, the one that "
                            "was in work is not written"
                          : "stopped; nothing had been done that is worth keeping, and nothing was written");
    if (!interrupted) {
        first_second = now.tv_sec;
        interrupted = number;
    } else if (now.tv_sec > first_second + 1) {
        leave(number, "ended at once; files that were complete are whole");
    }
    errno = error;
}

void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // the terminal was closed; under nohup nobody minds
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

int exit_of_stop(void)
{
    return interrupted ? 128 + interrupted : EXIT_CANCELLED;
}

bool was_interrupted(void)
{
    return interrupted != 0;
}

void watch_keep(bool is_worth)
{
    worth = is_worth;
}

void watch_wait(bool is_waiting)
{
    waiting = is_waiting;
}

static void show_bar(const Watch *watch, double now, double done, double total, const char *unit)
{
    enum { WIDTH = 24 };
    double fraction = watch->part;
    char bar[WIDTH + 1];
    memset(bar, ' ', WIDTH);
    memset(bar, '#', (size_t)(fraction * WIDTH));
    bar[WIDTH] = '\0';
    double passed = now - watch->started, rate = passed > 0.0 ? done / passed : 0.0;
    double left = rate > 0.0 ? (total - done) / rate : 0.0;
    left = left > 0.0 && left < 3.6e9 ? left : 3.6e9; // a million hours
    long long seconds = (long long)left;
    fprintf(stderr, "\r%-14.40s [%s] %3.0f %%  %.4g %s/s  %lld:%02d left \033[K", watch->stage, bar,
            100.0 * fraction, rate, unit, seconds / 60, (int)(seconds % 60));
    fflush(stderr);
}

// How much of the whole is done: "stage 2/4 thermal" begins where a quarter is. What a stage says of itself
// may fall back, as a pyramid's levels do; the bar does not.
static void follow_part(Watch *watch, const char *stage, double done, double total)
{
    int index = 1, count = 1;
    double part = total > 0.0 ? done / total : 0.0;
    part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    if (strncmp(stage, "terrain ", 8) == 0)
        part = 0.0;
    else if (sscanf(stage, "stage %d/%d", &index, &count) == 2 && count > 0)
        part = (index - 1 + part) / count;
    else if (strcmp(stage, "writing") == 0 || strcmp(stage, "drawing") == 0)
        part = 1.0;
    watch->part = part > watch->part ? part : watch->part;
}

static void tell_stage(const Watch *watch, double now)
{
    if (watch->tells && watch->stage[0])
        fprintf(stderr, "%s%s: %.2f s\n", watch->bar ? "\r\033[K" : "", watch->stage, now - watch->started);
}

// Steps of a model are worth keeping; what a generator makes is made again, and pictures are drawn last.
static bool is_wearing(const Watch *watch, const char *stage)
{
    const char *name = strrchr(stage, ' ');
    if (!watch->wears)
        return false;
    for (int k = 0; k < silt_model_count(); k++)
        if (strcmp(silt_model_name(silt_model_at(k)), name ? name + 1 : stage) == 0)
            return true;
    return false;
}

static bool on_progress(void *user, const char *stage, double done, double total, const char *unit)
{
    Watch *watch = user;
    double now = silt_wall_clock();
    if (strcmp(stage, watch->stage) != 0) {
        tell_stage(watch, now);
        if (strncmp(stage, "stage ", 6) != 0 && strcmp(stage, "writing") != 0 &&
            strcmp(stage, "drawing") != 0)
            watch->part = 0.0; // another piece of work, with a bar of its own
        snprintf(watch->stage, sizeof watch->stage, "%s", stage);
        watch->started = now;
        watch->shown = now; // what is over in a moment needs no bar
    }
    follow_part(watch, stage, done, total);
    if (unit[0]) {
        watch->total = total;
        snprintf(watch->unit, sizeof watch->unit, "%.30s", unit);
    }
    if (watch->bar && now - watch->shown > 0.1) {
        watch->shown = now;
        show_bar(watch, now, done, total, unit);
    }
    if (strcmp(stage, "drawing") == 0) // all else is written
        worth = false;
    else if (unit[0] && is_wearing(watch, stage)) // a step was taken, or part of one
        worth = true;
    return !interrupted;
}

// Units in the names of columns: "years" of a time, "steps" where there is none.
static void begin_statistics(Watch *watch)
{
    SiltStatistic item;
    silt_text_addf(&watch->table, "frame,time_%s,height_min_m,height_max_m,height_mean_m",
                   watch->unit[0] ? watch->unit : "steps");
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

// The whole table after each frame: a run that is killed leaves what it had.
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
    if (watch->table.length == 0)
        begin_statistics(watch);
    double every =
        watch->run.frame_interval > 0.0 ? watch->run.frame_interval : watch->total / watch->run.frames;
    silt_text_addf(&watch->table, "%d", index);
    add_cell(&watch->table, (index + 1) * every);
    add_cell(&watch->table, heights.minimum);
    add_cell(&watch->table, heights.maximum);
    add_cell(&watch->table, heights.mean);
    for (int k = 0; silt_drainage_statistic_at(k, &drainage, &item); k++)
        add_cell(&watch->table, item.value);
    silt_text_add(&watch->table, "\n");
    char path[SILT_PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/statistics.csv", watch->frames);
    return watch->table.failed ? silt_fail(SILT_NO_MEMORY, "not enough memory for statistics")
                               : silt_write_file(path, watch->table.data, watch->table.length);
}

static SiltStatus on_frame(void *user, const SiltTerrain *terrain, int index)
{
    Watch *watch = user;
    watch->frame_count++;
    char path[SILT_PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/%05d.tif", watch->frames, index);
    SiltStatus status = silt_terrain_write(terrain, path, NULL);
    if (status == SILT_OK && watch->measures)
        status = add_statistics(watch, terrain, index);
    if (status != SILT_OK || !terrain->volume)
        return status;
    snprintf(path, sizeof path, "%s/%05d.siltvol", watch->frames, index);
    return silt_terrain_write(terrain, path, NULL);
}

static SiltStatus on_particles(void *user, const SiltParticles *particles, int index)
{
    static const char *const endings[] = {"ply", "vtp"};
    const Watch *watch = user;
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
    static const char *const endings[] = {".tif", ".siltvol", ".ply", ".vtp"};
    const char *number = strncmp(name, "particles_", 10) == 0 ? name + 10 : name;
    size_t digits = strspn(number, "0123456789");
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++)
        if (digits >= 5 && strcmp(number + digits, endings[k]) == 0)
            return true;
    return false;
}

// Frames of two runs in one folder would be taken for one film.
static void warn_of_frames(const char *folder)
{
    DIR *entries = opendir(folder);
    int found = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        found += is_frame_name(entry->d_name);
    if (entries)
        closedir(entries);
    if (found > 0)
        silt_warn(
            "--frames %s: %d files of an earlier run's frames are in it, and those that are not written "
            "over stay; empty it or take another folder",
            folder, found);
}

bool watch_begin(const Arguments *arguments, Watch *out)
{
    *out = (Watch){0};
    out->run.seed = arguments->seed;
    out->run.progress = on_progress;
    out->bar = !arguments->quiet && isatty(STDERR_FILENO);
    out->tells = arguments->verbose && !arguments->quiet;
    if (arguments->frames) {
        char folder[SILT_PATH_SIZE + 1];
        snprintf(folder, sizeof folder, "%s/", arguments->frames);
        if (silt_make_folders(folder) != SILT_OK) {
            complain("%s", silt_message());
            return false;
        }
        warn_of_frames(arguments->frames);
        out->frames = arguments->frames;
        out->measures = arguments->statistics;
        out->run.frame = on_frame;
        out->run.frame_interval = arguments->every > 0.0 ? arguments->every : 0.0;
        out->run.frames = 50;
        out->run.particles = on_particles;
    }
    out->run.user = out;
    out->run.device_or_cpu = arguments->device && strcmp(arguments->device, "auto") == 0;
    if (silt_device_open(arguments->device ? arguments->device : "cpu", &out->run.device) != SILT_OK) {
        complain("%s", silt_message());
        return false;
    }
    worth = false;
    watching = true;
    return true;
}

void watch_end(Watch *watch)
{
    tell_stage(watch, silt_wall_clock());
    if (watch->bar)
        fprintf(stderr, "\r\033[K");
    silt_text_free(&watch->table);
    silt_device_close(watch->run.device);
    watch->run.device = NULL;
}

void watch_warn_of_none(const Watch *watch, SiltStatus status)
{
    if (status == SILT_OK && watch->frames && watch->frame_count == 0)
        silt_warn("--frames %s: the run was over before the first frame; %s", watch->frames,
                  watch->run.frame_interval > 0.0 ? "take a smaller --every" : "nothing in it makes frames");
}
