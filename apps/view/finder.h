// A field over the land in which a few letters find anything: actions, stages to add, parameters of all
// stages.
#ifndef SILT_VIEW_FINDER_H
#define SILT_VIEW_FINDER_H

#include "view.h"

typedef struct FoundItem {
    char *title, *detail, *key; // key: at the right, "" or NULL: none
    const char *group;          // shown before the first of a group
    int place, index, number;   // the caller's own
    const char *name, *other;
} FoundItem;

Finder *finder_create(View *view);
GtkWidget *finder_widget(Finder *finder);
// Opens it with these items (FoundItem, which it frees with the array).
void finder_open(Finder *finder, const char *prompt, GPtrArray *items,
                 void (*chosen)(View *view, const FoundItem *item));
void finder_close(Finder *finder);
bool finder_is_open(const Finder *finder);
void finder_destroy(Finder *finder);

GPtrArray *found_items_new(void);
FoundItem *found_items_add(GPtrArray *items, const char *group, const char *title, const char *detail,
                           const char *key);
#endif
