// Laws of a live run whose water is made of particles (sph, acid, voxel): saved and brought back it goes on
// with the same bytes, on any number of threads; a layer looked at is the layer stored; what a hand adds to
// the ground is in the books and lifts the water; parameters and sources take effect at the next step; and
// whatever is refused leaves the run as it was.
#include "../erode_help.h"

#include "silt/volume.h"

typedef struct Scene {
    const char *model, *settings;
    const char *live;  // parameter that is set on the way,
    double value;      // to this
    const char *fixed; // one that is not live
    int columns;       // of a source
    double source[13];
} Scene;

static const Scene scenes[] = {
    {"sph",
     "boxes=1,1,0.1,3,3,1.2 spacing=0.25 fall=2 particles=1500 critical=0.5 strength=5 rain=1e6 life=0.3 "
     "bed=paper "
     "sources=6,5,0.5,1,1,0,0",
     "strength",
     50.0,
     "spacing",
     7,
     {4.0, 6.0, 2.0, 0.5, 0.5, 0.0, 0.0}},
    {"acid",
     "rain=2e6 spacing=0.25 fall=0.1 particles=1500 life=0.2 acidity=50",
     "acidity",
     500.0,
     "capacity",
     0,
     {0.0}},
    {"voxel",
     "sources=2,2,2,6,3,2,40,0,2,-4,0.1,0,0 fall=0.3 rain=1e6 life=0.4 particles=1500 dissolve_normal=4 "
     "dissolve_tangent=4 capacity=1 most=5 redistance=3 falling_every=6 headroom=6",
     "dissolve_tangent",
     40.0,
     "most",
     13,
     {3.0, 6.0, 2.5, 4.0, 2.0, 2.0, 30.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0}},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

typedef struct Live {
    const Scene *scene;
    SiltTerrain *terrain;
    SiltErosion *run;
    void *params;
} Live;

static Live begin_on(const Scene *scene, int width, int height, const char *more, int threads)
{
    const SiltModel *model = silt_model_find(scene->model);
    Live live = {.scene = scene, .terrain = make_terrain(width, height, 0.5)};
    make_rough(live.terrain, 3, 3.0f);
    live.params = silt_params_new(silt_model_params(model));
    assert_non_null(live.params);
    char text[512];
    snprintf(text, sizeof text, "%s %s", scene->settings, more);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), live.params, scene->model, word));
    SiltRun run = {.seed = 9, .threads = threads};
    assert_ok(silt_erosion_begin(model, live.terrain, live.params, &run, &live.run));
    return live;
}

static Live begin(const Scene *scene, int threads)
{
    return begin_on(scene, 24, 22, "", threads);
}

static void end(Live *live)
{
    silt_erosion_end(live->run);
    silt_terrain_destroy(live->terrain);
    silt_params_delete(silt_model_params(silt_model_find(live->scene->model)), live->params);
}

static void go(Live *live, int64_t steps)
{
    assert_ok(silt_erosion_advance(live->run, (SiltDuration){.steps = steps}));
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (const unsigned char *at = bytes, *last = at + count; at < last; at++)
        hash = (hash ^ *at) * 0x100000001B3u;
    return hash;
}

// All that a run shows: layers, ground, particles, rock, books and counts.
static uint64_t hash_of(Live *live)
{
    assert_ok(silt_erosion_store(live->run));
    SiltParticles water;
    assert_ok(silt_erosion_particles(live->run, &water));
    const SiltReport *report = silt_erosion_report(live->run);
    uint64_t hash = layers_hash(live->terrain);
    const float *floats[] = {water.x, water.y, water.z,       water.u,
                             water.v, water.w, water.density, water.sediment};
    for (size_t k = 0; k < sizeof floats / sizeof floats[0]; k++)
        hash = hash_bytes(hash, floats[k], (size_t)water.count * sizeof(float));
    hash = hash_bytes(hash, water.id, (size_t)water.count * sizeof(int64_t));
    if (live->terrain->volume) {
        uint64_t rock = silt_volume_hash(live->terrain->volume);
        hash = hash_bytes(hash, &rock, sizeof rock);
        for (int k = 0; k < 400; k++) {
            float place[3] = {(float)(k % 20), (float)(k / 20), 8.0f + 0.02f * (float)k};
            float was = silt_volume_former(live->terrain->volume, place);
            hash = hash_bytes(hash, &was, sizeof was);
        }
    }
    hash = hash_bytes(hash, &report->ledger, sizeof report->ledger);
    hash = hash_bytes(hash, &report->steps, sizeof report->steps);
    hash = hash_bytes(hash, &report->model_time, sizeof report->model_time);
    return hash_bytes(hash, report->counters.limited, sizeof report->counters.limited);
}

