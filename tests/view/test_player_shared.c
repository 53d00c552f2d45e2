// Frames that stay on the card: with a driver that shares memory with GL (the shim plays one) pictures are,
// to the byte, those of values that come through the processor, whatever happens to the run, the device and
// the window; and what comes back from the device is what nobody could do without.
#include "../viewer_help.h"
#include "player_help.h"

#include "../../apps/view/player_inside.h"
#include "../faults/sharing_shim.h"
#include "opencl/device.h"
#include "silt/device.h"
#include "silt/share.h"

#define WET                                                                                                  \
    "terrain: {new: noise, size: [80, 64], cell: 12, seed: 8, set: {relief: 150}}\n"                         \
    "stages:\n"                                                                                              \
    "  - erode: cells\n"                                                                                     \
    "    steps: 100000\n"
#define DRY                                                                                                  \
    "terrain: {new: noise, size: [72, 90], cell: 12, seed: 9, set: {relief: 150}}\n"                         \
    "stages:\n"                                                                                              \
    "  - erode: thermal\n"                                                                                   \
    "    steps: 100000\n"                                                                                    \
    "    set: {talus: 1, strength: 0}\n"
#define LONG                                                                                                 \
    "terrain: {new: noise, size: 96, cell: 10, seed: 5, set: {relief: 200}}\n"                               \
    "stages:\n"                                                                                              \
    "  - erode: pipes\n"                                                                                     \
    "    steps: 100000\n"                                                                                    \
    "    set: {rain: 40}\n"

static char choice[160]; // the first device there is

// A window that shares, and beside it a viewer that is shown what a plain run on the processor has at the
// same step.
typedef struct Pair {
    Window window; // its viewer is the one that shares
    SiltViewer *plain;
    Player *player;
    SiltTerrain *began; // of the player's run
    SiltErosion *run;   // the plain one
    SiltTerrain *terrain;
    SiltRecipe *recipe;
    int shared, whole, compared; // frames; and pictures of the first
} Pair;

static void share_again(Pair *pair)
{
    SiltShare *share;
    assert_ok(silt_share_create(&share));
    player_share(pair->player, share);
}

static void begin_pair(Pair *pair)
{
    static const char *const layers[] = {"height", "water", "sediment"};
    *pair = (Pair){0};
    open_window(&pair->window, NULL);
    assert_ok(silt_viewer_create(&pair->plain));
    assert_ok(player_create(&(PlayerOptions){.threads = 2}, &pair->player));
    player_want(pair->player, layers, 3);
    pair->player->frames.shared_seconds = 30.0; // whatever time pictures take here
    share_again(pair);
    player_work_on(pair->player, choice);
    assert_true(player_wait(pair->player, 600.0));
}

static void end_plain(Pair *pair)
{
    silt_erosion_end(pair->run);
    silt_terrain_destroy(pair->terrain);
    silt_terrain_destroy(pair->began);
    silt_recipe_destroy(pair->recipe);
    pair->run = NULL;
    pair->terrain = pair->began = NULL;
    pair->recipe = NULL;
}

static void end_pair(Pair *pair)
{
    end_plain(pair);
    silt_viewer_unload(pair->window.viewer, true);
    player_share(pair->player, NULL);
    player_destroy(pair->player);
    silt_viewer_destroy(pair->plain, true);
    close_window(&pair->window);
    assert_int_equal(sharing_shim_faults(), 0);
}

static PlayerState now_of(Pair *pair)
{
    PlayerState state;
    player_state(pair->player, &state);
    return state;
}

// ---- the plain viewer ----

static void go_to(Pair *pair, int64_t step)
{
    int64_t left = step - silt_erosion_report(pair->run)->steps;
    assert_true(left >= 0);
    assert_ok(silt_erosion_advance(pair->run, (SiltDuration){.steps = left}));
}

static void show_plain(Pair *pair)
{
    static const char *const layers[] = {"height", "water"};
    for (int k = 0; k < 2; k++) {
        SiltLayerView view;
        if (silt_erosion_view(pair->run, layers[k], NULL, &view) == SILT_OK)
            assert_ok(silt_viewer_update(pair->plain, layers[k], NULL, view.data, view.stride));
    }
}

// ---- pictures ----

