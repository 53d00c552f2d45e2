// Reading recipes, and every sentence they answer with.
#include "recipe_help.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"

#ifdef SILT_HAS_YAML

static void reads_what_it_says(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    const char *defines[] = {"size=32x20", "name=else"};
    assert_ok(read_with(SLOPE, defines, 2, &recipe));
    assert_string_equal(silt_recipe_about(recipe), "A slope, scree, and $5");
    assert_int_equal(silt_recipe_define_count(recipe), 3);
    SiltDefine size = silt_recipe_define_at(recipe, 0), output = silt_recipe_define_at(recipe, 2);
    assert_string_equal(size.name, "size");
    assert_string_equal(size.preset, "24");
    assert_string_equal(size.value, "32x20");
    assert_string_equal(output.value, "else/deep/er"); // a default follows the names above it
    silt_recipe_destroy(recipe);
}

// ---- sentences ----

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
     "r.yaml:3:26: time = '4 parsec' is no time: a number of s, min, h, d, years, kyr or Myr"},
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
    assert_fails(read_with(SLOPE, wrong, 1, &recipe), SILT_BAD_ARGUMENT,
                 "r.yaml: -D siz: the recipe defines no such name, did you mean 'size'?");
    assert_fails(read_with(SLOPE, formless, 1, &recipe), SILT_BAD_ARGUMENT, "not of the form name=value");
    assert_ok(read_with(SLOPE, money, 1, &recipe)); // taken as it is
    assert_string_equal(silt_recipe_define_at(recipe, 2).value, "a$b/deep/er");
    silt_recipe_destroy(recipe);
    assert_fails(silt_recipe_read("missing.yaml", NULL, 0, &recipe), SILT_IO_ERROR,
                 "missing.yaml: no such file");
    assert_fails(silt_recipe_read(".", NULL, 0, &recipe), SILT_IO_ERROR, "is a directory");
}

// A recipe's smaller values are good as defines, and must be of names that it has.
static void small_values_replace_defaults(void **state)
{
    (void)state;
    static const char text[] = "define: {size: 64, steps: 9}\nsmall: {size: 8}\nshows: a slope\n"
                               "terrain: {new: plane, size: $size}\n";
    SiltRecipe *recipe, *small;
    assert_ok(read_with(text, NULL, 0, &recipe));
    assert_string_equal(silt_recipe_shows(recipe), "a slope");
    assert_string_equal(silt_recipe_define_at(recipe, 0).value, "64");
    assert_int_equal(silt_recipe_small_count(recipe), 1);
    const char *defines[] = {silt_recipe_small_at(recipe, 0), "steps=2"};
    assert_ok(read_with(text, defines, 2, &small));
    assert_string_equal(silt_recipe_define_at(small, 0).value, "8");
    assert_string_equal(silt_recipe_define_at(small, 1).value, "2");
    silt_recipe_destroy(small);
    silt_recipe_destroy(recipe);
    assert_fails(read_with("define: {size: 64}\nsmall: {sise: 8}\n" PLANE, NULL, 0, &recipe), SILT_BAD_FILE,
                 "r.yaml:2:9: 'small' names 'sise', and nothing defines it, did you mean 'size'?");
    assert_fails(read_with("define: {size: 64}\nsmall: {size: [8]}\n" PLANE, NULL, 0, &recipe), SILT_BAD_FILE,
                 "r.yaml:2:9: 'size' takes one number or text");
    assert_fails(read_with("small: 8\n" PLANE, NULL, 0, &recipe), SILT_BAD_FILE, "'small' takes names");
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

static void read_own_recipe(const char *path)
{
    SiltRecipe *recipe, *small;
    SiltStatus status = silt_recipe_read(path, NULL, 0, &recipe);
    if (status == SILT_MISSING_FEATURE)
        return; // this build writes no TIFF
    if (status != SILT_OK)
        fail_msg("%s", silt_message());
    assert_true(silt_recipe_about(recipe)[0] != '\0');
    const char *values[64];
    int count = silt_recipe_small_count(recipe);
    for (int k = 0; k < count; k++)
        values[k] = silt_recipe_small_at(recipe, k);
    assert_ok(silt_recipe_read(path, values, count, &small));
    silt_recipe_destroy(small);
    silt_recipe_destroy(recipe);
}

// Every recipe that comes with Silt reads without a mistake, in full and small.
static void every_own_recipe_reads(void **state)
{
    (void)state;
    int count = 0;
    DIR *listing = opendir(SILT_SOURCE_DIR "/recipes");
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));) {
        char path[512];
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, SILT_SOURCE_DIR "/recipes/%s", entry->d_name);
        read_own_recipe(path);
        count++;
    }
    closedir(listing);
    assert_true(count > 40);
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