// ---- saved and brought back ----

static void a_run_goes_on_from_its_block(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * SCENES; k++) {
        const Scene *scene = &scenes[k % SCENES];
        bool sets = k >= SCENES;
        Live whole = begin(scene, 1), second = begin(scene, 2);
        go(&whole, 25);
        void *block;
        size_t bytes;
        assert_ok(silt_erosion_save(whole.run, &block, &bytes));
        if (k % 2) // nothing of what it did itself stays
            go(&second, 3);
        assert_ok(silt_erosion_restore(second.run, block, bytes));
        silt_free(block);
        assert_true(hash_of(&whole) == hash_of(&second));
        if (sets) {
            assert_ok(silt_erosion_set(whole.run, scene->live, scene->value));
            assert_ok(silt_erosion_set(second.run, scene->live, scene->value));
        }
        go(&whole, 25);
        go(&second, 25);
        assert_true(hash_of(&whole) == hash_of(&second));
        assert_true(layer_sum(whole.terrain, "wear") > 0.0);
        assert_ok(silt_erosion_finish(whole.run));
        assert_ok(silt_erosion_finish(second.run));
        assert_true(hash_of(&whole) == hash_of(&second));
        end(&whole);
        end(&second);
    }
}

// Saving and looking change nothing.
static void saving_and_looking_leave_no_trace(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k++) {
        Live quiet = begin(&scenes[k], 1), watched = begin(&scenes[k], 1);
        go(&quiet, 15);
        for (int n = 0; n < 15; n++) {
            void *block;
            size_t bytes;
            SiltLayerView view;
            assert_ok(silt_erosion_save(watched.run, &block, &bytes));
            silt_free(block);
            assert_ok(silt_erosion_view(watched.run, "height", NULL, &view));
            assert_ok(silt_erosion_store(watched.run));
            go(&watched, 1);
        }
        assert_true(hash_of(&quiet) == hash_of(&watched));
        end(&quiet);
        end(&watched);
    }
}

// A layer that was made on the way, and the seed of another run, come back with the block.
static void a_block_brings_its_layers_and_sources(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k++) {
        const Scene *scene = &scenes[k];
        Live whole = begin(scene, 2), second = begin(scene, 1);
        SiltRect all = {0, 0, 24, 22};
        static float soft[24 * 22];
        for (int n = 0; n < 24 * 22; n++)
            soft[n] = 0.25f * (float)(n % 7);
        go(&whole, 10);
        assert_ok(silt_erosion_edit(whole.run, "erodibility", &all, soft, 24, SILT_REPLACE));
        if (scene->columns > 0)
            assert_ok(silt_erosion_add_source(whole.run, scene->source));
        go(&whole, 10);
        void *block;
        size_t bytes;
        assert_ok(silt_erosion_save(whole.run, &block, &bytes));
        assert_ok(silt_erosion_restore(second.run, block, bytes));
        silt_free(block);
        assert_int_equal(silt_erosion_source_count(second.run), silt_erosion_source_count(whole.run));
        assert_non_null(silt_terrain_layer(second.terrain, "erodibility"));
        go(&whole, 20);
        go(&second, 20);
        assert_ok(silt_erosion_store(whole.run));
        assert_ok(silt_erosion_store(second.run));
        for (int n = 0; n < whole.terrain->layer_count; n++) { // their order may be another
            const char *name = whole.terrain->layers[n]->name;
            assert_true(silt_field_hash(silt_terrain_layer(whole.terrain, name)) ==
                        silt_field_hash(silt_terrain_layer(second.terrain, name)));
        }
        assert_memory_equal(&silt_erosion_report(whole.run)->ledger, &silt_erosion_report(second.run)->ledger,
                            sizeof(SiltLedger));
        end(&whole);
        end(&second);
    }
}

