// silt bench [WORKLOAD]: how fast it is, beside what the machine can do in the same minute.
#include "bench.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "silt/drainage.h"

double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool bench_wants(Bench *bench, const char *group, const char *name)
{
    const Arguments *arguments = bench->arguments;
    bool wanted = arguments->word_count == 0 || strcmp(arguments->words[0], name) == 0 ||
                  strcmp(arguments->words[0], group) == 0;
    return wanted;
}

// What was watched since the last line.
static struct {
    double started, seconds;
    SiltLoopTimes loops;
} watched;

void bench_watch(void)
{
    silt_count_loops(&watched.loops);
    watched.started = silt_wall_clock();
}

void bench_watched(void)
{
    watched.seconds += silt_wall_clock() - watched.started;
    silt_count_loops(NULL);
}

// The share of time that one thread spent outside loops (Amdahl's), and that of the threads' time inside
// loops in which they had work.
static void say_shares(Bench *bench)
{
    double serial = 1.0 - watched.loops.inside / watched.seconds;
    double busy =
        watched.loops.inside > 0.0 ? watched.loops.busy / (bench->threads * watched.loops.inside) : 0.0;
    if (bench->arguments->json) {
        add_number(&bench->json, "serial", serial);
        add_number(&bench->json, "busy", busy);
    } else {
        say("  serial %.2f %%, busy %.0f %%", 100.0 * serial, 100.0 * busy);
    }
}

void bench_begin_entry(Bench *bench, const char *name, const char *size)
{
    silt_text_add(&bench->json, bench->json.length ? ",\n {" : "[{");
    add_member(&bench->json, "name", name);
    add_member(&bench->json, "size", size);
}

int bench_end(Bench *bench, SiltStatus status)
{
    silt_text_add(&bench->json, bench->json.length ? "]\n" : "[]\n");
    SiltStatus given = bench->arguments->json ? answer_with(&bench->json) : SILT_OK;
    silt_text_free(&bench->json);
    if (status == SILT_OK)
        status = given;
    return status == SILT_OK ? 0 : report_failure(status);
}

double bench_time(void (*work)(void *context), void *context)
{
    work(context); // warm
    double best = 1e30, spent = 0.0;
    bench_watch();
    for (int k = 0; k < 200 && (spent < 0.5 || k < 3); k++) {
        double start = silt_wall_clock();
        work(context);
        double taken = silt_wall_clock() - start;
        best = taken < best ? taken : best;
        spent += taken;
        if (taken > 5.0)
            break;
    }
    bench_watched();
    return best;
}

void bench_say(Bench *bench, const char *name, double rate, const char *unit, double limit)
{
    double fraction = limit > 0.0 ? rate / limit : 0.0;
    char size[32];
    snprintf(size, sizeof size, "%dx%d", bench->width, bench->height);
    if (bench->arguments->json) {
        bench_begin_entry(bench, name, size);
        add_number(&bench->json, "threads", bench->threads);
        add_member(&bench->json, "device", "cpu");
        add_number(&bench->json, "rate", rate);
        add_member(&bench->json, "unit", unit);
        add_number(&bench->json, "limit", limit > 0.0 ? limit : NAN);
        add_number(&bench->json, "fraction", limit > 0.0 ? fraction : NAN);
    } else if (limit > 0.0) {
        say("%-24s %5dx%-5d %2d threads %10.4g %-14s of %10.4g  (%.2f)", name, bench->width, bench->height,
            bench->threads, rate, unit, limit, fraction);
    } else {
        say("%-24s %5dx%-5d %2d threads %10.4g %-*s", name, bench->width, bench->height, bench->threads, rate,
            watched.seconds > 0.0 ? 14 : 0, unit);
    }
    if (watched.seconds > 0.0)
        say_shares(bench);
    if (bench->arguments->json)
        silt_text_add(&bench->json, "}");
    else
        say("\n");
    watched.seconds = 0.0;
    watched.loops = (SiltLoopTimes){0};
    fflush(stdout);
}

// ---- the machine ----

typedef struct Streams {
    float *a, *b, *c;
    int blocks;
} Streams;

enum { BLOCK = 1 << 16 };

static void copy_blocks(void *context, int begin, int end)
{
    const Streams *s = context;
    for (int k = begin; k < end; k++)
        memcpy(s->a + (size_t)k * BLOCK, s->b + (size_t)k * BLOCK, BLOCK * sizeof(float));
}

static void triad_blocks(void *context, int begin, int end)
{
    const Streams *s = context;
    for (size_t k = (size_t)begin * BLOCK; k < (size_t)end * BLOCK; k++)
        s->a[k] = s->b[k] + 0.5f * s->c[k];
}

// Pages that were never written all stand for the same zero page; whose memory they lie in, the first to
// write them decides.
static void fill_blocks(void *context, int begin, int end)
{
    const Streams *s = context;
    for (size_t k = (size_t)begin * BLOCK; k < (size_t)end * BLOCK; k++)
        s->b[k] = s->c[k] = 1.0f;
}

