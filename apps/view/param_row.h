// A parameter as a person meets it: its name, an exact value with its unit, a slider where that helps, and a
// mark when it is not the default. All of it is read from the parameter's line in its table.
#ifndef SILT_VIEW_PARAM_ROW_H
#define SILT_VIEW_PARAM_ROW_H

#include <gtk/gtk.h>

#include "silt/param.h"

typedef struct ParamRow ParamRow;

// Whose parameters they are. Rows of one owner share it; it outlives them.
typedef struct ParamOwner {
    void *user;
    // A value as text, or NULL for the default. `dragging`: more of the same will follow, until `rest`.
    // False: it was refused, and said.
    bool (*set)(void *user, const ParamRow *row, const char *text, bool dragging);
    void (*rest)(void *user);
    // Further layers that can be chosen (NULL behind the last), or NULL.
    const char *(*layer_at)(void *user, int index);
} ParamOwner;

// `tag` is the owner's own.
ParamRow *param_row_create(const SiltParamTable *table, int index, const ParamOwner *owner, int tag);
GtkWidget *param_row_widget(const ParamRow *row); // which destroys the row
const SiltParam *param_row_param(const ParamRow *row);
int param_row_tag(const ParamRow *row);
// The value as it is now; `written` is how a recipe has it ("$size"), or NULL.
void param_row_show(ParamRow *row, const void *params, const char *written);
void param_row_show_text(ParamRow *row, const char *text, bool changed);
// Another unit than the table's: a time has that of its model's clock.
void param_row_set_unit(ParamRow *row, const char *unit);
void param_row_set_sensitive(ParamRow *row, bool sensitive);
bool param_row_is_changed(const ParamRow *row);
void param_row_focus(ParamRow *row);
// Whether this text under the keyboard is a row's, and nothing typed waits in it.
bool param_row_is_settled(GtkWidget *text);
// What the slider would set at this share of its length, for tests: as a drag does it.
void param_row_slide(ParamRow *row, double share);
void param_row_type(ParamRow *row, const char *text); // as though typed; NULL: the default
GtkWidget *param_row_slider(ParamRow *row);           // or what it has in place of one
// "source area" of source_area; the caller frees it.
char *param_title(const char *name);
// The table's sentence with unit, range and default; the caller frees it.
char *param_tip(const SiltParamTable *table, int index);
// What a parameter is where nobody has set it: its default, or the paper's value where `paper` is on. The
// caller frees it (silt_free).
char *param_usual(const SiltParamTable *table, const void *params, int index);

// ---- slider.c: where a value lies on a slider ----

typedef struct Span {
    double low, high;
    bool log, whole;
} Span;
// A span for a parameter's slider that shows `value`: what is usual, not all that is possible.
Span span_of(const SiltParam *param, double value);
double span_share(const Span *span, double value);
double span_value(const Span *span, double share); // rounded to what the slider can tell apart

// ---- param_list.c: rows of numbers ----

typedef struct ListEditor ListEditor;
ListEditor *list_editor_create(const SiltParam *param, void (*changed)(void *user, const char *text),
                               void *user);
GtkWidget *list_editor_widget(const ListEditor *editor); // which destroys it
void list_editor_focus(const ListEditor *editor);        // the keyboard to its first cell
void list_editor_show(ListEditor *editor, const double *values, int rows, int columns);

#endif
