// One hash for every generator, shape of rock, model and recipe, for each of their choices, and for what
// water and measures come to: the promise "same seed, same bytes" in a table that any build can be held
// against.
//
//     golden_hashes TABLE          compares; status 1 and a line for each that differs
//     golden_hashes --write TABLE  writes the table anew
//
// scripts/golden does so for other compilers, optimisations and vector widths.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>

#include "silt/drainage.h"
#include "silt/erode.h"
#include "silt/fluid.h"
#include "silt/generate.h"
#include "small_recipes.h"
#include "sph/sph.h"
#include "volume/volume.h"

enum { MOST_ENTRIES = 1024, KEY_SIZE = 160, SEED = 7 };

typedef struct Entry {
    char key[KEY_SIZE];
    char value[32]; // 16 digits, or the name of the status it ends with
} Entry;

static Entry found[MOST_ENTRIES];
static int found_count;

static void fail(const char *what)
{
    fprintf(stderr, "golden_hashes: %s: %s\n", what, silt_message());
    exit(2);
}

// What is refused is told so; what this build cannot do is marked and later passed over.
// Where only some are asked for: keys that begin with one of these words, or are one that ends with a point.
static char **wanted_words;
static int wanted_count;

static bool is_wanted(const char *key)
{
    bool wanted = wanted_count == 0;
    for (int k = 0; k < wanted_count; k++) {
        size_t length = strlen(wanted_words[k]);
        bool whole = length > 0 && wanted_words[k][length - 1] == '.';
        wanted =
            wanted || (whole ? strlen(key) == length - 1 && strncmp(key, wanted_words[k], length - 1) == 0
                             : strncmp(key, wanted_words[k], length) == 0);
    }
    return wanted;
}

static void note(const char *key, SiltStatus status, uint64_t hash)
{
    if (found_count == MOST_ENTRIES || status == SILT_NO_MEMORY || status == SILT_IO_ERROR)
        fail(key);
    Entry *entry = &found[found_count++];
    snprintf(entry->key, sizeof entry->key, "%s", key);
    if (status == SILT_OK)
        snprintf(entry->value, sizeof entry->value, "%016llx", (unsigned long long)hash);
    else
        snprintf(entry->value, sizeof entry->value, "%s", silt_status_name(status));
    for (char *c = entry->value; *c; c++)
        *c = *c == ' ' ? '-' : *c;
}

// ---- hashes ----

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < count; k++)
        hash = (hash ^ at[k]) * 0x100000001B3u;
    return hash ^ (hash >> 31);
}

static uint64_t hash_terrain(const SiltTerrain *terrain)
{
    uint64_t hash = mix(0xCBF29CE484222325u, &terrain->cell, sizeof terrain->cell);
    for (int k = 0; k < terrain->layer_count; k++) {
        const SiltLayer *layer = terrain->layers[k];
        uint64_t field = silt_field_hash(&layer->field);
        hash = mix(mix(hash, layer->name, strlen(layer->name)), &field, sizeof field);
    }
    if (terrain->nodata)
        hash = mix(hash, terrain->nodata, (size_t)terrain->width * (size_t)terrain->height);
    uint64_t rock = terrain->volume ? silt_volume_hash(terrain->volume) : 0;
    return mix(hash, &rock, sizeof rock);
}

// The fields by name, so that one more in an account does not change every hash.
static uint64_t mix_ledger(uint64_t hash, const SiltLedger *ledger)
{
    const SiltAccount *w = &ledger->water, *r = &ledger->rock;
    const double all[] = {w->initial, w->added, w->removed, w->moved, w->stored, w->carried,
                          r->initial, r->added, r->removed, r->moved, r->stored, r->carried};
    return mix(hash, all, sizeof all);
}

static uint64_t hash_particles(uint64_t hash, const SiltParticles *p)
{
    const float *const fields[] = {p->x, p->y, p->z, p->u, p->v, p->w, p->density, p->sediment};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
        if (fields[k])
            hash = mix(hash, fields[k], (size_t)p->count * sizeof(float));
    return p->id ? mix(hash, p->id, (size_t)p->count * sizeof p->id[0]) : hash;
}

static SiltStatus take_particles(void *user, const SiltParticles *particles)
{
    uint64_t *hash = user;
    *hash = hash_particles(*hash, particles);
    return SILT_OK;
}

// ---- one thing with its defaults, and then with each other choice and each flag turned ----

typedef SiltStatus (*MakeFn)(const void *what, const void *params, uint64_t *hash);