static void copy_all(void *context)
{
    Streams *s = context;
    silt_parallel(s->blocks, 1, copy_blocks, s);
}

static void triad_all(void *context)
{
    Streams *s = context;
    silt_parallel(s->blocks, 1, triad_blocks, s);
}

// A copy and a triad over 64 MiB arrays: what memory gives on this many threads right now.
static bool measure_machine(Bench *bench)
{
    Streams streams = {.blocks = 256};
    size_t count = (size_t)streams.blocks * BLOCK;
    streams.a = silt_alloc(count * sizeof(float));
    streams.b = silt_alloc(count * sizeof(float));
    streams.c = silt_alloc(count * sizeof(float));
    bool good = streams.a && streams.b && streams.c;
    if (good) {
        silt_parallel(streams.blocks, 1, fill_blocks, &streams);
        double bytes = (double)count * sizeof(float);
        bench->copy = 2.0 * bytes / bench_time(copy_all, &streams);
        bench_say(bench, "copy", bench->copy * 1e-9, "GB/s", 0.0);
        double triad = 3.0 * bytes / bench_time(triad_all, &streams);
        bench_say(bench, "triad", triad * 1e-9, "GB/s", 0.0);
    }
    silt_free(streams.a);
    silt_free(streams.b);
    silt_free(streams.c);
    return good;
}

// ---- fields ----

typedef struct FieldWork {
    SiltTerrain *terrain;
    SiltField *field;
    int target_width, target_height;
    volatile uint64_t sink;
} FieldWork;

static void hash_work(void *context)
{
    FieldWork *work = context;
    work->sink = silt_field_hash(work->field);
}

static void statistics_work(void *context)
{
    FieldWork *work = context;
    SiltFieldStatistics statistics;
    silt_field_statistics(work->field, NULL, &statistics);
    work->sink = statistics.cell_count;
}

static void percentile_work(void *context)
{
    FieldWork *work = context;
    double percents[] = {1.0, 50.0, 99.0}, values[3];
    silt_field_percentiles(work->field, NULL, percents, 3, values);
}

static void resample_work(void *context)
{
    FieldWork *work = context;
    SiltTerrain *made;
    if (silt_terrain_resample(work->terrain, work->target_width, work->target_height, &made) == SILT_OK)
        silt_terrain_destroy(made);
}

static void drainage_work(void *context)
{
    FieldWork *work = context;
    SiltDrainageStatistics statistics;
    if (silt_drainage_statistics(work->terrain, &statistics) == SILT_OK)
        work->sink = (uint64_t)statistics.largest_catchment;
}

SiltTerrain *bench_noise(const Bench *bench)
{
    SiltTerrain *terrain = NULL;
    SiltRun run = {.seed = 1};
    const SiltGenerator *noise = silt_generator_find("noise");
    if (noise)
        silt_generate(noise, bench->width, bench->height, 10.0, NULL, &run, &terrain);
    return terrain;
}

// A slope that stands at the default strength would rest from the first step on, and rest takes no time: rock
// is loose where nobody says how strong it is.
void *bench_params(const Bench *bench, const SiltModel *model)
{
    const SiltParamTable *table = silt_model_params(model);
    void *params = make_params(table, silt_model_name(model), bench->arguments);
    bool told = strcmp(silt_model_name(model), "thermal") != 0;
    for (int k = 0; k < bench->arguments->setting_count; k++)
        told = told || strncmp(bench->arguments->settings[k], "strength=", 9) == 0;
    if (params && !told)
        silt_params_assign(table, params, "bench", "strength=35");
    return params;
}

void bench_core(Bench *bench)
{
    if (bench_wants(bench, "core", "arithmetic"))
        bench_arithmetic(bench);
    FieldWork work = {.terrain = bench_noise(bench)};
    if (!work.terrain)
        return;
    work.field = silt_terrain_layer(work.terrain, "height");
    double bytes = (double)bench->width * bench->height * sizeof(float), gigabytes = bench->copy * 1e-9;
    if (bench_wants(bench, "core", "hash"))
        bench_say(bench, "hash", bytes / bench_time(hash_work, &work) * 1e-9, "GB/s", gigabytes);
    if (bench_wants(bench, "core", "statistics"))
        bench_say(bench, "statistics", bytes / bench_time(statistics_work, &work) * 1e-9, "GB/s", gigabytes);
    if (bench_wants(bench, "core", "percentiles"))
        bench_say(bench, "percentiles", 2.0 * bytes / bench_time(percentile_work, &work) * 1e-9, "GB/s",
                  gigabytes);
    if (bench_wants(bench, "core", "resample-half")) {
        work.target_width = (bench->width + 1) / 2, work.target_height = (bench->height + 1) / 2;
        bench_say(bench, "resample-half", 1.25 * bytes / bench_time(resample_work, &work) * 1e-9, "GB/s",
                  gigabytes);
    }
    if (bench_wants(bench, "core", "resample-double") && bench->width <= 8192) {
        work.target_width = 2 * bench->width, work.target_height = 2 * bench->height;
        bench_say(bench, "resample-double", 5.0 * bytes / bench_time(resample_work, &work) * 1e-9, "GB/s",
                  gigabytes);
    }
    if (bench_wants(bench, "core", "drainage"))
        bench_say(bench, "drainage",
                  (double)bench->width * bench->height / bench_time(drainage_work, &work) * 1e-6, "Mcells/s",
                  0.0);
    silt_terrain_destroy(work.terrain);
}

