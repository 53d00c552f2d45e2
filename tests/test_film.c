// Pictures and films as files, with ffmpeg and without.
#include "render_help.h"

#include <sys/stat.h>

#include "files.h"
#include "io/picture.h"

static void pictures_come_back_from_files(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(33, 21, 3);
    SiltRenderOptions options = map_options();
    assert_ok(silt_render_file(terrain, &options, test_path("a.ppm")));
    struct stat info;
    assert_int_equal(stat(test_path("a.ppm"), &info), 0);
    assert_int_equal(info.st_size, (off_t)strlen("P6\n33 21\n255\n") + 33 * 21 * 3);
    assert_fails(silt_render_file(terrain, &options, test_path("a.jpg")), SILT_BAD_ARGUMENT,
                 "ends in .png or .ppm");
    assert_fails(silt_render_file(terrain, &options, test_path("no/where/a.ppm")), SILT_IO_ERROR,
                 "no/where/a.ppm");
#ifdef SILT_HAS_PNG
    SiltImage image;
    int width, height;
    uint8_t *rgba;
    assert_ok(silt_render(terrain, &options, &image));
    assert_ok(silt_image_write(&image, test_path("a.png")));
    assert_ok(silt_png_read_rgba(test_path("a.png"), &width, &height, &rgba));
    assert_int_equal(width, 33);
    assert_int_equal(height, 21);
    assert_memory_equal(rgba, image.rgba, image_bytes(&image));
    silt_free(rgba);
    silt_image_destroy(&image);
#endif
    silt_terrain_destroy(terrain);
}

static void films_can_be_numbered_pictures(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(16, 16, 3);
    SiltRenderOptions options = map_options();
    SiltFilm *film;
    assert_ok(silt_film_begin(test_path("f%03d.ppm"), &options, 25.0, &film));
    for (int k = 0; k < 3; k++)
        assert_ok(silt_film_add(film, k == 0 ? terrain : NULL, 0.0));
    assert_int_equal(silt_film_frame_count(film), 3);
    assert_ok(silt_film_end(film, SILT_OK));
    assert_int_equal(access(test_path("f000.ppm"), R_OK), 0);
    assert_int_equal(access(test_path("f002.ppm"), R_OK), 0);
    assert_int_not_equal(access(test_path("f003.ppm"), R_OK), 0);
    assert_fails(silt_film_begin(test_path("f.ppm"), &options, 25.0, &film), SILT_BAD_ARGUMENT, "%d or %04d");
    assert_fails(silt_film_begin(test_path("f%d%d.ppm"), &options, 25.0, &film), SILT_BAD_ARGUMENT,
                 "%d or %04d");
    assert_fails(silt_film_begin(test_path("f%s.ppm"), &options, 25.0, &film), SILT_BAD_ARGUMENT,
                 "%d or %04d");
    assert_fails(silt_film_begin(test_path("f.avi"), &options, 25.0, &film), SILT_BAD_ARGUMENT,
                 "a film ends in .mp4");
    assert_fails(silt_film_begin(test_path("f%d.ppm"), &options, 0.0, &film), SILT_BAD_ARGUMENT, "fps = 0");
    silt_terrain_destroy(terrain);
}

// Coarse levels are smaller terrains: their maps are drawn as large as the first.
static void maps_of_any_size_make_a_film(void **state)
{
    (void)state;
    const int sides[] = {32, 16, 40};
    SiltRenderOptions options = map_options();
    SiltFilm *film;
    assert_ok(silt_film_begin(test_path("m%d.ppm"), &options, 25.0, &film));
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = hills(sides[k], sides[k], 3);
        assert_ok(silt_film_add(film, terrain, 0.0));
        silt_terrain_destroy(terrain);
    }
    assert_ok(silt_film_end(film, SILT_OK));
    for (int k = 0; k < 3; k++) {
        char name[16];
        struct stat info;
        snprintf(name, sizeof name, "m%d.ppm", k);
        assert_int_equal(stat(test_path(name), &info), 0);
        assert_int_equal(info.st_size, (off_t)strlen("P6\n32 32\n255\n") + 32 * 32 * 3);
    }
}

