// Law: a grid model gives the same bytes whether its phases go down bands of rows together, several steps at
// a time, or one after the other over the whole map; on any size of map and any number of threads.
#include "erode_help.h"

#include "grid/grid.h"
#include "grid_kinds.h"
#include "terrains.h"

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
    SiltReport report = erode_steps(terrain, kind.model, kind.settings, SILT_SANITIZED ? 5 : 22);
    silt_grid_make_plain = false;
    silt_set_threads(0);
    uint64_t hash = mix_books(layers_hash(terrain), &report);
    silt_terrain_destroy(terrain);
    return hash;
}

static void fused_phases_are_plain_phases(void **state)
{
    (void)state;
#if SILT_SANITIZED
    static const int threads[] = {2}; // sanitizers are slow, and look at memory, not at bytes
#else
    static const int threads[] = {1, 2, 8};
#endif
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int holes = 0; holes < (sizes[s].height > 100 ? 2 : 1); holes++) {
                uint64_t plain = hash_of_run(kinds[k], sizes[s], holes, true, 1);
                for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
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
