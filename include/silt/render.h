// silt/render.h — pictures and films of terrains, meshes, volumes and particles.
//
//     SiltRenderOptions options;
//     silt_params_init(&silt_render_params, &options);
//     options.view = SILT_VIEW_LOW;
//     silt_render_file(terrain, &options, "valley.png");
#ifndef SILT_RENDER_H
#define SILT_RENDER_H

#include "silt/param.h"
#include "silt/terrain.h"
#include "silt/volume.h"

#ifdef __cplusplus
extern "C" {
#endif

// Eight bits a channel, red green blue alpha, row after row from the top.
typedef struct SiltImage {
    int width, height;
    uint8_t *rgba;
} SiltImage;

enum {
    SILT_LOOK_LAND,
    SILT_LOOK_HILLSHADE,
    SILT_LOOK_GREY,
    SILT_LOOK_CONTOURS,
    SILT_LOOK_TINT,
    SILT_LOOK_SOIL
};
enum {
    SILT_VIEW_THREE_QUARTER,
    SILT_VIEW_TOP,
    SILT_VIEW_LOW,
    SILT_VIEW_CLOSE,
    SILT_VIEW_MAP,
    SILT_VIEW_PANORAMA
};
enum { SILT_COMPARE_SIDE, SILT_COMPARE_WIPE };
enum { SILT_VOLUME_MESH, SILT_VOLUME_RAYS };
enum { SILT_WORN_PLAIN, SILT_WORN_TINT, SILT_WORN_SHAPE };
enum { SILT_PARTICLES_FLUID, SILT_PARTICLES_SPHERES, SILT_PARTICLES_SPRITES, SILT_PARTICLES_NONE };
enum {
    SILT_COLOUR_WATER,
    SILT_COLOUR_SEDIMENT,
    SILT_COLOUR_SPEED,
    SILT_COLOUR_DENSITY,
    SILT_COLOUR_SURFACE,
    SILT_COLOUR_NORMAL
};

typedef struct SiltRenderOptions {
    int look;
    int view;
    char overlay[SILT_NAME_SIZE]; // a layer drawn over the land in a colour ramp; empty: none
    int width, height;            // pixels; 0: 1280 x 800, and for a map one a cell
    double sun;                   // degrees clockwise from north the light comes from
    double sun_height;            // degrees above the horizon
    double exaggeration;          // of heights
    double turn;                  // degrees the camera goes round the terrain, clockwise seen from above
    double eye[3], target[3]; // metres east and north of the south-west corner, and height; NaN: the view's
    double fov;               // degrees from the bottom to the top of the picture
    double snow;              // metres above which snow lies; NaN: by the relief
    double arid;              // 0: grass and trees grow; 1: a desert
    double sea;               // metres up to which water stands; NaN: no sea
    double haze;              // how much of the light is lost over the width of the terrain
    int compare;              // how silt_render_pair shows two terrains
    int volume;               // triangles of marching cubes, or rays through the bricks
    int worn;                 // how a volume that remembers where its surface was shows it
    double clip_east[2], clip_north[2]; // metres from the south-west corner that stay of a mesh or volume
    double clip_height[2];              // metres of height that stay; NaN: all
    double cut[3],
        cut_at[3]; // towards what a slanting cut takes away, and a place on it; NaN: none, the middle
    int particle_look, particle_colour;
    double particle_size; // metres across; 0: as far as they lie apart
    bool shadows;
    bool water;
    bool ice;      // raises the ground by the layer "ice" and draws it as a glacier
    bool sediment; // tints muddy water (layer "sediment") green and what lies loose (layer "deposit") red
    bool legend;   // beside an overlay
    bool transparent;
    double bloom;       // how strongly bright places glow; 0: not at all
    double bloom_above; // share of the brightest from which they do
    double bloom_white; // light that counts as white for that (Reinhard's L_white); NaN: as bright as can be
} SiltRenderOptions;
SILT_API extern const SiltParamTable silt_render_params;

// NULL options mean the defaults. The caller destroys the image.
SILT_API SiltStatus silt_render(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltImage *out);
// What a picture shows: a terrain, a mesh or a volume, or none of them, and particles in it. Particles lie
// east and north of the centre of the south-western cell, of the mesh's origin or of the first voxel.
typedef struct SiltMotif {
    const SiltTerrain *terrain;
    const SiltMesh *mesh;
    SiltVolume *volume;
    const struct SiltParticles *particles;
} SiltMotif;
// Meshes, volumes and particles need GL (SILT_MISSING_FEATURE without); a volume without rock is refused.
SILT_API SiltStatus silt_render_motif(const SiltMotif *motif, const SiltRenderOptions *options,
                                      SiltImage *out);
// The same place before and after, in the same light and colours: side by side, or one picture cut in two.
SILT_API SiltStatus silt_render_pair(const SiltTerrain *before, const SiltTerrain *after,
                                     const SiltRenderOptions *options, SiltImage *out);
SILT_API void silt_image_destroy(SiltImage *image);
// PNG or, without any library, PPM, by the ending of the path.
SILT_API SiltStatus silt_image_write(const SiltImage *image, const char *path);
// What silt_image_write would refuse for the sake of the path alone, for those who want to know it before the
// work.
SILT_API SiltStatus silt_image_write_check(const char *path);
// silt_render and silt_image_write.
SILT_API SiltStatus silt_render_file(const SiltTerrain *terrain, const SiltRenderOptions *options,
                                     const char *path);

// ---- series: moments of one run side by side ----

enum { SILT_MOST_PANELS = 64 };
typedef struct SiltSeries SiltSeries;
// The options hold for each panel; `columns` of them in a row, 0: up to three, and four in two rows.
SILT_API SiltStatus silt_series_begin(const SiltRenderOptions *options, int columns, SiltSeries **out);
// Keeps a copy of the terrain and of the particles in it (NULL: none), with words that stand below the panel.
SILT_API SiltStatus silt_series_add(SiltSeries *series, const SiltTerrain *terrain,
                                    const struct SiltParticles *particles, const char *words);
SILT_API int silt_series_count(const SiltSeries *series);
// All panels with the camera and the light of the last, which is what silt_render_motif makes of it.
SILT_API SiltStatus silt_series_draw(const SiltSeries *series, SiltImage *out);
SILT_API void silt_series_end(SiltSeries *series);

// Whether this build and this machine draw in three dimensions. If not, silt_message() says what is missing,
// and silt_render draws maps in place of other views, with a warning.
SILT_API bool silt_render_has_gl(void);

// What pictures of a terrain cost on this machine, in seconds.
typedef struct SiltRenderCost {
    double first;  // one picture, with all that must be made ready
    double frame;  // the next, when only the camera moves
    double change; // a pixel of a terrain that has changed: its way to the graphics card
    double upload; // that of its heights alone
    double live;   // a frame of a window, 1280 x 800, while all heights and water change
} SiltRenderCost;
// It takes a few seconds. NULL options mean the defaults.
SILT_API SiltStatus silt_render_measure(const SiltTerrain *terrain, const SiltRenderOptions *options,
                                        SiltRenderCost *out);

// ---- films ----

typedef struct SiltFilm SiltFilm;

// The ending picks the form: mp4 (H.264), webm (VP9), gif, apng or webp through ffmpeg; a path with %d or
// %04d in it, ending in .png or .ppm, takes numbered pictures and needs no ffmpeg. The options are copied.
SILT_API SiltStatus silt_film_begin(const char *path, const SiltRenderOptions *options, double fps,
                                    SiltFilm **out);
// Draws the terrain as the next frame, the camera turned by `turn` degrees from where the options have it.
// NULL stands for the terrain of the frame before. An overlay shows as soon as the terrain has the layer.
SILT_API SiltStatus silt_film_add(SiltFilm *film, const SiltTerrain *terrain, double turn);
// The same with any motif; NULL stands for that of the frame before.
SILT_API SiltStatus silt_film_add_motif(SiltFilm *film, const SiltMotif *motif, double turn);
SILT_API int silt_film_frame_count(const SiltFilm *film);
// Finishes the file when `status` is SILT_OK and drops it otherwise; returns the status, or how finishing
// failed. Either way the film is gone.
SILT_API SiltStatus silt_film_end(SiltFilm *film, SiltStatus status);
// Whether the ending of `path` is a film's.
SILT_API bool silt_path_is_film(const char *path);

#ifdef __cplusplus
}
#endif
#endif
