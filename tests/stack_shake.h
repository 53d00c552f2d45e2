// Everything that can be done to a recipe in hand, done to any text: either it is refused in a sentence and
// all stays as it was, or what comes is a recipe that says what was asked for; and all of it can be undone.
#ifndef SILT_STACK_SHAKE_H
#define SILT_STACK_SHAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "silt/stack.h"

#define SHAKE_MUST(condition)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s does not hold in line %d\n", #condition, __LINE__);                          \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

// After a change that was taken or refused.
static inline void shake_check(const SiltStack *stack, SiltStatus status, const char *before)
{
    char *now = silt_stack_text(stack);
    SiltStack *again;
    SHAKE_MUST(now);
    if (status != SILT_OK) {
        SHAKE_MUST(silt_message()[0]);
        SHAKE_MUST(strcmp(now, before) == 0);
    } else {
        SHAKE_MUST(silt_stack_read_text("shaken.yaml", now, &again) == SILT_OK);
        SHAKE_MUST(silt_stack_count(again, SILT_IN_STAGES) == silt_stack_count(stack, SILT_IN_STAGES));
        silt_stack_destroy(again);
    }
    silt_free(now);
}

static inline SiltStatus shake_once(SiltStack *stack, int deed, SiltPlace place, int index)
{
    int count = silt_stack_count(stack, place);
    SiltEntry entry;
    if (index < count)
        SHAKE_MUST(silt_stack_entry(stack, place, index, &entry) == SILT_OK);
    switch (deed) {
    case 0:
        return silt_stack_enable(stack, place, index, false);
    case 1:
        return silt_stack_insert(stack, place, index, place == SILT_IN_OUTPUTS ? "write" : "erode",
                                 place == SILT_IN_OUTPUTS ? "x: [y]/$$z #.tif" : "pipes");
    case 2:
        return silt_stack_set(stack, place, index, SILT_KEYS_SET, "rain", "12");
    case 3:
        return silt_stack_set(stack, place, index, SILT_KEYS_SET, "rain", NULL);
    case 4:
        return silt_stack_set(stack, place, index, SILT_KEYS_ENTRY, "steps", "3");
    case 5:
        return silt_stack_set(stack, place, index, SILT_KEYS_SET, "sources", "1,2,3,4,0,0,0;5,6,7,8,0,0,0");
    case 6:
        return silt_stack_duplicate(stack, place, index);
    case 7:
        return silt_stack_move(stack, place, index, 0);
    case 8:
        return silt_stack_set(stack, place, index, SILT_KEYS_ENTRY, "hands", "2,set,rain,3;4,set,rain,7");
    case 9:
        return silt_stack_enable(stack, place, index, true);
    case 10:
        return silt_stack_set_subject(stack, place, index, "thermal");
    case 11:
        return silt_stack_set(stack, place, index, SILT_KEYS_ENTRY, "seed", NULL);
    default:
        return silt_stack_remove(stack, place, index);
    }
}

// Whether the text is a recipe at all.
static inline bool shake(const char *text)
{
    SiltStack *stack;
    if (silt_stack_read_text("shaken.yaml", text, &stack) != SILT_OK) {
        SHAKE_MUST(!stack && silt_message()[0]);
        return false;
    }
    for (int deed = 0; deed < 13; deed++)
        for (int place = SILT_IN_TERRAIN; place <= SILT_IN_OUTPUTS; place++) {
            int count = silt_stack_count(stack, (SiltPlace)place), index = count > 0 ? deed % count : 0;
            char *before = silt_stack_text(stack);
            SHAKE_MUST(before);
            int stages = silt_stack_count(stack, SILT_IN_STAGES);
            SiltStatus status = shake_once(stack, deed, (SiltPlace)place, index);
            shake_check(stack, status, before);
            int more = silt_stack_count(stack, SILT_IN_STAGES) - stages;
            bool grows = deed == 1 || deed == 6, shrinks = deed == 12;
            SHAKE_MUST(more == (status != SILT_OK || place != SILT_IN_STAGES ? 0
                                : grows                                      ? 1
                                : shrinks                                    ? -1
                                                                             : 0));
            silt_free(before);
        }
    if (silt_stack_define_count(stack) > 0)
        silt_stack_define(stack, silt_stack_define_at(stack, 0).name, "7");
    while (silt_stack_can_undo(stack))
        SHAKE_MUST(silt_stack_undo(stack) == SILT_OK);
    char *back = silt_stack_text(stack);
    SHAKE_MUST(back && strcmp(back, text) == 0);
    silt_free(back);
    silt_stack_destroy(stack);
    return true;
}

#endif
