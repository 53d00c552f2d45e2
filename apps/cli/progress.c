// A bar with rate and time left on a terminal, nothing in a pipe; Ctrl-C once stops cleanly, again at once.
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
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

// Ends the program here and now, by a signal handler's means. One thread does it; a signal that comes to
// another meanwhile waits for that, unless nobody takes what the first has to say.
static _Noreturn void leave(int number, const char *why)
{
    static atomic_flag leaving = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&leaving)) {
        nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
        _exit(128 + number);
    }
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
    sigfillset(&action.sa_mask); // no second one in the thread that is at the first
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
