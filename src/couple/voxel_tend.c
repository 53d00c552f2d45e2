// Between the steps of `voxel`: what water made rough is smoothed, the level set made a distance again, the
// books levelled, and rock that hangs on nothing falls.
#include <math.h>

#include "core/parallel.h"
#include "core/status.h"
#include "couple/device_voxel.h"

enum { LOOK_EVERY = 8 }; // re-initialisations from which the rain learns of the ground once
enum { LAST_TRIES = 6, GIVING_TRIES = 12 }; // of levelling at the end, and of giving back

// m3 of rock there should be.
static double rock_due(SiltVoxel *v)
{
    return v->start_rock +
           (double)(silt_voxel_total(&v->laid) - silt_voxel_total(&v->taken)) * v->fluid.field.unit;
}

static SiltStatus let_fall(SiltVoxel *v, SiltLedger *ledger, bool *has_fallen)
{
    static const int actions[] = {[SILT_VOXEL_FALLING_REPORT] = SILT_LOOSE_REPORT,
                                  [SILT_VOXEL_FALLING_REMOVE] = SILT_LOOSE_REMOVE,
                                  [SILT_VOXEL_FALLING_DROP] = SILT_LOOSE_DROP};
    SiltLoose loose;
    SiltVolume *volume = v->ground.volume;
    int action = actions[v->params->falling];
    SiltStatus status = silt_volume_loose_from(volume, &v->standing, SILT_LOOSE_REPORT, &loose); // hears
    if (status != SILT_OK || loose.piece_count == 0)
        return status;
    if (action == SILT_LOOSE_REPORT) {
        silt_warn("%s: pieces that hang on nothing after %g s: %zu with %g m3 of rock", silt_voxel_owner,
                  v->time, loose.piece_count, loose.rock);
        return SILT_OK;
    }
    *has_fallen = true;
    double before = silt_volume_rock(volume);
    SiltListener others = silt_listen((SiltListener){0});
    status = silt_volume_loose_from(volume, &v->standing, action, &loose);
    silt_listen(others);
    double lost = before - silt_volume_rock(volume);
    if (action == SILT_LOOSE_DROP &&
        v->params->exchange != SILT_VOXEL_PAPER) { // levelling mends what rounding did
        v->levelled = -1;
        return status;
    }
    v->start_rock -= lost;
    ledger->rock.removed += lost;
    return status;
}

// That is done here, wherever the rock is: it is rare. A device looks first whether there is any such rock.
static SiltStatus let_loose_fall(SiltVoxel *v, SiltLedger *ledger)
{
    bool has_fallen = false;
    if (v->ground.device && v->standing.count == 0 && !silt_voxel_device_has_loose(v->ground.device))
        return SILT_OK;
    SiltStatus status = silt_voxel_bring_rock(v);
    if (status == SILT_OK)
        status = let_fall(v, ledger, &has_fallen);
    if (status != SILT_OK || !has_fallen)
        return status;
    status = silt_voxel_ground_list(silt_voxel_owner, &v->ground);
    return status == SILT_OK ? silt_voxel_send_rock(v) : status;
}

// m3 of rock that are missing when each brick has what smoothing and re-initialisation took from it. Giving
// it back once does that, but where the ground jumps by many voxels: a shift of a brick also moves what lies
// between it and the next, and phi there is no distance within a voxel.
static double give_back(SiltVoxel *v, double moved)
{
    silt_voxel_give_back(&v->ground);
    double off = rock_due(v) - silt_voxel_rock(&v->ground);
    for (int k = 1; k < GIVING_TRIES && fabs(off) > 1e-3 * moved; k++) {
        silt_voxel_give_back(&v->ground);
        double left = rock_due(v) - silt_voxel_rock(&v->ground);
        bool is_done = fabs(left - off) < 1e-3 * moved;
        off = left;
        if (is_done)
            break;
    }
    return off;
}

