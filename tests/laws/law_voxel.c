// Laws of `voxel`: water never enters rock, what leaves the rock is carried or laid down again, and nothing
// depends on the number of threads.
#include "couple/voxel_meet.h"
#include "couple/voxel_water.h"
#include "erode_help.h"
#include "physics/voxel_exchange.h"
#include "volume/volume.h"

// Water from a box source above the top of a slope that falls to the south, with a bump on it.
static SiltTerrain *make_slope(int size)
{
    SiltTerrain *terrain = make_terrain(size, size, 1.0);
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
            float x = (float)(i - size / 2), y = (float)(j - size / 2);
            float bump = 5.0f - 0.25f * (x * x + y * y);
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                0.6f * (float)(size - j) + (bump > 0.0f ? bump : 0.0f);
        }
    return terrain;
}

static const char stream[] =
    "sources=4,2,20,24,4,2,400,0,6,-4,0,0,0 particles=3000 sound=30 dissolve_normal=4 "
    "dissolve_tangent=4 capacity=1 most=5 falling_every=50 headroom=12";

// ---- no particle inside rock after a step ----

typedef struct Look {
    SiltTerrain *terrain;
    int64_t seen;
    float deepest; // phi at a particle
} Look;

static SiltStatus no_frame(void *user, const SiltTerrain *terrain, int index)
{
    (void)user;
    (void)terrain;
    (void)index;
    return SILT_OK;
}

static SiltStatus look_at(void *user, const SiltParticles *particles, int index)
{
    Look *look = user;
    (void)index;
    const SiltVolume *volume = look->terrain->volume;
    SiltVoxelFrame frame = {.cell = (float)volume->cell,
                            .rows = (float)volume->size[1] - 0.5f,
                            .base = (float)((particles->low - volume->origin[2]) / volume->cell)};
    for (int i = 0; i < particles->count; i++) {
        float place[3];
        silt_voxel_place(frame, particles->x[i], particles->y[i], particles->z[i], place);
        look->deepest = fmaxf(look->deepest, silt_volume_sample(volume, place, NULL));
        look->seen++;
    }
    return SILT_OK;
}

static void check_stays_out(const char *more)
{
    Look look = {.terrain = make_slope(32), .deepest = -1.0f};
    const SiltModel *model = silt_model_find("voxel");
    char params[1024] __attribute__((aligned(16)));
    assert_true(silt_model_params(model)->size <= sizeof params);
    assert_ok(silt_params_init(silt_model_params(model), params));
    char text[512];
    snprintf(text, sizeof text, "%s %s", stream, more);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), params, "voxel", word));
    SiltRun run = {.user = &look, .frame = no_frame, .particles = look_at, .frame_interval = 1.0};
    assert_ok(silt_erode(model, look.terrain, params, (SiltDuration){.steps = 80}, &run, NULL));
    assert_true(look.seen > 10000);
    assert_true(look.deepest <= 0.0f); // not by a hair
    silt_params_free(silt_model_params(model), params);
    silt_terrain_destroy(look.terrain);
}

static void no_particle_is_in_rock(void **state)
{
    (void)state;
    check_stays_out("deposit=20");
    check_stays_out("collision=paper");
    check_stays_out("exchange=paper restitution=0.5");
    check_stays_out("spacing=0.8 brick=16 falling=drop");
}

// ---- sediment that sinks ----

