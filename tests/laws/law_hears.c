// Law: who wants a run or a generator to stop is asked so often that it ends within a second on 8192 x 8192
// cells, on two threads (generators, and voxel: on 4096 x 4096). And a step that is left half-way is no step:
// a run that is stopped at every place there is, and goes on, comes to the bytes of one that never was.
#include "erode_help.h"

#include <time.h>

#include "erode/run.h"
#include "silt/generate.h"

// ---- how often somebody is asked ----

// Time is that of one thread on the processor: what else the machine does is no matter.
typedef struct Ear {
    double last, longest; // s
    int calls, most;      // 0: never says stop
} Ear;

static double work_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void hear(Ear *ear)
{
    double now = work_clock(), gap = now - ear->last;
    ear->longest = gap > ear->longest ? gap : ear->longest;
    ear->last = now;
}

static bool on_progress(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total, (void)unit;
    Ear *ear = user;
    hear(ear);
    return ++ear->calls != ear->most;
}

enum {
    SIDE = 512,
    LARGE = 1024, // within steps nobody is asked twice in 5 ms: on this that is 5 ns a cell
    STEPS = 2,
    TRIES = SILT_SANITIZED ? 1 : 5
}; // sanitizers are slow, and held to nothing here

static SiltStatus make(const char *name, const char *settings, int side, Ear *ear, SiltTerrain **out)
{
    const SiltGenerator *generator = silt_generator_find(name);
    void *params = silt_params_new(&generator->params);
    assert_non_null(params);
    char text[128], *rest = text;
    snprintf(text, sizeof text, "%s", settings);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        assert_ok(silt_params_assign(&generator->params, params, name, word));
    SiltRun run = {.seed = 3, .threads = 1, .progress = ear ? on_progress : NULL, .user = ear};
    SiltStatus status = silt_generate(generator, side, side, 10.0, params, &run, out);
    silt_params_delete(&generator->params, params);
    return status;
}

// How much longer than usual work takes here and now, where others go through the same caches and the system
// has much to do; 1 at the least. The work is of a model's kind: fresh memory is written, and gone over.
static double slowness(void)
{
    const double usual = 3e-9; // s a cell
    enum { CELLS = LARGE * LARGE };
    double best = INFINITY;
    for (int n = 0; n < 3; n++) {
        double begun = work_clock(), sum = 0.0;
        double *cells = malloc(CELLS * sizeof *cells);
        assert_non_null(cells);
        for (int k = 0; k < CELLS; k++)
            cells[k] = k;
        for (int k = LARGE; k < CELLS; k++)
            sum += sqrt(cells[k] * cells[k - LARGE]);
        assert_true(sum > 0.0);
        free(cells);
        best = fmin(best, (work_clock() - begun) / CELLS);
    }
    print_message("a cell in %.2f ns\n", 1e9 * best);
    return fmax(1.0, best / usual);
}

// The longest time for which nobody was asked: from the beginning of the run to its last step.
static double longest_of_model(const char *model, const char *settings)
{
    SiltTerrain *terrain;
    assert_ok(make("noise", "", LARGE, NULL, &terrain));
    Ear ear = {.last = work_clock()};
    SiltRun run = {.seed = 1, .threads = 1, .progress = on_progress, .user = &ear};
    SiltErosion *erosion = begin_erosion_in(terrain, model, settings, &run);
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = STEPS}));
    hear(&ear);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return ear.longest;
}

static void models_hear(void **state)
{
    (void)state;
    long_law();
    static const struct {
        const char *model, *settings;
        double share; // of the second that is promised: machines are not alike, and 1.4 is for those near it
    } kinds[] = {{"rivers", "", 1.0},
                 {"rivers", "lakes=carve routing=steepest", 1.0},
                 {"ice", "ela_share=0.9", 1.0},
                 {"cells", "", 1.0},
                 {"thermal", "strength=0", 1.4},
                 {"pipes", "step=20", 1.0},
                 {"newton", "step=20", 1.4},
                 {"acid", "", 1.4},
                 {"voxel", "", 4.0}};
    const double whole = 2.0 / (8192.0 * 8192.0), cells = (double)LARGE * LARGE;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double longest = INFINITY;
        for (int n = 0; n < TRIES && !(longest < kinds[k].share * whole * cells); n++) {
            double slower = n == 0 ? 1.0 : slowness();
            longest = fmin(longest, longest_of_model(kinds[k].model, kinds[k].settings) / slower);
        }
        print_message("%s %s: %.0f ns a cell of %.0f\n", kinds[k].model, kinds[k].settings,
                      1e9 * longest / cells, 1e9 * kinds[k].share * whole);
        if (!SILT_SANITIZED && !(longest < kinds[k].share * whole * cells))
            fail_msg("%s %s: nobody was asked for %.3f s on %d x %d cells", kinds[k].model, kinds[k].settings,
                     longest, LARGE, LARGE);
    }
}

