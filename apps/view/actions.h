// All that can be done, in one table: shortcuts, menus, the list of keys and the finder come from it.
#ifndef SILT_VIEW_ACTIONS_H
#define SILT_VIEW_ACTIONS_H

#include "view.h"

typedef struct Action {
    const char *group; // heading in the list of keys
    const char *name;  // as in "win.play"
    const char *title; // what it does, in a few words
    const char *keys;  // as GTK writes them, with spaces between; "": none
    void (*run)(View *view, int value);
    int value;
    bool (*is_on)(const View *view, int value);    // of what is on or off; NULL: no such thing
    bool (*is_there)(const View *view, int value); // whether it can be done now; NULL: always
} Action;

int action_count(void);
const Action *action_at(int index);
const Action *action_find(const char *name);
bool action_is_there(const View *view, const Action *action);
// Makes the window's GActions and its keys.
void actions_install(View *view);
// On, off and possible follow the state of things.
void actions_refresh(View *view);
// "Ctrl+S" of the first of its keys; the caller frees it.
char *action_key_text(const Action *action);
// A menu of actions, in the order given; "-" begins a section.
GMenu *actions_menu(const char *const *names);

// What the actions do: each in the file of its part.
void act_new(View *view, int value);
void act_open(View *view, int value);
void act_recent(View *view, int value);
void act_save(View *view, int value);
void act_save_as(View *view, int value);
void act_export(View *view, int value);
void act_picture(View *view, int value);
void act_close(View *view, int value);
void act_quit(View *view, int value);
void act_gallery(View *view, int scenes); // 0: presets; 1: scenes of the papers
void act_welcome(View *view, int value);

void act_undo(View *view, int value);
void act_redo(View *view, int value);
void act_add_stage(View *view, int value);
void act_stage(View *view, int verb); // STAGE_*
enum { STAGE_REMOVE, STAGE_DUPLICATE, STAGE_SWITCH, STAGE_UP, STAGE_DOWN, STAGE_DEFAULTS };
void act_up_to_here(View *view, int value);
void act_pick(View *view, int step); // -1, 1: the entry above or below

void act_find_parameter(View *view, int value);
void act_palette(View *view, int value);
void act_keys(View *view, int value);
void act_about(View *view, int value);
void act_fullscreen(View *view, int value);
void act_fold(View *view, int value);
void act_focus(View *view,
               int value); // the keyboard goes on to the land, the stack, the panel, the time line
void act_theme(View *view, int value);
void act_device(View *view, int value);
void act_escape(View *view, int value);

void act_look(View *view, int look);
void act_overlay(View *view, int index); // of overlay_names; -1: the next of those the terrain has
void act_toggle(View *view, int what);   // TOGGLE_*
enum { TOGGLE_SHADOWS, TOGGLE_WATER, TOGGLE_ICE, TOGGLE_SEDIMENT, TOGGLE_LEGEND };
void act_sun(View *view, int what); // SUN_*
enum { SUN_LEFT, SUN_RIGHT, SUN_UP, SUN_DOWN };
void act_air(View *view, int what); // AIR_*: off, and on again as it was
enum { AIR_HAZE, AIR_GLOW };
void act_next_choice(View *view, int what); // NEXT_*: the one after this, and after the last the first
enum { NEXT_PARTICLES, NEXT_COLOURS, NEXT_WORN };
void act_camera(View *view, int what); // CAMERA_*
enum { CAMERA_ALL, CAMERA_TOP, CAMERA_NORTH, CAMERA_EAST, CAMERA_SOUTH, CAMERA_WEST, CAMERA_IN, CAMERA_OUT };

#endif
