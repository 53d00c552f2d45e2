// The recipe as a list: the terrain, its stages, what comes out.
#ifndef SILT_VIEW_STACK_LIST_H
#define SILT_VIEW_STACK_LIST_H

#include "view.h"

StackList *stack_list_create(View *view);
GtkWidget *stack_list_widget(StackList *list);
void stack_list_refresh(StackList *list);
// The stage that could not be made (-1: the terrain) and why; NULL: none.
// The land in sight has been through so many stages (-1: all): its row has an eye.
void stack_list_show_seen(StackList *list, int stages);
void stack_list_show_fault(StackList *list, int stage, const char *fault);
// The thin line under the stage that is cooking: -1 the terrain, -2 none.
void stack_list_show_work(StackList *list, int stage, double share);
// "rivers" of `erode: rivers`, "blur height" of `blur: height`; the caller frees it.
char *entry_title(const SiltEntry *entry);
// What a person wants to know of it at a glance: "1.2 Myr"; the caller frees it.
char *entry_detail(const SiltEntry *entry);
void stack_list_destroy(StackList *list);

#endif
