// silt/viewer.h — the renderer of a window: a motif that is looked at from where a hand leads the camera,
// while it changes. It knows no window system: whoever calls silt_viewer_draw, silt_viewer_picture,
// silt_viewer_unload or silt_viewer_destroy has a context of OpenGL 3.3 or OpenGL ES 3.0 current; nothing
// else here needs one.
//
//     silt_viewer_create(&viewer);
//     silt_viewer_show(viewer, &(SiltMotif){.terrain = terrain});
//     silt_viewer_frame_all(viewer);
//     for (;;) {
//         silt_viewer_update(viewer, "water", &rect, view.data, view.stride); // of a live run
//         silt_viewer_draw(viewer, framebuffer, width, height, false);
//     }
#ifndef SILT_VIEWER_H
#define SILT_VIEWER_H

#include "silt/particles.h"
#include "silt/render.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltViewer SiltViewer;

SILT_API SiltStatus silt_viewer_create(SiltViewer **out);
// With the context current; without one (it was lost) what lay on the card is forgotten.
SILT_API void silt_viewer_destroy(SiltViewer *viewer, bool context_is_current);
// Takes everything off the card, or forgets it; the viewer lives on, and the next picture, in whatever
// context is current then, brings it back.
SILT_API void silt_viewer_unload(SiltViewer *viewer, bool context_is_current);

// ---- what is shown ----

// Shows this from now on. Terrains, meshes and particles are copied; a volume is not: it must stay until
// something else is shown, and change only between calls of the viewer. A motif of the same size and place
// keeps the camera. After a failure the old one is shown still.
// A terrain with more cells than the card holds, or than frames can afford (silt_viewer_limit), is shown
// reduced; silt_viewer_reduction says by how much.
SILT_API SiltStatus silt_viewer_show(SiltViewer *viewer, const SiltMotif *motif);
SILT_API void silt_viewer_limit(SiltViewer *viewer, int longest_side);
SILT_API int silt_viewer_reduction(const SiltViewer *viewer); // 1: all cells are shown
// New values of a rectangle of "height" (the ground), "water", "sediment", "ice" or the layer laid over the
// land. Light follows when the land rests (silt_viewer_relight), or a little in every frame.
SILT_API SiltStatus silt_viewer_update(SiltViewer *viewer, const char *layer, const SiltRect *rect,
                                       const float *values, size_t stride);
// Ground and water of a live run in a buffer of GL, of all cells, row after row (silt/share.h fills it): in
// bytes from its beginning heights (a float each), slopes (two halves), codes of what covers the ground (four
// bytes) and depths of water (a float).
typedef struct SiltSharedLand {
    unsigned buffer; // of the context that draws, or of one that shares with it
    int width, height;
    bool has_water;
    size_t heights, slopes, cover, water;
    float rise, water_half; // what slopes and codes were made for
    float low, high;        // of all heights
} SiltSharedLand;
// Whether pictures of what is shown, as it is, can be drawn from such a buffer, and for which exaggeration.
// No: where nothing is shown but blocks of cells, or what the processor must work on first (a sea, ice, an
// overlay, mud, a comparison, small pictures of where no card draws).
SILT_API bool silt_viewer_takes_shared(const SiltViewer *viewer, double *exaggeration);
// The next pictures show this; NULL: no more, what comes next is in silt_viewer_update. Moving pictures are
// drawn from the buffer; others, those of a land that takes none, and new light bring its values to the
// processor first. Picking and the
// camera go by the values that were brought last, so a run that plays brings some now and then.
SILT_API SiltStatus silt_viewer_update_shared(SiltViewer *viewer, const SiltSharedLand *land);
SILT_API SiltStatus silt_viewer_update_particles(SiltViewer *viewer, const SiltParticles *particles);
SILT_API SiltStatus silt_viewer_relight(SiltViewer *viewer);
// How it was before, shown on the left of `wipe` (0 to 1 across the picture); NULL: no comparison.
// The terrain is copied.
SILT_API SiltStatus silt_viewer_compare(SiltViewer *viewer, const SiltTerrain *before, double wipe);
SILT_API void silt_viewer_wipe(SiltViewer *viewer, double wipe); // moves the line

// Look, overlay, sun, snow, sea, clips and so on, as in pictures; the camera's values are not heeded.
SILT_API SiltStatus silt_viewer_set_options(SiltViewer *viewer, const SiltRenderOptions *options);
// The window around it is dark: so is the legend, but not that of pictures.
SILT_API void silt_viewer_set_dark(SiltViewer *viewer, bool dark);
SILT_API const SiltRenderOptions *silt_viewer_options(const SiltViewer *viewer);

// ---- what a hand needs to see ----

