// The player's own parts, for the files that make it. Who may touch what: `mutex` guards what the window's
// thread and the player's threads share; the run, its tape and the frames being written are the main
// thread's alone.
#ifndef SILT_VIEW_PLAYER_INSIDE_H
#define SILT_VIEW_PLAYER_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "player.h"
#include "silt/volume.h"

// ---- what is to be cooked: the newest counts ----

typedef struct SharedRecipe {
    SiltRecipe *recipe;
    atomic_int holders;
} SharedRecipe;

typedef enum RequestKind {
    REQUEST_NONE,
    REQUEST_SKETCH,
    REQUEST_COOK,
    REQUEST_LIVE,
    REQUEST_END
} RequestKind;

typedef struct Request {
    RequestKind kind;
    SharedRecipe *recipe;
    int stages; // to cook, or the stage that comes alive
    uint64_t number;
} Request;

// ---- what is to be done with a live run: in order ----

typedef enum CommandKind {
    COMMAND_PLAY,
    COMMAND_STEP,
    COMMAND_RESET,
    COMMAND_GO_TO,
    COMMAND_FINISH,
    COMMAND_STROKE,
    COMMAND_SET,
    COMMAND_SOURCE,
    COMMAND_BEGIN_GROUP,
    COMMAND_END_GROUP,
    COMMAND_UNDO,
    COMMAND_REDO,
    COMMAND_HANDS,
} CommandKind;

enum { SOURCE_COLUMNS = PLAYER_MAX_COLUMNS };

typedef struct Command {
    struct Command *next;
    CommandKind kind;
    int64_t number; // steps, a step, the index of a source; or yes and no
    SiltStroke stroke;
    char name[SILT_NAME_SIZE];
    char *text;
    double row[SOURCE_COLUMNS];
    int columns; // 0: no row
} Command;

// ---- the tape: what hands did, and states that were kept ----

typedef struct Act {
    SiltHand hand;
    uint64_t key; // of this one and all before it
} Act;

typedef struct Acts {
    Act *items;
    int count, room;
} Acts;

// From `at` on the tape had `before`, and has `after`.
typedef struct Change {
    char name[SILT_NAME_SIZE];
    int at;
    Acts before, after;
} Change;

typedef struct Snapshot {
    int64_t step;
    double time;
    int done; // acts that were done
    uint64_t key;
    void *block;
    size_t bytes;
    uint64_t made; // counts
} Snapshot;

enum { MAX_CHANGES = 256 };

typedef struct Tape {
    Acts acts;
    int done; // of them, on the run as it is now
    Change changes[MAX_CHANGES];
    int change_count, change_at; // those before `change_at` can be undone, the others redone
    bool in_group;
    char group[SILT_NAME_SIZE];
    bool is_open; // the last change still grows
    Snapshot snapshots[PLAYER_MAX_MARKS];
    int snapshot_count;
    uint64_t made;
    uint64_t bytes, most_bytes;
} Tape;

void tape_clear(Tape *tape); // no hands, no snapshots
uint64_t tape_key(const Tape *tape, int count);
// Step before which the next act is due; INT64_MAX: none.
int64_t tape_next_step(const Tape *tape);
// Puts a hand at the end of what has been done; what lay ahead is forgotten. Takes its text. False: no
// memory.
bool tape_add(Tape *tape, SiltHand *hand);
void tape_begin_group(Tape *tape, const char *name);
void tape_end_group(Tape *tape);
// Other acts from the beginning on, as one change. Takes them.
bool tape_replace(Tape *tape, SiltHand *hands, int count, bool is_change);
// The first act that is another one afterwards; -1: nothing to undo or redo.
int tape_undo(Tape *tape);
int tape_redo(Tape *tape);
char *tape_text(const Tape *tape);
// Takes back an act that the model refused.
void tape_drop_last(Tape *tape);

// Keeps the run's state if there is room, dropping others where they are too many: the first last.
SiltStatus tape_keep(Tape *tape, SiltErosion *run);
bool tape_has(const Tape *tape, int64_t step);
// The nearest state at or before `step` that the acts lead to; NULL: none was kept.
const Snapshot *tape_nearest(const Tape *tape, int64_t step);
bool tape_is_valid(const Tape *tape, const Snapshot *snapshot);