static double longest_of_maker(const char *name, const char *settings)
{
    SiltTerrain *terrain;
    Ear ear = {.last = work_clock()};
    SiltStatus status = make(name, settings, SIDE, &ear, &terrain);
    hear(&ear);
    if (status == SILT_OK)
        silt_terrain_destroy(terrain);
    else
        assert_int_equal(status, SILT_MISSING_FEATURE);
    return ear.longest;
}

// Work that does not grow with the map counts as it is.
static void generators_hear(void **state)
{
    (void)state;
    long_law();
    const double most = 0.25; // s
    for (int k = 0; k < silt_generator_count() + 1; k++) {
        const char *name = k > 0 ? silt_generator_at(k - 1)->name : "range";
        const char *settings = k > 0 ? "" : "complexity=300000 iterations=20";
        double longest = INFINITY;
        for (int n = 0; n < TRIES && !(longest < most); n++) {
            double slower = n == 0 ? 1.0 : slowness();
            longest = fmin(longest, longest_of_maker(name, settings) / slower);
        }
        print_message("%s %s: %.3f s\n", name, settings, longest);
        if (!SILT_SANITIZED && !(longest < most))
            fail_msg("%s %s: nobody was asked for %.3f s on %d x %d cells", name, settings, longest, SIDE,
                     SIDE);
    }
}

// ---- a step that is left half-way ----

// Says stop when it is asked for the so-many-th time.
typedef struct Wish {
    int left;
} Wish;

static bool wishes(void *context)
{
    return --((Wish *)context)->left < 0;
}

typedef struct Block {
    void *data;
    size_t bytes;
} Block;

static Block state_of(SiltErosion *erosion)
{
    Block block;
    assert_ok(silt_erosion_save(erosion, &block.data, &block.bytes));
    return block;
}

static void assert_same(Block a, Block b)
{
    assert_int_equal(a.bytes, b.bytes);
    assert_memory_equal(a.data, b.data, a.bytes);
}

static double step_once(SiltErosion *erosion)
{
    return erosion->model->step(erosion->state, INFINITY, &erosion->report.ledger, &erosion->report.counters);
}

enum { PLACES = SILT_SANITIZED ? 5 : 1 }; // from one to the next; sanitizers look at memory

// A step, stopped at the first place there is, begun again, stopped at the second, and so on to its end;
// returns how often it was stopped. After each of them all is as it was before.
static int take_step(SiltErosion *erosion)
{
    Block before = state_of(erosion);
    int stops = 0;
    for (bool done = false; !done;) {
        Wish wish = {stops * PLACES};
        SiltCrew crew = silt_crew_begin(&(SiltRun){.threads = 1 + stops % 3});
        SiltListener others = silt_listen((SiltListener){wishes, &wish});
        done = !(step_once(erosion) < 0.0);
        silt_listen(others);
        silt_crew_end(crew);
        if (done)
            break;
        stops++;
        Block after = state_of(erosion);
        assert_same(before, after);
        silt_free(after.data);
    }
    silt_free(before.data);
    return stops;
}

// The same, beside a run that nobody stops: it comes to the same state.
static int take_step_beside(SiltErosion *stopped, SiltErosion *never)
{
    int stops = take_step(stopped);
    step_once(never);
    Block a = state_of(stopped), b = state_of(never);
    assert_same(a, b);
    silt_free(a.data);
    silt_free(b.data);
    return stops;
}

static SiltTerrain *small_land(bool holes)
{
    SiltTerrain *terrain = rough_ground((RoughGround){70, 61, 20.0, 300.0f});
    assert_ok(holes ? silt_terrain_require_nodata(terrain) : SILT_OK);
    for (int k = 0; holes && k < 12; k++)
        terrain->nodata[(20 + k) * 70 + 30] = 1;
    return terrain;
}

