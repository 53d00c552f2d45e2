// The middle of the window.
#ifndef SILT_VIEW_LAND_H
#define SILT_VIEW_LAND_H

#include "view.h"

Land *land_create(View *view);
GtkWidget *land_widget(Land *land);
void land_add_overlays(Land *land, GtkOverlay *overlay); // values under the pointer, notices
void land_queue_draw(Land *land);                        // another picture, plainly; in full when things rest
bool land_show(Land *land);       // view->terrain is another one; false: the old is shown
void land_frame_next(Land *land); // the next one is looked at as a whole
void land_touch(Land *land);      // the camera is led: it stays where it is
void land_set_look(Land *land);   // view->look has changed
void land_update(Land *land, const char *layer, const SiltRect *rect, const float *values, size_t stride);
void land_hold(Land *land);                    // hands are busy elsewhere: the picture in full waits
void land_show_values(Land *land, bool shown); // under the pointer
// What is being made while nothing of it can be shown, in the middle; NULL: nothing.
void land_show_work(Land *land, const char *text, double share);
void land_say(Land *land, const char *text); // what must be known of the picture; NULL: nothing
const char *land_notice(const Land *land);   // which stands there
double land_frames_per_second(const Land *land);
// Whether a hand moves the camera or a tool, or has just done so.
bool land_is_led(const Land *land);
bool land_is_finished(const Land *land);     // the picture is drawn in full
gint64 land_first_picture(const Land *land); // when there was land to see first; 0: not yet
int land_frames_drawn(const Land *land);     // since the beginning
void land_fly_key(Land *land, guint key, bool pressed);
// What two fingers and a pen do: their middle is at this place of the widget now; the pen is pressed so hard,
// 0 to 1, until its stroke ends.
void land_move_fingers(Land *land, double x, double y);
void land_press_pen(Land *land, double pressure);
double land_scale(const Land *land); // pixels of the picture in one of the widget's
void land_destroy(Land *land);

// Why no device shares memory with the window; NULL: one might, and the player's state says more.
const char *land_apart(const Land *land);
// Tells the player whether its next frames may stay on the card.
void land_ask_to_share(Land *land);

#endif