// Peaks of 4096 x 4096 cells were 2007 MiB with a report, where 1285 were promised.
static void reports_are_counted(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    uint64_t bare = 0, reported = 0;
    assert_ok(read_with("terrain: {new: noise, size: 512, cell: 5}\nstages: [{erode: pipes, steps: 3}]\n"
                        "outputs: [{write: r.asc}]\n",
                        NULL, 0, &recipe));
    assert_true(silt_recipe_bytes(recipe, &bare) && silt_recipe_bytes_reported(recipe, true, &reported));
    assert_true(reported > bare && reported > 119 * 512 * 512);
    silt_recipe_destroy(recipe);
    assert_ok(read_with("terrain: {new: noise, size: 512, cell: 5}\nstages: [{erode: pipes, steps: 3}]\n"
                        "outputs: [{write: r.asc}, {report: r.json}]\n",
                        NULL, 0, &recipe));
    assert_true(silt_recipe_bytes(recipe, &bare));
    assert_int_equal(bare, reported);
    silt_recipe_destroy(recipe);
}

// What lies beside a recipe may be read, where nobody says that the recipe lies elsewhere.
static void what_lies_beside_counts_where_it_lies(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    assert_true(mkdir("in", 0700) == 0 && mkdir("out", 0700) == 0);
    write_text("in/h.tif", "land");
    write_text("in/beside.yaml", "terrain: {read: ../in/h.tif}\n");
    assert_int_equal(chdir("out"), 0);
    assert_ok(silt_recipe_read("../in/beside.yaml", NULL, 0, &recipe));
    assert_ok(silt_recipe_confine(recipe));
    silt_recipe_distrust(recipe, NULL);
    assert_int_equal(silt_recipe_confine(recipe), SILT_BAD_ARGUMENT);
    assert_non_null(strstr(silt_message(), "the recipe is not the one there"));
    silt_recipe_destroy(recipe);
    assert_int_equal(chdir(".."), 0);
}

// Who is asked is told of all files that lie elsewhere, each of them once, as far as a sentence holds them.
static void all_that_lies_elsewhere_is_told(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    assert_ok(
        read_with("terrain: {new: noise, size: 8}\n"
                  "outputs: [{write: ../a.tif}, {write: b.tif}, {write: ../c.tif}, {write: ../d.tif}]\n",
                  NULL, 0, &recipe));
    assert_fails(silt_recipe_confine(recipe), SILT_BAD_ARGUMENT,
                 "it writes ../a.tif, which lies outside the current folder, and so do ../c.tif, ../d.tif;");
    silt_recipe_destroy(recipe);
}

// The brace that was missing at the very end of a text was passed over, and a byte behind the text was read.
static void a_brace_that_is_left_open_is_refused(void **state)
{
    (void)state;
    for (size_t length = 1; length < 130; length++) {
        SiltRecipe *recipe;
        char text[256] = "terrain: {new: plane}\nabout: \"${";
        memset(text + strlen(text), '_', length);
        strcat(text, "\"\n");
        assert_fails(read_with(text, NULL, 0, &recipe), SILT_BAD_ARGUMENT,
                     "a '$' must be followed by a name");
        assert_null(recipe);
    }
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

#else

static void reading_without_yaml(void **state)
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
        cmocka_unit_test(every_mistake_has_its_sentence),
        cmocka_unit_test(defines_from_outside),
        cmocka_unit_test(small_values_replace_defaults),
        cmocka_unit_test(anchors_are_shared),
        cmocka_unit_test(refuses_long_files),
        cmocka_unit_test(every_own_recipe_reads),
        cmocka_unit_test(names_of_names_do_not_grow),
        cmocka_unit_test(an_empty_value_is_none),
        cmocka_unit_test(what_lies_beside_counts_where_it_lies),
        cmocka_unit_test(all_that_lies_elsewhere_is_told),
        cmocka_unit_test(a_brace_that_is_left_open_is_refused),
        cmocka_unit_test(reports_are_counted),
        cmocka_unit_test(lists_may_be_long),
#else
        cmocka_unit_test(reading_without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
