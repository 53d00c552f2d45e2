// Reading, planning and running recipes, and every sentence they answer with.
#include "recipe_help.h"

#include "core/text.h"
#include "silt/render.h"

#ifdef SILT_HAS_YAML

static const char whole[] = "about: A slope, scree, and $$5\n"
                            "define:\n"
                            "  size: 24\n"
                            "  name: out\n"
                            "  output: $name/deep/er\n"
                            "terrain:\n"
                            "  new: plane\n"
                            "  size: $size\n"
                            "  cell: 10 m\n"
                            "  set: {angle: 60}\n"
                            "stages:\n"
                            "  - erode: thermal\n"
                            "    steps: 20\n"
                            "  - scale: height\n"
                            "    by: 0.5\n"
                            "  - erode: thermal\n"
                            "    steps: 5\n"
                            "outputs:\n"
                            "  - write: ${output}/height.pgm\n"
                            "  - maps: $output/maps\n"
                            "    format: pgm\n"
                            "  - report: $output/report.json\n";

static void reads_what_it_says(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    const char *defines[] = {"size=32x20", "name=else"};
    assert_ok(read_with(whole, defines, 2, &recipe));
    assert_string_equal(silt_recipe_about(recipe), "A slope, scree, and $5");
    assert_int_equal(silt_recipe_define_count(recipe), 3);
    SiltDefine size = silt_recipe_define_at(recipe, 0), output = silt_recipe_define_at(recipe, 2);
    assert_string_equal(size.name, "size");
    assert_string_equal(size.preset, "24");
    assert_string_equal(size.value, "32x20");
    assert_string_equal(output.value, "else/deep/er"); // a default follows the names above it
    silt_recipe_destroy(recipe);
}

static void runs_from_end_to_end(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    char *report;
    assert_ok(run_text(whole, &terrain, &report));
    assert_int_equal(terrain->width, 24);
    assert_near(terrain->cell, 10.0, 0.0);
    assert_null(silt_terrain_layer(terrain, "change")); // settled
    assert_true(is_there("out/deep/er/height.pgm"));
    assert_true(is_there("out/deep/er/maps/height.pgm"));
    assert_true(is_there("out/deep/er/report.json"));
    assert_non_null(strstr(report, "\"model\": \"thermal\""));
    assert_non_null(strstr(report, "{\"stage\": \"scale\", \"of\": \"height\", \"keys\": \"by=0.5\"}"));
    assert_non_null(strstr(report, "\"cancelled\": false"));
    assert_non_null(strstr(report, "\"defines\": {\"size\": \"24\""));
    silt_free(report);
    silt_terrain_destroy(terrain);
}

static void same_bytes_on_any_threads(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain;
        silt_set_threads(k ? 3 : 1);
        assert_ok(run_text(whole, &terrain, NULL));
        hash[k] = silt_field_hash(silt_terrain_layer(terrain, "height"));
        silt_terrain_destroy(terrain);
    }
    silt_set_threads(0);
    assert_true(hash[0] == hash[1]);
}

// ---- sentences ----

#define PLANE "terrain: {new: plane, size: 8}\n"