// As fast cards have it, whatever this machine does beside.
static SiltImage picture(Pair *pair, SiltViewer *viewer, bool best)
{
    SiltViewer *own = pair->window.viewer;
    viewer->pace = (SiltPace){.level = 0, .triangle_rate = 1e9, .is_known = true};
    pair->window.viewer = viewer;
    SiltImage image = look(&pair->window, best);
    pair->window.viewer = own;
    return image;
}

static void assert_alike_now(Pair *pair, bool best)
{
    SiltImage shared = picture(pair, pair->window.viewer, best);
    SiltImage plain = picture(pair, pair->plain, best);
    assert_same(shared, plain);
}

// ---- news ----

static void take_layers(Pair *pair, const PlayerNews *news)
{
    SiltViewer *viewer = pair->window.viewer;
    if (news->shared)
        assert_ok(silt_viewer_update_shared(viewer, news->shared));
    else if (news->is_frame)
        assert_ok(silt_viewer_update_shared(viewer, NULL));
    for (int k = 0; k < news->layer_count; k++)
        assert_ok(silt_viewer_update(viewer, news->layers[k].name, &news->layers[k].rect,
                                     news->layers[k].values, news->layers[k].stride));
    pair->shared += news->shared != NULL;
    pair->whole += news->is_frame && !news->shared;
}

static void ask_to_share(Pair *pair)
{
    double exaggeration;
    bool takes = silt_viewer_takes_shared(pair->window.viewer, &exaggeration);
    player_take_shared(pair->player, takes ? exaggeration : 0.0);
}

// Brings both viewers to the step of the next frame; false: none came.
static bool take_news(Pair *pair)
{
    PlayerNews news;
    if (!player_take(pair->player, &news))
        return false;
    bool is_frame = news.is_frame;
    if (news.terrain) {
        assert_ok(silt_viewer_show(pair->window.viewer, &(SiltMotif){.terrain = news.terrain}));
        assert_ok(silt_viewer_show(pair->plain, &(SiltMotif){.terrain = news.terrain}));
        SiltGaze gaze = silt_viewer_gaze(pair->plain);
        silt_viewer_set_gaze(pair->plain, &gaze, true);
        silt_viewer_set_gaze(pair->window.viewer, &gaze, true);
        silt_terrain_destroy(pair->began);
        pair->began = news.terrain;
    }
    if (is_frame) {
        take_layers(pair, &news);
        go_to(pair, news.step);
        show_plain(pair);
    }
    player_give_back(pair->player, &news);
    ask_to_share(pair);
    return is_frame;
}

// Until something has come, or for ten seconds.
static bool next_frame(Pair *pair)
{
    for (Deadline end = in_seconds(10.0); is_before(end); rest(0.001))
        if (take_news(pair))
            return true;
    return false;
}

static void settle_pair(Pair *pair)
{
    for (int k = 0; k < 10 && !player_wait(pair->player, 60.0); k++) // PoCL may have to compile
        continue;
    while (take_news(pair))
        continue;
}

static void live_pair(Pair *pair, const char *text, int stage)
{
    SiltDuration duration;
    end_plain(pair);
    pair->recipe = recipe_of(text);
    assert_ok(silt_recipe_begin_live(pair->recipe, stage, NULL, &pair->terrain, &pair->run, &duration));
    player_live(pair->player, recipe_of(text), stage);
    settle_pair(pair);
    assert_true(now_of(pair).is_on_device);
}

// Moving pictures while it plays. Light takes several frames, and its first brings values here: the next is
// drawn from the card.
static void play_and_compare(Pair *pair, int wanted)
{
    int compared = pair->compared;
    player_play(pair->player, true);
    for (int tries = 0; tries < 100 && pair->compared < compared + wanted; tries++) {
        assert_false(now_of(pair).at_rest); // then nothing comes any more
        assert_alike_now(pair, true);       // all light is made
        if (!next_frame(pair))
            continue;
        assert_alike_now(pair, false);
        int drawn = pair->window.viewer->drawn_there;
        if (!next_frame(pair))
            continue;
        assert_alike_now(pair, false);
        pair->compared += pair->window.viewer->drawn_there > drawn;
    }
    player_play(pair->player, false);
    settle_pair(pair);
    assert_alike_now(pair, false);
    assert_alike_now(pair, true);
    assert_true(pair->compared >= compared + wanted);
}

static void stroke(Pair *pair, SiltBrush brush, double x, double y, double strength)
{
    SiltHand hand = {.step = now_of(pair).step, .stroke = dab(brush, x, y, strength)};
    player_stroke(pair->player, &hand.stroke);
    settle_pair(pair);
    assert_ok(silt_hand_run(&hand, pair->run));
    show_plain(pair);
    assert_alike_now(pair, true);
}

