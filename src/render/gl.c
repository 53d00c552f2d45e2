#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/gl.h"

#include <string.h>

#include "core/status.h"

static const char *language(void)
{
    return epoxy_is_desktop_gl() ? "#version 330 core\n"
                                 : "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision "
                                   "highp sampler2D;\n";
}

static SiltStatus compile(const char *name, GLenum kind, const char *defines, const char *const texts[],
                          GLuint *out)
{
    const char *parts[SILT_SHADER_PARTS + 2] = {language(), defines};
    GLsizei count = 2;
    for (; *texts && count < SILT_SHADER_PARTS + 2; texts++)
        parts[count++] = *texts;
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, parts, NULL);
    glCompileShader(shader);
    GLint compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    *out = shader;
    if (compiled)
        return SILT_OK;
    char log[400] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    log[strcspn(log, "\n")] = '\0';
    return silt_fail(SILT_MISSING_FEATURE, "render: the graphics driver refuses the shader '%s': %s", name,
                     log);
}

SiltStatus silt_gl_program(const char *name, const char *defines, const char *vertex,
                           const char *const fragment[], GLuint *out)
{
    GLuint shaders[2] = {0, 0}, program = 0;
    *out = 0;
    SiltStatus status = compile(name, GL_VERTEX_SHADER, defines, (const char *[]){vertex, NULL}, &shaders[0]);
    if (status == SILT_OK)
        status = compile(name, GL_FRAGMENT_SHADER, defines, fragment, &shaders[1]);
    if (status == SILT_OK) {
        program = glCreateProgram();
        glAttachShader(program, shaders[0]);
        glAttachShader(program, shaders[1]);
        glBindAttribLocation(program, 0, "corner");
        glLinkProgram(program);
        GLint linked = 0;
        glGetProgramiv(program, GL_LINK_STATUS, &linked);
        if (!linked) {
            char log[400] = "";
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            log[strcspn(log, "\n")] = '\0';
            status = silt_fail(SILT_MISSING_FEATURE, "render: the graphics driver cannot link '%s': %s", name,
                               log);
            glDeleteProgram(program);
            program = 0;
        }
    }
    for (int k = 0; k < 2; k++)
        if (shaders[k])
            glDeleteShader(shaders[k]);
    *out = program;
    return status;
}

SiltStatus silt_gl_variant(SiltVariants *variants, unsigned key, const char *name, const char *defines,
                           const char *vertex, const char *const fragment[], GLuint *out)
{
    for (int k = 0; k < variants->count; k++)
        if (variants->keys[k] == key) {
            *out = variants->programs[k];
            return SILT_OK;
        }
    SiltStatus status = silt_gl_program(name, defines, vertex, fragment, out);
    if (status != SILT_OK)
        return status;
    if (variants->count == SILT_MOST_VARIANTS) // more looks than anyone takes in turn
        glDeleteProgram(variants->programs[--variants->count]);
    variants->keys[variants->count] = key;
    variants->programs[variants->count++] = *out;
    return SILT_OK;
}

void silt_gl_drop_variants(SiltVariants *variants)
{
    for (int k = 0; k < variants->count; k++)
        glDeleteProgram(variants->programs[k]);
    variants->count = 0;
}

static GLint find(GLuint program, const char *name)
{
    return glGetUniformLocation(program, name);
}

void silt_gl_int(GLuint program, const char *name, int value)
{
    glUniform1i(find(program, name), value);
}

void silt_gl_float(GLuint program, const char *name, double value)
{
    glUniform1f(find(program, name), (float)value);
}

void silt_gl_ivec2(GLuint program, const char *name, int x, int y)
{
    glUniform2i(find(program, name), x, y);
}

void silt_gl_vec2(GLuint program, const char *name, double x, double y)
{
    glUniform2f(find(program, name), (float)x, (float)y);
}

void silt_gl_vec3(GLuint program, const char *name, const float value[3])
{
    glUniform3fv(find(program, name), 1, value);
}

void silt_gl_vec4(GLuint program, const char *name, double x, double y, double z, double w)
{
    glUniform4f(find(program, name), (float)x, (float)y, (float)z, (float)w);
}

void silt_gl_rows(GLuint program, const char *name, int count, const float *values)
{
    glUniform4fv(find(program, name), count, values);
}

void silt_gl_mat4(GLuint program, const char *name, const float value[16])
{
    glUniformMatrix4fv(find(program, name), 1, GL_FALSE, value);
}

void silt_gl_sampler_of(GLuint program, const char *name, int unit, GLenum target, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(target, texture);
    silt_gl_int(program, name, unit);
}

void silt_gl_sampler(GLuint program, const char *name, int unit, GLuint texture)
{
    silt_gl_sampler_of(program, name, unit, GL_TEXTURE_2D, texture);
}

void silt_gl_texture(GLuint *texture, const SiltTextureForm *form, int width, int height, const void *data)
{
    if (!*texture)
        glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, form->internal, width, height, 0, form->format, form->type, data);
    GLint near = form->smooth ? GL_LINEAR : GL_NEAREST;
    GLint far = form->mipmaps ? GL_LINEAR_MIPMAP_LINEAR : near;
    GLint edge = form->repeats ? GL_REPEAT : GL_CLAMP_TO_EDGE;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, near);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, far);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, edge);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, edge);
    if (form->mipmaps && data)
        glGenerateMipmap(GL_TEXTURE_2D);
}

SiltStatus silt_gl_check(const char *what)
{
    GLenum error = glGetError();
    if (error == GL_NO_ERROR)
        return SILT_OK;
    while (glGetError() != GL_NO_ERROR)
        continue;
    return error == GL_OUT_OF_MEMORY
               ? silt_fail(SILT_NO_MEMORY, "render: no graphics memory left for %s", what)
               : silt_fail(SILT_MISSING_FEATURE, "render: OpenGL error 0x%x while drawing %s", error, what);
}

#endif
