// Law: a result is a function of what was asked for. Every generator, every model and every recipe, small, on
// several numbers of threads, kept on the way and gone on with, and models where they can in regions of the
// map and on a device, from the beginning, from half-way on and up to half-way: one table of hashes, which
// same_bytes.txt holds beside the test and `make test` prints. Compilers, optimisation and vector widths are
// `make golden`'s, whose last result stands below it (tests/golden/compilers.txt).
#include "region_help.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device_help.h"
#include "grid_kinds.h"
#include "recipe/recipe.h"
#include "silt/checkpoint.h"
#include "silt/generate.h"
#include "small_recipes.h"
#include "terrains.h"

static const int threads[] = {1, 2, 3, 8, 16};
enum {
    THREADS = sizeof threads / sizeof threads[0],
    RESTARTED = THREADS,
    IN_REGIONS,
    ON_DEVICE,
    TO_DEVICE, // three steps on the processor, the others there
    FROM_DEVICE,
    COLUMNS
};
static const char *const columns[COLUMNS] = {"1 thread",  "2",       "3",      "8",         "16",
                                             "restarted", "regions", "device", "to device", "from device"};
enum { STEPS = 6 };
static const RoughGround ground = {44, 37, 2.0, 12.0f};

static FILE *table;
static SiltDevice *device; // NULL: there is none
static int hashes, differing;

typedef struct Row {
    uint64_t hash[COLUMNS];
    bool has[COLUMNS];
} Row;

static void set(Row *row, int column, uint64_t hash)
{
    row->hash[column] = hash;
    row->has[column] = true;
}

static void print_row(const char *kind, const char *name, const Row *row)
{
    fprintf(table, "%-10s %-18s %016llx", kind, name, (unsigned long long)row->hash[0]);
    for (int k = 1; k < COLUMNS; k++) {
        bool same = row->hash[k] == row->hash[0];
        hashes += row->has[k];
        differing += row->has[k] && !same;
        fprintf(table, " %*s", (int)strlen(columns[k]) < 5 ? 5 : (int)strlen(columns[k]),
                !row->has[k] ? "-"
                : same       ? "same"
                             : "OTHER");
    }
    fprintf(table, "\n");
    hashes++;
}

// ---- generators ----

static void note_generator(const SiltGenerator *generator)
{
    Row row = {0};
    for (int k = 0; k < THREADS; k++) {
        SiltTerrain *terrain;
        SiltRun run = {.seed = 3, .threads = threads[k]};
        SiltStatus status = silt_generate(generator, 61, 47, 10.0, NULL, &run, &terrain);
        if (status == SILT_MISSING_FEATURE)
            return;
        assert_ok(status);
        set(&row, k, layers_hash(terrain));
        silt_terrain_destroy(terrain);
    }
    print_row("generator", generator->name, &row);
}

// ---- models ----

static SiltStatus stop_at_third(void *user, const SiltTerrain *terrain, int index)
{
    (void)user, (void)terrain;
    return index == 2 ? silt_fail(SILT_CANCELLED, "stopped") : SILT_OK;
}

typedef struct Hashes {
    uint64_t all, layers; // with the books and without
} Hashes;

static Hashes run_model(const SiltModel *model, SiltRun run, SiltCheckpoint *kept, bool goes_on, bool stops)
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
        terrain = rough_ground(ground);
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = STEPS;
    run.seed = 5;
    if (kept)
        silt_checkpoint_attach(kept, &run);
    SiltReport report;
    SiltStatus status = silt_erode_as(model, terrain, params, &options, &run, &report);
    if (stops ? status != SILT_CANCELLED : status != SILT_OK)
        fail_msg("%s: %s: %s", silt_model_name(model), silt_status_name(status), silt_message());
    Hashes found = {mix_books(layers_hash(terrain), &report), layers_hash(terrain)};
    silt_terrain_destroy(terrain);
    silt_params_delete(params_of, params);
    return found;
}

static uint64_t run_in_two(const SiltModel *model, SiltDevice *first, SiltDevice *second)
{
    const char *path = "same_bytes.silt";
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
    run_model(model, (SiltRun){.device = first, .frame = stop_at_third, .frame_interval = 1.0}, kept, false,
              true);
    silt_checkpoint_destroy(kept);
    assert_ok(silt_checkpoint_open(path, &kept));
    uint64_t hash = run_model(model, (SiltRun){.threads = 2, .device = second}, kept, true, false).all;
    silt_checkpoint_destroy(kept);
    remove(path);
    return hash;
}

