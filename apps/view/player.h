// The simulation threads of the window: they cook stacks and play live runs. No GTK and no GL: whoever shows
// land gives commands, which queue and return at once, and takes news, which never waits for a model.
//
//     Player *player;
//     player_create(&(PlayerOptions){.wake = wake, .user = window}, &player);
//     player_cook(player, recipe, -1);           // a small preview, then all of it
//     player_live(player, recipe, 3);            // or stage 3 as a live run, paused at its beginning
//     player_play(player, true);
//     ...
//     PlayerNews news;                           // in the main loop, after `wake`
//     if (player_take(player, &news)) {
//         show(&news);
//         player_give_back(player, &news);
//     }
//
// All calls are for one thread, that of the window. Two threads work behind them: one for previews, so that a
// small picture never waits for a large step, and one for whole cooks and the live run.
//
// A live run is a function of its stage, of what hands did to it (strokes, parameters, sources: SiltHand) and
// of how many steps it has taken. Going back on the time line, undoing a stroke and opening a recipe with
// `hands` are therefore one thing: the nearest state that was kept is brought back, and the steps up to the
// wanted one are taken again, with those hands that count. It shows at once and then catches up.
#ifndef SILT_VIEW_PLAYER_H
#define SILT_VIEW_PLAYER_H

#include "silt/mesh.h"
#include "silt/share.h"
#include "silt/stack.h"
#include "silt/stroke.h"

typedef struct Player Player;

typedef struct PlayerOptions {
    // Called on one of the player's threads when there is something to take, or the state has changed; once,
    // until player_take or player_state is called. It must return at once: g_idle_add and no more.
    void (*wake)(void *user);
    void *user;
    int threads;             // of the models' loops; 0: as many as silt_threads() says
    uint64_t snapshot_bytes; // for the time line; 0: a quarter of free memory, 2 GiB at the most
    uint64_t pantry_bytes;   // for what stages left; 0: the same
} PlayerOptions;

SiltStatus player_create(const PlayerOptions *options, Player **out);
// Stops all work (a step that is under way is finished) and frees everything.
void player_destroy(Player *player);

// ---- where the work is done ----

// Whole cooks and live runs work there from here on; previews stay on the processor. `choice` is that of
// silt_device_open: "cpu", to begin with, "gpu", "gpu:NAME" or "auto". The device is tested first, on the
// player's thread; then a live run moves over at the step it has, and goes on with the same bytes. What
// cannot be is told as a failure, and all stays where it is. A device that fails later is left: the run is
// brought back from what was kept, and goes on on the processor.
void player_work_on(Player *player, const char *choice);

// From here on the device has memory that the window's GL sees (silt_share_create, which the window has
// called with its context current; the player takes it): it is opened anew where one was chosen already.
// NULL: that context is about to go, or gone, and frames come through the processor again.
void player_share(Player *player, SiltShare *share);
// While a run plays frames may come as `shared` of news, for pictures of this exaggeration; 0, to begin with:
// none do.
void player_take_shared(Player *player, double exaggeration);

// ---- cooking ----

// Cooks the recipe, which the player takes, up to `stages` of its stages (-1: all): first a small preview,
// then the whole. A newer call cancels an older one. Ends a live run. Returns the number of the call, by
// which news and state name it.
uint64_t player_cook(Player *player, SiltRecipe *recipe, int stages);
// The same, but only the preview, while a slider moves; the whole follows with the next player_cook.
uint64_t player_sketch(Player *player, SiltRecipe *recipe, int stages);
// The terrain after so many of the recipe's stages, beside what is shown: for looking at before and after. It
// comes as `before` of some news; the player takes the recipe. When nothing else is to be cooked.
void player_before(Player *player, SiltRecipe *recipe, int stages);
void player_cancel(Player *player); // nothing is cooked any more; a live run goes on

// ---- a live run ----

// Begins a live run of a stage of the recipe, which the player takes, on what the stages before it leave.
// It waits at step 0 with the hands of the stage ahead of it. Cooks what it must before.
uint64_t player_live(Player *player, SiltRecipe *recipe, int stage);
void player_end_live(Player *player);
// From here on the stage that this checkpoint keeps goes on from the step it had come to, live or cooked, for
// as long as the recipe leads there; NULL: no checkpoint any more. Where it does not at once, a failure says
// why.
void player_go_on_from(Player *player, const char *checkpoint);

