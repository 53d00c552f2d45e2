// Where the work is done: the processor, or a device that is opened and tested on the player's thread. What
// is kept of a run fits any of them, so one that has begun moves over with the step it has.
#include <stdio.h>

#include "player_inside.h"
#include "silt/device.h"

// Whether frames stay on the card, or why not.
static void tell_sharing(Player *player)
{
    const char *why = player->device && player->share ? silt_share_why(player->share) : "";
    player->state.shares = player->device && player->share && !why;
    snprintf(player->state.apart, sizeof player->state.apart, "%s", why ? why : "");
}

void player_tell_device(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    snprintf(player->state.device, sizeof player->state.device, "%s",
             player->device ? silt_device_of(player->device)->name : "");
    player->state.device_is_gpu = player->device && silt_device_of(player->device)->is_gpu;
    tell_sharing(player);
    player->state.seeks_device = player->choice[0] != '\0';
    pthread_mutex_unlock(&player->mutex);
    live_tell(player);
    player_wake(player);
}

static void use(Player *player, SiltDevice *device)
{
    player->device = player->watched.device = device;
}

// False: it stays where it was.
static bool move_run(Player *player, SiltDevice *device)
{
    Live *live = &player->live;
    SiltDevice *before = player->device;
    void *block = NULL;
    size_t bytes;
    int done = live->tape.done;
    if (silt_erosion_save(live->run, &block, &bytes) != SILT_OK) {
        player_fault(player);
        return false;
    }
    use(player, device);
    bool is_moved = player_begin_again(player);
    if (is_moved && silt_erosion_restore(live->run, block, bytes) != SILT_OK)
        player_fault(player);
    else if (is_moved)
        live->tape.done = done;
    else
        use(player, before);
    silt_free(block);
    live->step_seconds = 0.0; // it is another machine
    return is_moved;
}

// No device is left that was opened with it.
static void drop_old_share(Player *player)
{
    silt_share_destroy(player->old_share);
    player->old_share = NULL;
}

void player_close_device(Player *player)
{
    silt_share_close(player->share);
    silt_device_close(player->device);
    player->device = NULL;
    silt_share_destroy(player->share);
    player->share = NULL;
    drop_old_share(player);
}

// A device that is in use knows the context it was opened with alone: with another it is opened anew. Without
// one it goes on.
void player_do_share(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    SiltShare *next = player->next_share;
    player->next_share = NULL;
    player->has_next_share = false;
    if (next && player->device && !player->choice[0])
        snprintf(player->choice, sizeof player->choice, "%s", player->chosen);
    pthread_mutex_unlock(&player->mutex);
    silt_share_close(player->share);
    if (!player->device || player->old_share) { // at most one has a device
        silt_share_destroy(player->share);
    } else {
        player->old_share = player->share;
    }
    player->share = next;
    player_tell_device(player);
}

void player_do_choose(Player *player)
{
    char choice[sizeof player->choice];
    SiltDevice *device = NULL, *before = player->device;
    pthread_mutex_lock(&player->mutex);
    snprintf(choice, sizeof choice, "%s", player->choice);
    player->choice[0] = '\0';
    pthread_mutex_unlock(&player->mutex);
    SiltShare *share = player->share;
    SiltStatus status = share ? silt_share_open(share, choice, &device) : silt_device_open(choice, &device);
    if (status != SILT_OK) {
        player_fault(player);
    } else if (device != before) { // both NULL: nothing changes
        bool is_taken = !player->live.run || move_run(player, device);
        if (is_taken)
            use(player, device);
        else
            silt_share_close(share);
        silt_device_close(is_taken ? before : device);
    }
    if (status == SILT_OK) {
        snprintf(player->chosen, sizeof player->chosen, "%s", choice);
        drop_old_share(player);
    }
    player_tell_device(player);
}

bool player_leave_lost_device(Player *player)
{
    Live *live = &player->live;
    SiltDevice *lost = player->device;
    if (!lost || silt_device_status(lost) == SILT_OK)
        return false;
    char why[400];
    snprintf(why, sizeof why, "%s", silt_message());
    silt_fail(SILT_IO_ERROR, "%s; the work goes on on the processor", why);
    player_fault(player);
    use(player, NULL);
    if (live->run) {
        int64_t step = live->catching_up ? live->target : silt_erosion_report(live->run)->steps;
        if (player_begin_again(player))
            live_reach(player, step, false); // from the state that was kept last, or from the beginning
        else
            live_end(player);
    }
    silt_share_close(player->share);
    silt_device_close(lost);
    drop_old_share(player);
    player_tell_device(player);
    return true;
}