static const struct {
    const char *text;
    SiltStatus status;
    const char *words;
} mistakes[] = {
    {"", SILT_BAD_FILE, "r.yaml: the file is empty"},
    {"# nothing\n", SILT_BAD_FILE, "r.yaml: there is no recipe in this file"},
    {"- a\n", SILT_BAD_FILE, "r.yaml:1:1: a recipe begins with keys"},
    {"about: x\n", SILT_BAD_FILE, "r.yaml:1:1: the recipe names no terrain"},
    {"terrain: {new: plane\n", SILT_BAD_FILE, "r.yaml:2:1: not YAML: did not find"},
    {"a: \t: [}", SILT_BAD_FILE, "r.yaml:1:"},
    {PLANE "stages:\n  - &a {scale: height}\n  - {<<: *a, by: 2}\n", SILT_BAD_FILE,
     "r.yaml:4:6: merge keys (<<) are not understood; write the keys out"},
    {PLANE "outputs: [{write: a.asc, bits: 8}]\n", SILT_BAD_ARGUMENT,
     "r.yaml:2:11: a.asc: ESRI ASCII grid has no samples of 8 bits"},
    {PLANE "outputs: [{write: a.pgm, heights: [5, 3]}]\n", SILT_BAD_ARGUMENT,
     "r.yaml:2:11: a.pgm: heights = 5:3: the lowest must be below the highest"},
    {PLANE "stage: []\n", SILT_BAD_FILE, "r.yaml:2:1: unknown key 'stage', did you mean 'stages'?"},
    {PLANE "terrain: 3\n", SILT_BAD_FILE, "r.yaml:2:1: 'terrain' was said before, in line 1"},
    {PLANE "---\nabout: 2\n", SILT_BAD_FILE, "r.yaml:2:1: a second document"},
    {PLANE "define: [a]\n", SILT_BAD_FILE, "r.yaml:2:9: 'define' takes names"},
    {PLANE "define: {a b: 1}\n", SILT_BAD_FILE, "r.yaml:2:10: 'a b' is no name"},
    {PLANE "define: {a: [1]}\n", SILT_BAD_FILE, "r.yaml:2:10: 'a' takes a number or a text"},
    {PLANE "stages: 7\n", SILT_BAD_FILE, "r.yaml:2:9: a list belongs here"},
    {PLANE "stages: [7]\n", SILT_BAD_FILE, "r.yaml:2:10: an entry like 'erode: thermal' belongs here"},
    {PLANE "stages: [{[a]: b}]\n", SILT_BAD_FILE, "r.yaml:2:11: a key must be a word"},
    {"terrain:\n  new: plnae\n", SILT_BAD_ARGUMENT,
     "r.yaml:2:8: there is no generator 'plnae', did you mean 'plane'?"},
    {"terrain:\n  size: 3\n  new: plane\n", SILT_BAD_ARGUMENT,
     "r.yaml:2:3: 'size' does not begin an entry of 'terrain'; the first key is one of: new read"},
    {"terrain:\n  new: plane\n  sise: 3\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:3: unknown key 'sise', did you mean 'size'?"},
    {"terrain:\n  new: plane\n  size: 0\n", SILT_BAD_ARGUMENT, "r.yaml:3:9: '0' is no size: write N, WxH"},
    {"terrain:\n  new: plane\n  size: 3x4x5\n", SILT_BAD_ARGUMENT, "r.yaml:3:9: '3x4x5' is no size"},
    {"terrain:\n  new: plane\n  cell: -1\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:9: cell = -1 m is below its minimum"},
    {"terrain:\n  new: plane\n  set: {angel: 3}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:9: unknown key 'angel', did you mean 'angle'?"},
    {"terrain:\n  new: plane\n  set: {angle: steep}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:16: angle = 'steep' is not a number"},
    {"terrain:\n  new: plane\n  set: [3]\n", SILT_BAD_FILE, "r.yaml:3:8: 'set' takes parameters"},
    {"terrain:\n  new: plane\n  size: {w: 3}\n", SILT_BAD_FILE,
     "r.yaml:3:9: a number, a text or a list belongs here"},
    {"terrain:\n  read: none.tif\n", SILT_IO_ERROR, "r.yaml:2:9: none.tif: no such file"},
    {"terrain:\n  read: .\n", SILT_IO_ERROR, "r.yaml:2:9: .: is a directory, not a file"},
    {PLANE "stages:\n  - erodes: thermal\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:5: 'erodes' does not begin an entry of 'stages', did you mean 'erode'?"},
    {PLANE "stages:\n  - erode: thermol\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:12: there is no erosion model 'thermol', did you mean 'thermal'?"},
    {PLANE "stages:\n  - erode: thermal\n    steps: 2.5\n", SILT_BAD_ARGUMENT,
     "r.yaml:4:12: steps = '2.5' is not a whole number"},
    {PLANE "stages:\n  - erode: thermal\n    sed: 2\n", SILT_BAD_ARGUMENT,
     "r.yaml:4:5: unknown key 'sed', did you mean 'seed'?"},
    {PLANE "stages:\n  - {erode: thermal, steps: 3, time: 4}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:5: steps and time are both given"},
    {PLANE "stages:\n  - {erode: pipes, time: 4 parsec}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:26: time = '4 parsec' is no time: a number of s, min, h, d or years"},
    {PLANE "stages:\n  - {clamp: height, low: 3, high: 2}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:5: low = 3 is above high = 2"},
    {PLANE "stages:\n  - {mask: height, low: 3, high: 3}\n", SILT_BAD_ARGUMENT, "they must differ"},
    {PLANE "stages:\n  - {drop: height}\n", SILT_BAD_ARGUMENT, "r.yaml:3:5: a terrain keeps its height"},
    {PLANE "stages:\n  - {drop: hieght}\n", SILT_BAD_ARGUMENT, "did you mean 'height'?"},
    {PLANE "stages:\n  - {copy: height}\n", SILT_BAD_ARGUMENT, "r.yaml:3:5: '' is no name for a layer"},
    {PLANE "stages:\n  - {copy: height, into: a/b}\n", SILT_BAD_ARGUMENT, "'a/b' is no name for a layer"},
    {PLANE "stages:\n  - {copy: height, into: change}\n", SILT_BAD_ARGUMENT, "belongs to the models"},
    {PLANE "stages:\n  - {crop: 4, at: [0.5, 0]}\n", SILT_BAD_ARGUMENT, "is not a column and a row"},
    {PLANE "stages:\n  - {resample: 4y4}\n", SILT_BAD_ARGUMENT, "r.yaml:3:16: '4y4' is no size"},
    {PLANE "outputs:\n  - write: a.jpg\n", SILT_BAD_ARGUMENT, "r.yaml:3:5: a.jpg: no format has this ending"},
    {PLANE "outputs:\n  - write: ''\n", SILT_BAD_ARGUMENT, "no format has this ending"},
    {PLANE "outputs:\n  - {write: a.pgm, layer: strange}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:5: no stage before makes a layer 'strange'"},
    {PLANE "outputs:\n  - {write: a.pgm, layer: wear}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:5: no stage before makes a layer 'wear'"},
    {PLANE "stages: [{erode: thermal}]\noutputs:\n  - {write: a.pgm, layer: water}\n", SILT_BAD_ARGUMENT,
     "r.yaml:4:5: no stage before makes a layer 'water'"},
    {PLANE "stages: [{erode: thermal}]\noutputs:\n  - {write: a.pgm, layer: change}\n", SILT_BAD_ARGUMENT,
     "r.yaml:4:5: once a stage is done its 'change' is in the height, and kept as 'net_change'"},
    {PLANE "stages: [{erode: thermal}, {drop: wear}]\noutputs:\n  - {write: a.pgm, layer: wear}\n",
     SILT_BAD_ARGUMENT, "r.yaml:4:5: no stage before makes a layer 'wear'"},
    {PLANE "outputs:\n  - vectors: a.foo\n", SILT_BAD_ARGUMENT, "r.yaml:3:5: a.foo: rivers are written as"},
    {PLANE "outputs:\n  - {write: a.pgm, layer: all}\n", SILT_BAD_ARGUMENT, "only an .exr file"},
    {PLANE "outputs:\n  - write: r.yaml/a.pgm\n", SILT_IO_ERROR,
     "r.yaml:3:5: r.yaml/a.pgm: r.yaml is not a folder"},
    {PLANE "outputs:\n  - render: a.pgm\n", SILT_BAD_ARGUMENT, "r.yaml:3:5: a.pgm: a picture ends in .png"},
    {PLANE "outputs:\n  - report: a.txt\n", SILT_BAD_ARGUMENT, "r.yaml:3:5: a.txt: a report ends in .json"},
    {PLANE "outputs:\n  - {maps: m, format: gif}\n", SILT_BAD_ARGUMENT, "format = 'gif' is none of"},
    {PLANE "outputs:\n  - maps: m.png\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:5: m.png: every layer goes into a folder"},
    {PLANE "outputs:\n  - {maps: m.exr, format: png}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:5: format = png: m.exr is one EXR file"},
    {PLANE "outputs:\n  - {maps: m, layer: flow}\n", SILT_BAD_ARGUMENT, "maps are every layer"},
    {PLANE "outputs:\n  - write: a.pgm\n  - report: b.json\n  - write: a.pgm\n", SILT_BAD_ARGUMENT,
     "r.yaml:5:5: a.pgm: line 3 writes it already"},
    {PLANE "about: $who\n", SILT_BAD_ARGUMENT, "r.yaml:2:8: nothing defines $who"},
    {PLANE "about: \"by $who\"\n", SILT_BAD_ARGUMENT, "r.yaml:2:12: nothing defines $who"},
    {PLANE "about: 5 $ 6\n", SILT_BAD_ARGUMENT, "r.yaml:2:10: a '$' must be followed by a name"},
    {PLANE "about: ${open\n", SILT_BAD_ARGUMENT, "a '$' must be followed by a name"},
    {PLANE "define: {sise: 3}\nabout: $size\n", SILT_BAD_ARGUMENT, "$size, did you mean 'sise'?"},
    {"define:\n  input:\nterrain: {read: $input}\n", SILT_BAD_ARGUMENT,
     "r.yaml:3:17: $input has no value: give it with -D input=..."},
    {PLANE "about: *a\n", SILT_BAD_FILE, "r.yaml:2:8: no anchor '&a' stands before"},
    {PLANE "about: &a [*a]\n", SILT_BAD_FILE, "no anchor '&a' stands before"},
    {PLANE "about: \"a\\0b\"\n", SILT_BAD_FILE, "r.yaml:2:8: a zero byte"},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", SILT_BAD_FILE, "nested too deep"},
};

