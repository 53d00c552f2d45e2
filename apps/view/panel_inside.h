// The panel from the inside.
#ifndef SILT_VIEW_PANEL_INSIDE_H
#define SILT_VIEW_PANEL_INSIDE_H

#include "panel.h"

struct Panel {
    View *view;
    ParamOwner owner;
    GtkWidget *box, *title, *summary, *source, *scroller, *content, *subject_line, *more, *hidden, *by_hand;
    GPtrArray *rows;    // ParamRow, which belong to their widgets
    GPtrArray *defines; // GtkEntry, of the recipe's own names
    GHashTable *live;   // name to text: set in the run that plays
    // whose rows they are
    SiltPlace place;
    int index;
    const SiltStage *stage;
    char *subject;
    const SiltParamTable *tables[3];
    bool stroke;  // a slider moves: one step to undo
    bool showing; // what widgets tell now comes from us
    bool open;    // all parameters are in sight
};

// ---- panel_head.c: what an entry has besides parameters ----

const char *panel_layer_at(void *panel, int index); // layers of the land that is shown; NULL behind the last
void panel_make_subject(Panel *panel, const SiltEntry *entry, bool by_keys); // the keyboard was there
void panel_make_defines(Panel *panel);                                       // the recipe's own names
void panel_show_defines(Panel *panel);
GtkWidget *panel_make_by_hand(Panel *panel); // what was painted
void panel_show_by_hand(Panel *panel);

#endif
