// The tools' own parts.
#ifndef SILT_VIEW_TOOLS_INSIDE_H
#define SILT_VIEW_TOOLS_INSIDE_H

#include "tools.h"
#include "transect.h"

enum { BRUSHES = SILT_BRUSH_CARVE + 1, MAX_BUTTONS = 24 };

// Where the columns of a model's sources stand; -1: there is none.
typedef struct SourceColumns {
    int x, y, z, rate, radius, length, width;
} SourceColumns;

typedef struct Sources {
    bool are_there; // the stage that is live, or picked, has sources
    bool live;
    int stage;
    int count, columns;
    SourceColumns at;
    double rows[PLAYER_MAX_SOURCES][PLAYER_MAX_COLUMNS];
    int chosen; // -1: none
    enum { HOLDS_NOTHING, HOLDS_PLACE, HOLDS_RING } holds;
} Sources;

// A place of a line that is drawn, and the ground there before.
typedef struct PathPoint {
    double place[2], height;
} PathPoint;

struct Tools {
    View *view;
    GtkWidget *bar, *row, *more, *size;
    GtkPopover *others;
    GtkWidget *buttons[MAX_BUTTONS];
    int button_tools[MAX_BUTTONS], button_count;
    bool is_updating;
    int tool;
    double radius;       // m
    double other_radius; // m, of a line where a brush is chosen, of a brush where a line is
    bool is_line;
    int home;                 // where the tools that are offered are at home; 0: not known yet
    double side;              // m, of the land it is for; 0: not known yet
    double strength[BRUSHES]; // times the usual
    double softness;
    PlayerState state;
    // under the pointer
    bool is_over;
    SiltPick pick;
    double pixel[2];
    // while a button is held
    bool is_pressed, is_reversed;
    double pressure;
    double from[2], last[2], level;
    gint64 last_dab;
    guint timer;
    uint64_t seed;
    GArray *strokes; // of a stroke that goes into the recipe
    GArray *path;    // of a line: PathPoint
    int brush_stage;
    bool has_end;
    double end[2], end_level; // of the last line, from which Shift goes on
    Sources sources;
    Transect *transect;
};

double tools_height_at(const Tools *tools, const double place[2]);
void tools_extend_path(Tools *tools, const double place[2], double spacing);

// ---- tools_bar.c ----
void bar_make(Tools *tools);
void bar_fit(Tools *tools);     // to the land that is seen
const char *bar_name(int tool); // NULL: no tool
bool bar_has(int tool);         // in sight; others stand under "more"

// ---- tools_brush.c ----
const char *brush_name(int brush, char buffer[SILT_NAME_SIZE]);
bool brush_is_line(int tool);
SiltStroke brush_stroke(const Tools *tools, const double from[2], const double to[2], double seconds);
char *brush_strength_text(const Tools *tools);
void brush_begin(Tools *tools);
void brush_put(Tools *tools, const SiltStroke *stroke);
void brush_end(Tools *tools);

// ---- tools_sources.c ----
void sources_refresh(Tools *tools);
int sources_marks(const Tools *tools, SiltMark *marks, int room);
bool sources_press(Tools *tools, double x, double y, bool adds);
void sources_drag(Tools *tools, const double place[2]);
void sources_release(Tools *tools);
bool sources_scroll(Tools *tools, double dy);
// Rate and size of the source that is chosen, and how to change them; the caller frees it.
char *sources_text(const Tools *tools);

#endif
