// What earlier runs left: the bytes of a run from nothing, whatever has changed.
#include "recipe_help.h"

#include <dirent.h>

#ifdef SILT_HAS_YAML

#define LAND                                                                                                 \
    "define: {seed: 1, relief: 300, by: 1.5, steps: 3, height: h.pgm}\n"                                     \
    "terrain: {new: noise, size: 40, seed: $seed, set: {relief: $relief}}\n"                                 \
    "stages:\n"                                                                                              \
    "  - {erode: rivers, steps: 3}\n"                                                                        \
    "  - {scale: height, by: $by}\n"                                                                         \
    "  - {erode: thermal, steps: $steps, set: {talus: 5}}\n"                                                 \
    "outputs: [{write: $height}, {maps: maps, format: npy}]\n"

static SiltKept run_with(const char *define, SiltLarder *larder, uint64_t *hash)
{
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    SiltKept kept;
    assert_ok(read_with(LAND, &define, define ? 1 : 0, &recipe));
    assert_ok(silt_recipe_run_kept(recipe, NULL, larder, &kept, &terrain, NULL));
    *hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        *hash = *hash * 31 + silt_field_hash(&terrain->layers[k]->field);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return kept;
}

static SiltLarder *open_larder(uint64_t bytes)
{
    SiltLarder *larder;
    assert_ok(silt_larder_open("larder", bytes, 0.0, &larder));
    return larder;
}

// A stage is done anew from the first change on, and the whole is what it is without a larder.
static void begins_at_the_first_change(void **state)
{
    (void)state;
    static const struct {
        const char *define;
        int stage; // the last that is kept
    } cases[] = {{NULL, 2},          {"steps=4", 1}, {"by=1.25", 0},
                 {"relief=250", -2}, {"seed=2", -2}, {"height=g.pgm", 2}};
    SiltLarder *larder = open_larder(1 << 26);
    uint64_t with, without;
    assert_int_equal(run_with(NULL, larder, &with).stage, -2);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltKept kept = run_with(cases[k].define, larder, &with);
        run_with(cases[k].define, NULL, &without);
        // results that were made more quickly than a disk takes them may not be there
        assert_true(kept.stage <= cases[k].stage);
        assert_true(with == without);
    }
    silt_larder_close(larder);
}

static int count_files(const char *ending)
{
    int count = 0;
    DIR *entries = opendir("larder");
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        count += strstr(entry->d_name, ending) != NULL;
    if (entries)
        closedir(entries);
    return count;
}

// Bytes that are not what was written are made anew.
static void damage_is_seen(void **state)
{
    (void)state;
    SiltLarder *larder = open_larder(1 << 26);
    uint64_t first, second;
    run_with(NULL, larder, &first);
    assert_true(count_files(".stage") > 0);
    DIR *entries = opendir("larder");
    for (struct dirent *entry; (entry = readdir(entries));) {
        char path[512];
        snprintf(path, sizeof path, "larder/%s", entry->d_name);
        FILE *file = strstr(path, ".stage") || strstr(path, ".made") ? fopen(path, "r+b") : NULL;
        if (!file)
            continue;
        fseek(file, 0, SEEK_END);
        fseek(file, ftell(file) / 2, SEEK_SET);
        fputs("damage", file);
        fclose(file);
    }
    closedir(entries);
    assert_int_equal(run_with(NULL, larder, &second).stage, -2);
    assert_true(first == second);
    silt_larder_close(larder);
}

static void stays_within_its_bytes(void **state)
{
    (void)state;
    SiltLarder *larder = open_larder(300000);
    uint64_t hash;
    for (int k = 0; k < 6; k++) {
        char define[32];
        snprintf(define, sizeof define, "seed=%d", k);
        run_with(define, larder, &hash);
    }
    struct stat info;
    uint64_t bytes = 0;
    DIR *entries = opendir("larder");
    for (struct dirent *entry; (entry = readdir(entries));) {
        char path[512];
        snprintf(path, sizeof path, "larder/%s", entry->d_name);
        if (strstr(path, ".stage") && stat(path, &info) == 0)
            bytes += (uint64_t)info.st_size;
    }
    closedir(entries);
    assert_true(bytes > 0 && bytes <= 300000 + 100000); // heads and keys besides
    silt_larder_close(larder);
}

static void refuses_what_is_no_folder(void **state)
{
    (void)state;
    SiltLarder *larder;
    write_text("file", "x");
    assert_int_not_equal(silt_larder_open("file/in", 1000, 0.0, &larder), SILT_OK);
    assert_null(larder);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test_setup_teardown(begins_at_the_first_change, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(damage_is_seen, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(stays_within_its_bytes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_folder, enter_folder, leave_folder),
#else
        cmocka_unit_test_setup_teardown(without_yaml, enter_folder, leave_folder),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