// ---- looking ----

// Any rectangle of a layer that is looked at has the bytes of the layer that is stored.
static void views_are_the_layers_stored(void **state)
{
    (void)state;
    static const char *const layers[] = {"change",     "water", "sediment", "deposit", "wear",
                                         "deposition", "flow",  "speed",    "wetness"};
    for (int k = 0; k < SCENES; k++) {
        Live live = begin(&scenes[k], 2);
        go(&live, 30);
        SiltRect rect = {5, 3, 13, 11};
        static float seen[9][11 * 13];
        for (int n = 0; n < 9; n++) {
            SiltLayerView view;
            assert_ok(silt_erosion_view(live.run, layers[n], &rect, &view));
            for (int j = 0; j < rect.height; j++)
                memcpy(seen[n] + j * rect.width, view.data + (size_t)j * view.stride,
                       (size_t)rect.width * sizeof(float));
        }
        assert_ok(silt_erosion_store(live.run));
        double water = 0.0;
        for (int n = 0; n < 9; n++)
            for (int j = 0; j < rect.height; j++)
                for (int i = 0; i < rect.width; i++) {
                    float stored =
                        silt_field_at(silt_terrain_layer(live.terrain, layers[n]), rect.i + i, rect.j + j);
                    assert_true(stored == seen[n][j * rect.width + i]);
                    water += n == 1 ? (double)stored : 0.0;
                }
        assert_true(water > 0.0);
        // each particle is over one cell: the layer holds all of the water
        double volume = layer_sum(live.terrain, "water") * 0.25;
        assert_near(volume, silt_erosion_report(live.run)->ledger.water.stored, 1e-4 * volume);
        end(&live);
    }
}

// ---- by hand ----

static double height_at(Live *live, int i, int j)
{
    SiltLayerView view;
    assert_ok(silt_erosion_view(live->run, "height", &(SiltRect){i, j, 1, 1}, &view));
    return (double)view.data[0];
}

static void ground_by_hand_is_booked_and_lifts_the_water(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { // sph and acid
        Live live = begin(&scenes[k], 2);
        go(&live, 30);
        SiltRect rect = {3, 4, 8, 6};
        float metres[8 * 6];
        for (int n = 0; n < 48; n++)
            metres[n] = n < 32 ? 2.0f : -0.5f;
        double before = height_at(&live, 4, 5);
        assert_ok(silt_erosion_edit(live.run, "height", &rect, metres, 8, SILT_ADD));
        assert_near(height_at(&live, 4, 5), before + 2.0, 1e-5);
        double added = silt_erosion_report(live.run)->ledger.rock.by_hand;
        assert_near(added, (32 * 2.0 - 16 * 0.5) * 0.25, 1e-5);
        SiltParticles water;
        assert_ok(silt_erosion_particles(live.run, &water));
        for (int n = 0; n < water.count; n++) { // over the raised plateau nothing is left in the ground
            int i = (int)(water.x[n] / 0.5f), j = (int)(water.y[n] / 0.5f);
            if (i >= 4 && i < 10 && j >= 5 && j < 7) {
                double low = fmin(fmin(height_at(&live, i, j), height_at(&live, i + 1, j)),
                                  fmin(height_at(&live, i - 1, j), height_at(&live, i, j + 1)));
                assert_true((double)water.z[n] + water.low > fmin(low, height_at(&live, i, j - 1)) - 1e-3);
            }
        }
        go(&live, 30);
        assert_ok(silt_erosion_store(live.run));
        const SiltLedger *ledger = &silt_erosion_report(live.run)->ledger;
        assert_true(silt_account_imbalance_fraction(&ledger->rock) < 1e-6);
        assert_true(silt_account_imbalance_fraction(&ledger->water) < 1e-6);
        assert_int_equal(silt_erosion_report(live.run)->counters.limited[3], 0); // none has flown
        float flat[48];
        for (int n = 0; n < 48; n++)
            flat[n] = 1.25f;
        assert_ok(silt_erosion_edit(live.run, "height", &rect, flat, 8, SILT_REPLACE));
        assert_near(height_at(&live, 7, 6), 1.25, 1e-5);
        end(&live);
    }
}