static void every_mistake_has_its_sentence(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        SiltRecipe *recipe;
        SiltStatus status = read_with(mistakes[k].text, NULL, 0, &recipe);
        if (status != mistakes[k].status || !strstr(silt_message(), mistakes[k].words))
            fail_msg("%s\nanswers (%s) '%s', wanted (%s) '%s'", mistakes[k].text, silt_status_name(status),
                     status == SILT_OK ? "" : silt_message(), silt_status_name(mistakes[k].status),
                     mistakes[k].words);
        assert_null(recipe);
    }
}

static void defines_from_outside(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    const char *wrong[] = {"siz=3"}, *formless[] = {"size"}, *money[] = {"name=a$b"};
    assert_fails(read_with(whole, wrong, 1, &recipe), SILT_BAD_ARGUMENT,
                 "r.yaml: -D siz: the recipe defines no such name, did you mean 'size'?");
    assert_fails(read_with(whole, formless, 1, &recipe), SILT_BAD_ARGUMENT, "not of the form name=value");
    assert_ok(read_with(whole, money, 1, &recipe)); // taken as it is
    assert_string_equal(silt_recipe_define_at(recipe, 2).value, "a$b/deep/er");
    silt_recipe_destroy(recipe);
    assert_fails(silt_recipe_read("missing.yaml", NULL, 0, &recipe), SILT_IO_ERROR,
                 "missing.yaml: no such file");
    assert_fails(silt_recipe_read(".", NULL, 0, &recipe), SILT_IO_ERROR, "is a directory");
}