// The cells that a region owns, back in the map.
static void bring_home(const Part *part, SiltTerrain *map)
{
    const SiltRegion *r = &part->region;
    for (int k = 0; k < part->terrain->layer_count; k++) {
        const SiltField *from = &part->terrain->layers[k]->field;
        SiltField *to;
        assert_ok(silt_terrain_require(map, part->terrain->layers[k]->name, &to));
        for (int j = r->north; j < from->height - r->south; j++)
            memcpy(silt_field_row(to, r->j + j) + r->i + r->west, silt_field_row(from, j) + r->west,
                   (size_t)(from->width - r->west - r->east) * sizeof(float));
    }
}

// The layers of the map, run in regions; the books of a region are the whole's but for the last bit
// (law_regions).
static uint64_t run_in_regions(const SiltModel *model)
{
    static const int west[] = {0, 17, 44}, north[] = {0, 9, 22, 37};
    static Meeting meeting;
    SiltTerrain *map = rough_ground(ground), *before = rough_ground(ground);
    pthread_t runners[REGIONS];
    meeting = (Meeting){0};
    assert_int_equal(pthread_barrier_init(&meeting.barrier, NULL, REGIONS), 0);
    for (int k = 0; k < REGIONS; k++) {
        Part *part = &meeting.parts[k];
        int a = k % ACROSS, b = k / ACROSS;
        *part = (Part){.meeting = &meeting,
                       .model = silt_model_name(model),
                       .settings = small_settings(silt_model_name(model)),
                       .steps = STEPS,
                       .seed = 5,
                       .settles = true};
        part->peers = (SiltPeers){part, exchange, fold};
        assert_ok(silt_terrain_region(before, west[a], north[b], west[a + 1] - west[a],
                                      north[b + 1] - north[b], HALO, &part->region, &part->terrain));
        part->region.peers = &part->peers;
    }
    for (int k = 0; k < REGIONS; k++)
        assert_int_equal(pthread_create(&runners[k], NULL, run_part, &meeting.parts[k]), 0);
    for (int k = 0; k < REGIONS; k++)
        pthread_join(runners[k], NULL);
    for (int k = 0; k < REGIONS; k++) {
        assert_int_equal(meeting.parts[k].status, SILT_OK);
        bring_home(&meeting.parts[k], map);
        silt_terrain_destroy(meeting.parts[k].terrain);
    }
    pthread_barrier_destroy(&meeting.barrier);
    uint64_t hash = layers_hash(map);
    silt_terrain_destroy(map);
    silt_terrain_destroy(before);
    return hash;
}

static void note_model(const SiltModel *model)
{
    Row row = {0};
    uint64_t layers = 0;
    for (int k = 0; k < THREADS; k++) {
        Hashes found = run_model(model, (SiltRun){.threads = threads[k]}, NULL, false, false);
        set(&row, k, found.all);
        layers = found.layers;
    }
    set(&row, RESTARTED, run_in_two(model, NULL, NULL));
    if (silt_model_halo(model) > 0)
        set(&row, IN_REGIONS, run_in_regions(model) == layers ? row.hash[0] : ~row.hash[0]);
    if (device && silt_model_on_device(model)) {
        set(&row, ON_DEVICE, run_model(model, (SiltRun){.device = device}, NULL, false, false).all);
        set(&row, TO_DEVICE, run_in_two(model, NULL, device));
        set(&row, FROM_DEVICE, run_in_two(model, device, NULL));
    }
    print_row("model", silt_model_name(model), &row);
}

// ---- recipes ----

// By name: a run that is gone on with finds layers in place that it would else have made at its end, and no
// file shows their order.
static uint64_t named_hash(const SiltTerrain *terrain)
{
    uint64_t sum = 0;
    for (int k = 0; k < terrain->layer_count; k++) {
        uint64_t hash = silt_field_hash(&terrain->layers[k]->field);
        for (const char *c = terrain->layers[k]->name; *c; c++)
            hash = (hash ^ (uint64_t)*c) * 0x9E3779B97F4A7C15u;
        sum += hash ^ hash >> 29;
    }
    return sum;
}

