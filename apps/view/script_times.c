// What scripts are told of time: until the first picture, and what the window and all of it have worked.
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "land.h"
#include "script.h"

// When this process began, by the clock that only runs forward.
static double began(void)
{
    char text[1024];
    unsigned long long ticks = 0;
    FILE *file = fopen("/proc/self/stat", "r");
    size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[count] = '\0';
    char *end =
        strrchr(text, ')'); // the beginning is the twentieth number after it, in ticks since the start
    for (int k = 0; end && k < 20; k++)
        end = strchr(end + 1, ' ');
    if (end)
        sscanf(end, " %llu", &ticks);
    struct timespec boot, now;
    clock_gettime(CLOCK_BOOTTIME, &boot);
    clock_gettime(CLOCK_MONOTONIC, &now);
    double asleep = (double)(boot.tv_sec - now.tv_sec) + 1e-9 * (double)(boot.tv_nsec - now.tv_nsec);
    return (double)ticks / (double)sysconf(_SC_CLK_TCK) - asleep;
}

void script_times(View *view)
{
    PlayerState state;
    struct timespec all;
    bool draws_itself;
    player_state(view->player, &state);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    double first = (double)land_first_picture(view->land) * 1e-6;
    printf("clock %.3f first %.3f drawn %d previews %d steps %lld window %.3f all %.3f\n",
           (double)g_get_monotonic_time() * 1e-6, first > 0.0 ? first - began() : 0.0,
           land_frames_drawn(view->land), view->previews, (long long)state.step, thrift_spent(&draws_itself),
           (double)all.tv_sec + 1e-9 * (double)all.tv_nsec);
}
