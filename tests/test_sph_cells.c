// Neighbours, order, and particles that come and go.
#include "sph_help.h"

#include "sph/near.h"

typedef struct Found {
    int count;
    int64_t id[4096];
} Found;

static void note(void *context, int j, float r2)
{
    (void)r2;
    Found *found = ((void **)context)[0];
    const SiltSph *sph = ((void **)context)[1];
    assert_true(found->count < 4096);
    found->id[found->count++] = sph->now.id[j];
}

static int by_id(const void *a, const void *b)
{
    const int64_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static SiltSph *make_cloud(uint64_t seed, int count, const float extent[3])
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.1;
    config.capacity = count + 10;
    for (int axis = 0; axis < 3; axis++)
        config.low[axis] = -1000.0, config.high[axis] = 1000.0;
    SiltSph *sph = make_water(&config);
    for (int i = 0; i < count; i++) {
        uint64_t place = (uint64_t)(i % 7 == 0 ? i / 2 : i); // some at the same place
        float at[3], speed[3] = {0.0f, 0.0f, 0.0f};
        for (uint32_t axis = 0; axis < 3; axis++)
            at[axis] = extent[axis] * (draw(seed, place, axis) - 0.5f);
        assert_true(silt_sph_add(sph, at, speed));
    }
    return sph;
}

static void neighbours_equal_brute_force(void **state)
{
    (void)state;
    static const float extents[][3] = {{1.0f, 1.0f, 1.0f},
                                       {0.3f, 4.0f, 0.0f},
                                       {900.0f, 900.0f, 900.0f},
                                       {0.0f, 0.0f, 0.0f},
                                       {30.0f, 0.5f, 0.5f}};
    for (uint64_t k = 0; k < 5; k++) {
        SiltSph *sph = make_cloud(k, k == 3 ? 200 : 900, extents[k]);
        silt_sph_sort(sph);
        const SiltSphArrays *a = &sph->now;
        for (int i = 0; i < sph->count; i++) {
            Found found = {0}, wanted = {0};
            void *context[] = {&found, sph};
            float at[3] = {a->x[i], a->y[i], a->z[i]};
            silt_sph_visit(sph, at, note, context);
            for (int j = 0; j < sph->count; j++) {
                float dx = at[0] - a->x[j], dy = at[1] - a->y[j], dz = at[2] - a->z[j];
                if (dx * dx + dy * dy + dz * dz < sph->law.h2)
                    wanted.id[wanted.count++] = a->id[j];
            }
            assert_int_equal(found.count, wanted.count);
            qsort(found.id, (size_t)found.count, sizeof found.id[0], by_id);
            qsort(wanted.id, (size_t)wanted.count, sizeof wanted.id[0], by_id);
            assert_memory_equal(found.id, wanted.id, (size_t)found.count * sizeof found.id[0]);
        }
        silt_sph_destroy(sph);
    }
}

// Those picked, for the particle itself and for an image of it, are those a plain loop finds, in order.
static void picks_equal_a_plain_loop(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 3; k++) {
        SiltSph *sph = make_cloud(k, 1500, (float[3]){1.0f, 1.0f, k == 2 ? 0.1f : 1.0f});
        silt_sph_sort(sph);
        const SiltSphArrays *a = &sph->now;
        for (int i = 0; i < sph->count; i++) {
            bool image = i % 2 == 1;
            SiltSphPlace at = {.x = a->x[i], .y = a->y[i], .z = a->z[i], .self = image ? -1 : i};
            if (image)
                at.nx = 0.6f, at.nz = 0.8f, at.gap = 0.03f;
            SiltSphNear near;
            int found[2000], count = 0, wanted = 0;
            silt_near_begin(sph, &at, &near);
            while (silt_near_pick(sph, &at, &near)) {
                memcpy(found + count, near.index, (size_t)near.count * sizeof found[0]);
                count += near.count;
                assert_int_equal(near.index[near.count], sph->config.capacity);
            }
            for (int n = 0; n < near.runs.count; n++)
                for (int j = near.runs.begin[n]; j < near.runs.end[n]; j++) {
                    float dx = at.x - a->x[j], dy = at.y - a->y[j], dz = at.z - a->z[j];
                    bool counts = image ? at.nx * dx + at.ny * dy + at.nz * dz + at.gap <= 0.0f : j != i;
                    if (counts && dx * dx + dy * dy + dz * dz < sph->law.h2)
                        assert_int_equal(found[wanted++], j);
                }
            assert_int_equal(count, wanted);
        }
        silt_sph_destroy(sph);
    }
}