static SiltSph *make_pool(int side)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.5;
    config.capacity = side * side * side;
    for (int axis = 0; axis < 3; axis++) {
        config.high[axis] = 0.5 * side;
        config.face[axis][0] = config.face[axis][1] = SILT_SPH_WALL;
    }
    SiltSph *sph;
    assert_ok(silt_sph_create("law", &config, &sph));
    const float still[3] = {0.0f, 0.0f, 0.0f};
    silt_sph_fill(sph, config.low, config.high, still);
    for (int i = 0; i < sph->count; i++) { // uneven, and loaded at random
        SiltRandom random = silt_random(5, SILT_STREAM_TEST, (uint64_t)i, 0);
        sph->now.x[i] += 0.1f * silt_symmetric(random.word[0]);
        sph->now.y[i] += 0.1f * silt_symmetric(random.word[1]);
        sph->now.z[i] += 0.1f * silt_symmetric(random.word[2]);
        sph->now.sediment[i] = floorf(0x1p23f * silt_uniform(random.word[3]));
    }
    silt_sph_sort(sph);
    return sph;
}

static double load_of(const SiltSph *sph)
{
    double sum = 0.0;
    for (int i = 0; i < sph->count; i++)
        sum += (double)sph->now.sediment[i];
    return sum;
}

static double height_of_load(const SiltSph *sph)
{
    double sum = 0.0;
    for (int i = 0; i < sph->count; i++)
        sum += (double)sph->now.sediment[i] * (double)sph->now.z[i];
    return sum / load_of(sph);
}

static void sinking_conserves_every_unit(void **state)
{
    (void)state;
    SiltSph *sph = make_pool(12);
    double before = load_of(sph), height = height_of_load(sph);
    const SiltVoxelSinking sinking = {.strength = 40.0f, .asymmetry = 0.7f, .cone = 0.8f, .full = 0x1p23f};
    uint8_t *covered = silt_alloc((size_t)sph->count);
    for (int k = 0; k < 100; k++) {
        silt_voxel_sink(&sinking, sph, 0.02f, k % 2 ? covered : NULL);
        sph->step_index++;
        assert_true(load_of(sph) == before); // exactly
        for (int i = 0; i < sph->count; i++)
            assert_true(sph->now.sediment[i] >= 0.0f && sph->now.sediment[i] < 0x1p24f);
    }
    assert_true(height_of_load(sph) < height - 0.15); // and it sank
    // only the upper side of the pool is open
    for (int i = 0; i < sph->count; i++) {
        if (sph->now.z[i] < 4.5f)
            assert_true(covered[i]);
        if (sph->now.z[i] > 5.85f)
            assert_false(covered[i]);
    }
    silt_free(covered);
    silt_sph_destroy(sph);
}

// Without a direction nothing sinks, it only spreads.
static void even_sinking_goes_nowhere(void **state)
{
    (void)state;
    SiltSph *sph = make_pool(10);
    double height = height_of_load(sph);
    const SiltVoxelSinking sinking = {.strength = 40.0f, .asymmetry = 0.0f, .cone = 0.8f, .full = 0x1p23f};
    for (int k = 0; k < 100; k++) {
        silt_voxel_sink(&sinking, sph, 0.02f, NULL);
        sph->step_index++;
    }
    assert_near(height_of_load(sph), height, 0.05);
    silt_sph_destroy(sph);
}

// ---- the books ----

static void rock_is_accounted_for(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_slope(32);
    SiltReport report = erode_steps(terrain, "voxel", stream, 250);
    const SiltAccount *rock = &report.ledger.rock, *water = &report.ledger.water;
    assert_true(rock->moved > 10.0);
    assert_true(silt_account_imbalance_fraction(rock) < 0.012); // 2 % is promised
    assert_true(silt_account_imbalance_fraction(water) < 1e-9);
    assert_true(silt_volume_rock(terrain->volume) < rock->initial - 0.5 * rock->moved);
    // heights are the top of the volume
    assert_ptr_equal(silt_terrain_volume(terrain), terrain->volume);
    silt_terrain_settle(terrain);
    assert_ptr_equal(silt_terrain_volume(terrain), terrain->volume);
    silt_field_row(silt_terrain_layer(terrain, "height"), 3)[4] += 1.0f;
    assert_null(silt_terrain_volume(terrain)); // a terrain that changed is not the volume's any more
    silt_terrain_destroy(terrain);
    // sweeps keep the books as well
    terrain = make_slope(32);
    char paper[512];
    snprintf(paper, sizeof paper, "%s reinit=sweeps", stream);
    report = erode_steps(terrain, "voxel", paper, 250);
    assert_true(rock->moved > 10.0);
    assert_true(silt_account_imbalance_fraction(rock) < 0.012);
    assert_true(silt_account_imbalance_fraction(water) < 1e-9);
    silt_terrain_destroy(terrain);
    // algorithm 3 moves several times what the particles carry
    terrain = make_slope(32);
    snprintf(paper, sizeof paper, "%s exchange=paper dissolve_normal=0.02 dissolve_tangent=0.02", stream);
    report = erode_steps(terrain, "voxel", paper, 200);
    assert_true(silt_account_imbalance_fraction(&report.ledger.rock) > 0.5);
    silt_terrain_destroy(terrain);
}

