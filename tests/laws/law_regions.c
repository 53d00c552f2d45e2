// Law: a map cut into 2 x 3 unequal regions, each with a run of its own and a halo that is copied before
// every pass, ends with the bytes of the whole map, and each region with the books of the whole.
#include "region_help.h"

#include "terrains.h"

static void assert_same_part(const Part *part, const SiltTerrain *whole)
{
    const SiltRegion *r = &part->region;
    assert_int_equal(part->terrain->layer_count, whole->layer_count);
    for (int k = 0; k < whole->layer_count; k++) {
        const SiltField *of_whole = &whole->layers[k]->field, *of_part = &part->terrain->layers[k]->field;
        for (int j = r->north; j < of_part->height - r->south; j++)
            for (int i = r->west; i < of_part->width - r->east; i++) {
                float a = silt_field_at(of_part, i, j), b = silt_field_at(of_whole, r->i + i, r->j + j);
                if (memcmp(&a, &b, sizeof a) != 0)
                    fail_msg("%s %s: layer %s at (%d, %d) of the map is %.9g in its region and %.9g on the "
                             "whole",
                             part->model, part->settings, whole->layers[k]->name, r->i + i, r->j + j,
                             (double)a, (double)b);
            }
    }
}

static void assert_same_books(const SiltAccount *part, const SiltAccount *whole, double scale)
{
    const double of_part[] = {part->initial, part->added, part->removed, part->moved, part->stored};
    const double of_whole[] = {whole->initial, whole->added, whole->removed, whole->moved, whole->stored};
    for (int k = 0; k < 5; k++)
        assert_near(of_part[k], of_whole[k], 1e-12 * scale);
}

static void regions_are_the_whole(const char *model, const char *settings, int64_t steps, bool holes)
{
    static const int west[] = {0, 37, 101}, north[] = {0, 33, 61, 133};
    RoughGround ground = {101, 133, 10.0, 200.0f};
    static Meeting meeting;
    steps = SILT_SANITIZED ? steps / 8 : steps;
    SiltTerrain *whole = rough_ground(ground), *before = rough_ground(ground);
    if (holes) {
        punch(whole, 36, 60, 9);
        punch(before, 36, 60, 9);
    }
    SiltReport report = erode_steps(whole, model, settings, steps);
    meeting = (Meeting){0};
    assert_int_equal(pthread_barrier_init(&meeting.barrier, NULL, REGIONS), 0);
    pthread_t threads[REGIONS];
    for (int k = 0; k < REGIONS; k++) {
        Part *part = &meeting.parts[k];
        int a = k % ACROSS, b = k / ACROSS;
        *part = (Part){.meeting = &meeting, .model = model, .settings = settings, .steps = steps};
        part->peers = (SiltPeers){part, exchange, fold};
        assert_ok(silt_terrain_region(before, west[a], north[b], west[a + 1] - west[a],
                                      north[b + 1] - north[b], HALO, &part->region, &part->terrain));
        part->region.peers = &part->peers;
    }
    for (int k = 0; k < REGIONS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, run_part, &meeting.parts[k]), 0);
    for (int k = 0; k < REGIONS; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < REGIONS; k++) {
        Part *part = &meeting.parts[k];
        assert_int_equal(part->status, SILT_OK);
        assert_same_part(part, whole);
        double water = report.ledger.water.added + report.ledger.water.initial;
        assert_same_books(&part->report.ledger.water, &report.ledger.water, water);
        assert_same_books(&part->report.ledger.rock, &report.ledger.rock, report.ledger.rock.initial);
        silt_terrain_destroy(part->terrain);
    }
    pthread_barrier_destroy(&meeting.barrier);
    silt_terrain_destroy(before);
    silt_terrain_destroy(whole);
}

static void thermal_in_regions(void **state)
{
    (void)state;
    regions_are_the_whole("thermal", "", 60, false);
    regions_are_the_whole("thermal", "strata=4,1,0;3,0.1,12 neighbours=eight", 60, true);
}

#define SOURCES "sources=360,340,30,40,0,0,0.2;900,1200,10,5,20,60,0"

static void cells_in_regions(void **state)
{
    (void)state;
    regions_are_the_whole("cells", "rain=200", 40, false);
    regions_are_the_whole("cells", "rain=2000 rain_pattern=drops drop_radius=60 north=closed " SOURCES, 40,
                          true);
    regions_are_the_whole("cells", "spread=even evaporation_kind=altitude strata=4,1,0;3,0.1,12 west=closed",
                          40, true);
    regions_are_the_whole("cells", "rain=2000 rest=on", 20, false);
}

static void newton_in_regions(void **state)
{
    (void)state;
    regions_are_the_whole("newton", "rain=2000", 60, false);
    regions_are_the_whole("newton", "rain=2000 rain_pattern=drops drop_radius=60 east=closed " SOURCES, 60,
                          true);
    regions_are_the_whole(
        "newton", "averaging=all time_scaling=paper rain_altitude=1e-3 strata=4,1,0;3,0.1,12", 60, true);
    regions_are_the_whole("newton", "rain=2000 rest=on", 20, false);
    regions_are_the_whole("newton", "rain=2000 reach=40", 60, false);
    regions_are_the_whole("newton", "rain=2000 banks=40", 60, false);
}

// A halo that is too narrow is told at the beginning, and the map's own edges need none.
static void narrow_halo_is_refused(void **state)
{
    (void)state;
    SiltTerrain *map = NULL, *part = NULL;
    assert_ok(silt_terrain_create(40, 30, 5.0, &map));
    for (int m = 0; m < silt_model_count(); m++) {
        const SiltModel *model = silt_model_at(m);
        int halo = silt_model_halo(model);
        for (int less = 0; halo > 0 && less < 2; less++) {
            SiltRegion region;
            SiltErosion *run = NULL;
            assert_ok(silt_terrain_region(map, 0, 0, 20, 30, halo - less, &region, &part));
            SiltStatus status = silt_erosion_begin(model, part, NULL, NULL, &run);
            assert_int_equal(status, less ? SILT_BAD_ARGUMENT : SILT_OK);
            if (less)
                assert_non_null(strstr(silt_message(), "halo"));
            silt_erosion_end(run);
            silt_terrain_destroy(part);
        }
    }
    silt_terrain_destroy(map);
}

static void pipes_in_regions(void **state)
{
    (void)state;
    regions_are_the_whole("pipes", "rain=200", 60, false);
    regions_are_the_whole(
        "pipes", "neighbours=eight rain=2000 bank_angle=20 rain_pattern=drops drop_radius=60 " SOURCES, 60,
        true);
    regions_are_the_whole("pipes", "transport=semi-lagrangian rain=200 pipe_area=30 west=closed north=closed",
                          41, true);
    regions_are_the_whole(
        "pipes", "time_scaling=paper rain_altitude=1e-3 evaporation_kind=altitude strata=4,1,0;3,0.1,12", 60,
        true);
    regions_are_the_whole("pipes", "rain=2000 rest=on", 20, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thermal_in_regions),     cmocka_unit_test(cells_in_regions),
        cmocka_unit_test(newton_in_regions),      cmocka_unit_test(pipes_in_regions),
        cmocka_unit_test(narrow_halo_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
