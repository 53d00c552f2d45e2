// Runs what a sweep has not yet, several at a time, and puts each row on the disk as it comes.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "io/output.h"
#include "io/stale.h"
#include "recipe/recipe.h"
#include "recipe/sweep.h"
#include "silt/io.h"
#include "silt/record.h"

typedef struct Crew {
    SiltSweep *sweep;
    const SiltSweepOptions *options;
    pthread_mutex_t lock; // of all below, of the rows, and of drawing
    int next;
    int threads; // of each run
    bool stopped;
    SiltStatus status; // the first failure, and its sentence
    char message[1024];
} Crew;

static void name_values(const SiltSweep *sweep, int row, char words[256])
{
    size_t used = 0;
    words[0] = '\0';
    for (int k = 0; k < sweep->several_count && used < 255; k++) {
        int axis = sweep->several[k];
        used += (size_t)snprintf(words + used, 256 - used, "%s%s=%.40s", k ? " " : "", sweep->axes[axis].name,
                                 sweep->axes[axis].values[silt_sweep_index(sweep, axis, row)]);
    }
}

static SiltStatus write_table(const SiltSweep *sweep, const char *folder)
{
    char path[SILT_PATH_SIZE], *csv = silt_sweep_csv(sweep);
    if (!csv)
        return SILT_NO_MEMORY;
    snprintf(path, sizeof path, "%.900s/sweep.csv", folder);
    SiltStatus status = silt_write_file(path, csv, strlen(csv));
    silt_free(csv);
    return status;
}

// The row that is taken by nobody and made by nobody; -1: none is left, or somebody wants it to end.
static int take_row(Crew *crew)
{
    SiltSweep *sweep = crew->sweep;
    pthread_mutex_lock(&crew->lock);
    if (crew->options->stop && crew->options->stop(crew->options->user))
        crew->stopped = true;
    while (crew->next < sweep->row_count && sweep->rows[crew->next].line)
        crew->next++;
    int row = !crew->stopped && crew->next < sweep->row_count ? crew->next++ : -1;
    pthread_mutex_unlock(&crew->lock);
    return row;
}

static void fail_row(Crew *crew, int row, SiltStatus status)
{
    char values[256];
    name_values(crew->sweep, row, values);
    if (crew->status == SILT_OK) {
        crew->status = status;
        snprintf(crew->message, sizeof crew->message, "row %d (%s): %s", row + 1, values, silt_message());
    }
    if (crew->options->row)
        crew->options->row(crew->options->user, row, false, silt_message());
}

static bool go_on(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total, (void)unit;
    Crew *crew = user;
    pthread_mutex_lock(&crew->lock);
    crew->stopped = crew->stopped || (crew->options->stop && crew->options->stop(crew->options->user));
    bool goes = !crew->stopped;
    pthread_mutex_unlock(&crew->lock);
    return goes;
}

// The row and its picture are there together, or neither; the disk is waited for once, in the end.
static SiltStatus put_row(Crew *crew, int row, const SiltRecipe *recipe, const SiltTerrain *terrain,
                          char *line)
{
    char path[SILT_PATH_SIZE];
    snprintf(path, sizeof path, "%.900s/pictures/%04d.png", crew->options->folder,
             crew->sweep->rows[row].number);
    silt_output_lazily(true);
    SiltStatus status = silt_sweep_draw(crew->sweep, terrain, recipe, path);
    if (status == SILT_OK) {
        crew->sweep->rows[row].line = line;
        status = write_table(crew->sweep, crew->options->folder);
    } else {
        silt_free(line);
    }
    silt_output_lazily(false);
    if (status == SILT_OK && crew->options->row)
        crew->options->row(crew->options->user, row, false, NULL);
    return status;
}

