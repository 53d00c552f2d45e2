// What hands did to a run, step by step, with undo; and states of the run that were kept, so that any step
// can be reached again soon.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "player_inside.h"

// ---- lists of acts ----

static uint64_t mix(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < count; k++)
        sum = (sum ^ at[k]) * 0x100000001B3u;
    return sum ^ sum >> 29;
}

static uint64_t mix_number(uint64_t sum, double number)
{
    return mix(sum, &number, sizeof number);
}

// Member by member: the gaps of a struct may hold anything.
static uint64_t key_after(uint64_t key, const SiltHand *hand)
{
    const SiltStroke *s = &hand->stroke;
    key = mix(key, &hand->step, sizeof hand->step);
    key = mix(key, hand->name, strlen(hand->name));
    if (hand->name[0])
        return mix(key, hand->text, strlen(hand->text));
    double numbers[] = {(double)s->brush, s->from[0],  s->from[1],  s->to[0], s->to[1],
                        s->radius,        s->strength, s->softness, s->level, (double)s->seed};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        key = mix_number(key, numbers[k]);
    return key;
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = silt_alloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static void free_acts(Acts *acts)
{
    for (int k = 0; k < acts->count; k++)
        silt_free(acts->items[k].hand.text);
    silt_free(acts->items);
    *acts = (Acts){0};
}

static void cut_acts(Acts *acts, int count)
{
    while (acts->count > count)
        silt_free(acts->items[--acts->count].hand.text);
}

// Takes the hand's text, also when there is no memory.
static bool push_act(Acts *acts, SiltHand *hand)
{
    if (acts->count == acts->room) {
        int room = acts->room > 0 ? 2 * acts->room : 64;
        Act *items = silt_alloc((size_t)room * sizeof *items);
        if (!items) {
            silt_free(hand->text);
            return false;
        }
        if (acts->count > 0)
            memcpy(items, acts->items, (size_t)acts->count * sizeof *items);
        silt_free(acts->items);
        acts->items = items;
        acts->room = room;
    }
    Act *act = &acts->items[acts->count];
    act->hand = *hand;
    act->key = key_after(acts->count > 0 ? acts->items[acts->count - 1].key : 1, hand);
    acts->count++;
    return true;
}

static bool append_acts(Acts *to, const Acts *from, int begin)
{
    for (int k = begin; k < from->count; k++) {
        SiltHand hand = from->items[k].hand;
        hand.text = hand.text ? copy_text(hand.text) : NULL;
        if ((from->items[k].hand.text && !hand.text) || !push_act(to, &hand))
            return false;
    }
    return true;
}

// ---- what was done ----

static void free_change(Change *change)
{
    free_acts(&change->before);
    free_acts(&change->after);
    *change = (Change){0};
}

void tape_clear(Tape *tape)
{
    uint64_t most = tape->most_bytes;
    free_acts(&tape->acts);
    for (int k = 0; k < tape->change_count; k++)
        free_change(&tape->changes[k]);
    for (int k = 0; k < tape->snapshot_count; k++)
        silt_free(tape->snapshots[k].block);
    *tape = (Tape){.most_bytes = most};
}

uint64_t tape_key(const Tape *tape, int count)
{
    return count > 0 ? tape->acts.items[count - 1].key : 1;
}

int64_t tape_next_step(const Tape *tape)
{
    return tape->done < tape->acts.count ? tape->acts.items[tape->done].hand.step : INT64_MAX;
}

// A change that begins at `at`: what could be redone is forgotten, and the oldest where there are too many.
static Change *begin_change(Tape *tape, const char *name, int at)
{
    while (tape->change_count > tape->change_at)
        free_change(&tape->changes[--tape->change_count]);
    if (tape->change_count == MAX_CHANGES) {
        free_change(&tape->changes[0]);
        memmove(tape->changes, tape->changes + 1, (MAX_CHANGES - 1) * sizeof(Change));
        tape->change_count--;
    }
    Change *change = &tape->changes[tape->change_count++];
    *change = (Change){.at = at};
    snprintf(change->name, sizeof change->name, "%s", name);
    tape->change_at = tape->change_count;
    return append_acts(&change->before, &tape->acts, at) ? change : NULL;
}

void tape_begin_group(Tape *tape, const char *name)
{
    tape_end_group(tape);
    tape->in_group = true;
    snprintf(tape->group, sizeof tape->group, "%s", name);
}

void tape_end_group(Tape *tape)
{
    tape->in_group = tape->is_open = false;
}

static const char *name_of(const SiltHand *hand)
{
    return hand->name[0] ? hand->name : "stroke";
}

// A slider that moves while a run waits sets one parameter many times at one step: the last counts.
static void replace_same(Tape *tape, const SiltHand *hand)
{
    Acts *acts = &tape->acts, *after = &tape->changes[tape->change_count - 1].after;
    const SiltHand *last = after->count > 0 ? &acts->items[acts->count - 1].hand : NULL;
    if (!last || !hand->name[0] || last->step != hand->step || strcmp(last->name, hand->name) != 0)
        return;
    cut_acts(acts, acts->count - 1);
    cut_acts(after, after->count - 1);
}

bool tape_add(Tape *tape, SiltHand *hand)
{
    if (!tape->is_open) {
        if (!begin_change(tape, tape->in_group ? tape->group : name_of(hand), tape->done)) {
            silt_free(hand->text);
            return false;
        }
        cut_acts(&tape->acts, tape->done);
        tape->is_open = tape->in_group;
    }
    replace_same(tape, hand);
    SiltHand copy = *hand;
    copy.text = hand->text ? copy_text(hand->text) : NULL;
    bool is_added = push_act(&tape->acts, hand);
    bool is_kept = is_added && (copy.text || !hand->text) &&
                   push_act(&tape->changes[tape->change_count - 1].after, &copy);
    if (is_added)
        tape->done = tape->acts.count;
    return is_kept;
}

void tape_drop_last(Tape *tape)
{
    Change *change = &tape->changes[tape->change_count - 1];
    cut_acts(&tape->acts, tape->acts.count - 1);
    tape->done = tape->acts.count;
    cut_acts(&change->after, change->after.count - 1);
    if (change->after.count > 0)
        return;
    append_acts(&tape->acts, &change->before, 0); // what lay ahead lies ahead again
    free_change(change);
    tape->change_at = --tape->change_count;
    tape->is_open = false;
}

bool tape_replace(Tape *tape, SiltHand *hands, int count, bool is_change)
{
    tape_end_group(tape);
    Change *change = is_change ? begin_change(tape, "hands", 0) : NULL;
    bool is_well = change || !is_change;
    cut_acts(&tape->acts, 0);
    for (int k = 0; k < count; k++)
        is_well = push_act(&tape->acts, &hands[k]) && is_well;
    silt_free(hands);
    if (change)
        is_well = append_acts(&change->after, &tape->acts, 0) && is_well;
    return is_well;
}

// From `at` on these; the place of the first that is another one.
static int swap_tail(Tape *tape, int at, const Acts *with)
{
    cut_acts(&tape->acts, at);
    append_acts(&tape->acts, with, 0);
    return at;
}

int tape_undo(Tape *tape)
{
    tape_end_group(tape);
    if (tape->change_at == 0)
        return -1;
    const Change *change = &tape->changes[--tape->change_at];
    return swap_tail(tape, change->at, &change->before);
}

int tape_redo(Tape *tape)
{
    tape_end_group(tape);
    if (tape->change_at == tape->change_count)
        return -1;
    const Change *change = &tape->changes[tape->change_at++];
    return swap_tail(tape, change->at, &change->after);
}

char *tape_text(const Tape *tape)
{
    int count = tape->acts.count;
    SiltHand *hands = silt_alloc((size_t)(count + 1) * sizeof *hands);
    if (!hands)
        return NULL;
    for (int k = 0; k < count; k++)
        hands[k] = tape->acts.items[k].hand;
    char *text = silt_hands_text(hands, count);
    silt_free(hands);
    return text;
}

// ---- states that were kept ----

// The acts lead to it: those it had done are the first of them, and the next is not due before it.
bool tape_is_valid(const Tape *tape, const Snapshot *snapshot)
{
    int done = snapshot->done;
    return done <= tape->acts.count && tape_key(tape, done) == snapshot->key &&
           (done == tape->acts.count || tape->acts.items[done].hand.step >= snapshot->step);
}

const Snapshot *tape_nearest(const Tape *tape, int64_t step)
{
    const Snapshot *best = NULL;
    for (int k = 0; k < tape->snapshot_count; k++) {
        const Snapshot *found = &tape->snapshots[k];
        bool fits = found->step <= step && tape_is_valid(tape, found);
        if (fits &&
            (!best || found->step > best->step || (found->step == best->step && found->done > best->done)))
            best = found;
    }
    return best;
}

bool tape_has(const Tape *tape, int64_t step)
{
    const Snapshot *nearest = tape_nearest(tape, step);
    return nearest && nearest->step == step && nearest->done == tape->done;
}

static void drop_snapshot(Tape *tape, int index)
{
    tape->bytes -= tape->snapshots[index].bytes;
    silt_free(tape->snapshots[index].block);
    tape->snapshot_count--;
    memmove(tape->snapshots + index, tape->snapshots + index + 1,
            (size_t)(tape->snapshot_count - index) * sizeof(Snapshot));
}

// How much would be missed: the steps between its neighbours that must be taken again, less the longer ago
// they are. What undone acts lead to is missed least.
static double worth_of(const Tape *tape, int index, int64_t now)
{
    const Snapshot *s = &tape->snapshots[index];
    int64_t before = 0, after = now;
    if (!tape_is_valid(tape, s))
        return -1.0 / (double)(s->made + 1);
    for (int k = 0; k < tape->snapshot_count; k++) {
        const Snapshot *other = &tape->snapshots[k];
        if (k == index || !tape_is_valid(tape, other))
            continue;
        bool is_before = other->step < s->step || (other->step == s->step && k < index);
        before = is_before && other->step > before ? other->step : before;
        after = !is_before && other->step < after ? other->step : after;
    }
    return (double)(after - before) / sqrt(1.0 + fabs((double)(now - s->step)));
}

// Room for one more of so many bytes; that of step 0 stays, and that made last as long as there are others.
static void make_room(Tape *tape, uint64_t bytes, int64_t now)
{
    while (tape->snapshot_count > 1 &&
           (tape->bytes + bytes > tape->most_bytes || tape->snapshot_count == PLAYER_MAX_MARKS)) {
        int worst = 1;
        for (int k = 2; k < tape->snapshot_count; k++)
            if (tape->snapshots[k].made != tape->made &&
                (tape->snapshots[worst].made == tape->made ||
                 worth_of(tape, k, now) < worth_of(tape, worst, now)))
                worst = k;
        drop_snapshot(tape, worst);
    }
}

// They stand in the order of their steps.
static int place_for(const Tape *tape, int64_t step)
{
    int place = tape->snapshot_count;
    while (place > 0 && tape->snapshots[place - 1].step > step)
        place--;
    return place;
}

SiltStatus tape_keep(Tape *tape, SiltErosion *run)
{
    const SiltReport *report = silt_erosion_report(run);
    Snapshot kept = {.step = report->steps, .time = report->model_time, .done = tape->done};
    kept.key = tape_key(tape, tape->done);
    SiltStatus status = silt_erosion_save(run, &kept.block, &kept.bytes);
    if (status != SILT_OK)
        return status;
    make_room(tape, kept.bytes, report->steps);
    bool fits = tape->snapshot_count < PLAYER_MAX_MARKS && tape->bytes + kept.bytes <= tape->most_bytes;
    if (!fits) {
        silt_free(kept.block);
        return SILT_OK;
    }
    kept.made = ++tape->made;
    int place = place_for(tape, kept.step);
    memmove(tape->snapshots + place + 1, tape->snapshots + place,
            (size_t)(tape->snapshot_count - place) * sizeof(Snapshot));
    tape->snapshots[place] = kept;
    tape->snapshot_count++;
    tape->bytes += kept.bytes;
    return SILT_OK;
}
