// A window that nobody sees: what it takes from a player, and the plain runs that it is held against.
#ifndef SILT_TESTS_PLAYER_HELP_H
#define SILT_TESTS_PLAYER_HELP_H

#include "../test.h"

#include <time.h>

#include "../../apps/view/player.h"
#include "../fair_clock.h"
#include "silt/parallel.h"
#include "silt/volume.h"

#define LAND                                                                                                 \
    "terrain: {new: noise, size: 96, cell: 10, seed: 5, set: {relief: 200}}\n"                               \
    "stages:\n"                                                                                              \
    "  - erode: thermal\n"                                                                                   \
    "    steps: 5\n"                                                                                         \
    "  - erode: pipes\n"                                                                                     \
    "    steps: 400\n"                                                                                       \
    "    set: {rain: 40}\n"
enum { PIPES = 1 };

// ---- what a window does with news ----

typedef struct Screen {
    Player *player;
    SiltField fields[4]; // as the layers' names below
    SiltTerrain *terrain, *before;
    PlayerSource source;
    uint64_t recipe;
    int frames, whole_frames; // taken, and of them those that brought all of a layer
    SiltRect last;
    int particles;
    size_t triangles;
} Screen;

static const char *const names[] = {"height", "water", "sediment", "ice"};

static inline void begin(Screen *screen, uint64_t snapshot_bytes)
{
    *screen = (Screen){0};
    PlayerOptions options = {.threads = 2, .snapshot_bytes = snapshot_bytes};
    assert_ok(player_create(&options, &screen->player));
    player_want(screen->player, names, 4);
}

static inline void end(Screen *screen)
{
    player_destroy(screen->player);
    silt_terrain_destroy(screen->terrain);
    silt_terrain_destroy(screen->before);
    for (int k = 0; k < 4; k++)
        silt_field_destroy(&screen->fields[k]);
}

static inline void take_layer(Screen *screen, const PlayerLayer *layer)
{
    for (int k = 0; k < 4; k++) {
        SiltField *field = &screen->fields[k];
        if (strcmp(layer->name, names[k]) != 0)
            continue;
        if (!field->data)
            assert_ok(silt_field_create(screen->terrain->width, screen->terrain->height, field));
        for (int j = 0; j < layer->rect.height; j++)
            memcpy(silt_field_row(field, layer->rect.j + j) + layer->rect.i,
                   layer->values + (size_t)j * layer->stride, (size_t)layer->rect.width * sizeof(float));
    }
}

static inline bool take(Screen *screen)
{
    PlayerNews news;
    if (!player_take(screen->player, &news))
        return false;
    if (news.terrain) {
        silt_terrain_destroy(screen->terrain);
        screen->terrain = news.terrain;
        screen->source = news.source;
        screen->recipe = news.recipe;
        for (int k = 0; k < 4 && news.source == PLAYER_BEGAN; k++)
            silt_field_destroy(&screen->fields[k]);
    }
    for (int k = 0; k < news.layer_count; k++)
        take_layer(screen, &news.layers[k]);
    if (news.layer_count > 0) {
        screen->frames++;
        screen->last = news.layers[0].rect;
        screen->whole_frames += screen->last.width == screen->fields[0].width;
    }
    screen->particles = news.particles ? news.particles->count : screen->particles;
    screen->triangles = news.surface ? news.surface->triangle_count : screen->triangles;
    if (news.before) {
        silt_terrain_destroy(screen->before);
        screen->before = news.before;
    }
    player_give_back(screen->player, &news);
    return true;
}

static inline void settle(Screen *screen)
{
    assert_true(player_wait(screen->player, 60.0));
    while (take(screen))
        ;
}

static inline void rest(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// So many seconds from now by the fair clock; ten times as many where the machine is too busy for it.
typedef struct Deadline {
    double fair, wall;
} Deadline;

static inline Deadline in_seconds(double seconds)
{
    return (Deadline){fair_clock() + seconds, silt_wall_clock() + 10.0 * seconds};
}

static inline bool is_before(Deadline deadline)
{
    return fair_clock() < deadline.fair && silt_wall_clock() < deadline.wall;
}

// As a window that draws: takes what is new, for so long.
static inline void watch(Screen *screen, double seconds)
{
    for (Deadline end = in_seconds(seconds); is_before(end); rest(0.005))
        take(screen);
}

static inline PlayerState state_of(Screen *screen)
{
    PlayerState state;
    player_state(screen->player, &state);
    return state;
}

static inline uint64_t seen(const Screen *screen)
{
    uint64_t hash = 1;
    for (int k = 0; k < 4; k++)
        if (screen->fields[k].data)
            hash = hash * 31 + silt_field_hash(&screen->fields[k]);
    return hash;
}

// ---- a plain run ----

static inline SiltRecipe *recipe_of(const char *text)
{
    SiltStack *stack;
    SiltRecipe *recipe;
    assert_ok(silt_stack_read_text("test", text, &stack));
    assert_ok(silt_stack_recipe(stack, &recipe));
    silt_stack_destroy(stack);
    return recipe;
}

// What a run shows after so many steps with these hands.
static inline uint64_t plain(const char *text, int stage, const SiltHand *hands, int count, int64_t steps)
{
    SiltRecipe *recipe = recipe_of(text);
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltDuration duration;
    assert_ok(silt_recipe_begin_live(recipe, stage, NULL, &terrain, &run, &duration));
    for (int k = 0; k < count; k++) {
        int64_t left = hands[k].step - silt_erosion_report(run)->steps;
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = left}));
        assert_ok(silt_hand_run(&hands[k], run));
    }
    int64_t left = steps - silt_erosion_report(run)->steps;
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = left}));
    uint64_t hash = 1;
    for (int k = 0; k < 4; k++) {
        SiltLayerView view;
        SiltField copy = {0};
        if (silt_erosion_view(run, names[k], NULL, &view) != SILT_OK)
            continue;
        assert_ok(silt_field_create(view.width, view.height, &copy));
        for (int j = 0; j < view.height; j++)
            memcpy(silt_field_row(&copy, j), view.data + (size_t)j * view.stride,
                   (size_t)view.width * sizeof(float));
        hash = hash * 31 + silt_field_hash(&copy);
        silt_field_destroy(&copy);
    }
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return hash;
}

static inline SiltStroke dab(SiltBrush brush, double x, double y, double strength)
{
    return (SiltStroke){.brush = brush,
                        .from = {x, y},
                        .to = {x, y},
                        .radius = 80.0,
                        .strength = strength,
                        .softness = 0.5,
                        .seed = 3};
}

static inline void live(Screen *screen, const char *text, int stage)
{
    uint64_t number = player_live(screen->player, recipe_of(text), stage);
    settle(screen);
    assert_int_equal(screen->source, PLAYER_BEGAN);
    assert_int_equal(screen->recipe, number);
    assert_true(state_of(screen).live);
    assert_int_equal(state_of(screen).step, 0);
}

static inline void play_for(Screen *screen, double seconds)
{
    int64_t before = state_of(screen).step;
    player_play(screen->player, true);
    for (int k = 0; k < 100 && state_of(screen).step <= before; k++)
        watch(screen, seconds);
    player_play(screen->player, false);
    settle(screen);
    assert_false(state_of(screen).playing);
    assert_true(state_of(screen).step > before);
}

static inline uint64_t terrain_hash(const SiltTerrain *terrain)
{
    return silt_field_hash(silt_terrain_layer(terrain, "height"));
}

#endif