static void make_row(Crew *crew, int row)
{
    SiltRecipe *recipe;
    SiltTerrain *terrain = NULL;
    SiltLedger ledger;
    char *line = NULL, folder[SILT_PATH_SIZE];
    SiltRun run = {.threads = crew->threads, .user = crew, .progress = go_on};
    double began = silt_wall_clock();
    snprintf(folder, sizeof folder, "%.900s/%04d", crew->options->folder, crew->sweep->rows[row].number);
    SiltStatus status = silt_sweep_recipe(crew->sweep, row, crew->options->outputs, &recipe);
    if (status == SILT_OK && crew->options->outputs)
        status = silt_recipe_redirect(recipe, folder);
    if (status == SILT_OK && crew->options->outputs)
        status = silt_sweep_row_keeps_inputs(crew->sweep, recipe);
    if (status == SILT_OK)
        status = silt_recipe_try(recipe, &run, crew->options->outputs, &terrain, &ledger);
    if (status == SILT_OK) {
        SiltCrew before = silt_crew_begin(&run);
        double seconds = silt_wall_clock() - began;
        silt_terrain_settle(terrain);
        status = silt_sweep_make_line(crew->sweep, row, terrain, &ledger, seconds, &line);
        silt_crew_end(before);
    }
    pthread_mutex_lock(&crew->lock);
    if (status == SILT_OK)
        status = put_row(crew, row, recipe, terrain, line);
    if (status != SILT_OK && !(status == SILT_CANCELLED && crew->stopped))
        fail_row(crew, row, status);
    pthread_mutex_unlock(&crew->lock);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
}

static void *work(void *context)
{
    for (int row; (row = take_row(context)) >= 0;)
        make_row(context, row);
    return NULL;
}

static void run_crew(Crew *crew, int left, int threads)
{
    enum { MOST_RUNS = 64 };
    pthread_t workers[MOST_RUNS];
    int count = threads < left ? threads : left, begun = 0;
    count = count < 1 ? 1 : count > MOST_RUNS ? MOST_RUNS : count;
    crew->threads = threads / count > 0 ? threads / count : 1;
    for (int k = 1; k < count; k++)
        begun += pthread_create(&workers[begun], NULL, work, crew) == 0;
    work(crew);
    for (int k = 0; k < begun; k++)
        pthread_join(workers[k], NULL);
}

// The folder itself is the lock: it goes with the process, however that ends, and leaves nothing.
static SiltStatus lock_folder(const char *folder, int *out)
{
    *out = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*out >= 0 && flock(*out, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(*out);
        *out = -1;
        return silt_fail(SILT_IO_ERROR,
                         "%s: another sweep is at work in this folder; wait for its end or name another",
                         folder);
    }
    return SILT_OK; // where there are no locks, whoever starts two must know
}

static SiltStatus run_locked(SiltSweep *sweep, const SiltSweepOptions *options)
{
    char path[SILT_PATH_SIZE];
    snprintf(path, sizeof path, "%.900s/sweep.csv", options->folder);
    SiltStatus status = silt_file_check(path);
    if (status == SILT_OK)
        status = silt_sweep_load(sweep, options->folder);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < sweep->row_count && options->row; k++)
        if (sweep->rows[k].line)
            options->row(options->user, k, true, NULL);
    int left = sweep->row_count - silt_sweep_done(sweep);
    Crew crew = {.sweep = sweep, .options = options};
    pthread_mutex_init(&crew.lock, NULL);
    if (left > 0)
        run_crew(&crew, left, options->threads > 0 ? options->threads : silt_threads());
    pthread_mutex_destroy(&crew.lock);
    if (left > 0)
        silt_sync_folder(options->folder);
    if (silt_sweep_done(sweep) > 0)
        status = write_table(sweep, options->folder);
    if (status == SILT_OK && silt_sweep_done(sweep) > 0)
        status = silt_sweep_sheet(sweep, options->folder);
    if (status == SILT_OK && crew.status != SILT_OK)
        status = silt_fail(crew.status, "%s", crew.message);
    if (status == SILT_OK && crew.stopped)
        status =
            silt_fail(SILT_CANCELLED, "the sweep was stopped with %d of %d rows; the same command goes on",
                      silt_sweep_done(sweep), sweep->row_count);
    return status;
}

SiltStatus silt_sweep_run(SiltSweep *sweep, const SiltSweepOptions *options)
{
    char path[SILT_PATH_SIZE];
    int lock = -1;
    if (strlen(options->folder) > 900)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", options->folder);
    snprintf(path, sizeof path, "%.900s/pictures/", options->folder);
    SiltStatus status = silt_sweep_keeps_inputs(sweep, options->folder);
    if (status == SILT_OK && options->outputs)
        status = silt_sweep_check_outputs(sweep);
    if (status == SILT_OK)
        status = silt_make_folders(path);
    snprintf(path, sizeof path, "%.900s/sweep.csv", options->folder);
    if (status == SILT_OK) {
        silt_stale_remove(path); // before the lock keeps everybody from it, us too
        status = lock_folder(options->folder, &lock);
    }
    if (status == SILT_OK)
        status = run_locked(sweep, options);
    if (lock >= 0)
        close(lock);
    return status;
}