static void anchors_are_shared(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(run_text("terrain: {new: plane, size: 8, set: &flat {angle: 0, height: 3}}\n"
                       "stages:\n"
                       "  - &more {new: plane, into: extra, set: *flat}\n"
                       "  - *more\n"
                       "  - &sum {add: extra}\n"
                       "  - *sum\n",
                       &terrain, NULL));
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "height"), 4, 4), 9.0, 1e-6);
    silt_terrain_destroy(terrain);
    // a billion laughs, were they laughed
    assert_fails(run_text("about: &a [x,x,x,x,x,x,x,x,x]\n"
                          "define: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                          "stages: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                          "outputs: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                          "terrain: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n",
                          &terrain, NULL),
                 SILT_BAD_FILE, "r.yaml:");
}

static void refuses_long_files(void **state)
{
    (void)state;
    size_t bytes = ((size_t)64 << 20) + 2;
    char *text = malloc(bytes);
    memset(text, '#', bytes);
    text[bytes - 1] = '\0';
    SiltRecipe *recipe;
    assert_fails(read_with(text, NULL, 0, &recipe), SILT_BAD_FILE, "longer than the 67108864 bytes");
    free(text);
}

// A list is as long as memory allows, up to a limit that is named.
static void lists_may_be_long(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    SiltText text = {0};
    silt_text_add(&text, PLANE "stages:\n  - erode: pipes\n    set:\n      sources:\n");
    for (int k = 0; k < ROWS; k++)
        silt_text_add(&text, "        - [9,9,1,2,0,0,0]\n");
    SiltRecipe *recipe;
    char *plan;
    assert_ok(read_with(text.data, NULL, 0, &recipe));
    assert_ok(silt_recipe_plan(recipe, &plan));
    assert_true(strlen(plan) < 4000); // which shows its beginning
    assert_non_null(strstr(plan, "9,9,1,2,0,0,0;9,9,1,2"));
    silt_free(plan);
    silt_recipe_destroy(recipe);
    text.length = 0;
    silt_text_add(&text, PLANE "stages: [");
    for (int k = 0; k <= 1 << 20; k++)
        silt_text_add(&text, "1,");
    silt_text_add(&text, "]\n");
    assert_fails(read_with(text.data, NULL, 0, &recipe), SILT_BAD_FILE,
                 "with this the list has more than 1048576 entries");
    silt_text_free(&text);
}