// Water of the run that lies in rock.
static int in_rock(Live *live)
{
    SiltVolume *volume = live->terrain->volume;
    SiltVolumeInfo info = silt_volume_info(volume);
    SiltParticles water;
    int count = 0;
    assert_ok(silt_erosion_particles(live->run, &water));
    for (int n = 0; n < water.count; n++) {
        float place[3] = {water.x[n] / 0.5f - 0.5f, (float)info.size[1] - 0.5f - water.y[n] / 0.5f,
                          (float)(((double)water.z[n] + water.low - info.origin[2]) / info.cell)};
        count += silt_volume_sample(volume, place, NULL) > 1e-3f;
    }
    return count;
}

static void edit_rock(Live *live, double x, double y, double z, double radius, bool carves)
{
    SiltRockEdit edit = {{x, y, z}, {x + 1.0, y, z}, radius, carves};
    assert_ok(silt_erosion_edit_rock(live->run, &edit));
}

static void rock_by_hand_is_booked_and_stays_where_it_was_laid(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        Live live = begin(&scenes[2], 1 + k);
        go(&live, 30);
        double before = silt_volume_rock(live.terrain->volume), top = height_at(&live, 12, 10);
        const SiltLedger *ledger = &silt_erosion_report(live.run)->ledger;
        edit_rock(&live, 5.75, 5.75, top, 1.5, true);
        double carved = silt_volume_rock(live.terrain->volume) - before;
        assert_true(carved < -3.0 && carved > -10.0); // half of 4/3 pi r^3 + pi r^2, more or less
        assert_near(ledger->rock.by_hand, carved, 1e-9);
        assert_true(height_at(&live, 12, 10) < top - 1.0);
        edit_rock(&live, 3.0, 5.0, height_at(&live, 6, 11), 1.0, false); // where the water is
        assert_true(ledger->rock.by_hand > carved + 1.0);
        assert_int_equal(in_rock(&live), 0);
        void *block;
        size_t bytes;
        assert_ok(silt_erosion_save(live.run, &block, &bytes));
        go(&live, 30);
        assert_int_equal(in_rock(&live), 0);
        hashes[k] = hash_of(&live);
        assert_true(silt_account_imbalance_fraction(&ledger->water) < 1e-6);
        assert_true(fabs(silt_account_imbalance(&ledger->rock)) < 0.02 * fabs(carved));
        assert_ok(silt_erosion_restore(live.run, block, bytes));
        go(&live, 30);
        assert_true(hash_of(&live) == hashes[k]);
        silt_free(block);
        end(&live);
    }
    assert_true(hashes[0] == hashes[1]);
    Live other = begin(&scenes[0], 1);
    SiltRockEdit edit = {{1, 1, 1}, {1, 1, 1}, 1.0, true};
    assert_fails(silt_erosion_edit_rock(other.run, &edit), SILT_BAD_ARGUMENT, "no volume");
    end(&other);
}

// An edit between two steps is in the block, too.
static void edits_are_saved(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Live whole = begin(&scenes[k], 1), second = begin(&scenes[k], 2);
        SiltRect rect = {6, 6, 5, 5};
        float metres[25];
        for (int n = 0; n < 25; n++)
            metres[n] = 0.1f * (float)n;
        go(&whole, 20);
        assert_ok(silt_erosion_edit(whole.run, "height", &rect, metres, 5, SILT_ADD));
        void *block;
        size_t bytes;
        assert_ok(silt_erosion_save(whole.run, &block, &bytes));
        assert_ok(silt_erosion_restore(second.run, block, bytes));
        silt_free(block);
        go(&whole, 20);
        go(&second, 20);
        assert_true(hash_of(&whole) == hash_of(&second));
        end(&whole);
        end(&second);
    }
}

// ---- parameters and sources ----

