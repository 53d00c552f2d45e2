// What a device needs of `thermal` beside its row code: what goes into its books, and what the processor
// brings.
#include "erode/thermal.h"
#include "erode/thermal_rows.h"

static const SiltTallyMember tally_members[] = {SILT_TALLY_MOST(ThermalTally, most),
                                                SILT_TALLY_MOST(ThermalTally, apart)};

static const Thermal *thermal_of(const void *step)
{
    return ((const ThermalStep *)step)->thermal;
}

static const int layers[] = {LAYER, SILT_STRATA_GRID_FIELDS(STRATA)};

static const SiltField *layer_of(const void *step, int field)
{
    const Thermal *t = thermal_of(step);
    return field == LAYER ? t->erodibility : silt_strata_field(&t->strata, field - STRATA);
}

static const int made[] = {HOLES};

static uint64_t version_of(const SiltGridProgram *program, const void *step, int field)
{
    (void)program;
    (void)field;
    return ((const ThermalStep *)step)->has_holes ? 1 : 0;
}

static void make_row(const SiltGridProgram *program, const void *step, int field, int row, float *out,
                     float *scratch)
{
    (void)program;
    (void)field;
    (void)scratch;
    const SiltTerrain *terrain = thermal_of(step)->origin.terrain;
    for (int i = 0; i < terrain->width; i++)
        out[i] = silt_terrain_is_nodata(terrain, i, row) ? 1.0f : 0.0f;
}

static const SiltGridSetting settings[] = {SILT_GRID_SETTING(ThermalStep, neighbours),
                                           SILT_GRID_SETTING(ThermalStep, mobile),
                                           SILT_GRID_SETTING(ThermalStep, watching),
                                           SILT_GRID_SETTING(ThermalStep, has_holes),
                                           SILT_GRID_SETTING(ThermalStep, has_erodibility),
                                           SILT_GRID_SETTING(ThermalStep, breaks),
                                           SILT_STRATA_SETTINGS(ThermalStep)};

const SiltGridProgram silt_thermal_program = {.files = "erode/thermal_phases.c",
                                              .step_type = "ThermalStep",
                                              .tally_type = "ThermalTally",
                                              .step_bytes = sizeof(ThermalStep),
                                              .settings = settings,
                                              .setting_count = sizeof settings / sizeof settings[0],
                                              .members = tally_members,
                                              .member_count = 2,
                                              .layers = layers,
                                              .layer_count = 4,
                                              .layer = layer_of,
                                              .made = made,
                                              .made_count = 1,
                                              .version = version_of,
                                              .make = make_row};