// ---- the laws ----

static void pictures_of_a_run_that_plays_are_the_same(void **state)
{
    (void)state;
    Pair pair;
    begin_pair(&pair);
    assert_true(now_of(&pair).shares);
    assert_string_equal(now_of(&pair).apart, "");
    live_pair(&pair, LONG, 0);
    assert_alike_now(&pair, true);
    play_and_compare(&pair, 5);
    stroke(&pair, SILT_BRUSH_RAISE, 500.0, 300.0, 12.0);
    stroke(&pair, SILT_BRUSH_LOWER, 300.0, 600.0, 9.0);
    play_and_compare(&pair, 3);
    // it is the usual way while it plays; who comes too late for a frame, as on a busy machine, gets a whole
    // one
    bool is_usual = pair.shared > pair.whole;
    for (int tries = 0; tries < 10 && !is_usual; tries++) {
        int shared = pair.shared, whole = pair.whole;
        play_and_compare(&pair, 3);
        is_usual = pair.shared - shared > pair.whole - whole;
    }
    assert_true(is_usual);
    end_pair(&pair);
}

// Other sizes, another model, and one without water.
static void other_models_and_sizes_too(void **state)
{
    (void)state;
    Pair pair;
    begin_pair(&pair);
    live_pair(&pair, LONG, 0);
    play_and_compare(&pair, 1);
    live_pair(&pair, WET, 0);
    play_and_compare(&pair, 3);
    live_pair(&pair, DRY, 0);
    player_speed(pair.player, PLAYER_STEPS, 20.0); // it comes to rest
    play_and_compare(&pair, 2);
    player_speed(pair.player, PLAYER_AS_FAST_AS_IT_CAN, 0.0);
    live_pair(&pair, LONG, 0);
    play_and_compare(&pair, 1);
    end_pair(&pair);
}

// Cells without data, on land that had changed before.
static void holes_are_holes(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltShare *share;
    SiltErosion *run;
    SiltOffscreen offscreen;
    SiltRun on = {.seed = 3};
    assert_ok(silt_offscreen_begin(SILT_GL_ANY, &offscreen));
    assert_ok(silt_share_create(&share));
    assert_ok(silt_share_open(share, choice, &on.device));
    assert_null(silt_share_why(share));
    assert_ok(silt_terrain_create(61, 47, 4.0, &terrain));
    SiltField *height = silt_terrain_layer(terrain, "height"), *change;
    fill_hills(height, 5, 64, 6, 40.0f);
    assert_ok(silt_terrain_require(terrain, "change", &change));
    fill_hills(change, 9, 32, 3, 4.0f);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int k = 0; k < 61 * 47; k++)
        if (k % 61 > 40 && k / 61 < 9) {
            terrain->nodata[k] = 1;
            silt_field_row(height, k / 61)[k % 61] = silt_field_row(change, k / 61)[k % 61] = 0.0f;
        }
    assert_ok(silt_erosion_begin(silt_model_find("pipes"), terrain, NULL, &on, &run));
    for (int round = 0; round < 3; round++) {
        static uint32_t there[4][61 * 47];
        SiltSharedLand land;
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 7 * round}));
        if (round == 2) {
            float metres[4] = {3.0f, 2.0f, -1.0f, 5.0f};
            assert_ok(silt_erosion_edit(run, "height", &(SiltRect){20, 20, 2, 2}, metres, 2, SILT_ADD));
        }
        assert_ok(silt_share_show(share, round, run, 1.5, &land));
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, land.buffer);
        const void *mapped = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, sizeof there, GL_MAP_READ_BIT);
        assert_non_null(mapped);
        memcpy(there, mapped, sizeof there);
        glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        float low = INFINITY, high = -INFINITY;
        for (int layer = 0; layer < 2; layer++) {
            SiltLayerView view;
            size_t at = (layer ? land.water : land.heights) / sizeof there[0];
            assert_ok(silt_erosion_view(run, layer ? "water" : "height", NULL, &view));
            for (int j = 0; j < 47; j++)
                assert_memory_equal(there[at] + j * 61, view.data + (size_t)j * view.stride, 61 * 4);
            for (int k = 0; layer == 0 && k < 61 * 47; k++) {
                float value = view.data[(size_t)(k / 61) * view.stride + (size_t)(k % 61)];
                low = fminf(low, value);
                high = fmaxf(high, value);
            }
        }
        assert_true(land.low == low && land.high == high);
    }
    silt_erosion_end(run);
    silt_share_close(share);
    silt_device_close(on.device);
    silt_share_destroy(share);
    silt_terrain_destroy(terrain);
    silt_offscreen_end(&offscreen);
    assert_int_equal(sharing_shim_faults(), 0);
}