// Ground that jumps by ten cells from one to the next: nothing of it is a smooth surface. What moved there is
// booked all the same, after any number of steps, and little of it by levelling.
static void rough_ground_balances(void **state)
{
    (void)state;
    static const int steps[] = {20, 60, 150};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = make_terrain(24, 24, 10.0);
        for (int n = 0; n < 24 * 24; n++)
            silt_field_row(silt_terrain_layer(terrain, "height"), n / 24)[n % 24] =
                100.0f * silt_uniform(silt_random(3, SILT_STREAM_TEST, (uint64_t)n, 0).word[0]);
        SiltReport report = erode_steps(terrain, "voxel", "", steps[k]);
        const SiltAccount *rock = &report.ledger.rock;
        assert_true(rock->moved > 0.1);
        assert_true(silt_account_imbalance_fraction(rock) < 0.01);
        silt_terrain_destroy(terrain);
    }
}

// On ground that voxels can show, phi moves as much rock as is booked: levelling has a few parts in a hundred
// to do.
static void levelling_has_little_to_do(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_slope(32);
    char calm[512]; // smoothing moves rock besides
    snprintf(calm, sizeof calm, "%s smoothing=0 falling=off", stream);
    SiltReport report = erode_steps(terrain, "voxel", calm, 250);
    const SiltAccount *rock = &report.ledger.rock;
    assert_true(rock->moved > 10.0);
    assert_true(rock->corrected < 0.05 * rock->moved);
    assert_true(silt_account_imbalance_fraction(rock) < 2e-3);
    silt_terrain_destroy(terrain);
}

// A particle far above the ground, larger than the band in which the rock's distance is known, falls freely:
// it sees no floor where there is none.
static void nothing_is_seen_beyond_the_band(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(32, 32, 1.0);
    const char *text =
        "boxes=8,8,20,16,16,8,0 rain=0 spacing=5 time_step=0.01 headroom=40 sound=60 artificial=2";
    SiltErosion *run = begin_erosion(terrain, "voxel", text);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 20}));
    SiltParticles drops;
    assert_ok(silt_erosion_particles(run, &drops));
    assert_int_equal(drops.count, 9);
    for (int i = 0; i < drops.count; i++) // leap-frog begins with half a step
        assert_near(drops.w[i], -9.81 * 0.195, 1e-3);
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 3, 8};
    uint64_t volumes[4], layers[4];
    char text[512];
    snprintf(text, sizeof text, "%s rain=300000 life=2 rock=noise rock_size=6 deposit=10", stream);
    for (int k = 0; k < 4; k++) {
        silt_set_threads(counts[k]);
        SiltTerrain *terrain = make_slope(28);
        erode_steps(terrain, "voxel", text, 60);
        volumes[k] = silt_volume_hash(terrain->volume);
        layers[k] = layers_hash(terrain);
        assert_true(layers_finite(terrain));
        silt_terrain_destroy(terrain);
    }
    silt_set_threads(0);
    for (int k = 1; k < 4; k++) {
        assert_true(volumes[k] == volumes[0]);
        assert_true(layers[k] == layers[0]);
    }
}

