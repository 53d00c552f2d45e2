// Moments of a run side by side: as many panels as times, the last as the picture of what the run came to.
#include "erode_help.h"
#include "recipe_help.h"
#include "render/series.h"

enum { SIDE = 48, MARGIN = 6, LABEL = 16 };

// Rain on a rough slope; pictures are maps, a pixel a cell, which need no graphics.
#define RAIN                                                                                                 \
    "terrain: {new: noise, size: 48, cell: 10, seed: 3, set: {feature_size: 300, relief: 120}}\n"            \
    "stages: [{erode: pipes, steps: 60, set: {rain: 2000}}, {scale: height, by: 1}]\n"                       \
    "outputs:\n"

typedef struct Picture {
    int width, height;
    unsigned char rgb[400 * 400 * 3];
} Picture;

static void read_picture(const char *path, Picture *out)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "P6 %d %d 255", &out->width, &out->height), 2);
    assert_int_equal(fgetc(file), '\n');
    size_t bytes = (size_t)out->width * (size_t)out->height * 3;
    assert_true(bytes <= sizeof out->rgb);
    assert_int_equal(fread(out->rgb, 1, bytes, file), bytes);
    fclose(file);
}

// How many pixels of a panel differ from those of a picture, or of another panel of its own row.
static int differ(const Picture *series, int index, const Picture *other, int at)
{
    int count = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            count += memcmp(series->rgb +
                                3 * ((MARGIN + j) * series->width + MARGIN + index * (SIDE + MARGIN) + i),
                            other->rgb + 3 * ((at + j) * other->width + at + i), 3) != 0;
    return count;
}

static void run_well(const char *text)
{
    SiltTerrain *terrain;
    assert_ok(run_text(text, &terrain, NULL));
    silt_terrain_destroy(terrain);
}

static void the_last_panel_is_the_picture_of_the_end(void **state)
{
    (void)state;
    static Picture series, whole;
    run_well(RAIN "  - {series: series.ppm, view: map, at: [0, 45, 60]}\n"
                  "  - {render: whole.ppm, view: map}\n");
    read_picture("series.ppm", &series);
    read_picture("whole.ppm", &whole);
    assert_int_equal(series.width, 3 * (SIDE + MARGIN) + MARGIN);
    assert_int_equal(series.height, SIDE + LABEL + 2 * MARGIN);
    assert_int_equal(differ(&series, 2, &whole, 0), 0);
    // those before show other water
    assert_true(differ(&series, 1, &whole, 0) > SIDE);
    assert_true(differ(&series, 0, &whole, 0) > SIDE);
    assert_true(differ(&series, 1, &series, MARGIN) > SIDE); // beside the first
}

static void panels_stand_in_rows(void **state)
{
    (void)state;
    static Picture series;
    run_well(RAIN "  - {series: four.ppm, view: map, at: [0, 20, 40, 60]}\n"
                  "  - {series: row.ppm, view: map, at: \"0;20,40,60\", columns: 9}\n");
    read_picture("four.ppm", &series);
    assert_int_equal(series.width, 2 * (SIDE + MARGIN) + MARGIN);
    assert_int_equal(series.height, 2 * (SIDE + LABEL + MARGIN) + MARGIN);
    read_picture("row.ppm", &series);
    assert_int_equal(series.width, 4 * (SIDE + MARGIN) + MARGIN);
    run_well(RAIN "  - {series: one.ppm, view: map, share: [0, 0.001, 0.3333, 1]}\n"); // 0.06 steps are none
    static Picture same;
    read_picture("one.ppm", &series);
    read_picture("four.ppm", &same);
    assert_int_equal(differ(&series, 0, &same, MARGIN), 0);
    assert_int_equal(differ(&series, 1, &same, MARGIN), 0);
    run_well(RAIN "  - {series: one.ppm, view: map, at: 60}\n");
    read_picture("one.ppm", &series);
    assert_int_equal(series.width, SIDE + 2 * MARGIN);
}

static void same_bytes_on_any_threads(void **state)
{
    (void)state;
    static Picture series[2];
    for (int k = 0; k < 2; k++) {
        silt_set_threads(k + 1);
        run_well(RAIN "  - {series: threads.ppm, view: map, at: [0, 7, 60]}\n");
        read_picture("threads.ppm", &series[k]);
    }
    silt_set_threads(0);
    assert_memory_equal(series[0].rgb, series[1].rgb, (size_t)series[0].width * (size_t)series[0].height * 3);
}

