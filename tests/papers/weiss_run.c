// Weiss 2016 to the letter: whole runs of `voxel` with paper=on against the transcription, 20 steps. weiss.c
// has its parts, and says what cannot agree and why.
#include "weiss_help.h"

// A step of the text. Its eq. 3.27 divides by the mass what 3.21 to 3.26 give for each cubic metre; here that
// is the density, as the model has it (see above), and eq. 3.28 counts in masses of new water.
static void weiss_step(Weiss *w, double new_water)
{
    double by_load = w->load_weight;
    w->water_weight = new_water, w->load_weight = new_water * by_load;
    weiss_densities(w);
    weiss_forces(w);
    for (int i = 0; i < w->count; i++)
        for (int c = 0; c < 3; c++)
            w->force[i][c] /= w->density[i];
    w->water_weight = 1.0, w->load_weight = by_load;
    weiss_advance(w);
}

// A run of `voxel` with paper=on over a slope, and the text from where it begins.
static SiltErosion *begin_both(SiltTerrain *terrain, double height, const char *more, Weiss **text)
{
    for (int n = 0; n < SIDE * SIDE; n++)
        silt_field_row(silt_terrain_layer(terrain, "height"), n / SIDE)[n % SIDE] = 0.35f * (float)(n % SIDE);
    char settings[512];
    snprintf(settings, sizeof settings,
             "paper=yes spacing=0.5 support=1 mass=120 viscosity=30 tension=5 threshold=0.3 gas=4 "
             "time_step=0.02 particles=400 "
             "floor=6 headroom=12 boxes=7,7,%g,3.6,3.6,1.6,0 sinking=0 life=0 most=1 %s",
             height, more);
    SiltErosion *run = begin_erosion(terrain, "voxel", settings);
    const SiltVolume *volume = terrain->volume; // whatever the heights say
    assert_non_null(volume);
    assert_true(volume->size[2] <= LAYERS);
    Weiss *w = *text = make_text();
    w->height = volume->size[2];
    for (int n = 0; n < SIDE * SIDE * volume->size[2]; n++)
        w->level[n] = (double)silt_volume_at(volume, n % SIDE, n / SIDE % SIDE, n / (SIDE * SIDE));
    w->radius = 1.0, w->stiffness = 4.0, w->rest_density = silt_sph_defaults().density, w->viscosity = 30.0;
    w->tension = 5.0, w->threshold = 0.3, w->gravity = 9.81, w->time_step = 0.02;
    SiltParticles p;
    assert_ok(silt_erosion_particles(run, &p));
    w->count = p.count;
    assert_true(p.count > 60 && p.count < WEISS_MOST);
    for (int i = 0; i < p.count; i++) {
        double *at = w->place[p.id[i]];
        at[0] = (double)p.x[i] - 0.5, at[1] = SIDE - 0.5 - (double)p.y[i];
        at[2] = (double)p.z[i] - volume->origin[2];
        w->water[p.id[i]] = 1.0;
    }
    return run;
}

// How far both are apart after 20 steps, and how far the text's particles went; of all directions.
static void take_20_steps(SiltErosion *run, const SiltTerrain *terrain, Weiss *w, double *moved, double *off,
                          double *off_speed)
{
    double start[WEISS_MOST][3];
    memcpy(start, w->place, sizeof start);
    for (int step = 0; step < 20; step++) {
        weiss_step(w, 120.0);
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 1}));
    }
    SiltParticles p;
    assert_ok(silt_erosion_particles(run, &p));
    assert_int_equal(p.count, w->count);
    double base = terrain->volume->origin[2];
    *moved = *off = *off_speed = 0.0;
    for (int i = 0; i < p.count; i++) {
        const double at[3] = {(double)p.x[i] - 0.5, SIDE - 0.5 - (double)p.y[i], (double)p.z[i] - base},
                     speed[3] = {(double)p.u[i], -(double)p.v[i], (double)p.w[i]};
        for (int c = 0; c < 3; c++) {
            *moved = fmax(*moved, fabs(w->place[p.id[i]][c] - start[p.id[i]][c]));
            *off = fmax(*off, fabs(at[c] - w->place[p.id[i]][c]));
            *off_speed = fmax(*off_speed, fabs(speed[c] - w->velocity[p.id[i]][c]));
        }
    }
}