// Settings "name=value name=value"; names that this table does not have are passed over.
static SiltStatus assign_all(const SiltParamTable *table, void *params, const char *owner,
                             const char *settings)
{
    char text[256], name[SILT_NAME_SIZE];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
        if (silt_params_find(table, name) < 0)
            continue;
        SiltStatus status = silt_params_assign(table, params, owner, word);
        if (status != SILT_OK)
            return status;
    }
    return SILT_OK;
}

// `base` are settings that all of them share, and that the key does not tell.
static void note_with(const char *kind, const char *name, const SiltParamTable *table, const char *base,
                      const char *setting, MakeFn make, const void *what)
{
    char key[2 * KEY_SIZE];
    snprintf(key, sizeof key, "%s %s%s%s", kind, name, setting ? " " : "", setting ? setting : "");
    if (!is_wanted(key))
        return;
    void *params = silt_alloc(table->size ? table->size : 1);
    if (!params || silt_params_init(table, params) != SILT_OK)
        fail(name);
    uint64_t hash = 0;
    if (assign_all(table, params, name, base) != SILT_OK)
        fail(name);
    SiltStatus status = setting ? silt_params_assign(table, params, name, setting) : SILT_OK;
    if (status == SILT_OK)
        status = make(what, params, &hash);
    note(key, status, hash);
    silt_params_free(table, params);
    silt_free(params);
}

static void note_choices(const char *kind, const char *name, const SiltParamTable *table, const char *base,
                         MakeFn make, const void *what)
{
    note_with(kind, name, table, base, NULL, make, what);
    for (int k = 0; k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        char setting[KEY_SIZE], choice[SILT_NAME_SIZE];
        if (param->type == SILT_TYPE_BOOL) {
            snprintf(setting, sizeof setting, "%s=%s", param->name,
                     param->number[0] > 0.0 ? "false" : "true");
            note_with(kind, name, table, base, setting, make, what);
        }
        for (int n = 0; param->type == SILT_TYPE_CHOICE && silt_param_choice(param, n, choice); n++) {
            snprintf(setting, sizeof setting, "%s=%s", param->name, choice);
            if (strcmp(choice, param->text) != 0)
                note_with(kind, name, table, base, setting, make, what);
        }
    }
}

// ---- generators and shapes ----

static SiltStatus make_ground(const void *what, const void *params, uint64_t *hash)
{
    SiltTerrain *terrain;
    SiltRun run = {.seed = SEED};
    SiltStatus status = silt_generate(what, 88, 67, 12.5, params, &run, &terrain);
    if (status != SILT_OK)
        return status;
    *hash = hash_terrain(terrain);
    silt_terrain_destroy(terrain);
    return SILT_OK;
}

// The rock, its surface as a mesh, and that mesh with fewer triangles.
static SiltStatus make_shape(const void *what, const void *params, uint64_t *hash)
{
    SiltVolume *volume;
    SiltMesh mesh = {0};
    SiltRock rock = {.kind = SILT_ROCK_NOISE, .low = 0.2, .high = 1.0, .size = 5.0};
    SiltStatus status =
        silt_volume_make(what, (const int[3]){36, 32, 28}, 8, 0.7, params, &rock, SEED, &volume);
    if (status != SILT_OK)
        return status;
    *hash = silt_volume_hash(volume);
    status = silt_volume_mesh(volume, false, &mesh);
    if (status == SILT_OK) {
        *hash = mix(*hash, mesh.positions, 3 * mesh.vertex_count * sizeof(float));
        *hash = mix(*hash, mesh.indices, 3 * mesh.triangle_count * sizeof(uint32_t));
        status = silt_mesh_decimate(&mesh, 0.3);
        *hash = mix(*hash, mesh.positions, 3 * mesh.vertex_count * sizeof(float));
    }
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
    return status;
}

// ---- models ----

// Grounds, settings and durations with which a model does most of what it can; others take the last line.
#define SPRING "sources=200,150,3,25,0,0,0.05 evaporation=0.002 "
#define BEDS   "strata=6,1,12;4,0.2,-5 "
typedef struct Work {
    const char *model;
    const char *ground, *shape; // a generator and a setting of it, or none
    const char *settings;
    int width, height;
    double cell;
    int64_t steps;
    bool has_hole; // cells without data
} Work;

static const Work works[] = {
    {"acid", "pyramid", NULL, "fall=0.2 drops=3 life=0.3", 28, 24, 1.0, 40, false},
    {"sph", "channel", NULL, "boxes=0,0,0.2,20,20,2 spacing=0.6 grain=0.00002", 20, 20, 1.0, 60, false},
    {"voxel", "plane", "angle=30", "boxes=0,0,-1,24,24,4,0.01 capacity=0.5 most=4", 24, 24, 1.0, 40, false},
    {"rivers", "noise", "relief=300", BEDS, 70, 53, 40.0, 12, true},
    {"thermal", "noise", "relief=900", BEDS, 70, 53, 10.0, 40, true},
    {"", "noise", "relief=120", SPRING BEDS, 70, 53, 8.0, 48, true},
};

