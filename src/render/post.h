// The picture while it is drawn: light in floating point, several samples a pixel; then bloom, a film's curve
// and eight bits.
#ifndef SILT_RENDER_POST_H
#define SILT_RENDER_POST_H
#ifdef SILT_HAS_GL

#include "render/camera.h"
#include "render/gl.h"

typedef struct SiltPost {
    int width, height; // of the targets
    int samples;
    bool smooths;                            // edges too that several samples a pixel do not smooth
    bool is_draft;                           // neither, and colours by simpler sums
    bool is_soft;                            // a draft whose pixels are seen several times as large
    GLuint drawn, drawn_colour, drawn_depth; // multisampled
    GLuint resolved, light;                  // one sample a pixel
    GLuint shown, shown_colour;              // eight bits
    int bloom_width, bloom_height;
    GLuint bloom[2], bloom_light[2];
    double bloom_strength, bloom_above, bloom_white;                // as SiltRenderOptions has them
    GLuint bright_program, blur_program, finish_programs[3], array; // as it is, with edges smoothed, a draft
} SiltPost;

SiltStatus silt_post_create(SiltPost *out);
// For frames that must cost little: one sample a pixel and no more.
SiltStatus silt_post_create_draft(SiltPost *out);
// One sample a pixel, with edges smoothed afterwards; or several samples.
void silt_post_set_quick(SiltPost *post, bool quick);
void silt_post_destroy(SiltPost *post);

// Whether silt_post_finish smooths edges.
bool silt_post_smooths(const SiltPost *post);

// Makes the targets this large and binds the one to draw into, cleared.
SiltStatus silt_post_begin(SiltPost *post, int width, int height);
// Binds it again, as it is.
void silt_post_resume(SiltPost *post);
// What was drawn as one sample a pixel.
void silt_post_resolve(SiltPost *post);
// The glow of a whole picture, from what was resolved.
void silt_post_make_bloom(SiltPost *post);
// Tile of a picture of width x height pixels into `framebuffer`, at its lower left corner.
void silt_post_finish(SiltPost *post, const SiltTile *tile, int width, int height, GLuint framebuffer);

#endif
#endif
