// Real land keeps its forms under every model at its defaults: no measure of silt/landforms.h leaves the
// range of real land or moves by more than neighbouring tiles differ, and streams keep their depth. A piece
// of Zion of 20 km; scripts/gentle-table has all of docs/landscapes.md.
#include "erode_help.h"

#include "silt/drainage.h"
#include "silt/io.h"
#include "silt/landforms.h"

#ifndef SILT_HAS_TIFF
int main(void)
{
    SiltTerrain *terrain;
    return silt_terrain_read(SILT_TEST_DATA "/andes_piece.tif", NULL, &terrain) == SILT_MISSING_FEATURE ? 0
                                                                                                        : 1;
}
#else

// The land as it is, found once for all laws.
static SiltLandforms before;
static double spread[SILT_LANDFORM_COUNT];
static double depth_before;

static SiltTerrain *read_land(void)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/andes_piece.tif", NULL, &terrain));
    return terrain;
}

// How far below the cells two and three away streams (1 km2 and more) lie, in the mean: as
// scripts/gentle-table has it.
static double channel_depth(const SiltTerrain *terrain)
{
    SiltDrainage *drainage;
    assert_ok(silt_drainage_create(terrain, NULL, &drainage));
    double sum = 0.0, count = 0.0, least = 1e6 / (terrain->cell * terrain->cell);
    for (int j = 3; j < terrain->height - 3; j++)
        for (int i = 3; i < terrain->width - 3; i++) {
            if (drainage->area[j * terrain->width + i] < least)
                continue;
            double ring = 0.0;
            for (int dj = -3; dj <= 3; dj++)
                for (int di = -3; di <= 3; di++)
                    if (abs(dj) > 1 || abs(di) > 1)
                        ring += layer_at(terrain, "height", i + di, j + dj) / 40.0;
            sum += ring - layer_at(terrain, "height", i, j);
            count++;
        }
    silt_drainage_destroy(drainage);
    return sum / count;
}

// By what the quarters differ from the one beside them, root mean square; a hundredth of the range at the
// least.
static int look_at_the_land(void **state)
{
    (void)state;
    SiltTerrain *terrain = read_land();
    double *tiles;
    int count;
    assert_ok(silt_landforms_measure(terrain, &before));
    assert_ok(silt_landforms_tiles(terrain, &tiles, &count));
    assert_int_equal(count, 9); // each half over the next: the corners are the quarters
    for (int m = 0; m < SILT_LANDFORM_COUNT; m++) {
        double a = tiles[m], b = tiles[2 * SILT_LANDFORM_COUNT + m];
        double c = tiles[6 * SILT_LANDFORM_COUNT + m], d = tiles[8 * SILT_LANDFORM_COUNT + m];
        const SiltLandformRange *range = silt_landform_range((SiltLandform)m);
        double squares = (a - b) * (a - b) + (c - d) * (c - d) + (a - c) * (a - c) + (b - d) * (b - d);
        spread[m] = fmax(sqrt(squares / 4.0), (range->high - range->low) / 100.0);
    }
    silt_free(tiles);
    depth_before = channel_depth(terrain);
    silt_terrain_destroy(terrain);
    return 0;
}

typedef struct Moved {
    int out, far; // measures that left the range, and that moved by more than the spread
    double most;  // spreads
    char which[512];
    double depth; // of streams, as a share of what it was
} Moved;

static Moved moved_by(const char *model, const char *settings, double years)
{
    Moved moved = {0};
    SiltTerrain *terrain = read_land();
    erode(terrain, model, settings, (SiltDuration){.time = years});
    SiltTerrain *worn = make_terrain(terrain->width, terrain->height, terrain->cell);
    for (int j = 0; j < worn->height; j++)
        for (int i = 0; i < worn->width; i++)
            silt_field_row(silt_terrain_layer(worn, "height"), j)[i] = (float)ground_at(terrain, i, j);
    SiltLandforms after;
    assert_ok(silt_landforms_measure(worn, &after));
    for (int m = 0; m < SILT_LANDFORM_COUNT; m++) {
        double by = fabs(after.value[m] - before.value[m]) / spread[m];
        bool left = silt_landform_is_within((SiltLandform)m, before.value[m]) &&
                    !silt_landform_is_within((SiltLandform)m, after.value[m]);
        moved.out += left;
        moved.far += !(by <= 1.0);
        moved.most = fmax(moved.most, by);
        size_t used = strlen(moved.which);
        if (left || !(by <= 1.0))
            snprintf(moved.which + used, sizeof moved.which - used, " %s %.3g to %.3g (%.2f spreads)",
                     silt_landform_range((SiltLandform)m)->name, before.value[m], after.value[m], by);
    }
    moved.depth = channel_depth(worn) / depth_before;
    silt_terrain_destroy(worn);
    silt_terrain_destroy(terrain);
    return moved;
}

static bool is_gentle(const Moved *moved)
{
    return moved->out == 0 && moved->far == 0 && fabs(moved->depth - 1.0) < 0.2;
}

static void every_model_leaves_the_forms_of_real_land(void **state)
{
    (void)state;
    long_law();
    static const struct {
        const char *model;
        double years;
    } cases[] = {
        {"thermal", 0.0}, {"newton", 0.0},     {"pipes", 0.0},
        {"cells", 0.0},   {"rivers", 20000.0}, {"ice", 20000.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Moved moved = moved_by(cases[k].model, "", cases[k].years);
        print_message("%s: %.2f spreads at the most, streams %.2f times as deep\n", cases[k].model,
                      moved.most, moved.depth);
        if (!is_gentle(&moved))
            fail_msg("%s: streams are %.2f times as deep;%s", cases[k].model, moved.depth, moved.which);
    }
}

// Settings that were defaults once (Olsen's water, which dries up on its way), and fiercer ones than those of
// today, move what must stay: the law above can fail.
static void fiercer_models_do_not(void **state)
{
    (void)state;
    long_law();
    static const struct {
        const char *model, *settings;
        double years;
    } cases[] = {{"pipes", "pace=1000", 0.0},
                 {"cells", "pace=100", 0.0},
                 {"cells", "rain=200 pace=10 evaporation=0.001 still=0", 0.0},
                 {"thermal", "strength=25", 0.0},
                 {"rivers", "incision=3e-5 uplift=0.001 diffusion=0.01 standing=0 slide_time=1000", 20000.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Moved moved = moved_by(cases[k].model, cases[k].settings, cases[k].years);
        print_message("%s %s: streams %.2f times as deep;%s\n", cases[k].model, cases[k].settings,
                      moved.depth, moved.which);
        assert_false(is_gentle(&moved));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_leaves_the_forms_of_real_land),
        cmocka_unit_test(fiercer_models_do_not),
    };
    return cmocka_run_group_tests(tests, look_at_the_land, NULL);
}
#endif