static void a_step_that_is_left_is_none(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings;
        int least; // places where a step can be left
    } kinds[] = {{"rivers", "", 12},
                 {"rivers", "lakes=carve multiple=1 sides=fixed", 12},
                 {"rivers", "lakes=fill routing=steepest sides=closed lateral=0", 10},
                 {"rivers", "diffusion=0 sea_level=60 strata=4,1,0;3,0.1,12", 10},
                 {"rivers", "weathering=0.0001 sides=falling deposition=0", 10},
                 {"ice", "ela_share=0.9", 2},
                 {"ice", "coupling=0 sides=closed cycle=10 swing=100", 2}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int holes = 0; holes < 2; holes++) {
            SiltTerrain *terrain = small_land(holes), *other = small_land(holes);
            SiltErosion *stopped = begin_erosion(terrain, kinds[k].model, kinds[k].settings);
            SiltErosion *never = begin_erosion(other, kinds[k].model, kinds[k].settings);
            for (int n = 0; n < 4; n++) {
                int stops = take_step_beside(stopped, never);
                if (stops * PLACES < kinds[k].least)
                    fail_msg("%s %s: a step has %d places where it can be left", kinds[k].model,
                             kinds[k].settings, stops);
            }
            silt_erosion_end(stopped);
            silt_erosion_end(never);
            silt_terrain_destroy(terrain);
            silt_terrain_destroy(other);
        }
}

static bool counts(void *context)
{
    ++*(int *)context;
    return false;
}

// How often somebody is asked in a first step.
static int asked_in_step(int side, const char *settings)
{
    SiltTerrain *terrain = rough_ground((RoughGround){side, side, 20.0, 300.0f});
    SiltErosion *erosion = begin_erosion(terrain, "rivers", settings);
    int asked = 0;
    SiltListener others = silt_listen((SiltListener){counts, &asked});
    step_once(erosion);
    silt_listen(others);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return asked;
}

// What one thread does alone takes twice as long on two: there somebody is asked the oftener, the more cells
// there are.
static void walks_of_one_thread_hear(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        int least; // how much oftener on nine times as many cells
    } kinds[] = {{"", 8}, {"sides=closed", 60}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        int few = asked_in_step(100, kinds[k].settings), more = asked_in_step(300, kinds[k].settings);
        print_message("rivers %s: asked %d times, and %d times\n", kinds[k].settings, few, more);
        if (more - few < kinds[k].least)
            fail_msg("rivers %s: asked %d times, and %d times on a larger map", kinds[k].settings, few, more);
    }
}

// A moat inside the edge: no low of it is an outlet any more, and the step is to open new ones.
static void dig_moat(SiltErosion *erosion)
{
    const SiltRect sides[] = {{1, 1, 68, 1}, {1, 59, 68, 1}, {1, 2, 1, 57}, {68, 2, 1, 57}};
    float deeper[68];
    for (int k = 0; k < 68; k++)
        deeper[k] = -400.0f;
    for (int k = 0; k < 4; k++)
        assert_ok(
            silt_erosion_edit(erosion, "height", &sides[k], deeper, sides[k].width > 1 ? 68 : 1, SILT_ADD));
}

static void outlets_are_those_it_began_with(void **state)
{
    (void)state;
    SiltTerrain *terrain = small_land(false), *other = small_land(false);
    SiltErosion *stopped = begin_erosion(terrain, "rivers", ""), *never = begin_erosion(other, "rivers", "");
    dig_moat(stopped);
    dig_moat(never);
    for (int n = 0; n < 3; n++) {
        take_step_beside(stopped, never);
    }
    silt_erosion_end(stopped);
    silt_erosion_end(never);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(other);
}

// ---- between two steps ----

static SiltStatus tend_once(SiltErosion *erosion, Wish *wish)
{
    SiltListener others = silt_listen((SiltListener){wish ? wishes : NULL, wish});
    SiltStatus status = erosion->model->tend(erosion->state, &erosion->report.ledger);
    silt_listen(others);
    return status;
}

static SiltErosion *begin_digging(SiltTerrain *terrain)
{
    return begin_erosion(terrain, "voxel",
                         "redistance=2 falling_every=2 sources=600,600,300,100,100,20,5000,0,0,-20,0,0,0");
}

// What another run makes of a state, left half-way between two steps: all that is to be done there.
static Block go_on_from(Block left)
{
    SiltTerrain *terrain = small_land(false);
    SiltErosion *erosion = begin_digging(terrain);
    assert_ok(silt_erosion_restore(erosion, left.data, left.bytes));
    assert_ok(tend_once(erosion, NULL));
    Block block = state_of(erosion);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return block;
}