// ---- fig. 3.15: sediment at the top of a lake comes to lie on its bed, and the lake is shallower then ----

static void a_lake_settles(void **state)
{
    (void)state;
    long_law();
    SiltTerrain *terrain = make_terrain(16, 16, 1.0);
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 16; i++) { // a basin with a flat bed
            float edge = fmaxf(fabsf((float)i - 7.5f), fabsf((float)j - 7.5f));
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = edge > 5.0f ? 8.0f : 0.0f;
        }
    const char *text = "boxes=3,3,0,10,10,1,0;3,3,1,10,10,0.5,0.3 particles=3000 sinking=1000 deposit=40 "
                       "capacity=0.001 sound=20 artificial=0.5 friction=2";
    SiltReport report = erode_steps(terrain, "voxel", text, 700);
    double loaded = report.ledger.rock.added, still = 0.0;
    assert_true(loaded > 10.0);
    const SiltField *sediment = silt_terrain_layer(terrain, "sediment");
    still = silt_field_sum(sediment);
    assert_true(still < 0.2 * loaded); // the most part lies on the bed
    assert_true(ground_at(terrain, 7, 7) > 0.05);
    assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 0.02);
    silt_terrain_destroy(terrain);
}

// ---- bricks and falling rock ----

static void bricks_come_and_go(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(24, 24, 1.0);
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 24; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = 0.5f * (float)j;
    const char *text =
        "sources=9,1,4,6,6,2,100,0,0,-8,0,0,0 floor=21 sound=30 particles=3000 capacity=2 most=5 "
        "dissolve_normal=20 dissolve_tangent=5 redistance=5";
    erode_steps(terrain, "voxel", text, 260);
    const SiltVolume *volume = terrain->volume;
    // the jet digs into what was solid; its hole goes where no brick with voxels was
    size_t below = silt_volume_brick(volume, 12, 19, 14);
    assert_false(silt_volume_is_uniform(volume, below));
    assert_true(ground_at(terrain, 12, 4) < -2.0);
    SiltVolume *again;
    SiltTerrain *top;
    assert_ok(silt_volume_to_terrain(volume, &top));
    assert_ok(silt_volume_from_terrain(top, NULL, NULL, 0, &again));
    assert_true(volume->brick_count < 3 * again->brick_count); // bricks that the surface has left are gone
    silt_volume_destroy(again);
    silt_terrain_destroy(top);
    silt_terrain_destroy(terrain);
}

// A box on a stem; cut through the stem in the first frame, it hangs on nothing.
static SiltStatus cut_stem(void *user, const SiltTerrain *terrain, int index)
{
    (void)user;
    if (index > 1)
        return SILT_OK;
    for (int n = 4; n < 10; n++)
        for (int j = 8; j < 16; j++)
            for (int i = 8; i < 16; i++)
                assert_ok(silt_volume_set(terrain->volume, i, j, n, -1.0f));
    return silt_volume_redistance(terrain->volume, SILT_REDISTANCE_ALL);
}

static SiltTerrain *make_box(bool has_stem)
{
    const int size[3] = {24, 24, 32};
    SiltVolume *volume;
    SiltTerrain *terrain;
    assert_ok(silt_volume_make(silt_volume_shape_find("box"), size, 8, 1.0, NULL, NULL, 0, &volume));
    for (int j = 0; j < 24 && has_stem; j++)
        for (int i = 0; i < 24; i++)
            for (int n = 0; n < 12; n++)
                if (n < 4 || (i > 9 && i < 14 && j > 9 && j < 14))
                    assert_ok(silt_volume_set(volume, i, j, n, n < 4 ? 3.5f - (float)n : 1.0f));
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_ALL));
    assert_ok(silt_terrain_from_volume(volume, &terrain));
    return terrain;
}