static void live_parameters_take_effect_at_the_next_step(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k++) {
        Live plain = begin(&scenes[k], 1), changed = begin(&scenes[k], 1);
        go(&plain, 20);
        go(&changed, 20);
        assert_true(hash_of(&plain) == hash_of(&changed));
        assert_ok(silt_erosion_set(changed.run, scenes[k].live, scenes[k].value));
        double worn = layer_sum(plain.terrain, "wear");
        go(&plain, 10);
        go(&changed, 10);
        assert_ok(silt_erosion_store(plain.run));
        assert_ok(silt_erosion_store(changed.run));
        double more[2] = {layer_sum(plain.terrain, "wear") - worn, layer_sum(changed.terrain, "wear") - worn};
        if (!(more[0] > 0.0 && more[1] > 1.5 * more[0]))
            fail_msg("%s: %s wears %g instead of %g", scenes[k].model, scenes[k].live, more[1], more[0]);
        end(&plain);
        end(&changed);
    }
}

// As if a run had begun with it: nothing of the old number stays behind.
static void a_number_set_at_once_is_one_begun_with(void **state)
{
    (void)state;
    static const struct {
        int scene;
        const char *name;
        double value;
    } tries[] = {{0, "viscosity", 5.0}, {0, "rain", 2e6},      {0, "restitution", 0.7}, {0, "grain", 1e-3},
                 {0, "bed", 1.0},       {1, "drops", 4.0},     {1, "friction", 5.0},    {2, "sinking", 30.0},
                 {2, "smoothing", 0.1}, {2, "artificial", 0.5}};
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        const Scene *scene = &scenes[tries[k].scene];
        char more[64];
        snprintf(more, sizeof more, "%s=%s", tries[k].name, "");
        if (strcmp(tries[k].name, "bed") == 0)
            snprintf(more, sizeof more, "bed=wall");
        else
            snprintf(more, sizeof more, "%s=%g", tries[k].name, tries[k].value);
        Live given = begin_on(scene, 24, 22, more, 1), set = begin(scene, 1);
        assert_ok(silt_erosion_set_text(set.run, tries[k].name, strchr(more, '=') + 1));
        go(&given, 12);
        go(&set, 12);
        if (hash_of(&given) != hash_of(&set))
            fail_msg("%s: %s set before the first step does otherwise than given", scene->model,
                     tries[k].name);
        end(&given);
        end(&set);
    }
}

static void sources_come_move_and_go(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k += 2) { // sph and voxel
        const Scene *scene = &scenes[k];
        Live live = begin_on(scene, 24, 22, "sources= rain=0", 1);
        double added[4];
        for (int n = 0; n < 4; n++) {
            double row[13];
            memcpy(row, scene->source, sizeof row);
            row[1] += n == 2 ? 2.0 : 0.0;
            if (n == 1)
                assert_ok(silt_erosion_add_source(live.run, row));
            else if (n == 2)
                assert_ok(silt_erosion_move_source(live.run, 0, row));
            else if (n == 3)
                assert_ok(silt_erosion_remove_source(live.run, 0));
            assert_ok(silt_erosion_advance(live.run, (SiltDuration){.time = 0.25}));
            added[n] = silt_erosion_report(live.run)->ledger.water.added;
        }
        double due = scene->source[k == 0 ? 2 : 6] * 0.25;
        assert_true(added[0] == 0.0 && added[1] > 0.3 * due && added[1] <= due + 0.05);
        assert_true(added[2] > added[1] && added[3] == added[2]);
        end(&live);
    }
}

// ---- what is refused ----

static void refuse(SiltStatus status, const char *words)
{
    assert_true(status != SILT_OK);
    if (!strstr(silt_message(), words))
        fail_msg("'%s' does not say '%s'", silt_message(), words);
    assert_null(strchr(silt_message(), '\n'));
}

static void refuse_blocks(Live *live, const Scene *scene)
{
    void *block;
    size_t bytes;
    const Scene *other = scene == &scenes[0] ? &scenes[1] : &scenes[0];
    Live strange[3] = {begin(other, 1), begin_on(scene, 25, 22, "", 1),
                       begin_on(scene, 24, 22, "particles=2000", 1)};
    static const char *const words[] = {"the block is a run of", "cells", "particles"};
    for (int k = 0; k < 3; k++) {
        assert_ok(silt_erosion_save(strange[k].run, &block, &bytes));
        refuse(silt_erosion_restore(live->run, block, bytes), words[k]);
        silt_free(block);
        end(&strange[k]);
    }
    assert_ok(silt_erosion_save(live->run, &block, &bytes));
    refuse(silt_erosion_restore(live->run, block, 10), "no saved run");
    refuse(silt_erosion_restore(live->run, block, bytes - 1), "bytes");
    ((char *)block)[bytes / 2] ^= 1;
    refuse(silt_erosion_restore(live->run, block, bytes), "damaged");
    ((char *)block)[bytes / 2] ^= 1;
    ((char *)block)[0] ^= 1;
    refuse(silt_erosion_restore(live->run, block, bytes), "no saved run");
    silt_free(block);
}

