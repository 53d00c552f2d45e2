// A clock for tests that hold what people wait for against a limit: seconds, less those that threads of this
// process stood in line for a processor. What else the machine does is no matter then; on one that does
// nothing else, and where the system does not tell, it is the plain clock.
#ifndef SILT_TESTS_FAIR_CLOCK_H
#define SILT_TESTS_FAIR_CLOCK_H

#include <dirent.h>
#include <stdio.h>

#include "silt/parallel.h"

static inline double stood_in_line(void)
{
    static double most; // threads that end take theirs with them
    double total = 0.0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        char path[300];
        unsigned long long ran = 0, waited = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", thread->d_name);
        FILE *file = thread->d_name[0] != '.' ? fopen(path, "r") : NULL;
        if (file && fscanf(file, "%llu %llu", &ran, &waited) == 2)
            total += 1e-9 * (double)waited;
        if (file)
            fclose(file);
    }
    if (threads)
        closedir(threads);
    most = total > most ? total : most;
    return most;
}

static inline double fair_clock(void)
{
    return silt_wall_clock() - stood_in_line();
}

#endif