// Every recipe that comes with Silt reads without a mistake.
static void the_demo_reads(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    const char *defines[] = {"size=64", "output=demo"};
    SiltStatus status = silt_recipe_read(SILT_SOURCE_DIR "/recipes/demo.yaml", defines, 2, &recipe);
    if (status == SILT_MISSING_FEATURE)
        return; // this build writes no TIFF
    assert_int_equal(status, SILT_OK);
    silt_recipe_destroy(recipe);
}

// ---- plan ----

static void the_plan_says_all(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    char *plan;
    const char *defines[] = {"size=256", "output=planned"};
    assert_ok(read_with(whole, defines, 2, &recipe));
    assert_ok(silt_recipe_plan(recipe, &plan));
    static const char *const said[] = {
        "r.yaml: A slope",
        "terrain   new plane: size=256, cell=10 m, angle=60",
        "256 x 256 cells of 10 m",
        "2.56 x 2.56 km",
        "stage 1   erode thermal: steps=20",
        "stage 2   scale height: by=0.5",
        "planned/height.pgm",
        "memory",
        "available",
    };
    for (size_t k = 0; k < sizeof said / sizeof said[0]; k++)
        if (!strstr(plan, said[k]))
            fail_msg("the plan does not say '%s':\n%s", said[k], plan);
    assert_false(is_there("planned")); // a plan makes nothing
    silt_free(plan);
    silt_recipe_destroy(recipe);
}

static void refuses_what_cannot_fit(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    char *plan;
    const char *defines[] = {"size=1000000", "output=huge"};
    assert_ok(read_with(whole, defines, 2, &recipe));
    assert_fails(silt_recipe_plan(recipe, &plan), SILT_NO_MEMORY, "TiB of memory, and");
    assert_non_null(strstr(plan, "1000000 x 1000000 cells"));
    silt_free(plan);
    assert_fails(silt_recipe_run(recipe, NULL, NULL, NULL), SILT_NO_MEMORY, "take a smaller size");
    assert_false(is_there("huge"));
    silt_recipe_destroy(recipe);
}