// Nobody notices that he is looked at.
static void panels_do_not_change_the_run(void **state)
{
    (void)state;
    SiltTerrain *plain, *shown;
    assert_ok(run_text(RAIN "  - {render: plain.ppm, view: map}\n", &plain, NULL));
    assert_ok(run_text(RAIN "  - {series: shown.ppm, view: map, at: [0, 13, 14]}\n", &shown, NULL));
    assert_true(silt_field_hash(silt_terrain_layer(plain, "height")) ==
                silt_field_hash(silt_terrain_layer(shown, "height")));
    silt_terrain_destroy(plain);
    silt_terrain_destroy(shown);
}

// Water of particles that is gone at the end is in the panels before.
static void particles_are_kept(void **state)
{
    (void)state;
    if (!silt_render_has_gl())
        skip();
    static Picture series;
    run_well("terrain: {new: plane, size: 24, cell: 0.1, set: {angle: 0}}\n"
             "stages: [{erode: sph, time: 0.3, set: {boxes: \"1.2,1.2,0.2,0.6,0.6,0.4\", spacing: 0.1, "
             "particles: 2000, life: 0.2}}]\n"
             "outputs: [{series: drops.ppm, at: [0, 0.1, 0.3], width: 48, height: 48}]\n");
    read_picture("drops.ppm", &series);
    assert_true(differ(&series, 0, &series, MARGIN) == 0);
    assert_true(differ(&series, 1, &series, MARGIN) > 0);
    assert_true(differ(&series, 2, &series, MARGIN) > 20);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *says;
    } cases[] = {
        {"at: []", "needs the times"},
        {"width: 0", "needs the times"},
        {"at: [0, 61]", "at: 61 steps is beyond the end of stage 1 (pipes), which is 60 steps"},
        {"share: [0, 1.5]", "share: 1.5 is beyond 1"},
        {"share: [0.5, 0.5]", "share: 0.5 stands behind 0.5"},
        {"share: [0, 1], at: [0, 1]", "both"},
        {"at: [5, 5]", "at: 5 stands behind 5"},
        {"at: [20, 10]", "at: 10 stands behind 20"},
        {"at: [-1, 10]", "at: -1 is before the stage begins"},
        {"at: [often]", "at: row 1"},
        {"at: [nan]", "at: row 1"},
        {"at: [1, 2], stage: 2", "stage = 2 is none"},
        {"at: [1, 2], stage: 9", "stage = 9 is none"},
        {"at: [1, 2], width: -5", "width"},
        {"at: [1, 2], columns: 65", "columns"},
        {"at: [1, 2], overlay: nothing", "nothing"},
    };
    SiltTerrain *terrain;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1024];
        snprintf(text, sizeof text, RAIN "  - {series: bad.ppm, view: map, %s}\n", cases[k].keys);
        SiltStatus status = run_text(text, &terrain, NULL);
        assert_true(status != SILT_OK);
        assert_null(terrain);
        assert_non_null(strstr(silt_message(), cases[k].says));
        assert_non_null(strstr(silt_message(), "r.yaml:"));
        assert_false(is_there("bad.ppm"));
    }
    assert_fails(run_text(PLANE "outputs: [{series: bad.ppm, at: 0}]\n", &terrain, NULL), SILT_BAD_ARGUMENT,
                 "no stage has one");
    assert_fails(run_text(PLANE "stages: [{erode: thermal, steps: 9, pyramid: 1}]\n"
                                "outputs: [{series: bad.ppm, at: 0}]\n",
                          &terrain, NULL),
                 SILT_BAD_ARGUMENT, "pyramid");
    assert_fails(run_text(RAIN "  - {series: bad.gif, at: 0}\n", &terrain, NULL), SILT_BAD_ARGUMENT, ".png");
}

typedef struct Moments {
    int count;
    uint64_t hashes[8];
} Moments;

static SiltStatus note_moment(void *user, const SiltTerrain *terrain, const SiltParticles *particles,
                              int index)
{
    Moments *moments = user;
    assert_null(particles);
    assert_int_equal(index, moments->count);
    moments->hashes[moments->count++] = silt_field_hash(silt_terrain_layer(terrain, "water"));
    return SILT_OK;
}

