#include "thrift.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Shares of the machine. A run keeps nine tenths of it: a picture costs it about twice what the processor
// spends on it, and snapshots and books take some two hundredths. One that is fast, so that much happens from
// frame to frame, gives more for ten frames a second.
static const double usual = 0.014, most = 0.24, fast = 500.0, smooth = 10.5, least = 2.0, highest = 60.0;
static const double idle = 0.03; // what a window costs without frames: numbers that change

// Seconds of a thread, if it is one of those that draw in place of a card.
static double drawing_seconds(const char *task, bool *is_one)
{
    char path[64], text[512], *end;
    unsigned long long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", task);
    FILE *file = fopen(path, "r");
    size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[count] = '\0';
    *is_one = strstr(text, "(llvmpipe") != NULL;
    end = strrchr(text, ')'); // after it the state, ten numbers, and then the two times
    if (!*is_one || !end ||
        sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) != 2)
        return 0.0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

double thrift_spent(bool *draws_itself)
{
    struct timespec own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    double sum = (double)own.tv_sec + 1e-9 * (double)own.tv_nsec;
    DIR *tasks = opendir("/proc/self/task");
    *draws_itself = false;
    for (struct dirent *task = tasks ? readdir(tasks) : NULL; task; task = readdir(tasks)) {
        bool is_one = false;
        if (task->d_name[0] != '.')
            sum += drawing_seconds(task->d_name, &is_one);
        *draws_itself = *draws_itself || is_one;
    }
    if (tasks)
        closedir(tasks);
    return sum;
}

void thrift_measure(Thrift *thrift, double now, int frames)
{
    double passed = now - thrift->measured;
    if (passed < 1.0)
        return;
    struct timespec clock;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &clock);
    double spent = thrift_spent(&thrift->draws_itself),
           all = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
    int drawn = frames - thrift->frames;
    if (passed < 3.0 && drawn > 0) {
        double cores = (all - thrift->all) / passed;
        thrift->cores = thrift->cores > 0.0 ? 0.6 * thrift->cores + 0.4 * cores : cores;
        double cost = fmax(spent - thrift->spent - idle * passed, 1e-4 * drawn) / drawn;
        thrift->cost = thrift->cost > 0.0 ? 0.6 * thrift->cost + 0.4 * cost : cost;
    }
    thrift->measured = now;
    thrift->spent = spent;
    thrift->all = all;
    thrift->frames = frames;
}

double thrift_rate(const Thrift *thrift, double steps)
{
    if (!thrift->draws_itself || !(thrift->cost > 0.0))
        return highest;
    double rate = usual * thrift->cores / thrift->cost;
    if (rate < smooth && steps >= fast)
        rate = fmin(smooth, most * thrift->cores / thrift->cost);
    return fmin(fmax(rate, least), highest);
}

double thrift_wait(Thrift *thrift, double now, double steps)
{
    double period = 1.0 / thrift_rate(thrift, steps), due = thrift->last + period;
    if (due - now > 0.002)
        return due - now;
    thrift->last = now - due < period ? due : now; // one that comes late does not put off the next
    return 0.0;
}
