// Particle water on a device gives the bytes of the processor, step after step.
#include "device_help.h"
#include "sph_help.h"

#include "silt/fluid.h"
#include "sph/device_water.h"

static SiltDevice *device;

static void compare(const char *name, int step, SiltSph *here, SiltSph *there)
{
    assert_ok(silt_sph_device_fetch(there->device, SILT_AT_ALL));
    if (here->count != there->count)
        fail_msg("%s, step %d: %d particles, on the device %d", name, step, here->count, there->count);
    const SiltSphArrays *a = &here->now, *b = &there->now;
    const float *p[] = {a->x,  a->y,  a->z,  a->u,       a->v,        a->w,
                        a->ax, a->ay, a->az, a->density, a->sediment, a->age};
    const float *q[] = {b->x,  b->y,  b->z,  b->u,       b->v,        b->w,
                        b->ax, b->ay, b->az, b->density, b->sediment, b->age};
    for (int i = 0; i < here->count; i++)
        for (int k = 0; k < 12; k++)
            if (memcmp(&p[k][i], &q[k][i], sizeof(float)) != 0)
                fail_msg("%s, step %d: array %d of particle %d is %.9g, on the device %.9g", name, step, k, i,
                         (double)p[k][i], (double)q[k][i]);
    assert_memory_equal(a->id, b->id, (size_t)here->count * sizeof *a->id);
    assert_memory_equal(here->gone, there->gone, sizeof here->gone);
    assert_memory_equal(here->gone_sediment, there->gone_sediment, sizeof here->gone_sediment);
    assert_memory_equal(here->rates, there->rates, sizeof here->rates);
}

typedef void (*FillFn)(SiltSph *sph);

static void run_both(const char *name, const SiltSphConfig *config, FillFn fill, int steps)
{
    SiltSph *here = make_water(config), *there = make_water(config);
    fill(here), fill(there);
    assert_ok(silt_sph_device_create(device, "test", there));
    for (int step = 0; step < steps; step++) {
        double dt = silt_sph_step(here, 1.0), same = silt_sph_step(there, 1.0);
        assert_memory_equal(&dt, &same, sizeof dt);
        if (step % 8 == 7 || step == 0 || step == steps - 1)
            compare(name, step, here, there);
    }
    assert_ok(silt_device_status(device));
    silt_sph_destroy(here);
    silt_sph_destroy(there);
}

// Half a box of water, thrown at a corner.
static void fill_half(SiltSph *sph)
{
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.5, 1.0, 0.6};
    const float speed[3] = {1.5f, 0.7f, -0.4f};
    silt_sph_fill(sph, low, high, speed);
    for (int i = 0; i < sph->count; i++)
        sph->now.sediment[i] = (float)(i % 100);
}

