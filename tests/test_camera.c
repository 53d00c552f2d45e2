// Where the camera stands, and what it sees.
#include "render_help.h"

#include "render/camera.h"

static void project(const float matrix[16], const double at[3], double out[2])
{
    double clip[4];
    for (int r = 0; r < 4; r++)
        clip[r] = matrix[r] * at[0] + matrix[4 + r] * at[1] + matrix[8 + r] * at[2] + matrix[12 + r];
    out[0] = clip[0] / clip[3];
    out[1] = clip[1] / clip[3];
}

static void the_whole_terrain_is_in_the_picture(void **state)
{
    (void)state;
    const int sizes[][2] = {{64, 64}, {200, 20}, {20, 200}};
    for (size_t s = 0; s < 3; s++) {
        SiltTerrain *terrain = hills(sizes[s][0], sizes[s][1], 3);
        for (int turn = 0; turn < 360; turn += 30)
            for (int view = SILT_VIEW_THREE_QUARTER; view <= SILT_VIEW_TOP; view++) {
                SiltRenderOptions options = map_options();
                SiltRange range;
                options.view = view;
                assert_ok(silt_range_of(terrain, &options, &range));
                SiltCamera camera = silt_camera(terrain, &options, &range, turn, 320, 200);
                SiltTile whole = {0, 0, 320, 200};
                float matrix[16];
                silt_camera_matrix(&camera, 320, 200, &whole, matrix);
                double widest = 0.0;
                for (int k = 0; k < 8; k++) {
                    double corner[3] = {(k & 1 ? 5.0 : -5.0) * terrain->width,
                                        (k & 2 ? 5.0 : -5.0) * terrain->height,
                                        k & 4 ? range.high - range.low : 0.0};
                    double at[2];
                    project(matrix, corner, at);
                    assert_true(fabs(at[0]) < 1.0 && fabs(at[1]) < 1.0);
                    widest = fmax(widest, fmax(fabs(at[0]), fabs(at[1])));
                }
                assert_true(widest > 0.85); // and fills it
            }
        silt_terrain_destroy(terrain);
    }
}

// Over any terrain the panorama has its middle in the picture, and the sky above its far edge.
static void panoramas_end_in_the_sky(void **state)
{
    (void)state;
    for (int rise = 1; rise < 400; rise *= 7) {
        SiltTerrain *terrain = hills(80, 80, 3);
        SiltRenderOptions options = map_options();
        SiltRange range;
        options.view = SILT_VIEW_PANORAMA;
        assert_ok(silt_range_of(terrain, &options, &range));
        range.high = range.low + rise;
        SiltCamera camera = silt_camera(terrain, &options, &range, 0.0, 320, 200);
        SiltTile whole = {0, 0, 320, 200};
        float matrix[16];
        silt_camera_matrix(&camera, 320, 200, &whole, matrix);
        assert_true(camera.eye[2] > rise);
        const double middle[3] = {0.0, 0.0, 0.5 * rise}, edge[3] = {70.0, 400.0, rise};
        double at[2];
        project(matrix, middle, at);
        assert_true(fabs(at[0]) < 0.2 && fabs(at[1]) < 0.7);
        project(matrix, edge, at);
        assert_true(at[1] > 0.0 && at[1] < 0.98);
        silt_terrain_destroy(terrain);
    }
}

static void tiles_are_parts_of_the_picture(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(64, 64, 3);
    SiltRenderOptions options = map_options();
    SiltRange range;
    options.view = SILT_VIEW_THREE_QUARTER;
    assert_ok(silt_range_of(terrain, &options, &range));
    SiltCamera camera = silt_camera(terrain, &options, &range, 0.0, 300, 200);
    SiltTile whole = {0, 0, 300, 200}, tile = {100, 50, 64, 32};
    float all[16], part[16];
    silt_camera_matrix(&camera, 300, 200, &whole, all);
    silt_camera_matrix(&camera, 300, 200, &tile, part);
    double place[3] = {30.0, -70.0, 50.0}, in_all[2], in_part[2];
    project(all, place, in_all);
    project(part, place, in_part);
    assert_near(100.0 + (in_part[0] + 1.0) * 32.0, (in_all[0] + 1.0) * 150.0, 1e-3);
    assert_near(50.0 + (in_part[1] + 1.0) * 16.0, (in_all[1] + 1.0) * 100.0, 1e-3);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_terrain_is_in_the_picture),
        cmocka_unit_test(panoramas_end_in_the_sky),
        cmocka_unit_test(tiles_are_parts_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
