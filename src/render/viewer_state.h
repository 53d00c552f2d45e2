// What the files of the viewer share. Nothing here needs a current context but what has a `scene`.
#ifndef SILT_RENDER_VIEWER_STATE_H
#define SILT_RENDER_VIEWER_STATE_H

#include "render/camera.h"
#include "render/columns.h"
#include "render/pose.h"
#include "silt/viewer.h"

// A motif and what was made of it.
typedef struct SiltShown {
    SiltTerrain *land;    // settled, and reduced where it is large; NULL: none
    int width, height;    // cells of the terrain as it was given
    double cell;          // metres
    int reduction;        // its cells along a side of one that is shown
    SiltMesh *mesh;       // NULL: none
    SiltVolume *volume;   // the caller's; NULL: none
    bool of_terrain;      // the volume is the terrain's, and left aside where heights are asked for
    SiltParticles *drops; // NULL: none
    SiltPose pose;        // what is drawn: begun once something is shown
    SiltRange range;      // with that of what it is compared with
    SiltRange own;        // without
    SiltColumns *columns; // of the mesh that is drawn; NULL: heights are
} SiltShown;

// What the graphics card does not have yet.
enum {
    SILT_STALE_POSE = 1,  // the pose does not fit the options
    SILT_STALE_ALL = 2,   // nothing is there
    SILT_STALE_PART = 4,  // the rectangles below
    SILT_STALE_LIGHT = 8, // the light is that of an older land
    SILT_STALE_DROPS = 16,
    SILT_STALE_SHADE = 32,   // shadows of solids and drops are old
    SILT_STALE_COARSE = 128, // or coarser than those of a picture
    SILT_STALE_RANGE = 256,  // the range is wider than the values
    SILT_STALE_PICTURE = 64, // nothing is missing, but pictures look different
    SILT_STALE_THERE = 512,  // a buffer on the card has newer values
};

// Light of a height field that is made a little in every frame.
typedef struct SiltDaylight {
    SiltField height, sky, shadow; // of the land as it was when it began
    int row;                       // up to which the sky is made
    int rows;                      // to make at once
    bool is_busy;
} SiltDaylight;

// How plainly frames are drawn so that they keep coming.
enum { SILT_PACES = 5, SILT_PACE_FRAMES = 4 };
typedef struct SiltPace {
    int level; // 0: in full size and detail
    double times[SILT_PACE_FRAMES];
    int count;            // frames since the level changed
    double triangle_rate; // of a solid's triangles a second, at the least
    bool is_known;
} SiltPace;

// A framebuffer of the viewer's own.
typedef struct SiltFrame {
    unsigned frame, colour;
    int width, height;
} SiltFrame;

// A picture that is drawn in full, part by part, while nothing moves.
typedef struct SiltRest {
    SiltFrame to, draft; // what is shown until all parts are there
    int next;            // part to draw; all before are done
    unsigned version;
    SiltCamera camera;
    bool is_begun;
} SiltRest;

// A corner of a triangle over the picture.
typedef struct SiltInkDrop {
    float at[2];   // pixels
    float form[4]; // how far from the middle, half the width in pixels, and 1 for a disc
    float tint[4];
} SiltInkDrop;

typedef struct SiltInk {
    SiltInkDrop *drops;
    int count, room;
    SiltStatus status;
} SiltInk;

typedef struct SiltLegendKey {
    int width, height, colour, is_wanted, is_dark;
    char overlay[SILT_NAME_SIZE];
    double scales[6];
} SiltLegendKey;

// What lies over the picture, on the card.
typedef struct SiltOver {
    SiltInk ink;
    unsigned mark_program, mark_array, mark_buffer;
    unsigned sticker_program, sticker_array, sticker_buffer;
    unsigned legend; // a texture
    int legend_box[4];
    SiltLegendKey legend_key;
    bool has_legend, is_legend_known;
} SiltOver;

struct SiltViewer {
    SiltRenderOptions options;
    SiltShown shown;
    bool is_shown;
    SiltRockSurface *surface; // of the last volume
    int limit;                // longest side, cells
    unsigned stale;
    SiltRect heights, waters, covers, overlays; // cells whose values are new
    SiltSharedLand there;                       // values on the card
    bool has_there, refuses_shared;             // they are newer than those here; they cannot be drawn from
    int drawn_there;                            // pictures whose values came from there
    double scaled_at;                           // when the overlay's scale was chosen, s
    SiltDaylight daylight;
    SiltGaze now, goal;
    int width, height; // pixels of the last picture
    struct SiltScene *scene;
    unsigned version; // counts what was sent to the card
    bool lights_now;  // the next picture has all its light
    bool waits;       // a picture in full waits for it
    SiltPace pace;
    SiltRest rest;
    bool is_thrifty;           // pictures cost little: others need the machine
    SiltFrame own;             // for those who read what was drawn
    int glowing;               // frames that have had the same glow
    SiltCamera glow_for;       // from there
    bool ground_is_new;        // since a thrifty picture kept its ground
    SiltCamera kept_for;       // from there
    struct SiltViewer *before; // what is compared with; NULL: not yet
    SiltTerrain *before_rock;  // whose volume it shows; NULL: none
    bool is_compared;
    double wipe;
    SiltFrame left;           // where that is drawn
    double shaded_at;         // when shadows of solids and drops were made, s
    double lit_at;            // when light of the land was, s
    bool shades, shades_best; // they are being made, a little in every frame; for a picture in full
    bool is_dark;             // so is the legend
    SiltMark *marks;
    int mark_count, mark_room;
    SiltOver over;
};

