// Sentences that stay until they are closed or no longer true: bars between the header and the land.
#ifndef SILT_VIEW_NOTICE_H
#define SILT_VIEW_NOTICE_H

#include "view.h"

// A bar of each kind at the most.
typedef enum NoticeKind {
    NOTICE_OPENING, // a file could not be opened, or is a run that was kept
    NOTICE_MAKING,  // the land cannot be made
} NoticeKind;

// NULL takes the bar away.
void notice_show(View *view, NoticeKind kind, const char *text);

// The player's last failure. What stops the land from being made is told, and its stage is marked, as long as
// it does; other failures pass.
void notice_fault(View *view, const PlayerState *state);
void notice_forget_fault(View *view);
// While nothing of a recipe can be shown, or what shall play is not ready: which stage is being made, in the
// middle.
void notice_work(View *view, const PlayerState *state);

#endif
