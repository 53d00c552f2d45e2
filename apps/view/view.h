// One window of silt-view: what its parts share. The window's thread owns all of it; models run in the
// player's thread, which never touches anything here.
#ifndef SILT_VIEW_H
#define SILT_VIEW_H

#include <gtk/gtk.h>

#include "player.h"
#include "silt/stack.h"
#include "silt/stroke.h"
#include "silt/viewer.h"
#include "thrift.h"

typedef struct StackList StackList;
typedef struct Panel Panel;
typedef struct Land Land;
typedef struct Status Status;
typedef struct Welcome Welcome;
typedef struct Finder Finder;
typedef struct Tools Tools;
typedef struct Timeline Timeline;
typedef struct Seen Seen;

typedef struct View {
    GtkApplication *application;
    GtkWindow *window;

    // the recipe in hand
    SiltStack *stack;
    char *path;                            // where it is saved; NULL: nowhere yet
    char *name;                            // what it began as, where it is saved nowhere; NULL: nothing
    gint64 path_time;                      // of the file when it was read or written
    char *autosave;                        // where it is kept in case of a crash
    guint64 autosaved;                     // version of the stack that lies there
    SiltPlace place;                       // which entry is picked
    int index;                             // in its place
    bool closing;                          // asked, and answered
    bool up_to_here;                       // what comes after the picked stage is not shown
    int kept_stage;                        // that goes on from a run that was kept; -1: none
    int asked;                             // how many stages were asked for last; -1: all
    bool gone;                             // its widgets are no more
    bool asking;                           // a question is open
    bool recovered;                        // from a crash: no file holds it
    void (*after_save)(struct View *view); // what waits for the answer
    int outside;                           // threads that will call back: files, lists of devices
    char *dropped;                         // a file that was dropped on it, the same
    bool trusts;                           // recipes that are opened read wherever they like
    char *distant; // a recipe that was not opened because it reads elsewhere; NULL: none
    char *wanted;  // what is opened once the question is answered

    // what is shown
    SiltViewer *viewer;
    SiltTerrain *terrain; // the newest from the player; what is under the pointer is read from it
    SiltMesh surface;     // of a volume that plays, a second old at the most
    bool has_surface;
    gint64 surface_kept;
    SiltRenderOptions look;
    double air[2];    // haze and glow, as they were before they were put off
    double cuts[3];   // shares of a volume that are cut away from the east, the north, above
    bool cuts_low[3]; // or from the other side
    int cut_axis;     // of them the one that is dragged
    bool rough;       // the terrain is a small preview

    // who does the work
    Player *player;
    Tools *tools;

    // parts of the window
    StackList *list;
    Panel *panel;
    Land *land;
    Status *status;
    Timeline *timeline;
    Welcome *welcome;
    Finder *finder;
    Seen *seen;
    GtkWidget *left, *right, *bottom; // what Tab folds away
    GtkWidget *overlay;               // GtkOverlay over the land
    GtkWidget *title;
    GtkWidget *toast, *toast_label;
    GtkWidget *undo_button, *redo_button;
    GtkWidget *column;
    char *said; // the last sentence
    guint toast_timer, autosave_timer, status_timer;
    gint woken; // the player has called, and nobody has looked yet
    Thrift thrift;
    int previews; // small ones that were shown
    guint64 fault_number;
    int wish;           // to play 1, to pause -1, that the player has not come to yet
    gint64 wished;      // when
    gint64 state_shown; // when the player's state was
    int could;          // what the player could do then: play, undo ...
    guint peek_timer;   // the whole of another recipe has not been shown yet
    gint64 opened;      // when it was
    int peeked;         // stages after which it has been shown
    bool peeks;         // what is done so far is on its way; then all of it
    bool waits;         // nothing of another recipe is shown yet
    bool unopened;      // what the command line named could not be opened
    bool fresh;         // another recipe: how it wants to be seen is not known yet
    bool folded, dark;
} View;

// ---- window.c and follow.c ----

// A new window; paths of a recipe or terrain, a recipe's name, or NULL for the welcome.
// `device` as --device has it, or NULL: as it was chosen before.
View *view_create(GtkApplication *application, const char *path, const char *device, bool trusts);
void view_destroy(View *view);
// A sentence in the window for some seconds; what failed is said with silt_message().
void view_say(View *view, const char *format, ...) G_GNUC_PRINTF(2, 3);
void view_show_toast(View *view, const char *text, int seconds); // over the land, and then gone
// Another stack: all that belongs to the old one goes.
void view_take_stack(View *view, SiltStack *stack, const char *path);
// The same, of which a stage waits at the step to which a checkpoint had brought it.
void view_take_kept(View *view, SiltStack *stack, int stage, const char *checkpoint);
// The stack has changed: panels follow, and the player cooks.
void view_changed(View *view);
// The same, of which hands are a part: what the recipe has is right, not what a run still has.
void view_hands_changed(View *view);
// All stages to their end, those of particles too.
void view_cook_all(View *view);
// The same while a slider moves: only a small preview, and the list stays as it is.
void view_sketch(View *view);
// Panels follow; nothing is cooked (the look of things has changed, or the player itself knows already).
void view_refresh(View *view);
// Picks an entry of the stack: its parameters are shown, and the land as it leaves it.
void view_select(View *view, SiltPlace place, int index);
// The same, and the land stays as it is.
void view_point_to(View *view, SiltPlace place, int index);
void view_stop_peeking(View *view);
void view_refresh_title(View *view);
void view_fold(View *view, bool folded);
// The player's state, wherever it is shown.
void view_refresh_state(View *view);
// Takes from the player what is new. On the window's thread.
void view_take_news(View *view);
// Tells the status of a call: says the message when it failed.
bool view_ok(View *view, SiltStatus status);
View *view_of(GtkWidget *widget); // the window a widget is in
// Another tooltip, if it is another: GTK looks for the pointer and the screen whenever one is set.
void view_set_tip(GtkWidget *widget, const char *tip);
// That of a button that opens something, which does not have it: GTK 4.8 complains of a tooltip whose popover
// has gone.
void view_set_button_tip(GtkWidget *button, const char *tip);

// Another picture of the land: plainly, and in full when things rest.
void view_queue_draw(View *view);

#endif