static SiltStatus make_start(const char *name, const char *setting, int width, int height, double cell,
                             SiltTerrain **out)
{
    const SiltGenerator *generator = silt_generator_find(name);
    void *params = generator ? silt_alloc(generator->params.size) : NULL;
    if (!params || silt_params_init(&generator->params, params) != SILT_OK)
        fail(name);
    SiltRun run = {.seed = SEED};
    SiltStatus status = setting ? silt_params_assign(&generator->params, params, name, setting) : SILT_OK;
    if (status == SILT_OK)
        status = silt_generate(generator, width, height, cell, params, &run, out);
    silt_params_free(&generator->params, params);
    silt_free(params);
    return status;
}

static void make_hole(SiltTerrain *terrain)
{
    if (silt_terrain_require_nodata(terrain) != SILT_OK)
        fail("hole");
    for (int j = 20; j < 24; j++)
        for (int i = 30; i < 37 - (j & 1); i++) {
            terrain->nodata[j * terrain->width + i] = 1;
            silt_field_row(&terrain->layers[0]->field, j)[i] = 0.0f;
        }
}

static const Work *work_of(const SiltModel *model)
{
    const Work *work = works;
    while (work->model[0] && strcmp(work->model, silt_model_name(model)) != 0)
        work++;
    return work;
}

static SiltStatus run_model(const void *what, const void *params, uint64_t *hash)
{
    const SiltModel *model = what;
    const Work *work = work_of(model);
    SiltTerrain *terrain;
    SiltReport report;
    SiltStatus status =
        make_start(work->ground, work->shape, work->width, work->height, work->cell, &terrain);
    if (status != SILT_OK)
        return status;
    if (work->has_hole)
        make_hole(terrain);
    SiltRun run = {.seed = SEED, .user = hash, .last_particles = take_particles};
    status = silt_erode(model, terrain, params, (SiltDuration){.steps = work->steps}, &run, &report);
    if (status == SILT_OK) {
        uint64_t ground = hash_terrain(terrain);
        *hash = mix_ledger(mix(*hash, &ground, sizeof ground), &report.ledger);
    }
    silt_terrain_destroy(terrain);
    return status;
}

// ---- water in a box, and measures ----

// A crowd: so wide a support that a particle has some two hundred neighbours, more than are taken at once.
static void note_crowd(void)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.1;
    config.support = 0.37;
    config.capacity = 4000;
    SiltSph *sph;
    if (silt_sph_create("golden", &config, &sph) != SILT_OK)
        fail("water crowd");
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {1.0, 1.2, 0.9};
    silt_sph_fill(sph, low, high, (const float[3]){0.3f, -0.2f, 0.0f});
    for (int k = 0; k < 8; k++)
        silt_sph_step(sph, 0.01);
    note("water crowd", SILT_OK, silt_sph_hash(sph));
    silt_sph_destroy(sph);
}

static void note_dam(void)
{
    SiltWater *water;
    SiltParticles particles;
    if (silt_water_create(NULL, &water) != SILT_OK)
        fail("water box");
    silt_water_fill(water, (const double[3]){0.0, 0.0, 0.0}, (const double[3]){0.5, 1.0, 0.5}, NULL);
    for (int k = 0; k < 20; k++)
        silt_water_step(water, 0.01);
    silt_water_particles(water, &particles);
    note("water box", SILT_OK, hash_particles((uint64_t)particles.count, &particles));
    silt_water_destroy(water);
}

static void note_measures(void)
{
    SiltTerrain *terrain;
    SiltDrainageStatistics measured;
    if (make_start("noise", "relief=700", 128, 96, 30.0, &terrain) != SILT_OK ||
        silt_drainage_statistics(terrain, &measured) != SILT_OK)
        fail("measure drainage");
    note("measure drainage", SILT_OK, mix(SEED, &measured, sizeof measured));
    silt_terrain_destroy(terrain);
}