// A frame brings no maps back: only where its heights begin and end.
static void nothing_comes_back_that_is_not_needed(void **state)
{
    (void)state;
    enum { SIDE = 256 };
    SiltTerrain *terrain;
    SiltShare *share;
    SiltErosion *run;
    SiltLayerView view;
    SiltOffscreen offscreen;
    SiltRun on = {.seed = 3};
    assert_ok(silt_offscreen_begin(SILT_GL_ANY, &offscreen));
    assert_ok(silt_share_create(&share));
    assert_ok(silt_share_open(share, choice, &on.device));
    assert_ok(silt_terrain_create(SIDE, SIDE, 4.0, &terrain));
    fill_hills(silt_terrain_layer(terrain, "height"), 5, 64, 6, 40.0f);
    assert_ok(silt_erosion_begin(silt_model_find("pipes"), terrain, NULL, &on, &run));
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 5}));
    int shown = sharing_shim_shown();
    for (int k = 0; k < 5; k++) {
        SiltSharedLand land;
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 1}));
        sharing_shim_bytes();
        assert_ok(silt_share_show(share, k % SILT_SHARE_SLOTS, run, 1.0, &land));
        assert_true(sharing_shim_bytes() <= 8192);
    }
    assert_int_equal(sharing_shim_shown() - shown, 5);
    assert_ok(silt_erosion_view(run, "height", NULL, &view));
    assert_ok(silt_erosion_view(run, "water", NULL, &view));
    assert_true(sharing_shim_bytes() >= 2 * SIDE * SIDE * 4); // what two layers take that do
    silt_erosion_end(run);
    silt_share_close(share);
    silt_device_close(on.device);
    silt_share_destroy(share);
    silt_terrain_destroy(terrain);
    silt_offscreen_end(&offscreen);
    assert_int_equal(sharing_shim_faults(), 0);
}

static void play_shared(Pair *pair)
{
    int before = pair->shared;
    player_play(pair->player, true);
    for (int tries = 0; tries < 400 && pair->shared < before + 2; tries++)
        next_frame(pair);
    assert_true(pair->shared >= before + 2);
}

// All pictures go through the processor, and are right.
static void compare_whole(Pair *pair)
{
    int shared = pair->shared, drawn = pair->window.viewer->drawn_there;
    for (int k = 0; k < 4 && next_frame(pair); k++)
        assert_alike_now(pair, true);
    player_play(pair->player, false);
    settle_pair(pair);
    assert_alike_now(pair, true);
    assert_int_equal(pair->shared, shared);
    assert_int_equal(pair->window.viewer->drawn_there, drawn);
}

static void a_device_that_fails_takes_no_picture_with_it(void **state)
{
    (void)state;
    Pair pair;
    begin_pair(&pair);
    live_pair(&pair, LONG, 0);
    play_shared(&pair);
    player_play(pair.player, false);
    settle_pair(&pair);
    int64_t step = now_of(&pair).step;
    silt_device_fail(pair.player->device, SILT_IO_ERROR, "someone took it away");
    player_step(pair.player, 5);
    settle_pair(&pair);
    assert_false(now_of(&pair).is_on_device || now_of(&pair).shares);
    assert_true(now_of(&pair).step >= step);
    assert_alike_now(&pair, true);
    player_play(pair.player, true);
    compare_whole(&pair);
    // and there again
    player_work_on(pair.player, choice);
    settle_pair(&pair);
    assert_true(now_of(&pair).shares);
    play_and_compare(&pair, 1);
    end_pair(&pair);
}

