// One stage of erosion: how long, how and by which seed, declared once for recipes and programs.
#include "erode/stage.h"

#include <math.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "erode/keeper.h"
#include "erode/model.h"

const SiltParam silt_erode_items[] = {
    SILT_INT(SiltErodeOptions, steps, "", 0, 0, 2147483647,
             "how many steps; 0: the model's own choice, which 'silt help MODEL' says"),
    SILT_REAL(SiltErodeOptions, time, "", 0.0, 0.0, SILT_MAX_TIME,
              "instead of steps: seconds or years, as the model counts, or with a unit: s, min, h, d, years"),
    SILT_INT(SiltErodeOptions, pyramid, "", 0, 0, 12,
             "coarse to fine: begin on 1/2^pyramid of the sides; 0: all on the terrain itself"),
    SILT_REAL(SiltErodeOptions, seed, "", NAN, 0.0, 18446744073709551615.0,
              "a whole number; none: the terrain's plus the stage's number"),
};
const SiltParamTable silt_erode_params = SILT_PARAM_TABLE(SiltErodeOptions, silt_erode_items);

SiltStatus silt_erode_options_set(SiltErodeOptions *options, const SiltModel *model, const char *owner,
                                  const char *key, const char *value)
{
    if (strcmp(key, "time") != 0)
        return silt_params_set(&silt_erode_params, options, owner, key, value);
    double time;
    char number[SILT_NUMBER_SIZE];
    if (!silt_parse_time(value, model ? model->clock : "s", &time))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: time = '%.60s' is no time: a number of " SILT_TIME_UNITS,
                         owner, value);
    return silt_params_set(&silt_erode_params, options, owner, key, silt_format_number(time, number));
}

SiltStatus silt_erode_options_check(const SiltErodeOptions *options, const SiltModel *model,
                                    const char *owner)
{
    if (options->steps > 0 && options->time > 0.0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: steps and time are both given; one says how long", owner);
    if (model && options->time > 0.0 && !model->clock[0])
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s counts steps and knows no time; give steps", owner,
                         model->name);
    return SILT_OK;
}

SiltStatus silt_erode_as(const SiltModel *model, SiltTerrain *terrain, const void *params,
                         const SiltErodeOptions *options, const SiltRun *run, SiltReport *report)
{
    SiltDuration duration = {.steps = options->steps, .time = options->time};
    SiltStatus status = silt_keep_terrain(run ? run->keeper : NULL, "terrain", terrain);
    if (status != SILT_OK)
        return status;
    SiltReport done = {0};
    status = silt_erode_pyramid(model, terrain, params, duration, options->pyramid, run, &done);
    // at once, so that whatever comes next sees the ground as it is
    if (status == SILT_OK || status == SILT_CANCELLED || done.cancelled)
        silt_terrain_settle(terrain);
    if (report)
        *report = done;
    return status;
}
