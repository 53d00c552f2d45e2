#include "sph/device_join.h"

#include <limits.h>

#include "core/memory.h"

struct SiltSphJoin {
    SiltProgram *program;
    SiltKernel *newcomers, *others;
    SiltBuffer *first, *seen; // of each particle
};

SiltStatus silt_sph_join_create(SiltDevice *device, const char *owner, int capacity, SiltSphJoin **out)
{
    size_t bytes = (size_t)capacity * sizeof(int32_t);
    void *block;
    *out = NULL;
    SiltStatus status = silt_alloc_for(owner, 1, sizeof(SiltSphJoin), &block);
    if (status != SILT_OK)
        return status;
    SiltSphJoin *join = *out = block;
    status = silt_program_create(device, owner, "#include \"sph/join.cl\"\n", NULL, &join->program);
    if (status == SILT_OK)
        status = silt_kernel_create(join->program, "join_newcomers", &join->newcomers);
    if (status == SILT_OK)
        status = silt_kernel_create(join->program, "join_others", &join->others);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, bytes, &join->first);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, bytes, &join->seen);
    if (status == SILT_OK)
        status = silt_buffer_fill(join->first, 0, INT_MAX, bytes);
    if (status != SILT_OK) {
        silt_sph_join_destroy(join);
        *out = NULL;
    }
    return status;
}

void silt_sph_join_destroy(SiltSphJoin *join)
{
    if (!join)
        return;
    silt_buffer_destroy(join->first);
    silt_buffer_destroy(join->seen);
    silt_program_destroy(join->program);
    silt_free(join);
}

void silt_sph_join_run(SiltSphJoin *join, SiltSphDevice *water, const SiltSph *sph, int most,
                       SiltBuffer *placed)
{
    SiltSphBuffers b = silt_sph_device_buffers(water);
    const SiltKernelArg args[] = {SILT_ARG_BUFFER(b.grid),
                                  SILT_ARG_BUFFER(b.rows),
                                  SILT_ARG_BUFFER(b.start),
                                  SILT_ARG_VALUE(sph->law),
                                  SILT_ARG_VALUE(sph->count),
                                  SILT_ARG_BUFFER(placed),
                                  SILT_ARG_BUFFER(silt_sph_device_array(water, SILT_AT_X)),
                                  SILT_ARG_BUFFER(silt_sph_device_array(water, SILT_AT_Y)),
                                  SILT_ARG_BUFFER(silt_sph_device_array(water, SILT_AT_Z)),
                                  SILT_ARG_BUFFER(silt_sph_device_array(water, SILT_AT_DENSITY)),
                                  SILT_ARG_BUFFER(join->first),
                                  SILT_ARG_BUFFER(join->seen)};
    enum { COUNT = sizeof args / sizeof args[0] };
    silt_sph_launch(join->newcomers, (size_t)most, args, COUNT);
    silt_sph_launch(join->others, (size_t)most, args, COUNT);
}
