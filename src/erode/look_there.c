#include "erode/look_there.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "erode/ground.h"
#include "erode/run.h"
#include "grid/grid.h"

static const char owner[] = "a picture of the run";

// As look_there.cl has it.
typedef struct LookShape {
    double low, grain;
    int64_t origin, at;
    int32_t width, height, pitch, had;
} LookShape;

struct SiltLookThere {
    SiltProgram *program;
    SiltKernel *amount, *ground;
    SiltBuffer *heights, *before, *holes; // `before`: a few bytes where there is none
    bool has_before;
    uint64_t edits; // that the heights have in them
};

void silt_look_there_destroy(SiltLookThere *there)
{
    if (!there)
        return;
    silt_buffer_destroy(there->heights);
    silt_buffer_destroy(there->before);
    silt_buffer_destroy(there->holes);
    silt_program_destroy(there->program);
    silt_free(there);
}

// The field of the state that "water" is shown from; NULL: the model has no water.
static const char *water_field(const SiltModel *model)
{
    int layer = silt_model_layer(model, "water");
    return layer >= 0 && model->layer_fields ? model->layer_fields[layer] : NULL;
}

static const SiltGround *ground_of(const SiltErosion *erosion)
{
    return erosion->model->base && erosion->state ? erosion->model->base(erosion->state) : NULL;
}

bool silt_erosion_can_look_there(const SiltErosion *erosion, bool *water)
{
    const SiltModel *model = erosion->model;
    SiltGrid *grid = model->grid && erosion->state ? model->grid(erosion->state) : NULL;
    *water = water_field(model) != NULL;
    return grid && silt_grid_is_on_device(grid) && ground_of(erosion) && erosion->run.device &&
           silt_device_of(erosion->run.device)->has_double;
}

static SiltStatus bring(SiltBuffer *to, const SiltField *field)
{
    size_t row = (size_t)field->width * sizeof(float);
    return silt_buffer_write_rows(to, 0, row, field->data, field->stride * sizeof(float), row,
                                  (size_t)field->height);
}

static SiltStatus make(SiltErosion *erosion, SiltLookThere *there)
{
    const SiltTerrain *terrain = erosion->terrain;
    const SiltGround *ground = ground_of(erosion);
    SiltDevice *device = erosion->run.device;
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    SiltStatus status =
        silt_program_create(device, owner, "#include \"erode/look_there.cl\"\n", NULL, &there->program);
    if (status == SILT_OK)
        status = silt_kernel_create(there->program, "show_amount", &there->amount);
    if (status == SILT_OK)
        status = silt_kernel_create(there->program, "show_ground", &there->ground);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, cells * sizeof(float), &there->heights);
    if (status == SILT_OK)
        status =
            silt_buffer_create(device, owner, ground->before ? cells * sizeof(float) : 4, &there->before);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, cells, &there->holes);
    if (status == SILT_OK && terrain->nodata)
        status = silt_buffer_write(there->holes, 0, terrain->nodata, cells);
    return status;
}

static SiltStatus require(SiltErosion *erosion)
{
    bool has_before = ground_of(erosion)->before != NULL;
    if (erosion->there && has_before == erosion->there->has_before)
        return SILT_OK;
    silt_look_there_destroy(erosion->there); // another state was brought back
    erosion->there = NULL;
    void *block;
    SiltStatus status = silt_alloc_for(owner, 1, sizeof(SiltLookThere), &block);
    if (status != SILT_OK)
        return status;
    SiltLookThere *there = block;
    there->edits = UINT64_MAX;
    there->has_before = has_before;
    status = make(erosion, there);
    if (status == SILT_OK)
        erosion->there = there;
    else
        silt_look_there_destroy(there);
    return status;
}

SiltStatus silt_erosion_holes_there(SiltErosion *erosion, SiltBuffer **out)
{
    SiltStatus status = require(erosion);
    *out = status == SILT_OK ? erosion->there->holes : NULL;
    return status;
}

// Hands raise the heights that the run began with.
static SiltStatus bring_heights(SiltErosion *erosion)
{
    SiltLookThere *there = erosion->there;
    if (there->edits == erosion->edits)
        return SILT_OK;
    const SiltGround *ground = ground_of(erosion);
    SiltStatus status = bring(there->heights, ground->height);
    if (status == SILT_OK && ground->before)
        status = bring(there->before, ground->before);
    there->edits = status == SILT_OK ? erosion->edits : UINT64_MAX;
    return status;
}

SiltStatus silt_erosion_look_there(SiltErosion *erosion, const char *layer, SiltBuffer *to, size_t at)
{
    bool is_ground = strcmp(layer, "height") == 0;
    const char *field = is_ground ? "ground" : water_field(erosion->model);
    const SiltGround *base = ground_of(erosion);
    SiltGridThere grains = {0};
    if (!field || !base)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: '%.60s' cannot be shown on a device",
                         erosion->model->name, layer);
    SiltStatus status = require(erosion);
    if (status == SILT_OK)
        status = silt_grid_there(erosion->model->grid(erosion->state), field, &grains);
    if (status == SILT_OK && is_ground)
        status = bring_heights(erosion);
    if (status != SILT_OK)
        return status;
    const SiltLookThere *there = erosion->there;
    SiltKernel *kernel = is_ground ? there->ground : there->amount;
    const LookShape shape = {base->low,    base->grain,   grains.origin, (int64_t)at,
                             grains.width, grains.height, grains.pitch,  base->before != NULL};
    silt_kernel_set(kernel, 0, &shape, sizeof shape);
    silt_kernel_set_buffer(kernel, 1, grains.out);
    silt_kernel_set_buffer(kernel, 2, there->holes);
    if (is_ground) {
        silt_kernel_set_buffer(kernel, 3, there->heights);
        silt_kernel_set_buffer(kernel, 4, there->before);
    }
    silt_kernel_set_buffer(kernel, is_ground ? 5 : 3, to);
    return silt_kernel_run(kernel, 2, (const size_t[]){(size_t)grains.width, (size_t)grains.height}, NULL);
}
