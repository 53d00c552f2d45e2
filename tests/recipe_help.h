// Recipes as text: written into a folder of their own, read, run.
#ifndef SILT_RECIPE_HELP_H
#define SILT_RECIPE_HELP_H

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "silt/recipe.h"
#include "test.h"

#define PLANE "terrain: {new: plane, size: 8}\n"

// Every section that does something.
#define SLOPE                                                                                                \
    "about: A slope, scree, and $$5\n"                                                                       \
    "define:\n"                                                                                              \
    "  size: 24\n"                                                                                           \
    "  name: out\n"                                                                                          \
    "  output: $name/deep/er\n"                                                                              \
    "terrain:\n"                                                                                             \
    "  new: plane\n"                                                                                         \
    "  size: $size\n"                                                                                        \
    "  cell: 10 m\n"                                                                                         \
    "  set: {angle: 60}\n"                                                                                   \
    "stages:\n"                                                                                              \
    "  - erode: thermal\n"                                                                                   \
    "    steps: 20\n"                                                                                        \
    "  - scale: height\n"                                                                                    \
    "    by: 0.5\n"                                                                                          \
    "  - erode: thermal\n"                                                                                   \
    "    steps: 5\n"                                                                                         \
    "outputs:\n"                                                                                             \
    "  - write: ${output}/height.pgm\n"                                                                      \
    "  - maps: $output/maps\n"                                                                               \
    "    format: pgm\n"                                                                                      \
    "  - report: $output/report.json\n"

static char folder[64];

static inline int enter_folder(void **state)
{
    (void)state;
    strcpy(folder, "recipe-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline int leave_folder(void **state)
{
    (void)state;
    return chdir("..") == 0 ? nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

static inline SiltStatus read_with(const char *text, const char *const *defines, int count,
                                   SiltRecipe **recipe)
{
    write_text("r.yaml", text);
    return silt_recipe_read("r.yaml", defines, count, recipe);
}

static inline SiltStatus run_text(const char *text, SiltTerrain **terrain, char **report)
{
    SiltRecipe *recipe;
    *terrain = NULL;
    SiltStatus status = read_with(text, NULL, 0, &recipe);
    if (status != SILT_OK)
        return status;
    status = silt_recipe_run(recipe, NULL, terrain, report);
    silt_recipe_destroy(recipe);
    return status;
}

// all that a test of recipes can say where they cannot be read
static inline void without_yaml(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(run_text("terrain: {new: plane}\n", &terrain, NULL), SILT_MISSING_FEATURE, "libyaml-dev");
}

static inline bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

#endif