// Pauses by itself at the stage's own end; who plays on from there goes beyond it.
void player_play(Player *player, bool playing);
void player_step(Player *player, int64_t steps); // as many more, then it waits
void player_reset(Player *player);               // step 0, paused; what hands did lies ahead again
// Step `step` is reached as soon as possible, back or forth, with the hands that lie on the way. The nearest
// state that was kept before it shows at once.
void player_go_to(Player *player, int64_t step);
// Goes on to the stage's own end, does what the parameters say of it (water comes to rest) and hands the
// terrain out as news, as cooking the stage would: the run itself stays at its last step.
void player_finish(Player *player);

typedef enum PlayerPace { PLAYER_AS_FAST_AS_IT_CAN, PLAYER_STEPS, PLAYER_TIME } PlayerPace;
// Steps, or units of the model's clock, in a second of the wall's clock.
void player_speed(Player *player, PlayerPace pace, double rate);

// ---- hands ----

// What a hand does counts from the next step on and is remembered at that step. What had been done after it
// (the run was taken back on the time line) is forgotten. A failure is told in the state.
void player_stroke(Player *player, const SiltStroke *stroke);
// Of several for the same parameter that wait, the last counts.
void player_set(Player *player, const char *name, const char *text);
// A row of the parameter `sources`; index -1 adds one, row NULL removes it. `columns` as the table has them.
void player_source(Player *player, int index, const double *row, int columns);

// What comes between these two is one thing to undo. Without them each call is.
void player_begin_group(Player *player, const char *name); // "raise", "rain", "move source"
void player_end_group(Player *player);
// Takes back the last group, or does it again: the run goes to a state kept before it and catches up to the
// step where it was, as though the stroke had never been. That is exact, where an edit the other way round
// would not be (water has flowed off, rock has been worn since), the books have nothing by hand left over,
// and the recipe does not grow by undoing.
void player_undo(Player *player);
void player_redo(Player *player);

// Forgets what all hands did, as one group.
void player_clear_hands(Player *player);

// All hands as they stand, for `hands` of the stage; the caller frees it (silt_free). Waits up to half a
// second for strokes that have not been heard of yet. "" when there are none, NULL when memory runs out. The
// steps they need are in the state.
char *player_hands(Player *player);
// Other hands in their place: the recipe's own undo has changed them. One group.
void player_set_hands(Player *player, const char *text);

// ---- what frames bring ----

enum { PLAYER_MAX_LAYERS = 8 };

// The layers that news of a live run bring: "height", "water", "sediment", "ice", what lies over the land.
// Those that a run does not have are left out. "height" and "water" to begin with.
void player_want(Player *player, const char *const *layers, int count);
// While a run plays layers other than "water" come so many seconds after each other at the soonest; 0, to
// begin with: all of them with all news.
void player_spare_layers(Player *player, double seconds);
// Whether particles and the surface of a volume come too; both to begin with.
void player_want_particles(Player *player, bool wanted);
void player_want_surface(Player *player, bool wanted);
// Frames a second at the most (60), and the share of the time that frames and snapshots may take (0.08): on
// large grids frames come less often.
// For so many seconds at the most, or until it is called with 0, a run that plays leaves a processor to
// whoever draws without a card. Else its threads wait for the one that was put aside, and both lose.
void player_make_room(Player *player, double seconds);
void player_limit_frames(Player *player, double per_second, double share);

typedef enum PlayerSource {
    PLAYER_NOTHING, // no terrain in this news
    PLAYER_PREVIEW, // a small one
    PLAYER_COOKED,  // the whole
    PLAYER_BEGAN,   // what a live run starts from; layers follow
    PLAYER_FINISHED // what a live run leaves at its end
} PlayerSource;

typedef struct PlayerLayer {
    const char *name;
    const float *values; // those of `rect`
    size_t stride;       // floats from one row to the next
    SiltRect rect;       // what may have changed since the news before
    uint64_t generation; // another number when it may have changed
} PlayerLayer;