static uint64_t grow(const SiltRecipe *recipe, SiltRun run, SiltCheckpoint *kept, SiltStatus *status)
{
    SiltTerrain *terrain = NULL;
    if (kept)
        silt_checkpoint_attach(kept, &run);
    *status = silt_recipe_grow(recipe, &run, &terrain);
    uint64_t hash = *status == SILT_OK ? named_hash(terrain) : 0;
    silt_terrain_destroy(terrain);
    return hash;
}

static SiltStatus stop_at_that(void *user, const SiltTerrain *terrain, int index)
{
    (void)terrain;
    return index == *(const int *)user ? silt_fail(SILT_CANCELLED, "stopped") : SILT_OK;
}

// Stopped at this frame, where a model makes so many; false where none does.
static bool grow_in_two(const SiltRecipe *recipe, int frame, uint64_t *hash)
{
    const char *path = "same_bytes.silt";
    SiltCheckpoint *kept;
    SiltStatus status;
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
    grow(recipe, (SiltRun){.frame = stop_at_that, .user = &frame, .frames = 4}, kept, &status);
    silt_checkpoint_destroy(kept);
    if (status == SILT_OK || access(path, F_OK) != 0) {
        remove(path);
        return false;
    }
    assert_int_equal(status, SILT_CANCELLED);
    assert_ok(silt_checkpoint_open(path, &kept));
    *hash = grow(recipe, (SiltRun){.threads = 3}, kept, &status);
    if (status != SILT_OK)
        fail_msg("%s", silt_message());
    silt_checkpoint_destroy(kept);
    remove(path);
    remove("same_bytes.silt~");
    return true;
}

static bool wears(const SiltRecipe *recipe)
{
    for (int k = 0; k < recipe->stage_count; k++)
        if (recipe->stages[k].model && !recipe->stages[k].skipped)
            return true;
    return false;
}

static void note_recipe(const char *path)
{
    char name[SILT_NAME_SIZE];
    const char *base = strrchr(path, '/') + 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    SiltRecipe *recipe = NULL;
    SiltStatus status = read_small_recipe(path, 24, 8.0, true, &recipe);
    Row row = {0};
    for (int k = 0; k < THREADS && status == SILT_OK; k++) {
        if (SILT_SANITIZED && threads[k] != 1 && threads[k] != 3)
            continue;
        uint64_t hash = grow(recipe, (SiltRun){.threads = threads[k]}, NULL, &status);
        set(&row, k, hash);
    }
    uint64_t hash;
    if (status == SILT_OK && (grow_in_two(recipe, 2, &hash) || grow_in_two(recipe, 0, &hash)))
        set(&row, RESTARTED, hash);
    else if (status == SILT_OK && wears(recipe))
        fail_msg("%s: it wears land, and was not stopped on the way", name);
    if (status == SILT_OK && device && wears(recipe))
        set(&row, ON_DEVICE, grow(recipe, (SiltRun){.device = device, .device_or_cpu = true}, NULL, &status));
    silt_recipe_destroy(recipe);
    if (status == SILT_MISSING_FEATURE)
        return;
    if (status != SILT_OK)
        fail_msg("%s: %s", name, silt_message());
    print_row("recipe", name, &row);
}

static void note_recipes(void)
{
    glob_t paths;
    assert_int_equal(glob(SILT_SOURCE_DIR "/recipes/*.yaml", 0, NULL, &paths), 0);
    for (size_t k = 0; k < paths.gl_pathc; k++)
        note_recipe(paths.gl_pathv[k]);
    globfree(&paths);
}

static void same_bytes(void **state)
{
    (void)state;
    table = fopen("same_bytes.txt", "w");
    setvbuf(table, NULL, _IOLBF, 0);
    assert_non_null(table);
    fprintf(table, "%-29s %-16s", "", columns[0]);
    for (int k = 1; k < COLUMNS; k++)
        fprintf(table, " %5s", columns[k]);
    fprintf(table, "\n");
    for (int k = 0; k < silt_generator_count(); k++)
        note_generator(silt_generator_at(k));
    for (int k = 0; k < silt_model_count(); k++)
        note_model(silt_model_at(k));
    note_recipes();
    fprintf(table, "%d results compared, %d different\n", hashes, differing);
    fclose(table);
    assert_int_equal(differing, 0);
}

int main(void)
{
    device = SILT_SANITIZED ? NULL : open_any_device(); // law_devices looks at memory there
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    silt_device_close(device);
    return failed;
}
