// What a device needs of `cells` beside its row code: what goes into its books, and what the processor
// brings.
#include "erode/cells.h"
#include "erode/supply_there.h"

static const SiltTallyMember tally_members[] = {
    SILT_TALLY_SUM(CellsTally, rained),       SILT_TALLY_SUM(CellsTally, evaporated),
    SILT_TALLY_SUM(CellsTally, water_before), SILT_TALLY_SUM(CellsTally, water_after),
    SILT_TALLY_SUM(CellsTally, rock_added),   SILT_TALLY_SUM(CellsTally, rock_before),
    SILT_TALLY_SUM(CellsTally, rock_after),   SILT_TALLY_SUM(CellsTally, full)};

static const Cells *cells_of(const void *step)
{
    return ((const CellsPass *)step)->cells;
}

static const int layers[] = {LAYER, SILT_STRATA_GRID_FIELDS(STRATA)};

static const SiltField *layer_of(const void *step, int field)
{
    const Cells *c = cells_of(step);
    return field == LAYER ? c->erodibility : silt_strata_field(&c->strata, field - STRATA);
}

static const int made[] = {WATERS, WATERS + 1, WATERS + 2, WATERS + 3, WATERS + 4};

static void make_heights(const void *step, int row, float *out)
{
    const CellsPass *pass = step;
    const int32_t *ground = silt_grains_row(&pass->cells->ground, row);
    for (int i = 0; i < pass->cells->terrain->width; i++)
        out[i] = pass->low + (float)ground[i] * pass->grain;
}

static const SiltSuppliedMaker maker = {offsetof(CellsPass, supply), WATERS, -1, NULL, make_heights};

static const SiltGridSetting settings[] = {SILT_GRID_SETTING(CellsPass, eight),
                                           SILT_GRID_SETTING(CellsPass, evenly),
                                           SILT_GRID_SETTING(CellsPass, north),
                                           SILT_GRID_SETTING(CellsPass, south),
                                           SILT_GRID_SETTING(CellsPass, west),
                                           SILT_GRID_SETTING(CellsPass, east),
                                           SILT_GRID_SETTING(CellsPass, has_erodibility),
                                           SILT_SUPPLY_SETTINGS(CellsPass),
                                           SILT_STRATA_SETTINGS(CellsPass)};

const SiltGridProgram silt_cells_program = {.files = "erode/cells_phases.c",
                                            .step_type = "CellsPass",
                                            .tally_type = "CellsTally",
                                            .step_bytes = sizeof(CellsPass),
                                            .settings = settings,
                                            .setting_count = sizeof settings / sizeof settings[0],
                                            .members = tally_members,
                                            .member_count = sizeof tally_members / sizeof tally_members[0],
                                            .layers = layers,
                                            .layer_count = sizeof layers / sizeof layers[0],
                                            .layer = layer_of,
                                            .made = made,
                                            .made_count = sizeof made / sizeof made[0],
                                            SILT_SUPPLIED,
                                            .maker = &maker};
