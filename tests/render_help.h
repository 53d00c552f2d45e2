// What tests of pictures share.
#ifndef SILT_TEST_RENDER_HELP_H
#define SILT_TEST_RENDER_HELP_H

#include "test.h"

#include "silt/render.h"
#include "terrains.h"

static inline SiltRenderOptions map_options(void)
{
    SiltRenderOptions options;
    assert_ok(silt_params_init(&silt_render_params, &options));
    options.view = SILT_VIEW_MAP;
    return options;
}

static inline size_t image_bytes(const SiltImage *image)
{
    return (size_t)image->width * (size_t)image->height * 4;
}

#endif
