// The way of much between the processor's memory and a device's: through a block of memory that stays where
// it is, which devices reach by themselves, in pieces. While the device moves one piece, all threads copy the
// other. A driver that is handed any memory goes through a block of its own, on one thread, which also waits
// for every page that nobody has touched before.
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "opencl/opencl.h"

enum { WORTH_WHILE = 4 << 20, LINES = 16 }; // bytes; rows that a thread takes at a time

// The block, once it is needed. Without it the driver does as it does.
static bool has_way(SiltDevice *device)
{
    cl_int code = CL_SUCCESS;
    if (device->way_at || device->has_no_way)
        return device->way_at;
    device->way = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                 2 * (size_t)SILT_PIECE, NULL, &code);
    if (code == CL_SUCCESS)
        device->way_at = clEnqueueMapBuffer(device->queue, device->way, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                            0, 2 * (size_t)SILT_PIECE, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        device->way_at = NULL;
        device->has_no_way = true;
    }
    return device->way_at;
}

void silt_way_close(SiltDevice *device)
{
    if (device->way_at && device->queue &&
        clEnqueueUnmapMemObject(device->queue, device->way, device->way_at, 0, NULL, NULL) == CL_SUCCESS)
        clFinish(device->queue);
    if (device->way)
        clReleaseMemObject(device->way);
    device->way = NULL;
    device->way_at = NULL;
}

bool silt_way_suits(SiltDevice *device, size_t bytes, size_t count)
{
    const char *asked = getenv("SILT_DEVICE_WAY"); // for who measures: docs/gpu.md
    int choice = asked ? atoi(asked) : silt_device_has_way;
    bool wanted = choice < 0 ? device->is_far : choice > 0;
    size_t least = choice > 0 ? 1 : WORTH_WHILE;
    return wanted && bytes <= SILT_PIECE && count > 0 && bytes >= (least + count - 1) / count &&
           has_way(device);
}

// ---- a piece ----

typedef struct Piece {
    unsigned char *block, *rows; // where it lies in the block, without gaps, and where its rows belong
    size_t stride, bytes;
    bool comes;
} Piece;

static void copy_rows(void *context, int begin, int end)
{
    const Piece *piece = context;
    for (size_t k = (size_t)begin; k < (size_t)end; k++) {
        unsigned char *block = piece->block + k * piece->bytes, *row = piece->rows + k * piece->stride;
        memcpy(piece->comes ? row : block, piece->comes ? block : row, piece->bytes);
    }
}

// Rows of the buffer, and how they are cut.
typedef struct Journey {
    SiltBuffer *buffer;
    size_t at, pitch;
    unsigned char *rows;
    size_t stride, bytes, count;
    size_t each; // rows of a piece
    bool comes;
    cl_event done[2];
} Journey;

static size_t rows_of(const Journey *j, size_t piece)
{
    size_t first = piece * j->each;
    return j->count - first < j->each ? j->count - first : j->each;
}

static void copy_piece(const Journey *j, size_t piece)
{
    Piece p = {.block = j->buffer->device->way_at + (piece & 1) * SILT_PIECE,
               .rows = j->rows + piece * j->each * j->stride,
               .stride = j->stride,
               .bytes = j->bytes,
               .comes = j->comes};
    silt_parallel((int)rows_of(j, piece), LINES, copy_rows, &p);
}

static cl_int send_piece(Journey *j, size_t piece)
{
    SiltDevice *device = j->buffer->device;
    size_t at = j->at + piece * j->each * j->pitch;
    const size_t there[3] = {at % j->pitch, at / j->pitch, 0}, here[3] = {0, 0, 0},
                 region[3] = {j->bytes, rows_of(j, piece), 1};
    unsigned char *block = device->way_at + (piece & 1) * SILT_PIECE;
    return j->comes
               ? clEnqueueReadBufferRect(device->queue, j->buffer->memory, CL_FALSE, there, here, region,
                                         j->pitch, 0, j->bytes, 0, block, 0, NULL, &j->done[piece & 1])
               : clEnqueueWriteBufferRect(device->queue, j->buffer->memory, CL_FALSE, there, here, region,
                                          j->pitch, 0, j->bytes, 0, block, 0, NULL, &j->done[piece & 1]);
}

// Until the device has done with a half of the block.
static cl_int wait(Journey *j, size_t piece)
{
    cl_event *done = &j->done[piece & 1];
    cl_int code = CL_SUCCESS;
    if (*done) {
        code = clWaitForEvents(1, done);
        clReleaseEvent(*done);
        *done = NULL;
    }
    return code;
}

// Both halves, so that the next journey finds them free, whatever became of this one.
static SiltStatus end(Journey *j, cl_int code, const char *what)
{
    for (size_t half = 0; half < 2; half++) {
        cl_int ended = wait(j, half);
        code = code == CL_SUCCESS ? ended : code;
    }
    return silt_cl_check(j->buffer->device, code, what);
}

SiltStatus silt_way_write(SiltBuffer *buffer, size_t at, size_t pitch, const void *data, size_t stride,
                          size_t bytes, size_t count)
{
    Journey j = {buffer, at,    pitch, (unsigned char *)(uintptr_t)data,
                 stride, bytes, count, .each = SILT_PIECE / bytes};
    cl_int code = CL_SUCCESS;
    for (size_t piece = 0; piece * j.each < count && code == CL_SUCCESS; piece++) {
        code = wait(&j, piece);
        if (code != CL_SUCCESS)
            break;
        copy_piece(&j, piece);
        code = send_piece(&j, piece);
        if (code == CL_SUCCESS)
            code = clFlush(buffer->device->queue);
    }
    return end(&j, code, "nothing can be brought to it");
}

SiltStatus silt_way_read(SiltBuffer *buffer, size_t at, size_t pitch, void *data, size_t stride, size_t bytes,
                         size_t count)
{
    Journey j = {buffer, at, pitch, data, stride, bytes, count, .each = SILT_PIECE / bytes, .comes = true};
    size_t pieces = (count + j.each - 1) / j.each;
    cl_int code = send_piece(&j, 0);
    for (size_t piece = 0; piece < pieces && code == CL_SUCCESS; piece++) {
        if (piece + 1 < pieces)
            code = send_piece(&j, piece + 1);
        cl_int came = wait(&j, piece);
        code = code == CL_SUCCESS ? came : code;
        if (came == CL_SUCCESS)
            copy_piece(&j, piece);
    }
    SiltStatus status = end(&j, code, "nothing can be fetched from it");
    if (status == SILT_OK)
        buffer->device->staged = 0; // all that was asked for before is done
    return status;
}