// Compilers once lost a rounding in it.
static void note_decimated(void)
{
    const SiltVolumeShape *shape = silt_volume_shape_find("bridge");
    void *params = silt_params_new(&shape->params);
    SiltVolume *volume = NULL;
    SiltMesh mesh = {0};
    if (!params ||
        silt_volume_make(shape, (const int[3]){48, 48, 48}, 8, 10.0, params, NULL, 1, &volume) != SILT_OK ||
        silt_volume_mesh(volume, false, &mesh) != SILT_OK || silt_mesh_decimate(&mesh, 0.2) != SILT_OK)
        fail("mesh decimated");
    note("mesh decimated", SILT_OK, mix(SEED, mesh.positions, 3 * sizeof(float) * mesh.vertex_count));
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
    silt_params_delete(&shape->params, params);
}

// ---- recipes ----

static void note_recipe(const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char key[KEY_SIZE];
    snprintf(key, sizeof key, "recipe %.*s", (int)strcspn(base, "."), base);
    SiltRecipe *recipe = NULL;
    SiltTerrain *terrain = NULL;
    uint64_t hash = 0;
    SiltRun run = {.user = &hash, .last_particles = take_particles};
    SiltStatus status = read_small_recipe(path, 48, 40.0, false, &recipe);
    if (status == SILT_OK)
        status = silt_recipe_grow(recipe, &run, &terrain);
    if (status == SILT_OK) {
        uint64_t ground = hash_terrain(terrain);
        hash = mix(hash, &ground, sizeof ground);
    } else if (status != SILT_MISSING_FEATURE) {
        fail(key); // every recipe runs
    }
    note(key, status, hash);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
}

static void note_recipes(void)
{
    glob_t paths;
    if (glob(SILT_SOURCE_DIR "/recipes/*.yaml", 0, NULL, &paths) != 0)
        fail("recipes");
    for (size_t k = 0; k < paths.gl_pathc; k++)
        note_recipe(paths.gl_pathv[k]);
    globfree(&paths);
}

// ---- the table ----

static void note_all(void)
{
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *g = silt_generator_at(k);
        note_choices("generator", g->name, &g->params, "", make_ground, g);
    }
    for (int k = 0; k < silt_volume_shape_count(); k++) {
        const SiltVolumeShape *s = silt_volume_shape_at(k);
        note_choices("shape", s->name, &s->params, "", make_shape, s);
    }
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *m = silt_model_at(k);
        note_choices("model", silt_model_name(m), silt_model_params(m), work_of(m)->settings, run_model, m);
    }
    if (wanted_count > 0) // of generators, shapes and models alone
        return;
    note_crowd();
    note_dam();
    note_measures();
    note_decimated();
    note_recipes();
}

static int write_table(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return 2;
    }
    fprintf(file, "# Hashes of results; `make golden-accept` writes them anew. A change needs a line in "
                  "CHANGELOG.md.\n");
    for (int k = 0; k < found_count; k++)
        fprintf(file, "%s %s\n", found[k].value, found[k].key);
    return fclose(file) == 0 ? 0 : 2;
}

static Entry *find(const char *key)
{
    for (int k = 0; k < found_count; k++)
        if (strcmp(found[k].key, key) == 0)
            return &found[k];
    return NULL;
}

static int compare_table(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return 2;
    }
    char line[KEY_SIZE + 64];
    int differing = 0, alike = 0, passed_over = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *key = strchr(line, ' ');
        if (line[0] == '#' || !key)
            continue;
        *key++ = '\0';
        if (!is_wanted(key))
            continue;
        Entry *entry = find(key);
        if (!entry || strcmp(entry->value, line) == 0) {
            differing += !entry;
            alike += !!entry;
            if (!entry)
                printf("%s: in the table, and no longer made\n", key);
        } else if (strcmp(entry->value, "missing-feature") == 0) {
            passed_over++;
        } else {
            printf("%s: %s in the table, %s here\n", key, line, entry->value);
            differing++;
        }
        if (entry)
            entry->key[0] = '\0';
    }
    fclose(file);
    for (int k = 0; k < found_count; k++)
        if (found[k].key[0]) {
            printf("%s: not in the table\n", found[k].key);
            differing++;
        }
    printf("%d alike, %d different, %d that this build cannot make\n", alike, differing, passed_over);
    if (differing)
        printf("If that was meant, accept it with `make golden-accept` and say it in CHANGELOG.md.\n");
    return differing || !alike;
}

int main(int argc, char **argv)
{
    bool writes = argc == 3 && strcmp(argv[1], "--write") == 0;
    if (argc < 2) {
        fprintf(
            stderr,
            "usage: golden_hashes [--write] TABLE, or golden_hashes TABLE WORD...: the keys that begin so\n");
        return 2;
    }
    if (!writes) {
        wanted_words = argv + 2;
        wanted_count = argc - 2;
    }
    note_all();
    return writes ? write_table(argv[2]) : compare_table(argv[1]);
}
