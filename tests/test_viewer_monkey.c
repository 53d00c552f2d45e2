// Hands that do anything, in any order: the viewer draws, and its camera stays a camera. Skipped where there
// is no GL.
#include "test.h"

#ifdef SILT_HAS_GL
#include "viewer_help.h"

typedef struct Monkey {
    Window window;
    SiltTerrain *terrains[3]; // of other sizes
    SiltTerrain *shown;       // what the viewer has
    SiltVolume *ball;
    Heap *heap;
    uint32_t dice;
} Monkey;

static int roll(Monkey *monkey, int sides)
{
    monkey->dice = monkey->dice * 1664525u + 1013904223u;
    return (int)((monkey->dice >> 8) % (uint32_t)sides);
}

static double share(Monkey *monkey)
{
    return roll(monkey, 10001) / 10000.0;
}

static void change_options(Monkey *monkey)
{
    static const char *const overlays[] = {"", "", "water", "flow", "nowhere"};
    SiltRenderOptions options = *silt_viewer_options(monkey->window.viewer);
    strcpy(options.overlay, overlays[roll(monkey, 5)]);
    options.look = roll(monkey, 5);
    options.view = roll(monkey, 6);
    options.sun = 360.0 * share(monkey);
    options.sun_height = 5.0 + 80.0 * share(monkey);
    options.exaggeration = roll(monkey, 3) ? 1.0 : 0.3 + 3.0 * share(monkey);
    options.sea = roll(monkey, 4) ? NAN : -300.0 + 300.0 * share(monkey);
    options.shadows = roll(monkey, 3);
    options.water = roll(monkey, 4);
    options.sediment = roll(monkey, 2);
    options.ice = roll(monkey, 2);
    options.particle_look = roll(monkey, 4);
    options.clip_north[0] = roll(monkey, 3) ? NAN : 20.0 * share(monkey);
    options.clip_north[1] = 1e5;
    assert_ok(silt_viewer_set_options(monkey->window.viewer, &options));
}

static void show_something(Monkey *monkey)
{
    SiltMotif motif = {0};
    int which = roll(monkey, 5);
    monkey->shown = NULL;
    if (which == 4)
        motif.volume = monkey->ball;
    else
        motif.terrain = monkey->shown = monkey->terrains[which % 3];
    if (roll(monkey, 3) == 0)
        motif.particles = &monkey->heap->particles;
    silt_viewer_limit(monkey->window.viewer, roll(monkey, 2) ? 2048 : 40);
    assert_ok(silt_viewer_show(monkey->window.viewer, &motif));
}

static void update_something(Monkey *monkey)
{
    static const char *const layers[] = {"height", "water", "sediment", "deposit", "ice", "flow"};
    if (!monkey->shown)
        return;
    int width = monkey->shown->width, height = monkey->shown->height;
    SiltRect rect = {roll(monkey, width), roll(monkey, height), 0, 0};
    rect.width = 1 + roll(monkey, width - rect.i);
    rect.height = 1 + roll(monkey, height - rect.j);
    change(&monkey->window, monkey->shown, layers[roll(monkey, 6)], rect, 3.0f * (float)share(monkey));
}

static void mark_something(Monkey *monkey)
{
    SiltMark marks[6];
    int count = roll(monkey, 7);
    for (int k = 0; k < count; k++)
        marks[k] = (SiltMark){.kind = (SiltMarkKind)roll(monkey, 4),
                              .places = {{3000.0 * share(monkey) - 200.0, 3000.0 * share(monkey) - 200.0},
                                         {3000.0 * share(monkey), 3000.0 * share(monkey)}},
                              .radius = 900.0 * share(monkey),
                              .inner = (float)share(monkey),
                              .colour = {1.0f, 0.5f, 0.2f, 1.0f},
                              .chosen = roll(monkey, 2)};
    assert_ok(silt_viewer_set_marks(monkey->window.viewer, marks, count));
}

