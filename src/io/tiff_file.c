#include "io/tiff_file.h"
#include "silt/base.h"

#ifdef SILT_HAS_TIFF

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/status.h"
#include "io/geotiff.h"
#include "io/output.h"

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t bytes)
{
    SiltTiff *file = handle;
    tmsize_t done = 0;
    while (done < bytes) {
        ssize_t got = pread(file->descriptor, (char *)to + done, (size_t)(bytes - done), (off_t)file->offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            file->error = errno;
        if (got <= 0)
            break;
        done += got;
        file->offset += got;
    }
    return done;
}

static tmsize_t write_bytes(thandle_t handle, void *from, tmsize_t bytes)
{
    SiltTiff *file = handle;
    tmsize_t done = 0;
    while (done < bytes) {
        ssize_t put =
            pwrite(file->descriptor, (char *)from + done, (size_t)(bytes - done), (off_t)file->offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            file->error = put < 0 ? errno : EIO;
            return -1;
        }
        done += put;
        file->offset += put;
        file->bytes = file->offset > file->bytes ? file->offset : file->bytes;
    }
    return done;
}

static toff_t seek_to(thandle_t handle, toff_t offset, int whence)
{
    SiltTiff *file = handle;
    int64_t base = whence == SEEK_CUR ? file->offset : whence == SEEK_END ? file->bytes : 0;
    if (offset > (toff_t)(INT64_MAX - base))
        return (toff_t)-1;
    file->offset = base + (int64_t)offset;
    return (toff_t)file->offset;
}

static int keep_open(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t length_of(thandle_t handle)
{
    return (toff_t)((SiltTiff *)handle)->bytes;
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)module;
    SiltTiff *file = user;
    if (!file->reason[0])
        vsnprintf(file->reason, sizeof file->reason, format, arguments);
    return 1; // said: libtiff prints nothing
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    // libtiff goes on without a tag that it cannot read or has no memory for; it may say what nodata is
    if (strstr(format, "IO error") || strstr(format, "Registering anonymous field"))
        return on_error(tiff, user, module, format, arguments);
    SiltTiff *file = user;
    // tags of other programs are no news, and one warning of a damaged file is enough
    if (!file->warned && !strstr(format, "Unknown field")) {
        char text[200];
        vsnprintf(text, sizeof text, format, arguments);
        silt_warn("%s: libtiff warns: %s", file->path, text);
        file->warned = true;
    }
    return 1;
}

SiltStatus silt_tiff_failed(const SiltTiff *file, const char *what)
{
    if (file->error)
        return silt_fail(SILT_IO_ERROR, "%s: cannot %s: %s", file->path, file->writing ? "write" : "read",
                         strerror(file->error));
    if (file->writing)
        return silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", file->path,
                         file->reason[0] ? file->reason : "libtiff does not say why");
    return silt_fail(SILT_BAD_FILE, "%s: the TIFF is damaged or cut off %s (libtiff: %s)", file->path, what,
                     file->reason[0] ? file->reason : "no reason given");
}

static SiltStatus open_tiff(SiltTiff *file, const char *mode)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return silt_fail_memory(file->path, 64.0);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, file);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, file);
    if (!file->writing) // a damaged tag may claim any length
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)(64 << 20) +
                                                         64 * (file->bytes < (1LL << 50) ? file->bytes : 0));
    file->tiff = TIFFClientOpenExt(file->path, mode, file, read_bytes, write_bytes, seek_to, keep_open,
                                   length_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    if (file->tiff && !file->reason[0])
        return SILT_OK;
    silt_tiff_close(file);
    return silt_tiff_failed(file, "in its tags");
}

SiltStatus silt_tiff_open_read(const char *path, FILE *file, SiltTiff *out)
{
    *out = (SiltTiff){.path = path, .descriptor = fileno(file), .bytes = silt_input_bytes(file)};
    if (out->bytes == INT64_MAX)
        return silt_fail(SILT_IO_ERROR, "%s: a TIFF cannot be read from a pipe; save it as a file first",
                         path);
    // no memory mapping, which would kill the process when the file shrinks
    return open_tiff(out, "rm");
}

SiltStatus silt_tiff_open_write(const char *path, FILE *file, bool big, SiltTiff *out)
{
    *out = (SiltTiff){.path = path, .descriptor = fileno(file), .writing = true};
    if (lseek(out->descriptor, 0, SEEK_SET) < 0)
        return silt_fail(SILT_IO_ERROR, "%s: a TIFF cannot be written to a pipe; name a file", path);
    SiltStatus status = open_tiff(out, big ? "w8m" : "wm");
    if (status == SILT_OK)
        silt_geotiff_register(out->tiff);
    return status;
}

void silt_tiff_close(SiltTiff *file)
{
    if (file->tiff)
        TIFFClose(file->tiff);
    file->tiff = NULL;
}

#endif