// Options as they are drawn: no maps, and an overlay only where the land has the layer.
SiltRenderOptions silt_viewer_drawn_options(const SiltViewer *viewer);
// Makes the pose again after options or layers have changed.
SiltStatus silt_viewer_pose(SiltViewer *viewer);

// ---- drawing, with the context current ----

// What goes to the card before a picture: what has changed, and a little of the light; that and more of the
// light; or all that a picture in full needs.
typedef enum SiltSending { SILT_SEND_SOME, SILT_SEND_IN_TURN, SILT_SEND_ALL } SiltSending;
SiltStatus silt_viewer_send(SiltViewer *viewer, const int size[2], SiltSending how,
                            SiltRenderOptions *options);

// Of what is seen, how large moving pictures are drawn.
double silt_viewer_scale(const SiltViewer *viewer);
// A terrain or a mesh whose light takes longer than a frame may.
bool silt_viewer_is_large(const SiltViewer *viewer);
// Whether all triangles of a solid would take too long for a frame: it is drawn by fewer while it moves.
bool silt_viewer_has_too_many(const SiltViewer *viewer);
SiltStatus silt_viewer_frame(SiltFrame *frame, const int size[2]);
void silt_viewer_drop_frame(SiltFrame *frame);
// Whether marks or a legend lie over the picture.
bool silt_viewer_has_over(const SiltViewer *viewer);
// What is shown, and nothing over it.
SiltStatus silt_viewer_draw_motif(SiltViewer *viewer, const int size[2], bool best, unsigned framebuffer);
SiltStatus silt_viewer_take_picture(SiltViewer *viewer, SiltImage *image);
// How it was before, on the left of the wipe, over what is drawn already.
SiltStatus silt_viewer_draw_before(SiltViewer *viewer, const int size[2], bool best, unsigned framebuffer);
SiltStatus silt_viewer_add_before(SiltViewer *viewer, const SiltImage *image);

// ---- values ----

// A terrain of the means of blocks of cells, `reduction` along a side; "change" is added to the heights.
SiltStatus silt_viewer_reduce(const SiltTerrain *terrain, int reduction, SiltTerrain **out);
// New values of a rectangle of one layer of it, given in the cells it was made of.
SiltRect silt_viewer_reduce_part(SiltField *field, int reduction, const SiltRect *rect, const float *values,
                                 size_t stride);
SiltRect silt_viewer_join(const SiltRect *a, const SiltRect *b);

// ---- values on the card (viewer_shared.c) ----

void silt_viewer_let_go(SiltViewer *viewer);
// With the context current: brings them here, all of them or where the next picture needs them here.
SiltStatus silt_viewer_bring(SiltViewer *viewer);
SiltStatus silt_viewer_bring_needed(SiltViewer *viewer, SiltSending how);
// Into the textures.
SiltStatus silt_viewer_send_there(SiltViewer *viewer);

// ---- light ----

// Goes on with the light of what is drawn, for so long; true: it is finished, and has not been
// fetched yet.
bool silt_viewer_make_light(SiltViewer *viewer, double seconds, SiltStatus *status);
void silt_viewer_drop_light(SiltViewer *viewer);

// ---- camera ----

SiltCamera silt_viewer_camera(const SiltViewer *viewer, const SiltGaze *gaze, int width, int height);
// A place of the caller's in the world, and back.
void silt_viewer_to_world(const SiltViewer *viewer, const double place[3], double out[3]);
void silt_viewer_from_world(const SiltViewer *viewer, const double world[3], double out[3]);
// Height of what is drawn above a place of the world, in the world's metres; false: nothing is there.
bool silt_viewer_surface(const SiltViewer *viewer, double x, double y, double *out);
// The ray through a pixel; its direction is as long as one metre along the camera's.
void silt_viewer_ray(const SiltViewer *viewer, const SiltCamera *camera, double x, double y,
                     double direction[3]);
// How far along a ray of the world it meets what is drawn; false: nowhere.
bool silt_viewer_hit(const SiltViewer *viewer, const double from[3], const double direction[3], double *out,
                     double normal[3]);

#endif