// Drops at random, some of them at one place, and a knot of more than a list or a cell can hold.
static void fill_cloud(SiltSph *sph)
{
    const float still[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 2000; i++) {
        uint64_t place = (uint64_t)(i % 7 == 0 ? i / 2 : i);
        float at[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            at[axis] = 0.05f + 0.9f * draw(11, place, axis);
        silt_sph_add(sph, at, still);
    }
    for (int i = 0; i < 700; i++) {
        float at[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            at[axis] = 0.5f + (i < 400 ? 0.01f : 0.06f) * draw(12, (uint64_t)i, axis);
        silt_sph_add(sph, at, still);
    }
}

static SiltSphConfig box(void)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.05;
    config.capacity = 6000;
    return config;
}

static void walls(void **state)
{
    (void)state;
    if (!device)
        skip();
    for (int law = SILT_SPH_SLIP; law <= SILT_SPH_WALL_LAW; law++) {
        SiltSphConfig config = box();
        for (int axis = 0; axis < 3; axis++)
            set_faces(&config, axis, SILT_SPH_WALL);
        config.walls = law;
        config.roughness = 0.001;
        config.restitution = 0.3;
        run_both("walls", &config, fill_half, 25);
    }
}

static void open_and_periodic(void **state)
{
    (void)state;
    if (!device)
        skip();
    SiltSphConfig config = box();
    set_faces(&config, 0, SILT_SPH_PERIODIC);
    set_faces(&config, 1, SILT_SPH_OPEN);
    config.face[2][0] = SILT_SPH_WALL;
    config.life = 0.02;
    config.tension = 0.7;
    static const char *const names[] = {"open and periodic", "its surface by colour"};
    for (config.surface = SILT_SPH_CURVATURE; config.surface <= SILT_SPH_COLOUR; config.surface++)
        run_both(names[config.surface], &config, fill_half, 40);
}

static void summed_density(void **state)
{
    (void)state;
    if (!device)
        skip();
    SiltSphConfig config = box();
    for (int axis = 0; axis < 3; axis++)
        set_faces(&config, axis, axis == 1 ? SILT_SPH_PERIODIC : SILT_SPH_WALL);
    config.density_from = SILT_SPH_SUMMATION;
    config.state = SILT_SPH_GAS;
    config.integrator = SILT_SPH_EULER;
    config.pulls = true;
    run_both("summed density", &config, fill_half, 20);
}

static void crowds(void **state)
{
    (void)state;
    if (!device)
        skip();
    SiltSphConfig config = box();
    config.swiftest = 200.0;
    set_faces(&config, 2, SILT_SPH_WALL);
    run_both("crowds", &config, fill_cloud, 30);
}

// Particles so far apart that cells must get wider, and none at all.
static void fill_wide(SiltSph *sph)
{
    const float still[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 500; i++) {
        float at[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            at[axis] = 90000.0f * (draw(13, (uint64_t)i, axis) - 0.5f);
        silt_sph_add(sph, at, still);
    }
}

static void fill_nothing(SiltSph *sph)
{
    (void)sph;
}

static void far_apart(void **state)
{
    (void)state;
    if (!device)
        skip();
    SiltSphConfig config = box();
    for (int axis = 0; axis < 3; axis++)
        config.low[axis] = -50000.0, config.high[axis] = 50000.0;
    run_both("far apart", &config, fill_wide, 6);
    run_both("nothing", &config, fill_nothing, 3);
}

// Water that is poured in on the way, through silt/fluid.h.
static void tank(SiltDevice *where, SiltParticles *out, SiltWater **water)
{
    SiltWaterOptions options;
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.4, 1.0, 0.5}, above[3] = {0.1, 0.1, 0.6},
                 top[3] = {0.9, 0.9, 0.8}, speed[3] = {0.0, 0.0, -1.0};
    assert_ok(silt_params_init(&silt_water_params, &options));
    options.spacing = 0.05;
    options.particles = 6000;
    options.roof = SILT_SIDE_OPEN;
    assert_ok(silt_water_create(&options, water));
    silt_water_fill(*water, low, high, NULL);
    if (where) {
        assert_ok(silt_water_use_device(*water, where));
        assert_fails(silt_water_use_device(*water, where), SILT_BAD_ARGUMENT, "on a device already");
    }
    silt_water_advance(*water, 0.01);
    silt_water_fill(*water, above, top, speed);
    assert_true(silt_water_add(*water, (double[3]){0.95, 0.95, 0.95}, (double[3]){0.0, 0.0, 30.0}));
    silt_water_advance(*water, 0.02);
    assert_ok(silt_water_status(*water));
    silt_water_particles(*water, out);
    assert_true(silt_water_gone(*water) > 0);
}

static void the_public_engine(void **state)
{
    (void)state;
    if (!device)
        skip();
    SiltParticles here, there;
    SiltWater *one, *two;
    tank(NULL, &here, &one);
    tank(device, &there, &two);
    assert_int_equal(here.count, there.count);
    const float *const p[] = {here.x, here.y, here.z, here.u, here.v, here.w, here.density};
    const float *const q[] = {there.x, there.y, there.z, there.u, there.v, there.w, there.density};
    for (int k = 0; k < 7; k++)
        assert_memory_equal(p[k], q[k], (size_t)here.count * sizeof(float));
    assert_memory_equal(here.id, there.id, (size_t)here.count * sizeof *here.id);
    assert_int_equal(silt_water_gone(one), silt_water_gone(two));
    silt_water_destroy(one);
    silt_water_destroy(two);
}

int main(void)
{
    device = open_any_device();
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls),          cmocka_unit_test(open_and_periodic),
                                       cmocka_unit_test(summed_density), cmocka_unit_test(crowds),
                                       cmocka_unit_test(far_apart),      cmocka_unit_test(the_public_engine)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    silt_device_close(device);
    return failed;
}
