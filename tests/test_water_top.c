// Which particles are the surface of their water (Weiss eq. 3.39).
#include "render/water_top.h"
#include "test.h"

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };

typedef struct Block {
    float x[COUNT + 1], y[COUNT + 1], z[COUNT + 1], zero[COUNT + 1];
    int64_t id[COUNT + 1];
    SiltParticles particles;
} Block;

// A block of water, its layers one after the other from the lowest, far from the origin.
static void fill(Block *block)
{
    memset(block, 0, sizeof *block);
    for (int k = 0; k < COUNT; k++) {
        block->x[k] = -50.0f + 0.5f * (float)(k % SIDE);
        block->y[k] = 20.0f + 0.5f * (float)(k / SIDE % SIDE);
        block->z[k] = 3.0f + 0.5f * (float)(k / SIDE / SIDE);
        block->id[k] = k;
    }
    block->particles = (SiltParticles){.count = COUNT,
                                       .x = block->x,
                                       .y = block->y,
                                       .z = block->z,
                                       .u = block->zero,
                                       .v = block->zero,
                                       .w = block->zero,
                                       .density = block->zero,
                                       .sediment = block->zero,
                                       .id = block->id,
                                       .load = 0.25,
                                       .spacing = 0.5};
}

static void only_the_upper_layer_is_the_surface(void **state)
{
    (void)state;
    static Block block;
    for (int known = 0; known < 2; known++) {
        SiltParticles *marked;
        fill(&block);
        block.particles.spacing = known ? 0.5 : 0.0; // or found from how they lie
        assert_ok(silt_particles_mark_top(&block.particles, false, &marked));
        for (int k = 0; k < COUNT; k++)
            assert_true(marked->sediment[k] * marked->load == (k >= COUNT - SIDE * SIDE));
        silt_particles_destroy(marked);
    }
}

// One that lies right above another covers it; one that lies aside, outside the cone, or far above does not.
static void a_cone_is_looked_at(void **state)
{
    (void)state;
    static const struct {
        float aside, above;
        bool covers;
    } cases[] = {{0.0f, 0.5f, true},
                 {0.3f, 0.5f, true},
                 {0.5f, 0.5f, false},
                 {0.0f, 1.1f, false},
                 {0.0f, -0.5f, false}};
    static Block block;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltParticles *marked;
        fill(&block);
        block.particles.count = 2;
        block.x[1] = block.x[0] + cases[k].aside;
        block.y[1] = block.y[0];
        block.z[1] = block.z[0] + cases[k].above;
        assert_ok(silt_particles_mark_top(&block.particles, false, &marked));
        assert_true((marked->sediment[0] == 0.0f) == cases[k].covers);
        silt_particles_destroy(marked);
    }
    block.particles.count = 0;
    SiltParticles *none;
    assert_ok(silt_particles_mark_top(&block.particles, false, &none));
    silt_particles_destroy(none);
}

// By their normals: the upper layer of a block, and none of a sheet one particle thick, which is all surface.
static void normals_do_not_find_thin_water(void **state)
{
    (void)state;
    static Block block;
    SiltParticles *marked;
    fill(&block);
    assert_ok(silt_particles_mark_top(&block.particles, true, &marked));
    for (int k = 0; k < COUNT; k++)
        assert_true(marked->sediment[k] * marked->load == (k >= COUNT - SIDE * SIDE));
    silt_particles_destroy(marked);
    block.particles.count = SIDE * SIDE;
    for (int by_normal = 0; by_normal < 2; by_normal++) {
        assert_ok(silt_particles_mark_top(&block.particles, by_normal, &marked));
        for (int k = 0; k < SIDE * SIDE; k++)
            assert_true(marked->sediment[k] == (by_normal ? 0.0f : 1.0f));
        silt_particles_destroy(marked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_upper_layer_is_the_surface),
        cmocka_unit_test(a_cone_is_looked_at),
        cmocka_unit_test(normals_do_not_find_thin_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
