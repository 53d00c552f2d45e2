// Brings what a run has in its state to where others see it: from a device, and into the terrain's layers.
#include <string.h>

#include "core/parallel.h"
#include "erode/layers.h"
#include "erode/run.h"
#include "grid/grid.h"
#include "terrain/terrain.h"

// ---- where the state lies on a device ----

static SiltGrid *grid_of(const SiltErosion *erosion)
{
    return erosion->state && erosion->model->grid ? erosion->model->grid(erosion->state) : NULL;
}

SiltStatus silt_erosion_fetch(const SiltErosion *erosion, int layer, int first, int count)
{
    SiltGrid *grid = grid_of(erosion);
    const char *const *fields = erosion->model->layer_fields;
    if (erosion->model->fetch && erosion->state)
        return erosion->model->fetch(erosion->state, layer);
    return grid ? silt_grid_fetch(grid, layer >= 0 && fields ? fields[layer] : NULL, first, count) : SILT_OK;
}

SiltStatus silt_erosion_push(const SiltErosion *erosion, int first, int count)
{
    SiltGrid *grid = grid_of(erosion);
    if (erosion->model->push && erosion->state)
        return erosion->model->push(erosion->state);
    return grid ? silt_grid_push(grid, first, count) : SILT_OK;
}

void silt_erosion_renew(const SiltErosion *erosion)
{
    SiltGrid *grid = grid_of(erosion);
    if (grid)
        silt_grid_renew(grid);
}

SiltStatus silt_erosion_fetch_all(const SiltErosion *erosion)
{
    return silt_erosion_fetch(erosion, -1, 0, erosion->terrain->height);
}

SiltStatus silt_erosion_fetch_resting(const SiltErosion *erosion)
{
    SiltGrid *grid = grid_of(erosion);
    return grid && erosion->model->rest_fields
               ? silt_grid_fetch(grid, erosion->model->rest_fields, 0, erosion->terrain->height)
               : silt_erosion_fetch_all(erosion);
}

// What layers are shown from, and the books are kept by; what else there is on a device stays there.
static SiltStatus fetch_shown(const SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    if (!model->grid || !model->layer_fields)
        return silt_erosion_fetch_all(erosion);
    SiltStatus status = SILT_OK;
    for (int k = 0; model->layers && model->layers[k] && status == SILT_OK; k++)
        status = silt_erosion_fetch(erosion, k, 0, erosion->terrain->height);
    return status;
}

// ---- into the layers of the terrain ----

// Cubic metres of rock in the water of a terrain.
static double carried_rock(const SiltTerrain *terrain)
{
    const SiltField *sediment = silt_terrain_layer(terrain, "sediment");
    if (!sediment)
        return 0.0;
    SiltFieldStatistics found;
    silt_field_statistics(sediment, terrain->nodata, &found);
    return found.mean * (double)found.cell_count * terrain->cell * terrain->cell;
}

// That in water that stands on the terrain while a model without water works: it stays where it is, and in
// the books.
double silt_erosion_waiting_rock(const SiltErosion *erosion)
{
    bool knows = erosion->model->particles || silt_model_begins_with(erosion->model, "sediment");
    return knows ? 0.0 : carried_rock(erosion->terrain);
}

typedef struct ShowJob {
    const SiltErosion *erosion;
    SiltField *fields[SILT_MAX_LAYERS];
    int count;
} ShowJob;

static void show_rows(void *context, int begin, int end)
{
    const ShowJob *job = context;
    const SiltModel *model = job->erosion->model;
    const SiltTerrain *terrain = job->erosion->terrain;
    for (int j = begin; j < end; j++)
        for (int k = 0; k < job->count; k++) {
            float *row = silt_field_row(job->fields[k], j);
            const SiltField *field = model->field ? model->field(job->erosion->state, k) : NULL;
            if (field)
                memcpy(row, silt_field_row(field, j), (size_t)terrain->width * sizeof *row);
            else
                model->show(job->erosion->state, k, j, 0, terrain->width, row);
            for (int i = 0; terrain->nodata && i < terrain->width; i++)
                row[i] = silt_terrain_is_nodata(terrain, i, j) ? 0.0f : row[i];
        }
}

// The layers that the model shows row by row.
static SiltStatus store_layers(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    ShowJob job = {.erosion = erosion};
    SiltStatus status = SILT_OK;
    for (; model->layers && model->layers[job.count] && status == SILT_OK; job.count++)
        status = silt_terrain_require(erosion->terrain, model->layers[job.count], &job.fields[job.count]);
    if (status == SILT_OK && job.count > 0)
        silt_parallel(erosion->terrain->height, 16, show_rows, &job);
    return status;
}

SiltStatus silt_erosion_store(SiltErosion *erosion)
{
    SiltLedger *ledger = &erosion->report.ledger;
    if (erosion->stored == erosion->generation)
        return SILT_OK;
    SiltScope scope = silt_scope_begin(erosion);
    SiltStatus status = fetch_shown(erosion);
    if (status == SILT_OK)
        status = store_layers(erosion);
    ledger->rock.initial -= erosion->waiting; // the model knows only of its own
    if (status == SILT_OK)
        status = erosion->model->store(erosion->state, erosion->terrain, ledger);
    ledger->rock.initial += erosion->waiting;
    ledger->rock.stored += erosion->waiting;
    if (!erosion->model->particles) // those count it themselves, to the unit
        ledger->rock.carried = carried_rock(erosion->terrain);
    erosion->stored = status == SILT_OK ? erosion->generation : 0;
    silt_scope_end(scope);
    return status;
}
