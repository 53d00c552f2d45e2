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

static uint64_t version_of(const void *step, int field)
{
    return silt_supply_version(&((const CellsPass *)step)->supply, field - WATERS);
}

static const char *make_reads(const void *step)
{
    return silt_supply_makes_by_ground(&((const CellsPass *)step)->supply) ? "ground" : NULL;
}

static void make_row(const void *step, int field, int row, float *out, float *scratch)
{
    const CellsPass *pass = step;
    const int32_t *ground = silt_grains_row(&pass->cells->ground, row);
    for (int i = 0; make_reads(step) && i < pass->cells->terrain->width; i++)
        scratch[i] = pass->low + (float)ground[i] * pass->grain;
    silt_supply_make_row(&pass->supply, field - WATERS, row, scratch, out);
}

static const SiltGridSetting settings[] = {SILT_GRID_SETTING(CellsPass, eight),
                                           SILT_GRID_SETTING(CellsPass, evenly),
                                           SILT_GRID_SETTING(CellsPass, north),
                                           SILT_GRID_SETTING(CellsPass, south),
                                           SILT_GRID_SETTING(CellsPass, west),
                                           SILT_GRID_SETTING(CellsPass, east),
                                           SILT_GRID_SETTING(CellsPass, has_erodibility),
                                           SILT_SUPPLY_SETTINGS(CellsPass),
                                           SILT_STRATA_SETTINGS(CellsPass)};

static SiltStatus make_there(const void *step, int field, const SiltGridThere *there, bool *is_made)
{
    return silt_supply_make_there(&((const CellsPass *)step)->supply, field - WATERS, there, is_made);
}

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
                                            .version = version_of,
                                            .make_reads = make_reads,
                                            .make = make_row,
                                            .make_there = make_there};