// What is left of the rock of a table whose leg is cut after the first step.
static double fell(const char *falling, const char *every, double *removed)
{
    SiltTerrain *terrain = make_box(true);
    const SiltModel *model = silt_model_find("voxel");
    char params[1024] __attribute__((aligned(16)));
    assert_ok(silt_params_init(silt_model_params(model), params));
    assert_ok(silt_params_assign(silt_model_params(model), params, "voxel", falling));
    assert_ok(silt_params_assign(silt_model_params(model), params, "voxel", every));
    double before = silt_volume_rock(terrain->volume);
    SiltRun run = {.frame = cut_stem, .frame_interval = 1.0};
    SiltReport report;
    assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 12}, &run, &report));
    double left = silt_volume_rock(terrain->volume) / before;
    *removed = report.ledger.rock.removed / before;
    silt_params_free(silt_model_params(model), params);
    silt_terrain_destroy(terrain);
    return left;
}

static void rock_without_hold_falls(void **state)
{
    (void)state;
    double removed[5];
    double hangs = fell("falling=off", "falling_every=10", &removed[0]);
    assert_near(fell("falling=report", "falling_every=10", &removed[1]), hangs, 1e-6);
    assert_true(fell("falling=remove", "falling_every=10", &removed[2]) < 0.8 * hangs);
    assert_near(fell("falling=drop", "falling_every=10", &removed[3]), hangs, 0.03);
    // and what came loose after the last look too
    assert_true(fell("falling=remove", "falling_every=100000", &removed[4]) < 0.8 * hangs);
    assert_true(removed[2] > 0.1 && removed[4] > 0.1);
    assert_true(removed[0] == 0.0 && removed[1] == 0.0 && removed[3] == 0.0); // what drops is not lost
}

// What hangs free from the beginning has not fallen, and nothing is invented for columns without rock.
static void what_hangs_free_stays(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_box(false);
    double before = silt_volume_rock(terrain->volume);
    assert_true(before > 0.0);
    SiltReport report =
        erode_steps(terrain, "voxel", "rain=1e6 particles=2000 dissolve_normal=9 capacity=1", 60);
    assert_near(silt_volume_rock(terrain->volume) / before, 1.0, 0.05);
    assert_near(report.ledger.rock.removed, 0.0, 0.05 * before);
    assert_ptr_equal(silt_terrain_volume(terrain), terrain->volume);
    // a column that has lost its rock has no height, and the volume is still the terrain's
    cut_stem(NULL, terrain, 0);
    double cut = silt_volume_rock(terrain->volume);
    SiltLoose loose;
    assert_ok(silt_volume_loose(terrain->volume, SILT_LOOSE_DROP, &loose));
    assert_near(silt_volume_rock(terrain->volume) / cut, 1.0, 0.01); // it lies on the floor, not in it
    assert_ok(silt_volume_loose(terrain->volume, SILT_LOOSE_REPORT, &loose));
    assert_int_equal(loose.piece_count, 0);
    silt_terrain_destroy(terrain);
}

// Sharp edges that hardly any water has touched keep their volume.
static void steps_keep_their_rock(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(32, 32, 1.0);
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = 1.28f * (float)(j / 6);
    SiltReport report = erode_steps(terrain, "voxel", "rain=200000 particles=3000", 300);
    assert_true(report.ledger.rock.moved > 0.0);
    assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 0.02);
    silt_terrain_destroy(terrain);
}

// ---- a first run with nothing set ----

// m3 of rock that moved in a cliff of so many cells, and how much deeper than the mean its middle was cut.
static double wear_cliff(double cell, const char *set, double *notch)
{
    enum { SIDE = 48 };
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, cell);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                j < SIDE / 2 ? 15.0f * (float)cell : 0.0f;
    SiltReport report = erode_steps(terrain, "voxel", set, 700);
    assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 0.02);
    silt_terrain_settle(terrain);
    double row[SIDE], mean = 0.0, lowest = 1e30;
    for (int i = 0; i < SIDE; i++) {
        row[i] = (double)silt_field_at(silt_terrain_layer(terrain, "height"), i, SIDE / 2 - 2) / cell;
        mean += row[i] / SIDE;
        lowest = fmin(lowest, row[i]);
    }
    *notch = mean - lowest;
    silt_terrain_destroy(terrain);
    return report.ledger.rock.moved / (cell * cell * cell);
}