// The window gives its context up in the middle of a picture's values, and has another afterwards; or has
// lost it.
static void contexts_come_and_go(void **state)
{
    (void)state;
    Pair pair;
    begin_pair(&pair);
    live_pair(&pair, LONG, 0);
    for (int lost = 0; lost < 2; lost++) {
        play_shared(&pair);
        silt_viewer_unload(pair.window.viewer, !lost);
        silt_viewer_unload(pair.plain, !lost);
        player_share(pair.player, NULL);
        silt_offscreen_end(&pair.window.offscreen);
        assert_ok(silt_offscreen_begin(SILT_GL_ANY, &pair.window.offscreen));
        open_frame(&pair.window);
        if (!lost)
            assert_alike_now(&pair, true); // what lay in the old context was brought over
        for (Deadline end = in_seconds(10.0); is_before(end) && now_of(&pair).shares;)
            next_frame(&pair);
        assert_false(now_of(&pair).shares);
        next_frame(&pair);
        compare_whole(&pair);
        share_again(&pair);
        settle_pair(&pair);
        assert_true(now_of(&pair).shares);
        play_and_compare(&pair, 1);
    }
    end_pair(&pair);
}

// What no buffer can be drawn with is drawn from the processor's values, and the other way round.
static void other_looks_come_in_between(void **state)
{
    (void)state;
    Pair pair;
    begin_pair(&pair);
    live_pair(&pair, LONG, 0);
    play_and_compare(&pair, 1);
    for (int k = 0; k < 4; k++) {
        SiltRenderOptions options = *silt_viewer_options(pair.plain);
        play_shared(&pair);
        options.sea = k == 0 ? 40.0 : (double)NAN;
        options.sediment = false;
        options.exaggeration = k == 1 ? 2.0 : 1.0;
        options.water = k != 2;
        assert_ok(silt_viewer_set_options(pair.window.viewer, &options));
        assert_ok(silt_viewer_set_options(pair.plain, &options));
        assert_alike_now(&pair, true);
        for (int n = 0; n < 3 && next_frame(&pair); n++)
            assert_alike_now(&pair, true);
        player_play(pair.player, false);
        settle_pair(&pair);
        assert_alike_now(&pair, true);
        if (k % 2)
            play_and_compare(&pair, 1);
        options.sea = (double)NAN;
        options.water = true;
        assert_ok(silt_viewer_set_options(pair.window.viewer, &options));
        assert_ok(silt_viewer_set_options(pair.plain, &options));
        assert_alike_now(&pair, true);
        ask_to_share(&pair);
    }
    end_pair(&pair);
}

// Whatever of it does not work: it is said in words, and no frame is lost.
static void a_driver_that_cannot_is_left_alone(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        int number;
        bool at_once; // when the device is opened, not while it plays
    } cases[] = {{"context", 1, true}, {"buffer", 1, true},  {"acquire", 1, true}, {"copy", 1, true},
                 {"release", 1, true}, {"pattern", 1, true}, {"buffer", 3, false}, {"acquire", 5, false},
                 {"copy", 4, false},   {"release", 6, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Pair pair;
        sharing_shim_fail(cases[k].call, cases[k].number);
        begin_pair(&pair);
        assert_true(now_of(&pair).device[0] != '\0');
        assert_int_equal(now_of(&pair).shares, !cases[k].at_once);
        live_pair(&pair, LONG, 0);
        player_play(pair.player, true);
        for (Deadline end = in_seconds(10.0); is_before(end) && now_of(&pair).shares;)
            next_frame(&pair);
        assert_false(now_of(&pair).shares);
        assert_true(now_of(&pair).apart[0] != '\0' && now_of(&pair).is_on_device);
        assert_int_equal(now_of(&pair).fault_number, 0);
        next_frame(&pair);
        compare_whole(&pair);
        sharing_shim_fail("", 0);
        end_pair(&pair);
    }
}

int main(void)
{
    SiltDeviceInfo info;
    SiltOffscreen offscreen;
    if (silt_device_count() == 0 || silt_device_info(0, &info) != SILT_OK || !info.has_double ||
        silt_offscreen_begin(SILT_GL_ANY, &offscreen) != SILT_OK)
        return 77; // skipped
    silt_offscreen_end(&offscreen);
    snprintf(choice, sizeof choice, "gpu:%s", info.name);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holes_are_holes),
        cmocka_unit_test(nothing_comes_back_that_is_not_needed),
        cmocka_unit_test(pictures_of_a_run_that_plays_are_the_same),
        cmocka_unit_test(other_models_and_sizes_too),
        cmocka_unit_test(other_looks_come_in_between),
        cmocka_unit_test(a_device_that_fails_takes_no_picture_with_it),
        cmocka_unit_test(contexts_come_and_go),
        cmocka_unit_test(a_driver_that_cannot_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