// Whoever picks, wide or one by one, ends a batch at the same particle: sums are made of whole batches. In
// the crowds here some have several hundred neighbours, and a batch holds a hundred.
static void batches_end_alike_without_wide_registers(void **state)
{
    (void)state;
    int most = 0;
    for (uint64_t k = 0; k < 4; k++) {
        float side = 0.25f + 0.15f * (float)k;
        SiltSph *sph = make_cloud(20 + k, 1200, (float[3]){side, 2.0f * side, side});
        silt_sph_sort(sph);
        const SiltSphArrays *a = &sph->now;
        for (int i = 0; i < sph->count; i++) {
            SiltSphPlace at = {.x = a->x[i], .y = a->y[i], .z = a->z[i], .self = i % 3 == 1 ? -1 : i};
            at.ny = i % 3 == 1 ? 1.0f : 0.0f;
            SiltSphNear wide, plain;
            silt_near_begin(sph, &at, &wide);
            silt_near_begin(sph, &at, &plain);
            for (int batch = 1; silt_near_pick(sph, &at, &wide); batch++) {
                silt_near_pick_plain(sph, &at, &plain);
                assert_int_equal(wide.count, plain.count);
                assert_memory_equal(wide.index, plain.index, (size_t)wide.count * sizeof wide.index[0]);
                most = batch > most ? batch : most;
            }
            silt_near_pick_plain(sph, &at, &plain);
            assert_int_equal(plain.count, 0);
        }
        silt_sph_destroy(sph);
    }
    assert_true(most >= 3);
}

// Where water is added to water density grows, also among those added in one step: else nothing would push
// them apart.
static void a_spring_under_water_raises_the_density(void **state)
{
    (void)state;
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.1;
    SiltSph *sph = make_water(&config);
    fill_box(sph, 0.8, 0.8, 0.8);
    silt_sph_sort(sph);
    double before = (double)sph->now.density[0], sum = 0.0;
    const float at[3] = {0.4f, 0.4f, 0.4f}, still[3] = {0.0f, 0.0f, 0.0f};
    int count = sph->count;
    for (int k = 0; k < 2; k++)
        assert_true(silt_sph_add_drop(sph, at, still));
    float own = sph->law.poly6 * sph->law.h2 * sph->law.h2 * sph->law.h2;
    assert_true((double)sph->now.density[count] > before + (double)own);
    assert_near((double)(sph->now.density[count + 1] - sph->now.density[count]), 0.0, 1e-3 * before);
    for (int i = 0; i < count; i++)
        sum += (double)sph->now.density[i] - before;
    assert_near(sum, 2.0 * ((double)sph->now.density[count] - 2.0 * (double)own), 1e-3 * before);
    assert_true(silt_sph_is_taken(sph, at, 0.01));
    silt_sph_destroy(sph);
}

// The same particles in another order sort to the same bytes.
static void order_is_a_function_of_the_state(void **state)
{
    (void)state;
    SiltSph *one = make_cloud(9, 700, (float[3]){2.0f, 2.0f, 2.0f});
    SiltSph *other = make_cloud(9, 700, (float[3]){2.0f, 2.0f, 2.0f});
    const SiltSphArrays *a = &one->now, *b = &other->now;
    for (int i = 0; i < 700; i++) {
        int from = 699 - i;
        b->x[i] = a->x[from], b->y[i] = a->y[from], b->z[i] = a->z[from], b->id[i] = a->id[from];
    }
    silt_sph_sort(one);
    silt_sph_sort(other);
    assert_true(silt_sph_hash(one) == silt_sph_hash(other));
    silt_sph_destroy(one);
    silt_sph_destroy(other);
}

static void those_that_go_leave_the_others_as_they_were(void **state)
{
    (void)state;
    SiltSph *sph = make_cloud(4, 800, (float[3]){3.0f, 3.0f, 3.0f});
    float x[900];
    for (int i = 0; i < 800; i++) {
        x[i] = sph->now.x[i];
        sph->now.sediment[i] = (float)i;
        if (i % 3 == 0)
            sph->fate[i] = SILT_SPH_LEFT;
    }
    silt_sph_sort(sph);
    assert_int_equal(sph->count, 800 - 267);
    assert_int_equal(sph->gone[SILT_SPH_LEFT], 267);
    for (int i = 0; i < sph->count; i++) {
        int64_t id = sph->now.id[i];
        assert_true(id % 3 != 0 && sph->now.x[i] == x[id] && sph->now.sediment[i] == (float)id);
    }
    const float at[3] = {0.0f, 0.0f, 0.0f};
    assert_true(silt_sph_add(sph, at, at));
    silt_sph_sort(sph);
    int64_t highest = 0;
    for (int i = 0; i < sph->count; i++)
        highest = sph->now.id[i] > highest ? sph->now.id[i] : highest;
    assert_int_equal(highest, 800); // no id comes twice
    assert_int_equal(sph->count, 534);
    silt_sph_destroy(sph);
}

static void a_crowd_in_one_point_is_thinned_and_counted(void **state)
{
    (void)state;
    const int count = 1000000;
    SiltSphConfig config = silt_sph_defaults();
    config.capacity = count;
    SiltSph *sph = make_water(&config);
    const float at[3] = {0.5f, 0.5f, 0.5f}, still[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; i++)
        silt_sph_add(sph, at, still);
    silt_sph_step(sph, 1.0);
    assert_true(sph->count < 1000 && sph->gone[SILT_SPH_CROWDED] == count - sph->count);
    for (int i = 0; i < sph->count; i++)
        assert_true(sph->now.id[i] < sph->count && isfinite(sph->now.x[i]));
    silt_sph_destroy(sph);
}

