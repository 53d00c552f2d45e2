// Large and long: a run takes no more memory than was said before, and is refused before it begins where
// there is less; and after a hundred thousand steps (SILT_LONG_STEPS: as many) it has not grown and its books
// are closed.
#include "erode_help.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#include <sanitizer/allocator_interface.h>
#define HAS_SHADOW 1 // sanitizers take memory of their own
#endif
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW 0
#endif

// A line of /proc/self/status in bytes; 0: not there.
static double memory_now(const char *key)
{
    char line[256];
    double kib = 0.0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            kib = strtod(line + strlen(key), NULL);
    if (file)
        fclose(file);
    return 1024.0 * kib;
}

// What the process holds. A sanitizer notes what threads did in pages of its own, whose number grows for a
// while (rivers under TSan: 65 KiB in 50 steps, 460 in 200, 490 in 800; plain 4 KiB in 10,000), but knows to
// the byte what was allocated and not given back.
static double held_now(void)
{
#if HAS_SHADOW
    return (double)__sanitizer_get_current_allocated_bytes();
#else
    return memory_now("VmRSS:");
#endif
}

// ---- as much as was said ----

enum { SIDE = 448 };

// In a process of its own, whose peak is that of one run: 0, or what of the promise is broken.
static int measure(const SiltModel *model)
{
    const double mib = 1048576.0;
    SiltTerrain *land = rough_ground((RoughGround){SIDE, SIDE, 10.0, 300.0f});
    const SiltParamTable *table = silt_model_params(model);
    void *params = silt_params_new(table);
    char words[256];
    snprintf(words, sizeof words, "%s", small_settings(silt_model_name(model)));
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        assert_ok(silt_params_assign(table, params, "test", word));
    if (silt_params_find(table, "rain") >= 0) // so that every field is touched
        assert_ok(silt_params_assign(table, params, "test", "rain=500"));
    double own = (double)silt_field_bytes(SIDE, SIDE);
    double said = (double)silt_erode_bytes(model, params, land) - own;
    double before = memory_now("VmRSS:");
    SiltStatus status = silt_erode(model, land, params, (SiltDuration){.steps = 2},
                                   &(SiltRun){.seed = 1, .threads = 2}, NULL);
    double took = memory_now("VmHWM:") - before;
    printf("%-8s said %6.1f MiB, took %6.1f\n", silt_model_name(model), said / mib, took / mib);
    silt_params_delete(table, params);
    silt_terrain_destroy(land);
    // stacks, rows on their way and the pages of the program itself do not grow with the map
    return status != SILT_OK ? 3 : took > said * 1.03 + 6.0 * mib ? 1 : said > 2.0 * took + 6.0 * mib ? 2 : 0;
}

static void runs_take_what_was_said(void **state)
{
    (void)state;
    if (HAS_SHADOW || memory_now("VmHWM:") == 0.0)
        skip();
    for (int k = 0; k < silt_model_count(); k++) {
        fflush(stdout);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            int broken = measure(silt_model_at(k));
            fflush(stdout);
            _exit(broken);
        }
        int ended;
        assert_int_equal(waitpid(child, &ended, 0), child);
        if (ended != 0)
            fail_msg("%s: %s", silt_model_name(silt_model_at(k)),
                     !WIFEXITED(ended)         ? "crashed"
                     : WEXITSTATUS(ended) == 1 ? "takes more than was said"
                     : WEXITSTATUS(ended) == 2 ? "was said to take more than twice what it takes"
                                               : "does not run");
    }
}

// ---- more than there is ----

