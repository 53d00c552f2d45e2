// A bar with rate and time left on a terminal, nothing in a pipe; Ctrl-C once stops cleanly, again at once.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "silt/record.h"

// any thread may be the one that takes the signal
static atomic_bool watching, worth, waiting;
static atomic_int interrupted;       // the signal that came first
static atomic_llong first_interrupt; // when it came, in milliseconds

// ---- the end ----

// Whoever takes the end says the program's last words: main with its answer, or the thread that a signal ends
// it in. All others wait for that.
static atomic_bool is_ending;
static atomic_llong ending_since;        // in milliseconds
static _Atomic(void (*)(void)) on_leave; // set before anything can be left
static atomic_int holding;               // threads between hold_signals and let_signals
static const long long patience = 10000; // ms; nobody seems to take what is said
static const long long at_once = 300;    // ms; one signal that came twice, for no finger is as quick

static long long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000LL * now.tv_sec + now.tv_nsec / 1000000;
}

static bool take_end(void)
{
    if (is_ending)
        return false;
    ending_since = milliseconds();
    return !atomic_exchange(&is_ending, true);
}

static _Noreturn void wait_for_end(void)
{
    for (;;)
        pause();
}

void end_is_mine(void)
{
    if (!take_end())
        wait_for_end();
}

void stand_back(void)
{
    if (is_ending)
        wait_for_end();
}

void watch_on_leave(void (*act)(void))
{
    void (*before)(void) = atomic_exchange(&on_leave, act);
    if (!act && !before && is_ending) // somebody is at it
        wait_for_end();
}

void hold_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
    atomic_fetch_add(&holding, 1);
    if (!is_ending)
        return;
    atomic_fetch_sub(&holding, 1);
    wait_for_end();
}

void let_signals(const sigset_t *before)
{
    atomic_fetch_sub(&holding, 1);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

// Ends the program here and now, by a signal handler's means. The sentence is `none` where nothing was
// written so far, else `some`: known when nobody writes any more.
static void leave(int number, const char *none, const char *some)
{
    if (!take_end())
        return;
    for (int k = 0; k < 1000 && holding > 0; k++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    silt_output_remove_temporaries();
    const char *why = silt_any_written() ? some : none;
    void (*act)(void) = atomic_exchange(&on_leave, NULL);
    if (act)
        act();
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
    static const char whole[] = "ended at once; files that were complete are whole";
    int error = errno;
    long long now = milliseconds();
    if (is_ending && now > ending_since + patience)
        _exit(128 + number);
    if (!watching)
        leave(number, "", "");
    else if (waiting)
        leave(number, "stopped between two runs; nothing was written",
              "stopped between two runs; what the runs before wrote is there");
    else if (!worth && !interrupted)
        leave(number, "stopped; nothing had been done that is worth keeping, and nothing was written",
              "stopped; the files that were finished before are there and whole, the one that was in work is "
              "not written");
    else if (interrupted && now > first_interrupt + at_once)
        leave(number, whole, whole);
    silt_output_hurry(true);
    if (!interrupted) {
        first_interrupt = now;
        interrupted = number;
    }
    errno = error;
}

void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask); // no second one in the thread that is at the first
    // the terminal was closed; under nohup nobody minds
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL); // last: whoever sees this one caught may send any of them
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
    fprintf(stderr, "\r%-14.40s [%s] %3.0f %%", watch->stage, bar, 100.0 * fraction);
    if (rate > 0.0)
        fprintf(stderr, "  %.4g %s/s  %lld:%02d left", rate, unit, seconds / 60, (int)(seconds % 60));
    fputs(" \033[K", stderr);
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

bool watch_begin(const Arguments *arguments, Watch *out)
{
    *out = (Watch){0};
    out->run.seed = arguments->seed;
    out->run.progress = on_progress;
    out->bar = !arguments->quiet && isatty(STDERR_FILENO);
    out->tells = arguments->verbose && !arguments->quiet;
    if (!frames_begin(arguments, out))
        return false;
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
