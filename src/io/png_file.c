#include "io/png_file.h"
#include "silt/base.h"

#ifdef SILT_HAS_PNG

#include <errno.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/format.h"

static void on_error(png_structp handle, png_const_charp text)
{
    SiltPng *png = png_get_error_ptr(handle);
    snprintf(png->reason, sizeof png->reason, "%s", text);
    png->failed = true;
    longjmp(png->jump, 1);
}

static void on_warning(png_structp handle, png_const_charp text)
{
    const SiltPng *png = png_get_error_ptr(handle);
    silt_warn("%s: libpng warns: %s", png->path, text);
}

static png_voidp allocate(png_structp handle, png_alloc_size_t bytes)
{
    SiltPng *png = png_get_mem_ptr(handle);
    if (bytes > png->most)
        return NULL; // a chunk that claims more than the file has
    void *block = silt_alloc(bytes);
    if (!block)
        png->no_memory = true; // libpng goes on without some chunks then; we do not
    return block;
}

static void release(png_structp handle, png_voidp block)
{
    (void)handle;
    silt_free(block);
}

static SiltStatus verdict(const SiltPng *png)
{
    if (png->no_memory)
        return silt_fail(SILT_NO_MEMORY, "%s: not enough memory", png->path);
    if (!png->failed)
        return SILT_OK;
    if (png->writing)
        return silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", png->path,
                         ferror(png->file) && errno ? strerror(errno) : png->reason);
    return silt_fail(SILT_BAD_FILE, "%s: the PNG is %s (libpng: %s)", png->path,
                     feof(png->file) ? "cut off" : "damaged", png->reason);
}

SiltStatus silt_png_try(SiltPng *png, SiltPngStep step, void *context)
{
    if (setjmp(png->jump) == 0)
        step(png, context);
    return verdict(png);
}

static void create(SiltPng *png, void *context)
{
    (void)context;
    png->png = png->writing ? png_create_write_struct_2(PNG_LIBPNG_VER_STRING, png, on_error, on_warning, png,
                                                        allocate, release)
                            : png_create_read_struct_2(PNG_LIBPNG_VER_STRING, png, on_error, on_warning, png,
                                                       allocate, release);
    if (!png->png)
        return;
    png->info = png_create_info_struct(png->png);
    png_set_user_limits(png->png, SILT_MAX_SIDE, SILT_MAX_SIDE);
    png_init_io(png->png, png->file);
}

SiltStatus silt_png_open(const char *path, FILE *file, bool writing, SiltPng *out)
{
    int64_t length = writing ? INT64_MAX : silt_input_bytes(file);
    size_t most = (size_t)16 << 20; // for two of the longest rows
    *out = (SiltPng){.path = path, .file = file, .writing = writing};
    out->most = length < INT64_MAX / 2 ? most + (size_t)length : SIZE_MAX;
    SiltStatus status = silt_png_try(out, create, NULL);
    if (status == SILT_OK && (!out->png || !out->info))
        status = silt_fail(SILT_MISSING_FEATURE, "%s: the installed libpng is not the one Silt was built for",
                           path);
    if (status != SILT_OK)
        silt_png_close(out);
    return status;
}

void silt_png_close(SiltPng *png)
{
    if (png->writing)
        png_destroy_write_struct(&png->png, &png->info);
    else
        png_destroy_read_struct(&png->png, &png->info, NULL);
}

static void read_info(SiltPng *png, void *context)
{
    (void)context;
    png_read_info(png->png, png->info);
}

SiltStatus silt_png_read_header(SiltPng *png)
{
    SiltStatus status = silt_png_try(png, read_info, NULL);
    if (status != SILT_OK)
        return status;
    double raw =
        (double)png_get_rowbytes(png->png, png->info) * (double)png_get_image_height(png->png, png->info);
    return silt_raster_check_length(png->path, raw, 1040.0, silt_input_bytes(png->file)); // deflate: 1032 : 1
}

#endif