// a24 would be 10 * 3^24 bytes.
static void names_of_names_do_not_grow(void **state)
{
    (void)state;
    char text[2048] = "define:\n  a0: xxxxxxxxxx\n";
    for (int k = 1; k < 25; k++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "  a%d: $a%d$a%d$a%d\n", k, k - 1, k - 1, k - 1);
    }
    strcat(text, PLANE);
    SiltRecipe *recipe;
    assert_fails(read_with(text, NULL, 0, &recipe), SILT_BAD_ARGUMENT,
                 "r.yaml:7:10: with $a4 in its place the text is longer than 1023 bytes");
    assert_null(recipe);
    char given[1100] = "x=";
    memset(given + 2, 'y', 1050);
    const char *defines[] = {given};
    assert_fails(read_with("define: {x: a}\nabout: $x\n" PLANE, defines, 1, &recipe), SILT_BAD_ARGUMENT,
                 "r.yaml:2:8: with $x");
}

static void an_empty_value_is_none(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    const char *defines[] = {"output="};
    assert_fails(read_with("define: {output: out}\n" PLANE "outputs: [{write: $output/height.pgm}]\n",
                           defines, 1, &recipe),
                 SILT_BAD_ARGUMENT, "$output has no value: give it with -D output=...");
}

// What shapes generated land leaves a terrain that was given alone.
static void unless_leaves_a_stage_out(void **state)
{
    (void)state;
    static const char *const inputs[] = {"none", "alps.tif"};
    double mean[2];
    for (int k = 0; k < 2; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "define: {input: %s}\n" PLANE "stages: [{scale: height, offset: -500, unless: $input}]\n",
                 inputs[k]);
        SiltTerrain *terrain;
        char *report;
        assert_ok(run_text(text, &terrain, &report));
        SiltFieldStatistics heights;
        silt_field_statistics(silt_terrain_layer(terrain, "height"), NULL, &heights);
        mean[k] = heights.mean;
        assert_non_null(strstr(report, k ? "unless=alps.tif" : "unless=none"));
        silt_free(report);
        silt_terrain_destroy(terrain);
    }
    assert_near(mean[1] - mean[0], 500.0, 1e-3);
}

static void what_overflows_is_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(run_text("terrain: {new: plane, size: 16}\n"
                          "stages:\n"
                          "  - {scale: height, by: 1e9, offset: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "outputs: [{write: huge.pgm}]\n",
                          &terrain, NULL),
                 SILT_BAD_ARGUMENT, "r.yaml:7:5: 'scale height': ");
    assert_non_null(strstr(silt_message(), "cells of 'height' are not finite numbers; the stage made"));
    assert_null(terrain);
    assert_false(is_there("huge.pgm"));
}

// ---- pictures ----

static size_t read_bytes(const char *path, char *to, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(to, 1, room, file);
    fclose(file);
    return length;
}

// Without the layer of water, only the particles of the last stage can make a difference.
static void pictures_show_the_particles_of_the_last_stage(void **state)
{
    (void)state;
    if (!silt_render_has_gl())
        skip();
    static const char *const later[] = {"", "  - {scale: height, by: 1}\n"};
    static char with[32768], without[32768];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain;
        SiltRenderOptions options;
        char text[512];
        snprintf(text, sizeof text,
                 "terrain: {new: plane, size: 12, cell: 1}\n"
                 "stages:\n"
                 "  - {erode: sph, steps: 2, set: {boxes: '4,4,0,4,4,2'}}\n%s"
                 "outputs: [{render: drops.ppm, width: 96, height: 64, water: false}]\n",
                 later[k]);
        assert_ok(run_text(text, &terrain, NULL));
        assert_ok(silt_params_init(&silt_render_params, &options));
        options.width = 96;
        options.height = 64;
        options.water = false;
        assert_ok(silt_render_file(terrain, &options, "bare.ppm"));
        size_t length = read_bytes("drops.ppm", with, sizeof with);
        assert_int_equal(read_bytes("bare.ppm", without, sizeof without), length);
        assert_int_equal(memcmp(with, without, length) == 0, k);
        silt_terrain_destroy(terrain);
    }
}