static void lead_camera(Monkey *monkey)
{
    SiltViewer *viewer = monkey->window.viewer;
    double x = WIDE * share(monkey), y = HIGH * share(monkey), dx = 300.0 * share(monkey) - 150.0;
    double dy = 300.0 * share(monkey) - 150.0;
    switch (roll(monkey, 7)) {
    case 0:
        silt_viewer_orbit(viewer, dx, dy);
        break;
    case 1:
        silt_viewer_pan(viewer, dx, dy);
        break;
    case 2:
        silt_viewer_zoom(viewer, x, y, 0.2 + 4.0 * share(monkey));
        break;
    case 3:
        silt_viewer_fly(viewer, dx / 100.0, dy / 100.0, share(monkey) - 0.6);
        break;
    case 4:
        silt_viewer_look_round(viewer, dx, dy);
        break;
    case 5:
        silt_viewer_frame_all(viewer);
        break;
    default:
        silt_viewer_animate(viewer, share(monkey));
    }
}

static void do_something(Monkey *monkey)
{
    SiltViewer *viewer = monkey->window.viewer;
    switch (roll(monkey, 12)) {
    case 0:
        change_options(monkey);
        break;
    case 1:
        show_something(monkey);
        break;
    case 2:
    case 3:
    case 4:
        update_something(monkey);
        break;
    case 5:
        mark_something(monkey);
        break;
    case 6:
        assert_ok(silt_viewer_compare(viewer, roll(monkey, 2) ? monkey->terrains[0] : NULL, share(monkey)));
        break;
    case 7:
        assert_ok(silt_viewer_update_particles(viewer, roll(monkey, 2) ? &monkey->heap->particles : NULL));
        break;
    case 8:
        if (roll(monkey, 4) == 0)
            silt_viewer_unload(viewer, true);
        break;
    default:
        lead_camera(monkey);
    }
}

static void check_camera(Monkey *monkey)
{
    SiltGaze gaze = silt_viewer_gaze(monkey->window.viewer);
    SiltPick pick;
    double at[2], x = WIDE * share(monkey), y = HIGH * share(monkey);
    assert_true(isfinite(gaze.target[0] + gaze.target[1] + gaze.target[2] + gaze.turn));
    assert_true(gaze.distance > 0.0 && fabs(gaze.tilt) < 90.0);
    if (!silt_viewer_pick(monkey->window.viewer, x, y, &pick))
        return;
    assert_true(silt_viewer_project(monkey->window.viewer, pick.place, at));
    assert_near(at[0], x, 1e-3);
    assert_near(at[1], y, 1e-3);
    assert_true(pick.slope >= 0.0 && pick.slope <= 180.0);
}

static void whatever_hands_do_it_draws(void **state)
{
    (void)state;
    const char *wish = getenv("SILT_MONKEY"); // how often; a longer run than tests have time for
    int count = wish ? atoi(wish) : 150;
    Monkey monkey = {.ball = shape("sphere", 32), .heap = new_heap(), .dice = (uint32_t)count};
    monkey.terrains[0] = mountains();
    assert_ok(silt_terrain_crop(monkey.terrains[0], 10, 20, 101, 67, &monkey.terrains[1]));
    assert_ok(silt_terrain_resample(monkey.terrains[0], 40, 40, &monkey.terrains[2]));
    punch(monkey.terrains[1], 30, 30, 9);
    open_window(&monkey.window, NULL);
    show_something(&monkey);
    for (int k = 0; k < count; k++) {
        do_something(&monkey);
        SiltStatus status =
            silt_viewer_draw(monkey.window.viewer, monkey.window.frame, 1 + roll(&monkey, WIDE),
                             1 + roll(&monkey, HIGH), roll(&monkey, 6) == 0);
        if (status != SILT_OK)
            fail_msg("after %d: %s", k, silt_message());
        glance(&monkey.window, false);
        check_camera(&monkey);
    }
    close_window(&monkey.window);
    for (int k = 0; k < 3; k++)
        silt_terrain_destroy(monkey.terrains[k]);
    silt_volume_destroy(monkey.ball);
    free(monkey.heap);
}

MAIN_THAT_DRAWS(cmocka_unit_test(whatever_hands_do_it_draws))

#else
MAIN_THAT_CANNOT_DRAW
#endif