// ---- frames: three, of which one is written, one waits and one is shown ----

typedef struct Slab {
    char name[SILT_NAME_SIZE];
    SiltField field;
    SiltRect changed; // what is new in it
    uint64_t generation;
    bool is_there;
} Slab;

typedef struct Frame {
    uint64_t number, recipe;
    int64_t step;
    double time;
    int width, height;
    Slab slabs[PLAYER_MAX_LAYERS];
    int slab_count;
    SiltParticles particles;
    float *grains; // their memory: eight numbers each
    int64_t *ids;
    int grain_room;
    bool has_particles;
    SiltMesh surface;
    bool has_surface;
    SiltSharedLand shared;
    bool is_shared; // and has no layers
} Frame;

typedef struct Wanted {
    char layers[PLAYER_MAX_LAYERS][SILT_NAME_SIZE];
    int count;
    bool particles, surface;
    double rate, share;
    double spare;        // seconds between layers that change slowly
    double exaggeration; // of pictures that are drawn from the card; 0: none are
} Wanted;

typedef struct Frames {
    Frame frames[3];
    int back, ready, front; // under the mutex, and so is_ready
    bool is_ready;          // there is one that nobody has taken
    // the main thread's
    int width, height;
    SiltRect stale[3];                             // what has changed since each was written
    SiltRect pending;                              // and since the last was handed out
    bool particles_pending, surface_pending;       // whether these have
    char shown[PLAYER_MAX_LAYERS][SILT_NAME_SIZE]; // layers of the last
    uint64_t count, generation;
    double whole_at, spare; // when a frame had all layers, and how long others may go without, s
    bool owes;              // the last had water alone, or what it had stayed on the card
    // At the latest so long after the last a frame brings all of it to the processor, for what is picked, the
    // camera, numbers under the pointer and files. Tests change it.
    double shared_seconds;
    int shared; // how many stayed there so far
    SiltRockSurface *rock;
} Frames;

// ---- all of it ----

typedef struct Live {
    SiltErosion *run; // NULL: none
    SiltTerrain *terrain;
    SiltDuration duration;
    SharedRecipe *recipe;
    int stage;
    const SiltModel *model;
    uint64_t number;
    bool playing, catching_up, finishing;
    bool must_arrive; // what it catches up to was asked for by name
    int64_t target;
    int64_t furthest;
    PlayerPace pace;
    bool goes_beyond;        // the stage's end was reached before
    bool is_resting;         // nothing moves any more
    bool was_left;           // the last step, before its end
    double credit, credited; // steps or time that are owed to the pace, and since when
    double step_seconds;     // of the wall's clock a step takes
    double step_time;        // of the model's
    double window_began;     // steps a second are measured over a window
    int64_t window_steps;    // steps and time at its beginning
    double window_time;
    double upkeep; // seconds in it for frames, snapshots and the books
    double next_frame, next_snapshot;
    double last_books, books_cost;
    bool books_are_old, is_touched; // is_touched: a hand wants to see what it did
    Tape tape;
} Live;

// Who is told how far a cook is.
typedef struct Watch {
    Player *player;
    uint64_t number;
    double began, stage_began;
    double patience; // seconds for which a newer request does not end it
    double longest;  // seconds after which it is given up; 0: never
    bool stays;      // whatever is newer
    bool tells;
    int stage;
} Watch;

