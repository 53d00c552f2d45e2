// What the files of the benchmark share.
#ifndef SILT_BENCH_H
#define SILT_BENCH_H

#include "cli.h"

typedef struct Bench {
    const Arguments *arguments;
    int width, height;
    int threads;
    double copy;   // bytes a second a copy moves here and now, on that many threads
    SiltText json; // the objects so far
} Bench;

// Whether the workload was asked for: by its name, by its group's, or by no name at all.
bool bench_wants(Bench *bench, const char *group, const char *name);
// Between these two, times what is to be said next: how much of it was outside parallel loops, and how busy
// the threads were inside them.
void bench_watch(void);
void bench_watched(void);
// The shortest time of several runs of `work`, in seconds; it runs for about half a second.
double bench_time(void (*work)(void *context), void *context);
// One line, or one JSON object with name size threads device rate unit limit fraction, and serial and busy
// where they were watched. limit 0: there is none to name.
void bench_say(Bench *bench, const char *name, double rate, const char *unit, double limit);

// Begins the next JSON object with its name and size; the caller adds members and its end.
void bench_begin_entry(Bench *bench, const char *name, const char *size);
// Gives the JSON objects, where that is asked for, and the exit status.
int bench_end(Bench *bench, SiltStatus status);

// Seconds that all threads have worked so far.
double cpu_clock(void);

// A rough terrain of the bench's size; NULL when memory is short.
SiltTerrain *bench_noise(const Bench *bench);
// Parameters of a model as the command line has them, with work to do on that ground.
void *bench_params(const Bench *bench, const SiltModel *model);

void bench_core(Bench *bench);
void bench_arithmetic(Bench *bench);
void bench_files(Bench *bench);
void bench_generators(Bench *bench);
void bench_models(Bench *bench);
void bench_live(Bench *bench, SiltDevice *device); // NULL: the processor
void bench_volume(Bench *bench);
void bench_render(Bench *bench);
void bench_sph(Bench *bench);
void bench_voxel(Bench *bench);
// A pool of particle water in a closed tank, so many of them; the caller ends both, which may be NULL when it
// fails.
enum { BENCH_LAYERS = 20 }; // of particles in it
int bench_pool_size(const Bench *bench);
SiltStatus bench_pool(const Bench *bench, const SiltRun *run, SiltTerrain **terrain, SiltErosion **erosion);
// A row of Weiss 2016, table 4.1, and one with two million particles.
typedef struct BenchScene {
    const char *name, *thing; // a generator, or a shape of rock
    int size[3], particles;
    double thesis[6]; // ms on a FirePro W9100: density, forces, collision and erosion, sorting, rain; all
    double
        drawing[3]; // and of a picture of 1440 x 900: marching cubes, ray tracing, particles; 0: none given
} BenchScene;
enum { BENCH_SCENES = 8, BENCH_SCENES_DRAWN = 7 };
extern const BenchScene bench_scenes[BENCH_SCENES];
SiltStatus bench_land(const BenchScene *scene, SiltTerrain **out); // as high as its grid has room for
// What drawing them takes.
void bench_drawing(Bench *bench);
// Weiss's table 4.1 on a device: its scenes of --size, or all.
SiltStatus bench_table(Bench *bench, SiltDevice *device);
// Models on a device, by its own clock, beside a copy there; an exit status.
int bench_device(Bench *bench);

#endif