// Makes the volume what it should be. Once is enough while the run goes on: what is left is found the next
// time.
static void level_rock(SiltVoxel *v, bool gives_back, bool is_last)
{
    double moved = (double)(silt_voxel_total(&v->taken) + silt_voxel_total(&v->laid)) * v->fluid.field.unit;
    double off = gives_back ? give_back(v, moved) : rock_due(v) - silt_voxel_rock(&v->ground), gain = 1.0;
    for (int k = 0; k < (is_last ? LAST_TRIES : 1) && fabs(off) > 1e-3 * moved; k++) {
        silt_voxel_level(&v->ground, gain * off);
        double left = is_last ? rock_due(v) - silt_voxel_rock(&v->ground) : 0.0, done = off - left;
        v->ground.corrected += fabs(done);
        gain *= done / off > 0.2 && done / off < 5.0 ? off / done : 1.0;
        off = left;
    }
}

// What water has made rough is smoothed, phi made a distance again, and the volume what it should be.
static SiltStatus tend_rock(SiltVoxel *v, bool falls, bool is_last, SiltLedger *ledger)
{
    bool by_paper = v->params->exchange == SILT_VOXEL_PAPER;
    int64_t moved = silt_voxel_total(&v->taken) + silt_voxel_total(&v->laid);
    bool has_moved = !by_paper && moved != v->levelled;
    SiltStatus status = SILT_OK;
    if (has_moved)
        silt_voxel_note(&v->ground);
    silt_voxel_look(&v->ground);
    if (has_moved)
        status = silt_voxel_smooth(&v->ground, v->params->smoothing);
    if (status == SILT_OK)
        status = silt_voxel_redistance(&v->ground);
    if (status == SILT_OK && !v->ground.device)
        status = silt_voxel_ground_list(silt_voxel_owner, &v->ground);
    if (status == SILT_OK && has_moved)
        level_rock(v, true, is_last);
    v->levelled = moved;
    if (status == SILT_OK && falls)
        status = let_loose_fall(v, ledger);
    return status;
}

SiltStatus silt_voxel_tend(void *state, SiltLedger *ledger)
{
    SiltVoxel *v = state;
    const SiltVoxelParams *p = v->params;
    int64_t step = v->fluid.sph->step_index;
    bool was_left = v->next < 0; // before it was known what hangs on nothing
    if (!was_left && step < v->next)
        return SILT_OK;
    v->next = was_left ? -1 - v->next : step + p->redistance;
    bool falls = p->falling != SILT_VOXEL_FALLING_OFF && (was_left || step >= v->next_fall);
    if (falls && !was_left)
        v->next_fall = step + p->falling_every;
    SiltListener others = silt_listen((SiltListener){0});
    SiltStatus status = was_left ? SILT_OK : tend_rock(v, false, false, ledger);
    silt_listen(others);
    if (status == SILT_OK && falls)
        status = let_loose_fall(v, ledger);
    if (status == SILT_CANCELLED)
        v->next = -1 - v->next;
    if (status != SILT_OK)
        return status;
    // rain that lies about leaves the stream half of the particles
    v->fluid.drop_rate = 2 * v->fluid.sph->count < p->particles ? v->fitted_rain : 0.0;
    if (v->tended++ % LOOK_EVERY == 0 && (p->rain > 0.0 || v->fluid.drop_rate > 0.0)) {
        if (v->ground.device)
            silt_voxel_device_tops(v->ground.device);
        else
            silt_voxel_read_tops(v);
    }
    return SILT_OK;
}

// No piece that came loose since the last look is left hanging in what is written.
SiltStatus silt_voxel_finish(void *state, SiltLedger *ledger)
{
    SiltVoxel *v = state;
    SiltStatus status = tend_rock(v, v->params->falling != SILT_VOXEL_FALLING_OFF, true, ledger);
    if (status == SILT_OK && v->levelled < 0 && v->params->exchange != SILT_VOXEL_PAPER)
        level_rock(v, false, true);
    return status;
}