struct Player {
    PlayerOptions options;
    pthread_t main_thread, sketch_thread;
    pthread_mutex_t mutex;
    pthread_mutex_t tape_mutex; // for the acts of the tape, which the main thread alone changes
    pthread_cond_t woken;       // of the player's threads
    pthread_cond_t settled;     // of player_wait
    bool quits;
    atomic_uint_fast64_t newest; // number of the newest request: older ones are cancelled
    // under the mutex
    Request request, sketch; // what waits for each thread
    Request before;          // what is wanted beside it
    SiltTerrain *fresh_before;
    uint64_t sketched; // the last request whose preview is done
    bool main_works, sketch_works;
    bool is_doing; // a command
    Command *first, *last;
    PlayerState state;
    Wanted wanted;
    bool wants_others;              // the layers wanted have changed
    char choice[160];               // where to work, that nobody has looked at yet; "": nothing was asked
    char next_kept[SILT_PATH_SIZE]; // a checkpoint to go on from, that nobody has looked at yet; "": none
    bool has_next_kept;
    SiltShare *next_share; // that nobody has looked at yet, or NULL
    bool has_next_share;
    PlayerPace pace;
    double rate;
    double room_until; // a processor is left to those who draw until then
    bool advances;     // the run does
    int threads;       // all there are, where the options leave it open
    bool has_woken;
    SiltTerrain *fresh; // a terrain that nobody has taken yet
    PlayerSource fresh_source;
    uint64_t fresh_number, whole_number; // of requests
    double fresh_seconds;
    Frames frames;
    // the main thread's
    char kept[SILT_PATH_SIZE]; // a checkpoint to go on from; "": none
    struct SiltDevice *device; // NULL: the processor
    char chosen[160];          // as it was asked for
    SiltShare *share;          // of the window's context; NULL: none
    SiltShare *old_share;      // of a context that is gone, with which the device was opened
    SiltPantry *pantry;
    Watch watch;
    SiltRun watched; // outlives the call that begins a live run
    Live live;
    // the sketching thread's
    SiltPantry *sketch_pantry;
    int side, fast_count;
    int hopeless; // so many more whole cooks have no preview
};

double player_now(void);
// Seconds this thread has worked: what others take of the machine is no cost. Who waits for a device keeps it
// from its steps: there it is the wall's clock.
double player_work_clock(const Player *player);
void player_wake(Player *player);  // there is something to take
void player_fault(Player *player); // silt_message() into the state
void shared_recipe_release(SharedRecipe *recipe);
// Hands a terrain out, which the player takes; one that is older than what has been handed out is dropped.
void player_hand_out(Player *player, SiltTerrain *terrain, PlayerSource source, uint64_t number,
                     double seconds);

// ---- player_calls.c ----
// Before steps and after them: who draws is made room for while they are taken, and at no other time, since a
// run that begins is laid out for as many threads as there are then.
void player_begin_steps(Player *player);
void player_end_steps(Player *player);

// ---- player_cook.c ----
void player_do_sketch(Player *player, const Request *request);
void player_do_cook(Player *player, const Request *request);
void player_do_before(Player *player, const Request *request);
void player_begin_live(Player *player, Request *request); // takes the recipe
bool player_begin_again(Player *player);                  // false: it could not, and the run is as it was

// ---- player_device.c ----
void player_do_choose(Player *player); // what was asked for
void player_do_share(Player *player);
void player_tell_device(Player *player);
void player_close_device(Player *player); // when no run is left
// Where the device has failed: says so, goes on without it, and is true.
bool player_leave_lost_device(Player *player);

// ---- player_run.c ----
void live_end(Player *player);
void live_do(Player *player, Command *command);
// Whether a command must wait until the run has caught up.
bool live_must_wait(Player *player, CommandKind kind);
double live_go(Player *player); // the steps alone
SiltStatus live_keep(Player *player);
void live_bring_back(Player *player, const Snapshot *snapshot);
void live_reach(Player *player, int64_t step, bool on_tape);

// ---- player_upkeep.c ----
// Some steps, if any are due, and what goes with them. When to call it again: now (0), then, or INFINITY.
double live_go_on(Player *player);
void live_tell(Player *player); // into the state

// ---- player_frames.c ----
void frames_begin(Player *player); // another run
void frames_end(Player *player);
void frames_touch(Frames *frames, const SiltRect *rect); // NULL: all of it
// When a frame is due: 0: now, or INFINITY. `plays`: more will come by itself.
double frames_due(const Frames *frames, bool plays);
void frames_forget_surface(Frames *frames); // before its volume goes
// Writes what has changed into a frame and hands it out; `others`: the layers wanted have changed.
void frames_publish(Player *player, bool others);
void frames_free(Frames *frames);

#endif
