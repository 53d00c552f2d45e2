// What a device needs of `newton` beside its row code: what goes into its books, and what the processor
// brings.
#include "erode/newton.h"
#include "erode/newton_rows.h"
#include "erode/supply_there.h"

static const SiltTallyMember tally_members[] = {
    SILT_TALLY_SUM(NewtonTally, added),         SILT_TALLY_SUM(NewtonTally, dried),
    SILT_TALLY_SUM(NewtonTally, left),          SILT_TALLY_SUM(NewtonTally, sediment_added),
    SILT_TALLY_SUM(NewtonTally, sediment_left), SILT_TALLY_SUM(NewtonTally, swift),
    SILT_TALLY_SUM(NewtonTally, could),         SILT_TALLY_MOST(NewtonTally, deepest),
    SILT_TALLY_MOST(NewtonTally, swiftest)};

static const Newton *newton_of(const void *step)
{
    return ((const NewtonPass *)step)->newton;
}

static const int layers[] = {LAYER, SILT_STRATA_GRID_FIELDS(STRATA)};

static const SiltField *layer_of(const void *step, int field)
{
    const Newton *n = newton_of(step);
    return field == LAYER ? n->erodibility : silt_strata_field(&n->strata, field - STRATA);
}

static bool needs_double(const void *step)
{
    const NewtonPass *pass = step;
    return SILT_SET(pass, supply.needs_ground) || SILT_SET(pass, strata.count) > 0;
}

static const int made[] = {OUTER, WATERS, WATERS + 1, WATERS + 2, WATERS + 3, WATERS + 4};

// The ground along the borders as it was in the beginning.
static void make_outer(const void *step, int row, int32_t *out)
{
    const Newton *n = newton_of(step);
    int width = n->terrain->width;
    bool all = row == 0 || row == n->terrain->height - 1;
    for (int i = 0; i < width; i++)
        out[i] = all || i == 0 || i == width - 1 ? silt_newton_outer(n, i, row) : 0;
}

static void make_heights(const void *step, int row, float *out)
{
    const Newton *n = newton_of(step);
    const int32_t *ground = silt_grains_row(&n->ground, row);
    for (int i = 0; i < n->terrain->width; i++)
        out[i] = (float)(n->base.low + (double)ground[i] * n->grain);
}

static const SiltSuppliedMaker maker = {offsetof(NewtonPass, supply), WATERS, OUTER, make_outer,
                                        make_heights};

static const SiltGridSetting settings[] = {SILT_GRID_SETTING(NewtonPass, all),
                                           SILT_GRID_SETTING(NewtonPass, parts),
                                           SILT_GRID_SETTING(NewtonPass, north),
                                           SILT_GRID_SETTING(NewtonPass, south),
                                           SILT_GRID_SETTING(NewtonPass, west),
                                           SILT_GRID_SETTING(NewtonPass, east),
                                           SILT_GRID_SETTING(NewtonPass, has_erodibility),
                                           SILT_GRID_SETTING(NewtonPass, evens),
                                           SILT_GRID_SETTING(NewtonPass, slips),
                                           SILT_SUPPLY_SETTINGS(NewtonPass),
                                           SILT_STRATA_SETTINGS(NewtonPass)};

const SiltGridProgram silt_newton_program = {.files = "erode/newton_water.c erode/newton_rock.c",
                                             .step_type = "NewtonPass",
                                             .tally_type = "NewtonTally",
                                             .step_bytes = sizeof(NewtonPass),
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