// The rock of voxel is tended, and the look for what hangs on nothing is left at every place there is.
static int tend_in_pieces(SiltErosion *erosion, Block wanted)
{
    int stops = 0;
    for (;; stops++) {
        Wish wish = {stops};
        SiltStatus status = tend_once(erosion, &wish);
        if (status == SILT_OK)
            return stops;
        assert_int_equal(status, SILT_CANCELLED);
        Block left = state_of(erosion), other = go_on_from(left);
        assert_same(wanted, other);
        silt_free(left.data);
        silt_free(other.data);
    }
}

static void a_tending_that_is_left_goes_on(void **state)
{
    (void)state;
    SiltTerrain *terrain = small_land(false), *other = small_land(false);
    SiltErosion *stopped = begin_digging(terrain), *never = begin_digging(other);
    int looks = 0;
    for (int n = 0; n < 9; n++) {
        // a ball of rock in the air, which is to fall
        const SiltRockEdit ball = {{700, 600, 370}, {700, 600, 370}, 50.0, false};
        assert_ok(n % 4 == 3 ? silt_erosion_edit_rock(stopped, &ball) : SILT_OK);
        assert_ok(n % 4 == 3 ? silt_erosion_edit_rock(never, &ball) : SILT_OK);
        double before = never->report.ledger.rock.removed;
        assert_ok(tend_once(never, NULL));
        if (n == 4)
            assert_true(never->report.ledger.rock.removed > before);
        Block wanted = state_of(never);
        int stops = tend_in_pieces(stopped, wanted);
        assert_true(n % 2 == 1 ? stops == 0 : stops > 1);
        looks += stops;
        Block got = state_of(stopped);
        assert_same(wanted, got);
        silt_free(wanted.data);
        silt_free(got.data);
        step_once(stopped);
        step_once(never);
    }
    print_message("voxel: left %d times between two steps\n", looks);
    silt_erosion_end(stopped);
    silt_erosion_end(never);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(other);
}

// ---- before the first step, and after the last ----

static void beginning_hears(void **state)
{
    (void)state;
    static const char *const models[] = {"rivers", "voxel"};
    for (size_t k = 0; k < 2; k++) {
        int places = 0;
        for (SiltStatus status = SILT_CANCELLED; status == SILT_CANCELLED; places++) {
            SiltTerrain *terrain = small_land(false);
            Ear ear = {.most = places + 1};
            SiltRun run = {.seed = 1, .progress = on_progress, .user = &ear};
            SiltErosion *erosion;
            status = silt_erosion_begin(silt_model_find(models[k]), terrain, NULL, &run, &erosion);
            assert_true((status == SILT_OK) == (erosion != NULL));
            if (status != SILT_OK)
                assert_int_equal(status, SILT_CANCELLED);
            silt_erosion_end(erosion);
            silt_terrain_destroy(terrain);
        }
        if (places < 8)
            fail_msg("%s can be left in %d places before its first step", models[k], places);
    }
}

// Water that runs off after the last step does so in steps of many sub-steps; stopped there, the run goes on
// to the same end.
static uint64_t come_to_rest(const char *model, int most, int *calls)
{
    SiltTerrain *terrain = rough_ground((RoughGround){40, 40, 10.0, 60.0f});
    Ear ear = {0};
    SiltRun run = {.seed = 1, .progress = on_progress, .user = &ear};
    SiltErosion *erosion = begin_erosion_in(terrain, model, "rain=2000 rest=on step=30", &run);
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 2}));
    ear = (Ear){.most = most};
    SiltStatus status = silt_erosion_finish(erosion);
    assert_int_equal(status, most > 0 ? SILT_CANCELLED : SILT_OK);
    *calls = ear.calls;
    uint64_t steps = (uint64_t)silt_erosion_report(erosion)->steps;
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return steps;
}

static void running_off_hears(void **state)
{
    (void)state;
    static const char *const models[] = {"pipes", "newton"};
    for (size_t k = 0; k < 2; k++) {
        int calls, stopped;
        uint64_t steps = come_to_rest(models[k], 0, &calls) - 2;
        if ((uint64_t)calls < 2 * steps)
            fail_msg("%s: asked %d times in %d steps of many sub-steps", models[k], calls, (int)steps);
        assert_int_equal(come_to_rest(models[k], 1, &stopped), 2); // within the first of them
        assert_int_equal(stopped, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_hear),
        cmocka_unit_test(generators_hear),
        cmocka_unit_test(a_step_that_is_left_is_none),
        cmocka_unit_test(walks_of_one_thread_hear),
        cmocka_unit_test(outlets_are_those_it_began_with),
        cmocka_unit_test(a_tending_that_is_left_goes_on),
        cmocka_unit_test(beginning_hears),
        cmocka_unit_test(running_off_hears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
