// Stand-in: the parameter table, and a plain refusal.
#include "silt/render.h"
#include "core/status.h"

static const SiltParam render_items[] = {
    SILT_CHOICE(SiltRenderOptions, look, "hillshade", "hillshade", "how the picture is drawn"),
};
const SiltParamTable silt_render_params = SILT_PARAM_TABLE(SiltRenderOptions, render_items);

SiltStatus silt_render_file(const SiltTerrain *terrain, const SiltRenderOptions *options, const char *path)
{
    (void)terrain;
    (void)options;
    return silt_fail(SILT_MISSING_FEATURE, "%s: this build draws no pictures yet", path);
}
