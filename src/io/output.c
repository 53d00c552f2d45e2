#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"

static SiltStatus cannot_write(const char *path, int error)
{
    return silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", path, strerror(error ? error : EIO));
}

SiltStatus silt_output_begin(const char *path, SiltOutput *out)
{
    *out = (SiltOutput){0};
    if (path[0] == '\0')
        return silt_fail(SILT_BAD_ARGUMENT, "the name of the file to write is empty");
    if (strlen(path) >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is longer than %d bytes", path,
                         SILT_PATH_SIZE - 1);
    snprintf(out->path, sizeof out->path, "%s", path);
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: is a directory, not a file to write", path);
    if (exists && !S_ISREG(info.st_mode)) { // a device or a pipe cannot be replaced
        out->file = fopen(path, "wb");
        return out->file ? SILT_OK : cannot_write(path, errno);
    }
    if (exists && access(path, W_OK) != 0)
        return cannot_write(path, errno);
    // through a link, replace what it points to
    char *real = exists ? realpath(path, NULL) : NULL;
    if (real && strlen(real) < SILT_PATH_SIZE)
        snprintf(out->path, sizeof out->path, "%s", real);
    free(real);
    snprintf(out->temporary, sizeof out->temporary, "%s.XXXXXX", out->path);
    int descriptor = mkstemp(out->temporary);
    if (descriptor < 0)
        return cannot_write(path, errno);
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = exists ? info.st_mode & 07777 : 0666 & ~mask;
    fchmod(descriptor, mode);
    out->file = fdopen(descriptor, "w+b");
    if (!out->file) {
        int error = errno;
        close(descriptor);
        unlink(out->temporary);
        return cannot_write(path, error);
    }
    return SILT_OK;
}

void silt_output_abandon(SiltOutput *output)
{
    if (output->file)
        fclose(output->file);
    if (output->temporary[0])
        unlink(output->temporary);
    *output = (SiltOutput){0};
}

SiltStatus silt_output_commit(SiltOutput *output)
{
    errno = 0;
    int error = 0;
    if (fflush(output->file) != 0 || ferror(output->file))
        error = errno ? errno : EIO;
    else if (output->temporary[0] && fsync(fileno(output->file)) != 0 && errno != EINVAL && errno != ENOTSUP)
        error = errno;
    if (fclose(output->file) != 0 && !error)
        error = errno ? errno : EIO;
    output->file = NULL;
    if (!error && output->temporary[0] && rename(output->temporary, output->path) != 0)
        error = errno;
    if (error) {
        SiltStatus status = cannot_write(output->path, error);
        silt_output_abandon(output);
        return status;
    }
    *output = (SiltOutput){0};
    return SILT_OK;
}

SiltStatus silt_output_end(SiltOutput *output, SiltStatus status)
{
    if (status == SILT_OK)
        return silt_output_commit(output);
    silt_output_abandon(output);
    return status;
}

SiltStatus silt_write_file(const char *path, const void *data, size_t bytes)
{
    SiltOutput output;
    SiltStatus status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    if (fwrite(data, 1, bytes, output.file) != bytes)
        status = cannot_write(path, errno);
    return silt_output_end(&output, status);
}

SiltStatus silt_open_input(const char *path, FILE **out)
{
    *out = NULL;
    struct stat info;
    if (stat(path, &info) != 0)
        return errno == ENOENT ? silt_fail(SILT_IO_ERROR, "%s: no such file", path)
                               : silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: is a directory, not a file", path);
    *out = fopen(path, "rb");
    if (!*out)
        return silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
    if (S_ISREG(info.st_mode) && info.st_size == 0) {
        fclose(*out);
        *out = NULL;
        return silt_fail(SILT_BAD_FILE, "%s: the file is empty", path);
    }
    return SILT_OK;
}

int64_t silt_input_bytes(FILE *file)
{
    struct stat info;
    bool known = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    return known ? (int64_t)info.st_size : INT64_MAX;
}

SiltStatus silt_read_file(const char *path, size_t limit, char **out, size_t *bytes)
{
    *out = NULL;
    *bytes = 0;
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    void *data = NULL;
    size_t length = 0, capacity = 0;
    for (;;) {
        if (length + 1 >= capacity) {
            size_t wanted = capacity ? capacity * 2 : 65536;
            status = silt_grow(path, &data, length, wanted, 1);
            if (status != SILT_OK)
                goto fail;
            capacity = wanted;
        }
        size_t got = fread((char *)data + length, 1, capacity - length - 1, file);
        length += got;
        if (length > limit) {
            status =
                silt_fail(SILT_BAD_FILE, "%s: longer than the %zu bytes such a file may have", path, limit);
            goto fail;
        }
        if (got == 0)
            break;
    }
    if (ferror(file)) {
        status = silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
        goto fail;
    }
    fclose(file);
    ((char *)data)[length] = '\0';
    *out = data;
    *bytes = length;
    return SILT_OK;
fail:
    fclose(file);
    silt_free(data);
    return status;
}
