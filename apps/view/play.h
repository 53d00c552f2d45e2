// Playing a stage, and keeping what hands did to it in the recipe.
#ifndef SILT_VIEW_PLAY_H
#define SILT_VIEW_PLAY_H

#include "actions.h"
#include "tools.h"

void act_play(View *view, int value);
void act_step(View *view, int steps);
void act_reset(View *view, int value);
void act_result(View *view, int value); // the whole recipe, cooked
void act_end_here(View *view, int value);
void act_back(View *view, int direction); // to the kept moment before or after
void act_pace(View *view, int direction); // slower, faster
void act_tool(View *view, int tool);
void act_brush_size(View *view, int direction);

bool is_playing(const View *view, int value);
bool is_live(const View *view, int value);
bool tool_is(const View *view, int tool);

// What hands did to the run goes into the recipe, before it is saved or cooked. True: the recipe has changed.
bool play_keep_hands(View *view);
// Stages from this one on are about to be others, or to stand elsewhere: what hands did goes into the recipe,
// and a run of one of them ends.
void play_make_way(View *view, SiltPlace place, int first);
// The recipe has changed while a stage plays: the run begins again with it. False: no stage plays.
bool play_follow(View *view, bool keeps_hands);
// Steps and names to undo: of the run while it plays, of the recipe else.
bool play_undo(View *view);
bool play_redo(View *view);
bool play_can_undo(const View *view);
bool play_can_redo(const View *view);

#define PLAY_ACTIONS(G)                                                                                      \
    {G, "play", "Play and pause", "space", act_play, 0, is_playing, NULL},                                   \
        {G, "step", "One step on", "period", act_step, 1, NULL, NULL},                                       \
        {G, "step-back", "One step back", "comma", act_step, -1, NULL, is_live},                             \
        {G, "steps", "Ten steps on", "<Control>period", act_step, 10, NULL, NULL},                           \
        {G, "steps-back", "Ten steps back", "<Control>comma", act_step, -10, NULL, is_live},                 \
        {G, "forth", "On to the moment kept next", "<Shift>period greater", act_back, 1, NULL, is_live},     \
        {G, "back", "Back to the moment kept before", "<Shift>comma less", act_back, -1, NULL, is_live},     \
        {G, "reset", "Back to the beginning", "<Shift>r", act_reset, 0, NULL, is_live},                      \
        {G, "slower", "Slower", "minus", act_pace, -1, NULL, NULL},                                          \
        {G, "faster", "Faster", "plus equal", act_pace, 1, NULL, NULL},                                      \
        {G, "result", "Show the whole recipe's result", "End", act_result, 0, NULL, NULL},                   \
        {G, "end-here", "The stage ends at this moment", "<Control>End", act_end_here, 0, NULL, is_live},

#define HAND_ACTIONS(G)                                                                                      \
    {G, "tool-none", "Lead the camera: no tool", "c", act_tool, -1, tool_is, NULL},                          \
        {G, "brush-rain", "Rain", "r", act_tool, SILT_BRUSH_RAIN, tool_is, NULL},                            \
        {G, "brush-water", "Water", "t", act_tool, SILT_BRUSH_WATER, tool_is, NULL},                         \
        {G, "brush-raise", "Raise the ground", "b", act_tool, SILT_BRUSH_RAISE, tool_is, NULL},              \
        {G, "brush-lower", "Lower the ground", "n", act_tool, SILT_BRUSH_LOWER, tool_is, NULL},              \
        {G, "brush-smooth", "Smooth the ground", "m", act_tool, SILT_BRUSH_SMOOTH, tool_is, NULL},           \
        {G, "brush-flatten", "Flatten the ground", "f", act_tool, SILT_BRUSH_FLATTEN, tool_is, NULL},        \
        {G, "brush-soft", "Softer or harder rock", "h", act_tool, SILT_BRUSH_ERODIBILITY, tool_is, NULL},    \
        {G, "brush-uplift", "Uplift", "u", act_tool, SILT_BRUSH_UPLIFT, tool_is, NULL},                      \
        {G, "brush-protect", "Protect from wear", "p", act_tool, SILT_BRUSH_PROTECT, tool_is, NULL},         \
        {G, "line-ridge", "Draw a ridge", "i", act_tool, SILT_BRUSH_RIDGE, tool_is, NULL},                   \
        {G, "line-river", "Draw a river bed", "v", act_tool, SILT_BRUSH_RIVER, tool_is, NULL},               \
        {G, "rock-add", "Lay rock into a volume", "k", act_tool, SILT_BRUSH_ADD, tool_is, NULL},             \
        {G, "rock-carve", "Carve rock out of a volume", "j", act_tool, SILT_BRUSH_CARVE, tool_is, NULL},     \
        {G, "source", "Place and move sources of water", "x", act_tool, TOOL_SOURCE, tool_is, NULL},         \
        {G, "transect", "Heights along a line", "g", act_tool, TOOL_TRANSECT, tool_is, NULL},                \
        {G, "brush-larger", "Larger brush", "parenright", act_brush_size, -1, NULL, NULL},                   \
        {G, "brush-smaller", "Smaller brush", "parenleft", act_brush_size, 1, NULL, NULL},

#endif
