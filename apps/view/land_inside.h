// What the files of the land share.
#ifndef SILT_VIEW_LAND_INSIDE_H
#define SILT_VIEW_LAND_INSIDE_H

#include "land.h"

enum { REST_MICROSECONDS = 180000, FRAMES = 32 };

struct Land {
    View *view;
    GtkWidget *area, *values, *notice;
    GtkWidget *sheet;       // over the area, where no card draws
    bool prints;            // it is used
    char *apart;            // why no device shares memory with the window; NULL: one might
    cairo_surface_t *print; // what it shows; NULL: nothing yet
    guchar *read;           // what was read last, upside down
    size_t read_bytes;
    GtkWidget *work, *work_text, *work_line; // in the middle, while there is no land yet
    GtkGesture *drag, *zoom, *rotate, *stylus;
    double drag_at[2];   // how far the drag had come at the last event
    double pinch, twist; // scale and angle at the last event
    double fingers[2];   // where the middle of them was, widget pixels
    bool has_fingers;
    enum { LEADS_NOTHING, LEADS_WIPE, LEADS_CUT, LEADS_TOOL, LEADS_ORBIT, LEADS_PAN, LEADS_LOOK } leads;
    double pressure;   // strength a pen gives, 0 to 1; 1 for a mouse
    double pointer[2]; // widget pixels
    bool inside, pointer_moved;
    bool quiet;           // no values under the pointer
    bool has_framed;      // the camera has a place
    bool framed_early;    // by the land of a preview, or of what was done after some seconds
    bool touched;         // a hand has led it since
    bool drawable, sized; // there is a GL context; it has pixels
    int known[2];         // pixels of the last picture: the viewer knows no others
    bool unfinished;      // the picture in full wants more frames
    unsigned fly;         // keys held: bits of FLY_KEYS
    guint tick;
    gint64 last_tick, last_change;
    gint64 first;           // picture with land in it: when
    gint64 led;             // when the camera moved, or a hand did something
    bool dirty, best_drawn; // something is new; the last picture was drawn in full
    gint64 frames[FRAMES];  // times of the last pictures
    int frame_at;
    GdkFrameClock *clock; // whose end of a frame is heard; NULL: none
};

// ---- land_sheet.c ----
GtkWidget *land_sheet_make(Land *land);
void land_sheet_begin(Land *land); // with a context: whether it is used
void land_sheet_end(Land *land);
void land_sheet_take(Land *land, const int size[2]); // shows what is bound for reading
void land_make_room(Land *land);                     // a run leaves a processor to this frame

void land_wake(Land *land); // frames come from now on
// Keys that are held lead the camera; false: none is.
bool land_fly_on(Land *land, double seconds);
void land_listen(Land *land); // to pointers, pens, fingers

#endif