// Puts a shell script in the place of ffmpeg; NULL takes ffmpeg away.
static char *old_path;

static void pretend_ffmpeg(const char *script)
{
    char folder[512];
    assert_non_null(getcwd(folder, 256));
    strcat(folder, "/");
    strcat(folder, test_folder);
    if (script) {
        put_file(test_path("ffmpeg"), script, strlen(script));
        assert_int_equal(chmod(test_path("ffmpeg"), 0755), 0);
    } else {
        remove(test_path("ffmpeg"));
    }
    if (!old_path)
        old_path = strdup(getenv("PATH"));
    setenv("PATH", folder, 1);
}

static int forget_ffmpeg(void **state)
{
    (void)state;
    if (old_path)
        setenv("PATH", old_path, 1);
    free(old_path);
    old_path = NULL;
    remove(test_path("ffmpeg"));
    return 0;
}

static SiltStatus film_of(const SiltTerrain *terrain, const char *path, int frames)
{
    SiltRenderOptions options = map_options();
    SiltFilm *film;
    SiltStatus status = silt_film_begin(path, &options, 25.0, &film);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < frames && status == SILT_OK; k++)
        status = silt_film_add(film, terrain, 0.0);
    return silt_film_end(film, status);
}

static void a_missing_ffmpeg_is_named(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(16, 16, 3);
    pretend_ffmpeg(NULL);
    assert_fails(film_of(terrain, test_path("f.mp4"), 2), SILT_MISSING_FEATURE, "install the package ffmpeg");
    assert_int_not_equal(access(test_path("f.mp4"), F_OK), 0);
    silt_terrain_destroy(terrain);
}

static void an_ffmpeg_that_dies_is_quoted_and_leaves_nothing(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(300, 300, 3);
    int before = count_files(test_folder);
    pretend_ffmpeg("#!/bin/sh\necho 'the codec is out of tea' >&2\nexit 3\n");
    assert_fails(film_of(terrain, test_path("f.mp4"), 50), SILT_IO_ERROR,
                 "f.mp4: ffmpeg failed: the codec is out of tea");
    assert_int_not_equal(access(test_path("f.mp4"), F_OK), 0);
    pretend_ffmpeg("#!/bin/sh\nPATH=/usr/bin:/bin head -c 99 >/dev/null\nkill -9 $$\n");
    assert_fails(film_of(terrain, test_path("f.mp4"), 50), SILT_IO_ERROR, "f.mp4: ffmpeg was killed");
    assert_int_not_equal(access(test_path("f.mp4"), F_OK), 0);
    remove(test_path("ffmpeg"));
    assert_int_equal(count_files(test_folder), before);
    silt_terrain_destroy(terrain);
}

static void a_content_ffmpeg_leaves_a_film(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(16, 16, 3);
    // writes what it reads to its last word
    pretend_ffmpeg("#!/bin/sh\nfor to; do :; done\nexec /bin/cat >\"${to#file:}\"\n");
    assert_ok(film_of(terrain, test_path("f.mp4"), 3));
    struct stat info;
    assert_int_equal(stat(test_path("f.mp4"), &info), 0);
    assert_int_equal(info.st_size, 3 * 16 * 16 * 4);
    assert_fails(film_of(terrain, test_path("f.mp4/where/f.mp4"), 3), SILT_IO_ERROR, "f.mp4: cannot make");
    remove(test_path("f.mp4"));
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_come_back_from_files),
        cmocka_unit_test(films_can_be_numbered_pictures),
        cmocka_unit_test(maps_of_any_size_make_a_film),
        cmocka_unit_test_teardown(a_missing_ffmpeg_is_named, forget_ffmpeg),
        cmocka_unit_test_teardown(an_ffmpeg_that_dies_is_quoted_and_leaves_nothing, forget_ffmpeg),
        cmocka_unit_test_teardown(a_content_ffmpeg_leaves_a_film, forget_ffmpeg),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