// A stream comes over the brink and cuts it, and the same cliff wears alike at any size.
static void defaults_wear_a_cliff(void **state)
{
    (void)state;
    long_law();
    double notch, large_notch, none;
    double moved = wear_cliff(1.0, "particles=6000", &notch);
    double large = wear_cliff(16.0, "particles=6000", &large_notch);
    assert_true(moved > 100.0 && notch > 1.0);
    assert_near(large / moved, 1.0, 0.1);
    assert_near(large_notch / notch, 1.0, 0.2);
    assert_true(wear_cliff(1.0, "rain=0", &none) == 0.0); // rain = 0 says that there shall be no water
}

// ---- bad input ----

static void check_refused(const char *text, const char *why)
{
    const SiltModel *model = silt_model_find("voxel");
    SiltTerrain *terrain = make_slope(16);
    char params[1024] __attribute__((aligned(16))), words[512];
    assert_ok(silt_params_init(silt_model_params(model), params));
    snprintf(words, sizeof words, "%s", text);
    for (char *rest, *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), params, "voxel", word));
    assert_fails(silt_erode(model, terrain, params, (SiltDuration){.steps = 1}, NULL, NULL),
                 SILT_BAD_ARGUMENT, why);
    silt_params_free(silt_model_params(model), params);
    silt_terrain_destroy(terrain);
}

static void bad_water_is_refused(void **state)
{
    (void)state;
    check_refused("sources=4,4,20,2,0,2,1,0,0,0,0,0,0", "each side must lie above zero");
    check_refused("sources=4,4,-6,2,2,2,1,0,0,0,0,0,0", "lies within the rock");
    check_refused("sources=40,4,20,2,2,2,1,0,0,0,0,0,0", "lies off the map");
    check_refused("sources=4,4,20,2,2,2,-1,0,0,0,0,0,0", "its rate must be");
    check_refused("sources=4,4,20,2,2,2,1,0,0,0,0.9,0,0 most=0.5", "sediment = 0.9");
    check_refused("boxes=4,4,20,0,2,2,0", "each side must lie above zero");
    check_refused("boxes=1,1,1,2,2,2,0", "lies within the rock");
    check_refused("boxes=4,4,18,8,8,4,0 particles=10", "more than the 10 particles");
    check_refused("sources=4,4,20,2,2,2,1,0,0,0,0,5,3", "it never runs");
    check_refused("flat=0.8,0.6", "the smaller one");
    check_refused("rock=noise rock_low=3 rock_high=1", "rock_low = 3");
    check_refused("spacing=0.001", "too small for a map of 16 m");
    check_refused("layers=5", "layers");
    check_refused("erodibility=nothing", "no layer 'nothing'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_particle_is_in_rock),
        cmocka_unit_test(sinking_conserves_every_unit),
        cmocka_unit_test(even_sinking_goes_nowhere),
        cmocka_unit_test(rock_is_accounted_for),
        cmocka_unit_test(rough_ground_balances),
        cmocka_unit_test(levelling_has_little_to_do),
        cmocka_unit_test(nothing_is_seen_beyond_the_band),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_lake_settles),
        cmocka_unit_test(bricks_come_and_go),
        cmocka_unit_test(rock_without_hold_falls),
        cmocka_unit_test(bad_water_is_refused),
        cmocka_unit_test(what_hangs_free_stays),
        cmocka_unit_test(steps_keep_their_rock),
        cmocka_unit_test(defaults_wear_a_cliff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
