#include "test.h"

#include "silt/render.h"

// What is not a number has no colour: it is refused, whichever layer that is drawn has it.
static void what_is_not_finite_is_not_drawn(void **state)
{
    (void)state;
    SiltTerrain *terrain, *other;
    SiltField *flow;
    SiltImage image;
    SiltRenderOptions options;
    assert_ok(silt_params_init(&silt_render_params, &options));
    options.view = SILT_VIEW_MAP;
    assert_ok(silt_terrain_create(16, 12, 5.0, &terrain));
    assert_ok(silt_terrain_create(16, 12, 5.0, &other));
    assert_ok(silt_terrain_require(terrain, "flow", &flow));
    flow->data[7] = INFINITY;
    assert_ok(silt_render(terrain, &options, &image)); // not drawn
    silt_image_destroy(&image);
    strcpy(options.overlay, "flow");
    assert_fails(silt_render(terrain, &options, &image), SILT_BAD_ARGUMENT,
                 "render: 1 cell of 'flow' is not a finite number; nothing was drawn");
    options.overlay[0] = '\0';
    terrain->layers[0]->field.data[3] = NAN;
    assert_fails(silt_render(terrain, &options, &image), SILT_BAD_ARGUMENT, "1 cell of 'height'");
    assert_null(image.rgba);
    assert_fails(silt_render_pair(other, terrain, &options, &image), SILT_BAD_ARGUMENT, "1 cell of 'height'");
    assert_null(image.rgba);
    silt_terrain_destroy(other);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
