// Law: a grid model gives the same bytes whether its phases go down bands of rows together, several steps at
// a time, or one after the other over the whole map; on any size of map and any number of threads.
#include "erode_help.h"

#include "grid/grid.h"
#include "terrains.h"

typedef struct Kind {
    const char *model, *settings;
} Kind;

static const Kind kinds[] = {
    {"thermal", ""},
    {"thermal", "neighbours=eight talus=10"},
    {"cells", "rain=200"},
    {"cells", "neighbours=four spread=even rain=200 north=closed east=closed"},
    {"cells", "rain_pattern=drops drop_radius=30 rain=2000 sources=5,5,30,20,0,0,0.2 strata=4,1,0;3,0.1,12"},
    {"pipes", "rain=200"},
    {"pipes", "neighbours=eight rain=2000 bank_angle=20 north=closed west=closed"},
    {"pipes", "transport=semi-lagrangian rain=200 pipe_area=30"},
    {"pipes", "neighbours=eight transport=semi-lagrangian time_scaling=paper rain=200 south=closed"},
    {"pipes", "rain_altitude=1e-3 evaporation_kind=altitude sources=5,5,30,20,0,0,0.2 strata=4,1,0;3,0.1,12"},
    {"newton", "rain=2000"},
    {"newton", "averaging=all time_scaling=paper rain=2000 south=closed west=closed"},
    {"newton",
     "rain_altitude=1e-3 evaporation_kind=altitude sources=5,5,30,20,0,0,0.2 strata=4,1,0;3,0.1,12"},
};

static const RoughGround sizes[] = {
    {1, 1, 10.0, 100.0f},    {2, 2, 10.0, 100.0f},     {17, 5, 10.0, 100.0f},  {3, 4096, 10.0, 100.0f},
    {4096, 3, 10.0, 100.0f}, {257, 129, 10.0, 300.0f}, {530, 70, 10.0, 300.0f}};

static uint64_t hash_of_run(Kind kind, RoughGround size, bool holes, bool plain, int threads)
{
    SiltTerrain *terrain = rough_ground(size);
    if (holes)
        punch(terrain, size.width / 3, size.height / 2, size.height / 4);
    silt_set_threads(threads);
    silt_grid_make_plain = plain;
    SiltReport report = erode_steps(terrain, kind.model, kind.settings, 22);
    silt_grid_make_plain = false;
    silt_set_threads(0);
    uint64_t hash = layers_hash(terrain);
    const double books[] = {report.ledger.water.added, report.ledger.water.removed, report.ledger.rock.added,
                            report.ledger.rock.removed};
    for (int k = 0; k < 4; k++) {
        uint64_t bits;
        memcpy(&bits, &books[k], sizeof bits);
        hash = hash * 0x9E3779B97F4A7C15u + bits;
    }
    silt_terrain_destroy(terrain);
    return hash;
}

static void fused_phases_are_plain_phases(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 8};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int holes = 0; holes < (sizes[s].height > 100 ? 2 : 1); holes++) {
                uint64_t plain = hash_of_run(kinds[k], sizes[s], holes, true, 1);
                for (int t = 0; t < 3; t++)
                    if (hash_of_run(kinds[k], sizes[s], holes, false, threads[t]) != plain)
                        fail_msg("%s %s on %d x %d: fused on %d threads is not plain", kinds[k].model,
                                 kinds[k].settings, sizes[s].width, sizes[s].height, threads[t]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused_phases_are_plain_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
