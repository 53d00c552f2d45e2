// What a device needs of `pipes` beside its row code: what goes into its books, and what the processor
// brings.
#include "erode/pipes.h"
#include "erode/pipes_rows.h"
#include "erode/supply_there.h"

static const SiltTallyMember tally_members[] = {
    SILT_TALLY_SUM(PipesTally, added),         SILT_TALLY_SUM(PipesTally, evaporated),
    SILT_TALLY_SUM(PipesTally, left),          SILT_TALLY_SUM(PipesTally, sediment_added),
    SILT_TALLY_SUM(PipesTally, sediment_left), SILT_TALLY_SUM(PipesTally, swift),
    SILT_TALLY_SUM(PipesTally, limited),       SILT_TALLY_MOST(PipesTally, deepest),
    SILT_TALLY_MOST(PipesTally, swiftest)};

static const Pipes *pipes_of(const void *step)
{
    return ((const PipesStep *)step)->host;
}

static const int layers[] = {LAYER, SILT_STRATA_GRID_FIELDS(STRATA)};

static const SiltField *layer_of(const void *step, int field)
{
    const Pipes *p = pipes_of(step);
    return field == LAYER ? p->erodibility : silt_strata_field(&p->strata, field - STRATA);
}

static bool needs_double(const void *step)
{
    const PipesStep *s = step;
    return s->supply.needs_ground || s->by_altitude || s->strata.count > 0;
}

static const int made[] = {SILLS, WATERS, WATERS + 1, WATERS + 2, WATERS + 3, WATERS + 4};

static void make_sills(const void *step, int row, int32_t *out)
{
    const Pipes *p = pipes_of(step);
    int width = p->terrain->width, height = p->terrain->height;
    const int32_t *north = p->sills, *south = north + width, *west = south + width, *east = west + height;
    for (int i = 0; i < width; i++)
        out[i] = row == 0 ? north[i] : row == height - 1 ? south[i] : i == 0 ? west[row] : east[row];
}

static void make_heights(const void *step, int row, float *out)
{
    const Pipes *p = pipes_of(step);
    const int32_t *ground = silt_grains_row(&p->ground, row);
    for (int i = 0; i < p->terrain->width; i++)
        out[i] = (float)(p->base.low + (double)ground[i] * p->grain);
}

static const SiltSuppliedMaker maker = {offsetof(PipesStep, supply), WATERS, SILLS, make_sills, make_heights};

static const SiltGridSetting settings[] = {SILT_GRID_SETTING(PipesStep, banks),
                                           SILT_GRID_SETTING(PipesStep, samples),
                                           SILT_GRID_SETTING(PipesStep, by_altitude),
                                           SILT_GRID_SETTING(PipesStep, traced),
                                           SILT_GRID_SETTING(PipesStep, north),
                                           SILT_GRID_SETTING(PipesStep, south),
                                           SILT_GRID_SETTING(PipesStep, west),
                                           SILT_GRID_SETTING(PipesStep, east),
                                           SILT_GRID_SETTING(PipesStep, has_erodibility),
                                           SILT_SUPPLY_SETTINGS(PipesStep),
                                           SILT_STRATA_SETTINGS(PipesStep)};

const SiltGridProgram silt_pipes_program = {
    .files = "erode/pipes_water.c erode/pipes_limits.c erode/pipes_rock.c erode/pipes_carry.c",
    .step_type = "PipesStep",
    .tally_type = "PipesTally",
    .step_bytes = sizeof(PipesStep),
    .settings = settings,
    .setting_count = sizeof settings / sizeof settings[0],
    .members = tally_members,
    .member_count = sizeof tally_members / sizeof tally_members[0],
    .layers = layers,
    .layer_count = sizeof layers / sizeof layers[0],
    .layer = layer_of,
    .needs_double = needs_double,
    .made = made,
    .made_count = sizeof made / sizeof made[0],
    SILT_SUPPLIED,
    .maker = &maker};
