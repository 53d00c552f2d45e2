// A row from the inside: for the files that make it and show its value.
#ifndef SILT_VIEW_PARAM_INSIDE_H
#define SILT_VIEW_PARAM_INSIDE_H

#include "param_row.h"

enum { SLIDER_STEPS = 1000 };

struct ParamRow {
    const SiltParamTable *table;
    const SiltParam *param;
    int index, tag;
    const ParamOwner *owner;
    GtkWidget *box, *label, *reset, *unit;
    GtkWidget *entry, *scale; // numbers, texts
    GtkWidget *entries[4];    // vectors
    GtkWidget *toggle;        // yes or no
    GtkWidget *choice;        // choices and layers
    GtkWidget *colour;
    ListEditor *list;
    Span span;
    double value;
    char *text;   // as it was shown last
    bool changed; // it is not the default
    bool showing; // what widgets tell now comes from us
    bool typed;   // what stands in an entry was not taken yet
    guint rest_timer;
};

void row_entry_fault(GtkWidget *entry, bool fault); // what stands there was refused
bool row_list_holds(GtkStringList *list, const char *name);

#endif
