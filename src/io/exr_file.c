#include "io/exr_file.h"
#include "silt/base.h"

#ifdef SILT_HAS_EXR

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/status.h"
#include "io/output.h"
#include "silt/terrain.h"

// OpenEXR goes on without some of what it has no memory for, such as an attribute, and hands the allocator no
// context to remember it in; it tells of errors while it holds its own lock, so that nothing may be asked of
// it then. Both are kept with the thread until silt_exr_settle.
static _Thread_local bool short_of_memory;
static _Thread_local char complaint[200];

static void *allocate(size_t bytes)
{
    void *block = silt_alloc(bytes);
    if (!block)
        short_of_memory = true;
    return block;
}

static void on_error(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)context, (void)code;
    if (!complaint[0])
        snprintf(complaint, sizeof complaint, "%s", text ? text : "");
}

exr_result_t silt_exr_settle(SiltExr *file, exr_result_t result)
{
    if (short_of_memory)
        result = EXR_ERR_OUT_OF_MEMORY;
    if (result != EXR_ERR_SUCCESS) {
        pthread_mutex_lock(&file->lock);
        if (!file->reason[0])
            snprintf(file->reason, sizeof file->reason, "%s",
                     complaint[0] ? complaint : exr_get_default_error_message(result));
        pthread_mutex_unlock(&file->lock);
    }
    short_of_memory = false;
    complaint[0] = '\0';
    return result;
}

static void note_error(SiltExr *file, int error)
{
    pthread_mutex_lock(&file->lock);
    if (!file->error)
        file->error = error;
    pthread_mutex_unlock(&file->lock);
}

static int64_t read_bytes(exr_const_context_t context, void *user, void *to, uint64_t bytes, uint64_t offset,
                          exr_stream_error_func_ptr_t say)
{
    (void)context, (void)say;
    SiltExr *file = user;
    uint64_t done = 0;
    while (done < bytes && offset + done < (uint64_t)file->bytes) {
        ssize_t got = pread(file->descriptor, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            note_error(file, errno);
            return -1;
        }
        if (got == 0)
            break;
        done += (uint64_t)got;
    }
    return (int64_t)done;
}

static int64_t write_bytes(exr_const_context_t context, void *user, const void *from, uint64_t bytes,
                           uint64_t offset, exr_stream_error_func_ptr_t say)
{
    (void)context, (void)say;
    SiltExr *file = user;
    uint64_t done = 0;
    while (done < bytes) {
        ssize_t put =
            pwrite(file->descriptor, (const char *)from + done, bytes - done, (off_t)(offset + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            note_error(file, put < 0 ? errno : EIO);
            return -1;
        }
        done += (uint64_t)put;
    }
    return (int64_t)done;
}

static int64_t length_of(exr_const_context_t context, void *user)
{
    (void)context;
    return ((const SiltExr *)user)->bytes;
}

SiltStatus silt_exr_check(SiltExr *file, exr_result_t result)
{
    result = silt_exr_settle(file, result);
    if (result == EXR_ERR_SUCCESS)
        return SILT_OK;
    if (result == EXR_ERR_OUT_OF_MEMORY)
        return silt_fail(SILT_NO_MEMORY, "%s: not enough memory", file->path);
    if (file->error || file->writing)
        return silt_fail(SILT_IO_ERROR, "%s: cannot %s: %s", file->path, file->writing ? "write" : "read",
                         file->error ? strerror(file->error) : file->reason);
    return silt_fail(SILT_BAD_FILE, "%s: the EXR is damaged or cut off (OpenEXR: %s)", file->path,
                     file->reason);
}

static exr_context_initializer_t initializer_for(SiltExr *file)
{
    exr_context_initializer_t made = EXR_DEFAULT_CONTEXT_INITIALIZER;
    made.error_handler_fn = on_error;
    made.alloc_fn = allocate;
    made.free_fn = silt_free;
    made.user_data = file;
    made.read_fn = read_bytes;
    made.size_fn = length_of;
    made.write_fn = write_bytes;
    made.max_image_width = made.max_image_height = SILT_MAX_SIDE;
    made.max_tile_width = made.max_tile_height = SILT_MAX_SIDE;
    made.zip_level = 4;
    made.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION; // a damaged file is refused, not guessed at
    return made;
}

static SiltStatus opened(SiltExr *file, exr_result_t result)
{
    SiltStatus status = silt_exr_check(file, result);
    if (status == SILT_OK)
        return SILT_OK;
    if (result == EXR_ERR_SUCCESS)
        exr_finish(&file->context);
    pthread_mutex_destroy(&file->lock);
    return status;
}

SiltStatus silt_exr_open_read(const char *path, FILE *file, SiltExr *out)
{
    *out = (SiltExr){.path = path, .descriptor = fileno(file), .bytes = silt_input_bytes(file)};
    if (out->bytes == INT64_MAX)
        return silt_fail(SILT_IO_ERROR, "%s: an EXR cannot be read from a pipe; save it as a file first",
                         path);
    pthread_mutex_init(&out->lock, NULL);
    exr_context_initializer_t initializer = initializer_for(out);
    return opened(out, exr_start_read(&out->context, path, &initializer));
}

SiltStatus silt_exr_open_write(const char *path, FILE *file, SiltExr *out)
{
    *out = (SiltExr){.path = path, .descriptor = fileno(file), .writing = true};
    if (lseek(out->descriptor, 0, SEEK_SET) < 0)
        return silt_fail(SILT_IO_ERROR, "%s: an EXR cannot be written to a pipe; name a file", path);
    pthread_mutex_init(&out->lock, NULL);
    exr_context_initializer_t initializer = initializer_for(out);
    return opened(out, exr_start_write(&out->context, path, EXR_WRITE_FILE_DIRECTLY, &initializer));
}

SiltStatus silt_exr_close(SiltExr *file, SiltStatus status)
{
    exr_result_t result = exr_finish(&file->context);
    if (result == EXR_ERR_SUCCESS && file->error)
        result = EXR_ERR_WRITE_IO;
    if (status == SILT_OK)
        status = silt_exr_check(file, result);
    else
        silt_exr_settle(file, result); // the first failure is the one to tell
    pthread_mutex_destroy(&file->lock);
    return status;
}

#endif