// ---- generators and models ----

typedef struct MakeWork {
    const Bench *bench;
    const SiltGenerator *generator;
    void *params;
} MakeWork;

static void make_work(void *context)
{
    MakeWork *work = context;
    SiltRun run = {.seed = 1};
    SiltTerrain *terrain;
    if (silt_generate(work->generator, work->bench->width, work->bench->height, 10.0, work->params, &run,
                      &terrain) == SILT_OK)
        silt_terrain_destroy(terrain);
}

void bench_generators(Bench *bench)
{
    for (int k = 0; k < silt_generator_count(); k++) {
        MakeWork work = {.bench = bench, .generator = silt_generator_at(k)};
        if (!bench_wants(bench, "generators", work.generator->name))
            continue;
        work.params = make_params(&work.generator->params, work.generator->name, bench->arguments);
        if (!work.params)
            continue;
        double seconds = bench_time(make_work, &work);
        bench_say(bench, work.generator->name, (double)bench->width * bench->height / seconds * 1e-6,
                  "Mcells/s", 0.0);
        free_params(&work.generator->params, work.params);
    }
}

typedef struct StepWork {
    SiltErosion *erosion;
    SiltDuration duration;
} StepWork;

static void step_work(void *context)
{
    StepWork *work = context;
    silt_erosion_advance(work->erosion, work->duration);
}

void bench_models(Bench *bench)
{
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *model = silt_model_at(k);
        bool counts_particles =
            strcmp(silt_model_name(model), "sph") == 0 || strcmp(silt_model_name(model), "voxel") == 0;
        if (counts_particles || !bench_wants(bench, "models", silt_model_name(model)))
            continue; // they have benches of their own
        SiltTerrain *terrain = bench_noise(bench);
        void *params = bench_params(bench, model);
        StepWork work = {
            .duration = {.steps = bench->arguments->erode.steps > 0 ? bench->arguments->erode.steps : 16}};
        SiltRun run = {.seed = 1};
        if (terrain && params && silt_erosion_begin(model, terrain, params, &run, &work.erosion) == SILT_OK) {
            double seconds = bench_time(step_work, &work);
            double rate = (double)bench->width * bench->height * (double)work.duration.steps / seconds * 1e-6;
            double limit =
                silt_model_step_bytes(model) > 0.0 ? bench->copy / silt_model_step_bytes(model) * 1e-6 : 0.0;
            bench_say(bench, silt_model_name(model), rate, "Mcell-steps/s", limit);
            silt_erosion_end(work.erosion);
        }
        if (params)
            free_params(silt_model_params(model), params);
        silt_terrain_destroy(terrain);
    }
}

static bool is_workload(const char *name)
{
    static const char *const names[] = {
        "core",     "arithmetic", "hash",   "statistics", "percentiles", "resample-half", "resample-double",
        "drainage", "files",      "tiff",   "generators", "models",      "voxel-hills",   "voxel-large",
        "render",   "live",       "drawing"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    for (int k = 0; k < silt_generator_count(); k++)
        if (strcmp(silt_generator_at(k)->name, name) == 0)
            return true;
    for (int k = 0; k < silt_model_count(); k++)
        if (strcmp(silt_model_name(silt_model_at(k)), name) == 0)
            return true;
    return false;
}

int run_bench(const Arguments *arguments)
{
    if (arguments->word_count && !is_workload(arguments->words[0]))
        return report_usage("bench", "there is no workload '%.60s'", arguments->words[0]);
    Bench bench = {.arguments = arguments, .threads = silt_threads()};
    bench.width = arguments->sized ? arguments->width : 1024;
    bench.height = arguments->sized ? arguments->height : 1024;
    if (arguments->device && strcmp(arguments->device, "cpu") != 0)
        return bench_device(&bench);
    if (!measure_machine(&bench)) {
        complain("bench: not enough memory for the copy it measures");
        return EXIT_FAILED;
    }
    bool particles_only = arguments->word_count > 0 && strcmp(arguments->words[0], "sph") == 0;
    if (!particles_only) { // their size is one of grids
        bench_core(&bench);
        bench_files(&bench);
        bench_generators(&bench);
        bench_models(&bench);
        bench_live(&bench, NULL);
        bench_volume(&bench);
        bench_voxel(&bench);
        bench_render(&bench);
        bench_drawing(&bench);
    }
    bench_sph(&bench);
    return bench_end(&bench, SILT_OK);
}
