// Small helpers over OpenGL 3.3 core and OpenGL ES 3.0. A context must be current.
#ifndef SILT_RENDER_GL_H
#define SILT_RENDER_GL_H
#ifdef SILT_HAS_GL

#include <epoxy/gl.h>

#include "silt/base.h"

enum { SILT_SHADER_PARTS = 12 };

// The vertex shader has an input `corner` at place 0, if any. The fragment shader is put together from up to
// SILT_SHADER_PARTS parts; the list ends with NULL. `defines` ("#define A 1\n", or "") stands before both.
SiltStatus silt_gl_program(const char *name, const char *defines, const char *vertex,
                           const char *const fragment[], GLuint *out);

// One program compiled for several sets of defines, each when it is asked for first: software renderers run
// both sides of every `if`, so that what a picture does not need must not be in its shader.
enum { SILT_MOST_VARIANTS = 16 };
typedef struct SiltVariants {
    unsigned keys[SILT_MOST_VARIANTS];
    GLuint programs[SILT_MOST_VARIANTS];
    int count;
} SiltVariants;
// `key` stands for the defines.
SiltStatus silt_gl_variant(SiltVariants *variants, unsigned key, const char *name, const char *defines,
                           const char *vertex, const char *const fragment[], GLuint *out);
void silt_gl_drop_variants(SiltVariants *variants);

// Uniforms of the program in use, by name; one that the compiler found unused is left alone.
void silt_gl_int(GLuint program, const char *name, int value);
void silt_gl_float(GLuint program, const char *name, double value);
void silt_gl_ivec2(GLuint program, const char *name, int x, int y);
void silt_gl_vec2(GLuint program, const char *name, double x, double y);
void silt_gl_vec3(GLuint program, const char *name, const float value[3]);
void silt_gl_vec4(GLuint program, const char *name, double x, double y, double z, double w);
// `count` vectors of four numbers, from the first element of an array on.
void silt_gl_rows(GLuint program, const char *name, int count, const float *values);
void silt_gl_mat4(GLuint program, const char *name, const float value[16]);
// Binds a texture to a unit and tells the sampler.
void silt_gl_sampler(GLuint program, const char *name, int unit, GLuint texture);
void silt_gl_sampler_of(GLuint program, const char *name, int unit, GLenum target, GLuint texture);

typedef struct SiltTextureForm {
    GLint internal;
    GLenum format, type;
    bool smooth, mipmaps, repeats;
} SiltTextureForm;

// Makes the texture if *texture is 0, and fills it from `data` (NULL: leaves its contents open).
void silt_gl_texture(GLuint *texture, const SiltTextureForm *form, int width, int height, const void *data);

// What glGetError says, as a failure; `what` names what was being done.
SiltStatus silt_gl_check(const char *what);

#endif
#endif