// What is new. Everything but the terrain is valid until player_give_back.
typedef struct PlayerNews {
    uint64_t number; // counts
    PlayerSource source;
    SiltTerrain *terrain; // whose caller destroys it; NULL: none is new
    uint64_t recipe;      // number of the player_cook, player_sketch or player_live call it comes from
    double seconds;       // it took
    SiltTerrain *before;  // that player_before asked for, whose caller destroys it; NULL: none is new
    // of a live run
    int64_t step;
    double time; // in the model's clock
    int layer_count;
    PlayerLayer layers[PLAYER_MAX_LAYERS];
    bool is_frame; // it brings a frame of the run, with all that is new in it
    // Ground and water on the card, and nothing else; NULL: what is new is in `layers`. It may be drawn from
    // until the next news are taken.
    const SiltSharedLand *shared;
    const SiltParticles *particles; // NULL: none, or not new
    const SiltMesh *surface;        // of a volume, as SiltMotif has it; NULL: none, or not new
} PlayerNews;

// False: nothing new. Never waits for a model.
bool player_take(Player *player, PlayerNews *out);
void player_give_back(Player *player, PlayerNews *news);

// ---- the state ----

enum { PLAYER_MAX_MARKS = 256, PLAYER_MAX_SOURCES = 64, PLAYER_MAX_COLUMNS = 16, PLAYER_MAX_STAGES = 64 };

typedef enum PlayerWork {
    PLAYER_RESTS,
    PLAYER_SKETCHES, // a preview
    PLAYER_COOKS,
    PLAYER_BEGINS,     // what comes before a live run
    PLAYER_PLAYS,      // steps
    PLAYER_CATCHES_UP, // steps towards `target`
    PLAYER_FINISHES,
} PlayerWork;

typedef struct PlayerState {
    PlayerWork work;
    char device[128];   // that whole cooks and live runs are given to; "": the processor
    bool device_is_gpu; // and not OpenCL on the processor
    bool seeks_device;  // another is being opened
    bool is_on_device;  // the live run works there: not every model can
    bool shares;        // frames of it can be drawn from its own memory
    char apart[300];    // why not; "": nobody asked for it
    // cooking
    int stage;                      // that is cooking: -1 the terrain, -2 none
    double share;                   // of that stage, 0 to 1
    uint64_t recipe;                // number of the call that is worked on
    bool kept[PLAYER_MAX_STAGES];   // stages of the last cook that were not done anew
    double took[PLAYER_MAX_STAGES]; // seconds of each of them
    double preview_seconds;         // of the last preview, and how many cells along it had
    int preview_side;
    // the live run
    bool live;
    int live_stage;
    const SiltModel *model;
    bool playing;
    int64_t step, target;    // target: where it catches up to; else the same
    int64_t last_step;       // the stage's own end; 0: a time
    double last_time;        // the same in the model's clock, where it is one
    double time;             // in the model's clock
    bool at_rest;            // nothing moves any more
    double steps_per_second; // measured over the last second of playing
    double time_per_second;
    double frame_share; // of the time, spent on frames and snapshots
    int particles;
    SiltLedger ledger;   // a whole one, as of the last time it was closed, twice a second
    int64_t ledger_step; // the step it was closed at
    // the time line: states that were kept, in order of steps
    int mark_count;
    int64_t marks[PLAYER_MAX_MARKS];
    int64_t furthest; // step up to which the run was taken with these hands
    uint64_t snapshot_bytes;
    // hands
    int hand_count;
    bool can_undo, can_redo;
    char undo_name[SILT_NAME_SIZE], redo_name[SILT_NAME_SIZE];
    // sources of the run as they are now: rows of the parameter `sources`
    int source_count, source_columns;
    double sources[PLAYER_MAX_SOURCES][PLAYER_MAX_COLUMNS];
    // the last failure; the number counts them
    uint64_t fault_number;
    char fault[512];
    bool fault_cooking; // it ended a cook, or what comes before a live run: the land is not there
    int fault_stage;    // that was cooking then, as `stage`
    bool fault_kept;    // a checkpoint to go on from is of no use: the land is made without it
} PlayerState;

// A copy; never waits for a model.
void player_state(Player *player, PlayerState *out);

// Waits until nothing is left to do (a run that plays never comes to that) or so many seconds have passed:
// for tests and for saving. True: nothing is left.
bool player_wait(Player *player, double seconds);

#endif