static void what_is_no_number_is_refused_or_removed(void **state)
{
    (void)state;
    SiltSphConfig config = silt_sph_defaults();
    SiltSph *sph = make_water(&config);
    const float at[3] = {0.5f, 0.5f, 0.5f}, bad[3] = {NAN, 0.0f, 0.0f};
    assert_false(silt_sph_add(sph, at, bad));
    assert_true(silt_sph_add(sph, at, at));
    sph->now.u[0] = NAN;
    silt_sph_step(sph, 0.01);
    silt_sph_sort(sph);
    assert_int_equal(sph->count, 0);
    assert_int_equal(sph->gone[SILT_SPH_BAD], 2);
    silt_sph_step(sph, 0.01); // nothing left is no trouble
    silt_sph_destroy(sph);
}

static void bad_settings_get_a_sentence(void **state)
{
    (void)state;
    SiltSph *sph;
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.0;
    assert_fails(silt_sph_create("water", &config, &sph), SILT_BAD_ARGUMENT, "spacing above zero");
    config.spacing = 5.0;
    assert_fails(silt_sph_create("water", &config, &sph), SILT_BAD_ARGUMENT, "larger than the 1 m");
    config = silt_sph_defaults();
    config.sound = -1.0;
    assert_fails(silt_sph_create("water", &config, &sph), SILT_BAD_ARGUMENT, "speed of sound");
    config = silt_sph_defaults();
    config.capacity = 0;
    assert_fails(silt_sph_create("water", &config, &sph), SILT_BAD_ARGUMENT, "particles");
    config = silt_sph_defaults();
    config.viscosity = NAN;
    assert_fails(silt_sph_create("water", &config, &sph), SILT_BAD_ARGUMENT, "finite");
    config = silt_sph_defaults();
    for (long n = 1; n < 40; n += 6) {
        silt_fail_allocation(n);
        assert_int_equal(silt_sph_create("water", &config, &sph), SILT_NO_MEMORY);
    }
    silt_fail_allocation(0);
}

static uint64_t splash(int threads, int integrator, double tension)
{
    silt_set_threads(threads);
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.02;
    config.capacity = 4000;
    config.integrator = integrator;
    config.tension = tension;
    config.life = 0.08;
    config.high[0] = config.high[1] = 0.6;
    set_faces(&config, 0, SILT_SPH_WALL);
    set_faces(&config, 2, SILT_SPH_WALL);
    SiltSph *sph = make_water(&config);
    fill_box(sph, 0.28, 0.28, 0.28);
    for (int k = 0; k < 60; k++)
        silt_sph_step(sph, 1.0);
    uint64_t hash = silt_sph_hash(sph);
    assert_true(sph->count > 2000 && sph->fastest > 0.1);
    silt_sph_destroy(sph);
    silt_set_threads(0);
    return hash;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        uint64_t wanted = splash(1, k, k * 0.07);
        assert_true(splash(2, k, k * 0.07) == wanted);
        assert_true(splash(3, k, k * 0.07) == wanted);
        assert_true(splash(8, k, k * 0.07) == wanted);
    }
}

static void life_ends(void **state)
{
    (void)state;
    SiltSphConfig config = silt_sph_defaults();
    config.life = 0.1;
    config.gravity[2] = 0.0;
    SiltSph *sph = make_water(&config);
    const float at[3] = {0.5f, 0.5f, 0.5f}, still[3] = {0.0f, 0.0f, 0.0f}, fast[3] = {20.0f, 0.0f, 0.0f};
    silt_sph_add(sph, at, still);
    silt_sph_add(sph, at, fast); // leaves through the open face before
    while (sph->count > 0 && sph->time < 1.0) {
        silt_sph_step(sph, 1.0);
        silt_sph_sort(sph);
    }
    assert_int_equal(sph->gone[SILT_SPH_EXPIRED], 1);
    assert_int_equal(sph->gone[SILT_SPH_LEFT], 1);
    assert_near(sph->time, 0.1, 0.01);
    silt_sph_destroy(sph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_equal_brute_force),
        cmocka_unit_test(picks_equal_a_plain_loop),
        cmocka_unit_test(batches_end_alike_without_wide_registers),
        cmocka_unit_test(a_spring_under_water_raises_the_density),
        cmocka_unit_test(order_is_a_function_of_the_state),
        cmocka_unit_test(those_that_go_leave_the_others_as_they_were),
        cmocka_unit_test(a_crowd_in_one_point_is_thinned_and_counted),
        cmocka_unit_test(what_is_no_number_is_refused_or_removed),
        cmocka_unit_test(bad_settings_get_a_sentence),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(life_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