static void what_is_refused_leaves_no_trace(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k++) {
        const Scene *scene = &scenes[k];
        Live quiet = begin(scene, 1), asked = begin(scene, 1);
        float metres[4] = {1.0f, 1.0f, 1.0f, 1.0f};
        double off[13] = {-50.0, -50.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        go(&quiet, 24);
        go(&asked, 12);
        refuse(silt_erosion_set(asked.run, "viscocity", 1.0), "viscosity");
        refuse(silt_erosion_set(asked.run, "viscosity", -1.0), "viscosity");
        refuse(silt_erosion_set(asked.run, scene->fixed, 0.3), "cannot change while a run goes on");
        refuse(silt_erosion_edit(asked.run, "height", &(SiltRect){23, 21, 2, 2}, metres, 2, SILT_ADD), "map");
        refuse(silt_erosion_edit(asked.run, "water", &(SiltRect){3, 3, 2, 2}, metres, 2, SILT_ADD),
               "'water' cannot be edited while it runs");
        if (strcmp(scene->model, "voxel") == 0)
            refuse(silt_erosion_edit(asked.run, "height", &(SiltRect){3, 3, 2, 2}, metres, 2, SILT_ADD),
                   "'height' cannot be edited while it runs");
        if (scene->columns > 0) {
            refuse(silt_erosion_add_source(asked.run, off), "off the map");
            refuse(silt_erosion_remove_source(asked.run, 7), "no source");
        } else {
            refuse(silt_erosion_add_source(asked.run, off), "no sources");
        }
        SiltLayerView view;
        refuse(silt_erosion_view(asked.run, "colour", NULL, &view), "colour");
        refuse_blocks(&asked, scene);
        go(&asked, 12);
        assert_true(hash_of(&quiet) == hash_of(&asked));
        end(&quiet);
        end(&asked);
    }
}

// Whatever allocation fails: a sentence, and the run goes on as it was.
static void without_memory_a_restore_changes_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k++) {
        Live far = begin(&scenes[k], 1), near = begin(&scenes[k], 1);
        go(&far, 20);
        go(&near, 7);
        void *block;
        size_t bytes;
        assert_ok(silt_erosion_save(far.run, &block, &bytes));
        uint64_t was = hash_of(&near);
        for (long n = 1;; n++) {
            assert_true(n < 2000);
            silt_fail_allocation(n);
            SiltStatus status = silt_erosion_restore(near.run, block, bytes);
            bool reached = silt_allocation_count() >= n;
            silt_fail_allocation(0);
            if (status == SILT_OK && !reached)
                break;
            assert_true(status == SILT_NO_MEMORY || status == SILT_OK);
            if (status == SILT_NO_MEMORY)
                assert_true(hash_of(&near) == was);
            else
                was = hash_of(&near); // it did without
        }
        silt_free(block);
        go(&far, 10);
        go(&near, 10);
        assert_true(hash_of(&far) == hash_of(&near));
        end(&far);
        end(&near);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_from_its_block),
        cmocka_unit_test(saving_and_looking_leave_no_trace),
        cmocka_unit_test(a_block_brings_its_layers_and_sources),
        cmocka_unit_test(views_are_the_layers_stored),
        cmocka_unit_test(ground_by_hand_is_booked_and_lifts_the_water),
        cmocka_unit_test(rock_by_hand_is_booked_and_stays_where_it_was_laid),
        cmocka_unit_test(edits_are_saved),
        cmocka_unit_test(live_parameters_take_effect_at_the_next_step),
        cmocka_unit_test(a_number_set_at_once_is_one_begun_with),
        cmocka_unit_test(sources_come_move_and_go),
        cmocka_unit_test(what_is_refused_leaves_no_trace),
        cmocka_unit_test(without_memory_a_restore_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