// Particles that lie at the rock: within a tenth of a voxel.
static int count_down(const Weiss *w)
{
    int count = 0;
    for (int i = 0; i < w->count; i++)
        count += weiss_level(w, w->place[i]) > -0.1;
    return count;
}

// Water that falls, and water that strikes a slope: within rounding of floats at heights of metres.
static void water_moves_as_the_text_has_it(void **state)
{
    (void)state;
    for (int strikes = 0; strikes < 2; strikes++) {
        SiltTerrain *terrain = make_terrain(SIDE, SIDE, 1.0);
        Weiss *w;
        SiltErosion *run =
            begin_both(terrain, strikes ? 3.5 : 8.0, "dissolve_normal=0 dissolve_tangent=0 deposit=0", &w);
        double moved, off, off_speed;
        take_20_steps(run, terrain, w, &moved, &off, &off_speed);
        assert_true(strikes ? count_down(w) > 25 : count_down(w) == 0);
        assert_true(moved > 0.7 && off < 1e-4 * moved && off_speed < 1e-4);
        print_message("20 steps, %d of %d at the rock: moved %.3f m, off by %.2e m and %.2e m/s\n",
                      count_down(w), w->count, moved, off, off_speed);
        end_text(w);
        silt_erosion_end(run);
        silt_terrain_destroy(terrain);
    }
}

// The same with rock that is dissolved: loads of particles and levels of voxels agree within rounding. In the
// text particles of a step see what those before them did to the rock, in the order of threads; in the model
// all see it as it was when the step began. So one or two that come to the rock just then are apart.
static void rock_moves_as_the_text_has_it(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 1.0);
    Weiss *w;
    SiltErosion *run = begin_both(
        terrain, 3.5, "dissolve_normal=0.05 dissolve_tangent=0.05 deposit=0.5 capacity=0.05 least=0", &w);
    w->capacity = 0.05 * 0.12, w->dissolve_normal = w->dissolve_tangent = 0.05, w->deposit = 0.5,
    w->least = 0.0;
    w->load_weight = 1.0 / 0.12;
    double *before = silt_alloc((size_t)(SIDE * SIDE * w->height) * sizeof *before), moved, off, off_speed;
    memcpy(before, w->level, (size_t)(SIDE * SIDE * w->height) * sizeof *before);
    take_20_steps(run, terrain, w, &moved, &off, &off_speed);
    SiltParticles p;
    assert_ok(silt_erosion_particles(run, &p));
    double load = 0.0, dug = 0.0;
    int apart = 0, dug_apart = 0, laden = 0;
    for (int i = 0; i < p.count; i++) {
        load = fmax(load, w->load[p.id[i]]);
        laden += w->load[p.id[i]] > 0.0;
        apart += fabs((double)p.sediment[i] * p.load * 0.12 - w->load[p.id[i]]) > 1e-5;
    }
    const SiltVolume *volume = terrain->volume; // whatever the heights say
    for (int n = 0; n < SIDE * SIDE * w->height; n++) {
        double now = (double)silt_volume_at(volume, n % SIDE, n / SIDE % SIDE, n / (SIDE * SIDE));
        dug = fmax(dug, fabs(w->level[n] - before[n]));
        dug_apart += fabs(now - w->level[n]) > 1e-4;
    }
    print_message("%d particles took up to %.1e, %d are apart; voxels moved by up to %.1e, %d are apart\n",
                  laden, load, apart, dug, dug_apart);
    assert_true(laden > 15 && load > 3e-3 && dug > 0.02);
    assert_true(apart <= 3 && dug_apart <= 8 * apart);
    silt_free(before);
    end_text(w);
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_moves_as_the_text_has_it),
        cmocka_unit_test(rock_moves_as_the_text_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