// ---- progress, cancelling, failing ----

typedef struct Watch {
    char seen[64][48]; // stages in the order they were heard of
    int count;
    const char *stop_in;
} Watch;

static bool watch(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)unit;
    Watch *w = user;
    assert_true(done <= total);
    if (w->count == 0 || strcmp(w->seen[w->count - 1], stage) != 0)
        snprintf(w->seen[w->count++], sizeof w->seen[0], "%s", stage);
    return !(w->stop_in && strcmp(stage, w->stop_in) == 0 && done > 0);
}

static void stages_are_named(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    Watch w = {.count = 0};
    SiltRun run = {.user = &w, .progress = watch};
    assert_ok(read_with(whole, NULL, 0, &recipe));
    assert_ok(silt_recipe_run(recipe, &run, NULL, NULL));
    static const char *const wanted[] = {"terrain plane", "stage 1/3 thermal", "stage 2/3 scale",
                                         "stage 3/3 thermal", "writing"};
    assert_int_equal(w.count, 5);
    for (int k = 0; k < 5; k++)
        assert_string_equal(w.seen[k], wanted[k]);
    silt_recipe_destroy(recipe);
}

static void cancelling_writes_what_there_is(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    Watch w = {.stop_in = "stage 1/3 thermal"};
    SiltRun run = {.user = &w, .progress = watch};
    const char *defines[] = {"name=stopped", "size=64"};
    assert_ok(read_with(whole, defines, 2, &recipe));
    SiltTerrain *terrain;
    char *report;
    assert_fails(silt_recipe_run(recipe, &run, &terrain, &report), SILT_CANCELLED,
                 "r.yaml: cancelled in stage 1/3 thermal; what was done is written");
    assert_non_null(terrain);
    assert_true(is_there("stopped/deep/er/height.pgm"));
    assert_non_null(strstr(report, "\"cancelled\": true"));
    assert_null(strstr(report, "\"scale\"")); // it never came to that
    silt_free(report);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
}

// ... unless that is a terrain nothing has worn: the files of an earlier run stay.
static void cancelling_before_erosion_writes_nothing(void **state)
{
    (void)state;
    static const char *const stops[] = {"terrain noise", "stage 1/3 noise"};
    for (size_t k = 0; k < 2; k++) {
        SiltRecipe *recipe;
        Watch w = {.stop_in = stops[k]};
        SiltRun run = {.user = &w, .progress = watch};
        write_text("good.pgm", "good");
        assert_ok(read_with("terrain: {new: noise, size: 256}\n"
                            "stages: [{new: noise, into: extra}, {scale: height, by: 2}, {erode: thermal}]\n"
                            "outputs: [{write: good.pgm}]\n",
                            NULL, 0, &recipe));
        assert_fails(silt_recipe_run(recipe, &run, NULL, NULL), SILT_CANCELLED,
                     "before any erosion; nothing was written");
        struct stat info;
        assert_int_equal(stat("good.pgm", &info), 0);
        assert_int_equal(info.st_size, 4);
        silt_recipe_destroy(recipe);
    }
}

// A layer that a cancelled run did not come to make is no failure.
static void cancelling_forgives_missing_layers(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    Watch w = {.stop_in = "stage 1/2 thermal"};
    SiltRun run = {.user = &w, .progress = watch};
    assert_ok(read_with("terrain: {new: plane, size: 64, set: {angle: 60}}\n"
                        "stages: [{erode: thermal, steps: 9}, {copy: height, into: late}]\n"
                        "outputs: [{write: late.pgm, layer: late}, {write: early.pgm}]\n",
                        NULL, 0, &recipe));
    assert_int_equal(silt_recipe_run(recipe, &run, NULL, NULL), SILT_CANCELLED);
    assert_false(is_there("late.pgm"));
    assert_true(is_there("early.pgm"));
    silt_recipe_destroy(recipe);
}

