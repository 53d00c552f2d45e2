// Law: a result is a function of what was asked for. Every generator and every model, small, on several
// numbers of threads, kept on the way and gone on with, and where there is a device, on that: one table of
// hashes, which same_bytes.txt holds beside the test and `make test` prints.
#include "erode_help.h"

#include <sys/stat.h>

#include "grid_kinds.h"
#include "silt/checkpoint.h"
#include "silt/generate.h"
#include "terrains.h"

static const int threads[] = {1, 2, 3, 8, 16};
enum { THREADS = sizeof threads / sizeof threads[0], RESTARTED = THREADS, COLUMNS };
enum { STEPS = 6 };

static FILE *table;
static int hashes, differing;

static void print_row(const char *kind, const char *name, const uint64_t row[COLUMNS],
                      const bool has[COLUMNS])
{
    fprintf(table, "%-10s %-16s %016llx ", kind, name, (unsigned long long)row[0]);
    for (int k = 1; k < COLUMNS; k++) {
        bool same = row[k] == row[0];
        hashes += has[k];
        differing += has[k] && !same;
        fprintf(table, " %9s", !has[k] ? "-" : same ? "same" : "OTHER");
    }
    fprintf(table, "\n");
    hashes++;
}

// ---- generators ----

static void note_generator(const SiltGenerator *generator)
{
    uint64_t row[COLUMNS] = {0};
    bool has[COLUMNS] = {0};
    for (int k = 0; k < THREADS; k++) {
        SiltTerrain *terrain;
        SiltRun run = {.seed = 3, .threads = threads[k]};
        SiltStatus status = silt_generate(generator, 61, 47, 10.0, NULL, &run, &terrain);
        if (status == SILT_MISSING_FEATURE)
            return;
        assert_ok(status);
        row[k] = layers_hash(terrain);
        has[k] = true;
        silt_terrain_destroy(terrain);
    }
    print_row("generator", generator->name, row, has);
}

// ---- models ----

static SiltStatus stop_at_third(void *user, const SiltTerrain *terrain, int index)
{
    (void)user, (void)terrain;
    return index == 2 ? silt_fail(SILT_CANCELLED, "stopped") : SILT_OK;
}

static uint64_t run_model(const SiltModel *model, SiltRun run, SiltCheckpoint *kept, bool goes_on, bool stops)
{
    const SiltParamTable *params_of = silt_model_params(model);
    void *params = silt_params_new(params_of);
    char words[256];
    snprintf(words, sizeof words, "%s", small_settings(silt_model_name(model)));
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        assert_ok(silt_params_assign(params_of, params, "test", word));
    SiltTerrain *terrain = NULL;
    if (goes_on)
        assert_ok(silt_checkpoint_terrain(kept, &terrain));
    else
        terrain = rough_ground((RoughGround){44, 37, 2.0, 12.0f});
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = STEPS;
    run.seed = 5;
    if (kept)
        silt_checkpoint_attach(kept, &run);
    SiltReport report;
    SiltStatus status = silt_erode_as(model, terrain, params, &options, &run, &report);
    assert_true(stops ? status == SILT_CANCELLED : status == SILT_OK);
    uint64_t hash = mix_books(layers_hash(terrain), &report);
    silt_terrain_destroy(terrain);
    silt_params_delete(params_of, params);
    return hash;
}

static uint64_t run_in_two(const SiltModel *model)
{
    const char *path = "same_bytes.silt";
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
    run_model(model, (SiltRun){.frame = stop_at_third, .frame_interval = 1.0}, kept, false, true);
    silt_checkpoint_destroy(kept);
    assert_ok(silt_checkpoint_open(path, &kept));
    uint64_t hash = run_model(model, (SiltRun){.threads = 2}, kept, true, false);
    silt_checkpoint_destroy(kept);
    remove(path);
    return hash;
}

static void note_model(const SiltModel *model)
{
    uint64_t row[COLUMNS] = {0};
    bool has[COLUMNS] = {0};
    for (int k = 0; k < THREADS; k++) {
        row[k] = run_model(model, (SiltRun){.threads = threads[k]}, NULL, false, false);
        has[k] = true;
    }
    row[RESTARTED] = run_in_two(model);
    has[RESTARTED] = true;
    print_row("model", silt_model_name(model), row, has);
}

static void same_bytes(void **state)
{
    (void)state;
    table = fopen("same_bytes.txt", "w");
    assert_non_null(table);
    fprintf(table, "%-10s %-16s %-16s ", "", "", "1 thread");
    for (int k = 1; k < THREADS; k++)
        fprintf(table, " %9d", threads[k]);
    fprintf(table, " %9s\n", "restarted");
    for (int k = 0; k < silt_generator_count(); k++)
        note_generator(silt_generator_at(k));
    for (int k = 0; k < silt_model_count(); k++)
        note_model(silt_model_at(k));
    fprintf(table, "%d results compared, %d different\n", hashes, differing);
    fclose(table);
    assert_int_equal(differing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