// The water a run ends with.
static uint64_t worn_for(int64_t steps, const SiltRun *run)
{
    SiltTerrain *terrain = make_terrain(40, 32, 10.0);
    make_rough(terrain, 5, 60.0f);
    erode_in(terrain, "pipes", "rain=200", (SiltDuration){.steps = steps}, run);
    uint64_t hash = silt_field_hash(silt_terrain_layer(terrain, "water"));
    silt_terrain_destroy(terrain);
    return hash;
}

// What is handed out at a moment is where a run of so many steps ends.
static void moments_are_ends_of_shorter_runs(void **state)
{
    (void)state;
    static const double times[] = {0.0, 3.0, 17.0, 40.0};
    Moments moments = {0};
    SiltRun run = {.user = &moments, .moment = note_moment, .moments = times, .moment_count = 4};
    worn_for(30, &run);
    assert_int_equal(moments.count, 3); // the last lies beyond the end
    assert_true(moments.hashes[1] == worn_for(3, NULL));
    assert_true(moments.hashes[2] == worn_for(17, NULL));
    assert_true(moments.hashes[0] != moments.hashes[1] && moments.hashes[1] != moments.hashes[2]);
}

// ---- kept with a run ----

static SiltSeries *begun_series(void)
{
    SiltRenderOptions options;
    SiltSeries *series;
    assert_ok(silt_params_init(&silt_render_params, &options));
    options.particle_look = SILT_PARTICLES_SPHERES;
    assert_ok(silt_series_begin(&options, 0, &series));
    return series;
}

// Two panels, one of them with water of particles, in a block that the caller frees.
static size_t packed_series(char **block)
{
    static const float places[3] = {1.0f, 2.0f, 3.0f};
    static const int64_t ids[3] = {4, 5, 6};
    SiltParticles water = {3,      places, places, places, places,    places,
                           places, places, places, ids,    .low = 7.0};
    SiltTerrain *terrain = make_terrain(9, 6, 2.0);
    SiltSeries *series = begun_series();
    make_rough(terrain, 5, 60.0f);
    assert_ok(silt_series_add(series, terrain, &water, "first"));
    assert_ok(silt_series_add(series, terrain, NULL, "second"));
    SiltPack measure = {0};
    silt_series_pack(series, 2, &measure);
    *block = silt_alloc(measure.at);
    SiltPack pack = {.block = *block, .size = measure.at};
    silt_series_pack(series, 2, &pack);
    assert_ok(pack.status);
    silt_series_end(series);
    silt_terrain_destroy(terrain);
    return measure.at;
}

static SiltStatus unpack(char *block, size_t bytes, int most, SiltSeries **out)
{
    SiltPack pack = {.block = block, .size = bytes, .reads = true};
    *out = begun_series();
    silt_series_pack(*out, most, &pack);
    return pack.status;
}

// Panels come back byte by byte; what is cut off, or names sizes that are not there, is refused.
static void kept_panels_come_back_or_are_refused(void **state)
{
    (void)state;
    char *block, *again;
    SiltSeries *series;
    size_t bytes = packed_series(&block);
    again = silt_alloc(bytes);
    assert_ok(unpack(block, bytes, 2, &series));
    assert_int_equal(silt_series_count(series), 2);
    SiltPack pack = {.block = again, .size = bytes};
    silt_series_pack(series, 2, &pack);
    assert_int_equal(pack.at, bytes);
    assert_memory_equal(block, again, bytes);
    silt_series_end(series);
    for (size_t cut = 0; cut < bytes; cut += cut < 200 ? 1 : 13) {
        char *part = silt_alloc(cut + 1); // so that a byte read behind it is seen
        memcpy(part, block, cut);
        assert_true(unpack(part, cut, 2, &series) != SILT_OK);
        silt_series_end(series);
        silt_free(part);
    }
    assert_fails(unpack(block, bytes, 1, &series), SILT_BAD_FILE, "damaged");
    silt_series_end(series);
    memset(block, 0x7f, sizeof(int));
    assert_fails(unpack(block, bytes, 2, &series), SILT_BAD_FILE, "damaged");
    silt_series_end(series);
    silt_free(block);
    silt_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_ends_of_shorter_runs),
        cmocka_unit_test(kept_panels_come_back_or_are_refused),
#ifdef SILT_HAS_YAML
        cmocka_unit_test(the_last_panel_is_the_picture_of_the_end),
        cmocka_unit_test(panels_stand_in_rows),
        cmocka_unit_test(same_bytes_on_any_threads),
        cmocka_unit_test(panels_do_not_change_the_run),
        cmocka_unit_test(particles_are_kept),
        cmocka_unit_test(nonsense_is_refused),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
