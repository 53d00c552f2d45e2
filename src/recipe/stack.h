// A recipe in hand, as the files that read it and change it see it.
#ifndef SILT_RECIPE_STACK_H
#define SILT_RECIPE_STACK_H

#include "recipe/edit.h"
#include "recipe/recipe.h"
#include "silt/stack.h"

// A text and what it says.
typedef struct Reading {
    char *text;
    Document document;
    SiltRecipe *recipe;
    const Node *sections[SECTION_COUNT];
} Reading;

// A state to go back to, and what led to it.
typedef struct Past {
    char *text;
    char name[96]; // of the change that made it; "" for the first
} Past;

enum { MOST_PAST = 512, MOST_PAST_BYTES = 64 << 20 };

// Texts that were handed out and stay until the stack changes.
typedef struct Said {
    struct Said *next;
    char *text;
} Said;

struct SiltStack {
    char name[SILT_PATH_SIZE]; // in messages
    Reading now;
    Past past[MOST_PAST];
    int past_count, at; // past[at] is the present
    char *saved;        // the text that was opened or saved
    uint64_t version;
    int strokes;      // begun and not ended
    int stroke_began; // the present when the outermost began
    char group[64];   // what all of its changes are called; "": each by its own name
    Said **said;      // a list; const calls add to it
};

// "name=value" in place of what the recipe says stands in the text from now on, and cannot be undone.
SiltStatus silt_stack_take_defines(SiltStack *stack, const char *const *defines, int count);
// Nothing before the present can be come back to, and it counts as opened so.
SiltStatus silt_stack_begin_here(SiltStack *stack);
// As silt_yaml_add: a value from outside, whose dollars stand for themselves.
void silt_yaml_add_plain(SiltText *text, const char *value, bool rows);

SiltStatus silt_reading_make(const char *name, char *text, Reading *out); // takes the text
void silt_reading_free(Reading *reading);

// Takes `text` (NULL: memory ran out) as the new present, as one step to undo called `name`; the stack stays
// as it was when it is no recipe. `check` may look at what was read and refuse it.
typedef SiltStatus (*StackCheck)(const Reading *reading, void *context);
SiltStatus silt_stack_take(SiltStack *stack, char *text, const char *name, StackCheck check, void *context);

// The step of an entry, and the node it was read from; NULL with a message when there is none.
const Step *silt_stack_step(const SiltStack *stack, SiltPlace place, int index);
const Node *silt_reading_node(const Reading *reading, SiltPlace place, int index);
// The value of a key as a node, or NULL.
const Node *silt_reading_value(const Reading *reading, SiltPlace place, int index, SiltKeys keys,
                               const char *key);
// "rivers" of `erode: rivers`, "scale height" of others: what a person calls an entry.
const char *silt_step_title(const Step *step, char buffer[64]);
const SiltParamTable *silt_step_keys(const Step *step, SiltKeys keys);
const void *silt_step_values(const Step *step, SiltKeys keys);

#endif