static void one_output_does_not_stop_the_others(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    // of a height alone there is nothing to show
    assert_fails(run_text(PLANE "outputs: [{sheet: none.png}, {write: second.pgm}]\n", &terrain, NULL),
                 SILT_BAD_ARGUMENT, "r.yaml:2:11: ");
    assert_null(terrain);
    assert_false(is_there("none.png"));
    assert_true(is_there("second.pgm"));
}

// The n-th allocation fails, for every n: an error each time, nothing leaked, and in the end it runs.
static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char tiny[] = "about: tiny\n"
                               "define: {size: 4}\n"
                               "terrain: {new: plane, size: $size, set: {angle: 50}}\n"
                               "stages:\n"
                               "  - {erode: thermal, steps: 2}\n"
                               "  - {new: plane, into: extra}\n"
                               "  - {add: extra, amount: 0.5}\n"
                               "  - {blur: height}\n"
                               "  - {crop: 3x3}\n"
                               "outputs: [{write: tiny/a.pgm}, {report: tiny/a.json}]\n";
    write_text("tiny.yaml", tiny);
    int failures = 0;
    SiltStatus status = SILT_NO_MEMORY;
    while (status != SILT_OK) {
        SiltRecipe *recipe;
        char *plan = NULL, *report = NULL;
        SiltTerrain *terrain = NULL;
        silt_fail_allocation(++failures);
        status = silt_recipe_read("tiny.yaml", NULL, 0, &recipe);
        if (status == SILT_OK)
            status = silt_recipe_plan(recipe, &plan);
        if (status == SILT_OK)
            status = silt_recipe_run(recipe, NULL, &terrain, &report);
        silt_fail_allocation(0);
        if (status != SILT_OK) {
            assert_int_equal(status, SILT_NO_MEMORY);
            assert_non_null(strstr(silt_message(), "memory"));
            assert_null(terrain);
            assert_null(report);
        }
        silt_free(plan);
        silt_free(report);
        silt_terrain_destroy(terrain);
        silt_recipe_destroy(recipe);
        assert_true(failures < 5000);
    }
    assert_true(failures > 50);
}

#else

static void without_yaml(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    assert_fails(read_with("terrain: {new: plane}\n", NULL, 0, &recipe), SILT_MISSING_FEATURE, "libyaml-dev");
    assert_null(recipe);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test(reads_what_it_says),
        cmocka_unit_test(runs_from_end_to_end),
        cmocka_unit_test(same_bytes_on_any_threads),
        cmocka_unit_test(every_mistake_has_its_sentence),
        cmocka_unit_test(defines_from_outside),
        cmocka_unit_test(anchors_are_shared),
        cmocka_unit_test(refuses_long_files),
        cmocka_unit_test(lists_may_be_long),
        cmocka_unit_test(the_demo_reads),
        cmocka_unit_test(the_plan_says_all),
        cmocka_unit_test(refuses_what_cannot_fit),
        cmocka_unit_test(pictures_show_the_particles_of_the_last_stage),
        cmocka_unit_test(stages_are_named),
        cmocka_unit_test(cancelling_writes_what_there_is),
        cmocka_unit_test(cancelling_before_erosion_writes_nothing),
        cmocka_unit_test(cancelling_forgives_missing_layers),
        cmocka_unit_test(names_of_names_do_not_grow),
        cmocka_unit_test(an_empty_value_is_none),
        cmocka_unit_test(unless_leaves_a_stage_out),
        cmocka_unit_test(what_overflows_is_refused),
        cmocka_unit_test(one_output_does_not_stop_the_others),
        cmocka_unit_test(every_allocation_may_fail),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
