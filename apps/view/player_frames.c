// Frames of a live run: three of them, so that the main thread always has one to write and the window one to
// read, and neither waits. Only what changed since a frame was last written is copied into it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "player_inside.h"
#include "silt/parallel.h"

// ---- what has changed ----

static bool is_empty(SiltRect rect)
{
    return rect.width <= 0 || rect.height <= 0;
}

static SiltRect join(SiltRect a, SiltRect b)
{
    if (is_empty(a) || is_empty(b))
        return is_empty(a) ? b : a;
    int i = a.i < b.i ? a.i : b.i, j = a.j < b.j ? a.j : b.j;
    int right = a.i + a.width > b.i + b.width ? a.i + a.width : b.i + b.width;
    int below = a.j + a.height > b.j + b.height ? a.j + a.height : b.j + b.height;
    return (SiltRect){i, j, right - i, below - j};
}

void frames_touch(Frames *frames, const SiltRect *rect)
{
    SiltRect touched = rect ? *rect : (SiltRect){0, 0, frames->width, frames->height};
    for (int k = 0; k < 3; k++)
        frames->stale[k] = join(frames->stale[k], touched);
    frames->pending = join(frames->pending, touched);
    frames->particles_pending = frames->surface_pending = true;
    frames->generation++;
}

double frames_due(const Frames *frames, bool plays)
{
    if (!is_empty(frames->pending))
        return 0.0;
    if (!frames->owes)
        return INFINITY;
    return plays ? frames->whole_at + frames->spare : 0.0;
}

// ---- copies ----

typedef struct CopyJob {
    const SiltLayerView *from;
    SiltField *to;
    SiltRect rect;
} CopyJob;

static void copy_rows(void *context, int begin, int end)
{
    const CopyJob *job = context;
    for (int j = begin; j < end; j++)
        memcpy(silt_field_row(job->to, job->rect.j + j) + job->rect.i,
               job->from->data + (size_t)j * job->from->stride, (size_t)job->rect.width * sizeof(float));
}

// Makes the slab one of this layer; false when there is no memory. *is_new: nothing of it is up to date.
static bool prepare_slab(Slab *slab, const Frames *frames, const char *name, bool *is_new)
{
    SiltField *field = &slab->field;
    bool fits = field->data && field->width == frames->width && field->height == frames->height;
    *is_new = !fits || !slab->is_there || strcmp(slab->name, name) != 0;
    snprintf(slab->name, sizeof slab->name, "%s", name);
    slab->is_there = false;
    if (fits)
        return true;
    silt_field_destroy(field);
    return silt_field_create(frames->width, frames->height, field) == SILT_OK;
}

static bool was_shown(const Frames *frames, const char *name)
{
    for (int k = 0; k < PLAYER_MAX_LAYERS; k++)
        if (strcmp(frames->shown[k], name) == 0)
            return true;
    return false;
}

static void write_slab(Frames *frames, SiltErosion *run, const char *name, SiltRect stale, Slab *slab)
{
    SiltRect all = {0, 0, frames->width, frames->height};
    SiltLayerView view;
    bool is_new;
    if (!prepare_slab(slab, frames, name, &is_new))
        return;
    SiltRect rect = is_new ? all : stale;
    if (!is_empty(rect)) {
        if (silt_erosion_view(run, name, &rect, &view) != SILT_OK)
            return; // this run has no such layer
        CopyJob job = {&view, &slab->field, rect};
        silt_parallel(rect.height, 64, copy_rows, &job);
    }
    slab->is_there = true;
    slab->changed = was_shown(frames, name) ? frames->pending : all;
    slab->generation = frames->generation;
}

static bool grain_room(Frame *frame, int count)
{
    if (count <= frame->grain_room)
        return true;
    silt_free(frame->grains);
    silt_free(frame->ids);
    frame->grains = silt_alloc((size_t)count * 8 * sizeof(float));
    frame->ids = silt_alloc((size_t)count * sizeof(int64_t));
    frame->grain_room = frame->grains && frame->ids ? count : 0;
    return frame->grain_room > 0;
}

static void write_particles(Frame *frame, const SiltErosion *run)
{
    SiltParticles found;
    frame->has_particles = silt_erosion_particles(run, &found) == SILT_OK && grain_room(frame, found.count);
    if (!frame->has_particles)
        return;
    const float *from[8] = {found.x, found.y, found.z,       found.u,
                            found.v, found.w, found.density, found.sediment};
    const float **to[8] = {&frame->particles.x,       &frame->particles.y,       &frame->particles.z,
                           &frame->particles.u,       &frame->particles.v,       &frame->particles.w,
                           &frame->particles.density, &frame->particles.sediment};
    size_t count = (size_t)found.count;
    frame->particles = found;
    for (int k = 0; k < 8; k++) {
        float *place = frame->grains ? frame->grains + (size_t)k * (size_t)frame->grain_room : NULL;
        if (from[k] && count > 0)
            memcpy(place, from[k], count * sizeof(float));
        *to[k] = from[k] ? place : NULL;
    }
    if (found.id && count > 0)
        memcpy(frame->ids, found.id, count * sizeof(int64_t));
    frame->particles.id = found.id ? frame->ids : NULL;
}

// Triangles of the bricks that changed; the rest is kept.
static void write_surface(Frames *frames, Frame *frame, SiltVolume *volume)
{
    silt_mesh_destroy(&frame->surface);
    if (frames->rock && !silt_surface_is_of(frames->rock, volume)) {
        silt_surface_destroy(frames->rock);
        frames->rock = NULL;
    }
    if (!frames->rock && silt_surface_create(volume, false, &frames->rock) != SILT_OK)
        return;
    frame->has_surface = silt_surface_update(frames->rock, NULL) == SILT_OK &&
                         silt_surface_mesh(frames->rock, &frame->surface) == SILT_OK;
}