// Places are metres east and north of the south-western corner. Rings and lines lie on the ground; of what
// the land hides they are faint. A ball hangs in space, for brushes in rock.
typedef enum SiltMarkKind { SILT_MARK_RING, SILT_MARK_HANDLE, SILT_MARK_LINE, SILT_MARK_BALL } SiltMarkKind;
typedef struct SiltMark {
    SiltMarkKind kind;
    double places[2][2]; // of a line both ends; else the first
    double height;       // m, of a ball's middle
    double radius;       // m, of a ring or ball; of a handle its ring, 0: none
    float inner;         // of a ring: a second one at this share of the radius; 0: none
    float colour[4];
    bool chosen; // drawn stronger
} SiltMark;
// Drawn on the ground over everything, until the next call. They are copied.
SILT_API SiltStatus silt_viewer_set_marks(SiltViewer *viewer, const SiltMark *marks, int count);

// ---- the camera ----

// Turns round a place it looks at. All changes are eased: silt_viewer_animate brings it nearer to where it
// shall be.
typedef struct SiltGaze {
    double target[3]; // metres east and north of the south-western corner, and height
    double distance;  // m
    double turn;      // degrees the camera looks towards, clockwise from north
    double tilt;      // degrees below the horizon it looks: 90 is straight down
    double fov;       // degrees from the lower to the upper edge
} SiltGaze;
SILT_API SiltGaze silt_viewer_gaze(const SiltViewer *viewer); // where it goes to
SILT_API void silt_viewer_set_gaze(SiltViewer *viewer, const SiltGaze *gaze, bool at_once);
// Seconds since the last call; true while something still moves.
SILT_API bool silt_viewer_animate(SiltViewer *viewer, double seconds);
SILT_API void silt_viewer_frame_all(SiltViewer *viewer); // nothing of it is outside of the picture
// As the options' `view` has it: of a panorama from a height within.
SILT_API void silt_viewer_frame_as_asked(SiltViewer *viewer);
// By pixels of the picture that was drawn last, y from the top.
SILT_API void silt_viewer_orbit(SiltViewer *viewer, double dx, double dy);
SILT_API void silt_viewer_pan(SiltViewer *viewer, double dx, double dy);
// Towards that pixel, whose place stays under it; 2: everything twice as large.
SILT_API void silt_viewer_zoom(SiltViewer *viewer, double x, double y, double factor);
// Right, forward, up in shares of the distance; the eye stays above the ground.
SILT_API void silt_viewer_fly(SiltViewer *viewer, double right, double forward, double up);
SILT_API void silt_viewer_look_round(SiltViewer *viewer, double dx, double dy); // the eye stays

// What lies under a pixel; false: the sky. By our own rays over the heights (or the surface of a volume), not
// by reading the card.
typedef struct SiltPick {
    double place[3]; // as a gaze's target
    int i, j;        // the cell of a terrain
    double slope;    // degrees
    double normal[3];
} SiltPick;
SILT_API bool silt_viewer_pick(const SiltViewer *viewer, double x, double y, SiltPick *out);
// Where a place is in the picture; false: behind the camera.
SILT_API bool silt_viewer_project(const SiltViewer *viewer, const double place[3], double out[2]);

// ---- drawing ----

// Into a framebuffer of the caller's. A picture that moves is drawn plainly so that frames keep coming
// (`best` false): on a slow card in less detail and smaller, as its speed allows. One that rests is drawn in
// full, on a slow card over several calls.
SILT_API SiltStatus silt_viewer_draw(SiltViewer *viewer, unsigned framebuffer, int width, int height,
                                     bool best);
// The same for windows whose pictures no card draws but the processor: into a framebuffer of the viewer's
// own, bound for reading afterwards. Of a picture that is drawn smaller than it is seen, with nothing over
// it, that is all there is: drawn[0] x drawn[1] pixels, for the caller to make larger.
SILT_API SiltStatus silt_viewer_draw_apart(SiltViewer *viewer, int width, int height, bool best,
                                           int drawn[2]);
// Pictures that move are drawn as plainly as they may be, and of a land whose values change all over only as
// many cells as pixels: for a run that plays where the processor draws.
SILT_API void silt_viewer_set_thrifty(SiltViewer *viewer, bool thrifty);
// Whether drawing the same again, with `best`, would make the picture better.
SILT_API bool silt_viewer_is_unfinished(const SiltViewer *viewer);
// The view as it is as a picture of any size; marks are left out.
SILT_API SiltStatus silt_viewer_picture(SiltViewer *viewer, int width, int height, SiltImage *out);
// How the view is drawn by silt_render: options with eye, target and all else of now.
SILT_API void silt_viewer_as_options(const SiltViewer *viewer, SiltRenderOptions *out);

#ifdef __cplusplus
}
#endif
#endif