// With so little room that the fields fit one by one, but not all of them.
static int try_too_large(const SiltModel *model)
{
    SiltTerrain *land = make_terrain(1024, 1024, 10.0);
    uint64_t need = silt_erode_bytes(model, NULL, land);
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)memory_now("VmSize:") + need / 2;
    setrlimit(RLIMIT_AS, &limit);
    silt_fail_allocation(0); // counts from here
    SiltErosion *erosion = NULL;
    SiltStatus status = silt_erosion_begin(model, land, NULL, NULL, &erosion);
    long allocations = silt_allocation_count();
    bool said = strstr(silt_message(), "need") && strstr(silt_message(), "is available");
    if (status != SILT_NO_MEMORY || erosion || !said)
        return 1;
    return allocations > 8 ? 2 : 0; // the run and its parameters, no field
}

static void what_cannot_fit_is_refused_first(void **state)
{
    (void)state;
    if (HAS_SHADOW)
        skip();
    for (int k = 0; k < silt_model_count(); k++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(try_too_large(silt_model_at(k)));
        int ended;
        assert_int_equal(waitpid(child, &ended, 0), child);
        if (ended != 0)
            fail_msg("%s: status %d", silt_model_name(silt_model_at(k)), ended);
    }
}

// ---- long ----

static int64_t long_steps(void)
{
    const char *text = getenv("SILT_LONG_STEPS");
    return text ? (int64_t)strtod(text, NULL) : 100000 / (HAS_SHADOW ? 20 : 1);
}

// What is missing, as a share of what went through the account.
static double imbalance(const SiltAccount *account)
{
    double in = account->initial + account->added, out = account->removed + account->stored;
    return fabs(in - out) / fmax(fmax(account->moved, account->added), 1e-300);
}

// A tenth of the steps, a look at the memory, and the other nine.
// `share` of the steps: some are slower. voxel, on ground that jumps, keeps its rock within 1 % of what
// moves.
static void lasts(const char *name, const char *settings, double share, double slack)
{
    const int64_t wanted = (int64_t)(share * (double)long_steps()) / 10 * 10,
                  steps = wanted > 10 ? wanted : 10;
    SiltTerrain *land = rough_ground((RoughGround){16, 16, 10.0, 60.0f});
    SiltErosion *erosion = begin_erosion(land, name, settings);
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = steps / 10}));
    assert_ok(silt_erosion_store(erosion));
    double early = held_now(), most = HAS_SHADOW ? 4096.0 : 256.0 * 1024.0;
    for (int part = 1; part < 10; part++) {
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = steps / 10}));
        assert_ok(silt_erosion_store(erosion));
        double grown = held_now() - early;
        if (grown > most)
            fail_msg("%s has grown by %.0f bytes in %d tenths of %lld steps", name, grown, part + 1,
                     (long long)steps);
    }
    const SiltReport *report = silt_erosion_report(erosion);
    printf(
        "%-8s %lld steps, water off by %.2g of what came, rock by %.2g of what moved, memory by %.0f bytes\n",
        name, (long long)report->steps, imbalance(&report->ledger.water), imbalance(&report->ledger.rock),
        held_now() - early);
    assert_true(report->steps == steps || report->counters.at_rest);
    assert_true(imbalance(&report->ledger.water) < slack);
    assert_true(imbalance(&report->ledger.rock) < slack);
    assert_true(layers_finite(land));
    silt_erosion_end(erosion);
    silt_terrain_destroy(land);
}

static void long_runs_neither_grow_nor_lose(void **state)
{
    (void)state;
    lasts("pipes", "rain=60", 1.0, 1e-9);
    lasts("thermal", "strength=0", 1.0, 1e-9);
    lasts("cells", "", 1.0, 1e-9);
    lasts("newton", "rain=60", 0.1, 1e-9);
    lasts("rivers", "uplift=0.001", 0.01, 1e-6);
    lasts("ice", "", 0.01, 1e-6);
    lasts("acid", "", 0.01, 1e-6);
    lasts("sph", "sources=80,80,30,20,1,0,0 spacing=5", 0.01, 1e-6);
    lasts("voxel", "", 0.001, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_take_what_was_said),
                                       cmocka_unit_test(what_cannot_fit_is_refused_first),
                                       cmocka_unit_test(long_runs_neither_grow_nor_lose)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