// ---- handing out ----

// Of a frame that nobody took, what was new in it is new in this one.
static void take_over(Frame *frame, const Frame *untaken)
{
    for (int k = 0; k < frame->slab_count; k++)
        for (int n = 0; n < untaken->slab_count; n++)
            if (untaken->slabs[n].is_there && strcmp(untaken->slabs[n].name, frame->slabs[k].name) == 0)
                frame->slabs[k].changed = join(frame->slabs[k].changed, untaken->slabs[n].changed);
}

static void hand_out(Player *player, Frame *frame)
{
    Frames *frames = &player->frames;
    pthread_mutex_lock(&player->mutex);
    if (frames->is_ready)
        take_over(frame, &frames->frames[frames->ready]);
    int written = frames->back;
    frames->back = frames->ready;
    frames->ready = written;
    frames->is_ready = true;
    pthread_mutex_unlock(&player->mutex);
    player_wake(player);
}

// Whether water alone is enough. One that nobody took, or that a hand asked for, is followed by all of it.
static bool is_water_enough(const Player *player, const Wanted *wanted, bool untaken)
{
    const Live *live = &player->live;
    bool waits = !live->playing || live->is_resting || live->is_touched || live->catching_up || untaken;
    return !waits && player_now() - player->frames.whole_at < wanted->spare;
}

// Whether ground and water can stay on the card: while a run plays there and no hand waits for what it did.
static bool write_shared(Player *player, const Wanted *wanted, bool waits, Frame *frame)
{
    Live *live = &player->live;
    frame->is_shared = false;
    if (waits || !(wanted->exaggeration > 0.0) || !player->share || !silt_share_can(player->share, live->run))
        return false;
    Wanted usual = *wanted;
    usual.spare = player->frames.shared_seconds;
    if (!is_water_enough(player, &usual, false))
        return false;
    if (silt_share_show(player->share, player->frames.back, live->run, wanted->exaggeration,
                        &frame->shared) != SILT_OK) {
        player_tell_device(player); // why it no longer does
        return false;
    }
    frame->is_shared = true;
    player->frames.shared++;
    return true;
}

// All layers, or what is enough for now.
static void write_layers(Player *player, const Wanted *wanted, bool spares, Frame *frame)
{
    Frames *frames = &player->frames;
    for (int k = 0; k < wanted->count; k++) {
        if (!frame->is_shared && (!spares || strcmp(wanted->layers[k], "water") == 0))
            write_slab(frames, player->live.run, wanted->layers[k], frames->stale[frames->back],
                       &frame->slabs[k]);
        else
            frame->slabs[k].is_there = false;
    }
    for (int k = wanted->count; k < PLAYER_MAX_LAYERS; k++)
        frame->slabs[k].is_there = false;
    frame->slab_count = wanted->count;
}

void frames_publish(Player *player, bool others)
{
    Frames *frames = &player->frames;
    const Live *live = &player->live;
    pthread_mutex_lock(&player->mutex);
    Wanted wanted = player->wanted;
    bool untaken = frames->is_ready;
    const Frame *last = &frames->frames[frames->ready];
    pthread_mutex_unlock(&player->mutex);
    Frame *frame = &frames->frames[frames->back];
    const SiltReport *report = silt_erosion_report(live->run);
    bool particles = frames->particles_pending || (untaken && last->has_particles);
    bool surface = frames->surface_pending || (untaken && last->has_surface);
    frame->number = ++frames->count;
    frame->recipe = live->number;
    frame->step = report->steps;
    frame->time = report->model_time;
    bool shares = write_shared(player, &wanted, untaken || others, frame);
    bool spares = shares || is_water_enough(player, &wanted, untaken || others);
    frames->whole_at = spares ? frames->whole_at : player_now();
    frames->spare = shares ? frames->shared_seconds : wanted.spare;
    frames->owes = spares;
    write_layers(player, &wanted, spares, frame);
    frame->has_particles = frame->has_surface = false;
    if (wanted.particles && particles)
        write_particles(frame, live->run);
    if (wanted.surface && surface && live->terrain->volume)
        write_surface(frames, frame, live->terrain->volume);
    memset(frames->shown, 0, sizeof frames->shown);
    for (int k = 0; k < wanted.count; k++)
        if (frame->slabs[k].is_there)
            memcpy(frames->shown[k], frame->slabs[k].name, SILT_NAME_SIZE);
    frames->stale[frames->back] = frames->pending = (SiltRect){0};
    frames->particles_pending = frames->surface_pending = false;
    hand_out(player, frame);
}

void frames_forget_surface(Frames *frames)
{
    silt_surface_destroy(frames->rock);
    frames->rock = NULL;
}

void frames_begin(Player *player)
{
    Frames *frames = &player->frames;
    frames_end(player);
    frames->width = player->live.terrain->width;
    frames->height = player->live.terrain->height;
    frames_touch(frames, NULL);
}

void frames_end(Player *player)
{
    Frames *frames = &player->frames;
    pthread_mutex_lock(&player->mutex);
    frames->is_ready = false;
    pthread_mutex_unlock(&player->mutex);
    frames_forget_surface(frames);
    memset(frames->shown, 0, sizeof frames->shown);
    frames->pending = (SiltRect){0};
}

void frames_free(Frames *frames)
{
    for (int k = 0; k < 3; k++) {
        Frame *frame = &frames->frames[k];
        for (int n = 0; n < PLAYER_MAX_LAYERS; n++)
            silt_field_destroy(&frame->slabs[n].field);
        silt_free(frame->grains);
        silt_free(frame->ids);
        silt_mesh_destroy(&frame->surface);
    }
    silt_surface_destroy(frames->rock);
}
