// Meshes, volumes and water that are cut open.
#include "test.h"

#ifdef SILT_HAS_GL
#include "gl_help.h"

static double width_of(SiltVolume *volume)
{
    SiltMesh mesh;
    float low = INFINITY, high = -INFINITY;
    assert_ok(silt_volume_mesh(volume, false, &mesh));
    for (size_t k = 0; k < mesh.vertex_count; k++) {
        low = fminf(low, mesh.positions[3 * k]);
        high = fmaxf(high, mesh.positions[3 * k]);
    }
    silt_mesh_destroy(&mesh);
    return (double)(high - low);
}

// Nothing of what was cut away is left: from above, with a clear background, its half is empty.
static void what_is_cut_away_is_gone(void **state)
{
    (void)state;
    SiltMotif motif = {.volume = shape("box", 32)};
    SiltRenderOptions options = small_options();
    options.view = SILT_VIEW_TOP;
    options.transparent = true;
    SiltImage whole = new_image(&options), half = new_image(&options);
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    for (int way = 0; way < 2; way++) {
        options.volume = way;
        options.clip_east[0] = NAN;
        assert_ok(draw(&stage, &motif, &options, &whole));
        options.clip_east[0] = -1e3;
        options.clip_east[1] = 0.5 * width_of(motif.volume); // its western half
        assert_ok(draw(&stage, &motif, &options, &half));
        int seen[2] = {0, 0};
        for (int k = 0; k < 160 * 120; k++) {
            seen[0] += whole.rgba[4 * k + 3] > 128;
            seen[1] += half.rgba[4 * k + 3] > 128 && k % 160 < 79;
            assert_true(k % 160 < 82 || half.rgba[4 * k + 3] < 128);
        }
        assert_true(abs(2 * seen[1] - seen[0]) < seen[0] / 10);
    }
    close_stage(&stage);
    free(whole.rgba);
    free(half.rgba);
    silt_volume_destroy(motif.volume);
}

// A cut along an axis is the same cut, however it was asked for; a slanting one is the same by triangles and
// by rays, and takes away what it should.
static void slanting_cuts_take_their_side(void **state)
{
    (void)state;
    SiltMotif motif = {.volume = shape("box", 32)};
    SiltRenderOptions options = small_options();
    SiltImage straight = new_image(&options), images[2] = {new_image(&options), new_image(&options)};
    Stage stage;
    double wide = width_of(motif.volume);
    assert_true(open_stage(&stage, SILT_GL_ANY));
    options.clip_east[0] = -1e3;
    options.clip_east[1] = 0.5 * wide;
    assert_ok(draw(&stage, &motif, &options, &straight));
    options.clip_east[0] = NAN;
    options.cut[0] = 3.0;
    options.cut[1] = options.cut[2] = 0.0;
    assert_ok(draw(&stage, &motif, &options, &images[0]));
    assert_alike(&images[0], straight.rgba, "cut-straight");
    options.cut[1] = -2.0;
    options.cut[2] = 1.0;
    for (int way = 0; way < 2; way++) {
        options.volume = way;
        assert_ok(draw(&stage, &motif, &options, &images[way]));
    }
    assert_alike(&images[1], images[0].rgba, "cut-slanting");
    // from above, what is left lies on the near side of the cut through the middle
    options.view = SILT_VIEW_TOP;
    options.transparent = true;
    options.cut[1] = -3.0;
    options.cut[2] = 0.0;
    assert_ok(draw(&stage, &motif, &options, &images[0]));
    int near = 0, far = 0;
    for (int k = 0; k < 160 * 120; k++) {
        int x = k % 160 - 80, y = 60 - k / 160, side = x - y;
        near += side < -3 && images[0].rgba[4 * k + 3] > 128;
        far += side > 3 && images[0].rgba[4 * k + 3] > 128;
    }
    assert_true(near > 500);
    assert_int_equal(far, 0);
    options.cut_at[0] = options.cut_at[1] = -wide;
    options.cut_at[2] = 0.0;
    options.cut[1] = 3.0;
    SiltImage none;
    assert_fails(silt_render_motif(&motif, &options, &none), SILT_BAD_ARGUMENT,
                 "all rock lies beyond the cut");
    options.cut[0] = options.cut[1] = 0.0;
    assert_fails(silt_render_motif(&motif, &options, &none), SILT_BAD_ARGUMENT, "is no direction");
    close_stage(&stage);
    free(straight.rgba);
    free(images[0].rgba);
    free(images[1].rgba);
    silt_volume_destroy(motif.volume);
}

// A sea stands around rock up to the edges of its block, the same by triangles and by rays; below the lowest
// rock there is none.
static void the_sea_stands_around_rock(void **state)
{
    (void)state;
    SiltMotif motif = {.volume = shape("sphere", 32)};
    SiltRenderOptions options = small_options();
    SiltImage images[3] = {new_image(&options), new_image(&options), new_image(&options)};
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    options.sea = 35.0;
    for (int way = 0; way < 2; way++) {
        options.volume = way;
        assert_ok(draw(&stage, &motif, &options, &images[way]));
    }
    assert_alike(&images[1], images[0].rgba, "sea");
    options.view = SILT_VIEW_TOP;
    options.transparent = true;
    const double levels[] = {NAN, -100.0, 35.0};
    int seen[3] = {0, 0, 0};
    for (int n = 0; n < 3; n++) {
        options.sea = levels[n];
        assert_ok(draw(&stage, &motif, &options, &images[n]));
        for (int k = 0; k < 160 * 120; k++)
            seen[n] += images[n].rgba[4 * k + 3] > 128;
    }
    assert_int_equal(seen[0], seen[1]);
    assert_true(seen[2] > seen[0] * 5 / 4); // a square around a circle, at the least
    close_stage(&stage);
    for (int n = 0; n < 3; n++)
        free(images[n].rgba);
    silt_volume_destroy(motif.volume);
}

// From above its own ground the sea goes on to the horizon, the same by triangles and by rays; from outside
// it ends with the block.
static void the_sea_goes_on_to_the_horizon(void **state)
{
    (void)state;
    SiltMotif motif = {.volume = shape("sphere", 32)};
    SiltRenderOptions options = small_options();
    SiltImage image = new_image(&options);
    Stage stage;
    double middle = 0.5 * width_of(motif.volume);
    assert_true(open_stage(&stage, SILT_GL_ANY));
    options.sea = 35.0;
    options.transparent = true;
    for (int n = 0; n < 4; n++) {
        double far = n < 2 ? middle : -20.0 * middle;
        options.volume = n % 2;
        options.eye[0] = far;
        options.eye[1] = far;
        options.eye[2] = options.target[2] = 90.0;
        options.target[0] = far + 10.0;
        options.target[1] = far;
        assert_ok(draw(&stage, &motif, &options, &image));
        int sea[2] = {0, 0};
        for (int k = 0; k < 160 * 120; k++)
            sea[k / 160 > 60] += image.rgba[4 * k + 3] > 128;
        assert_true(sea[0] <= 160);
        assert_true(n < 2 ? sea[1] == 160 * 59 : sea[1] < 160 * 30);
    }
    close_stage(&stage);
    free(image.rgba);
    silt_volume_destroy(motif.volume);
}

static int white_pixels(const SiltImage *image)
{
    int count = 0;
    for (int k = 0; k < image->width * image->height; k++) {
        const uint8_t *p = image->rgba + 4 * k;
        count += p[0] > 150 && p[1] > 150 && p[2] > 150 && abs(p[0] - p[2]) < 45;
    }
    return count;
}

// Particles in a sea are white surf where they stand above it, and hidden where they do not; the sea foams at
// rock.
static void particles_in_a_sea_are_surf(void **state)
{
    (void)state;
    Heap *heap = new_heap();
    SiltMotif motif = {.volume = shape("box", 34)};
    SiltRenderOptions options = small_options();
    options.view = SILT_VIEW_TOP;
    SiltImage image = new_image(&options);
    Stage stage;
    int white[3];
    assert_true(open_stage(&stage, SILT_GL_ANY));
    for (int k = 0; k < heap->particles.count; k++)
        heap->z[k] += 70.0f; // on top of the rock
    for (int n = 0; n < 3; n++) {
        motif.particles = n == 0 ? NULL : &heap->particles;
        options.sea = n < 2 ? 68.0 : 120.0;
        assert_ok(draw(&stage, &motif, &options, &image));
        white[n] = white_pixels(&image);
    }
    assert_true(white[1] > white[0] + 100);
    assert_true(white[2] < white[1] / 4); // crests alone
    close_stage(&stage);
    free(image.rgba);
    free(heap);
    silt_volume_destroy(motif.volume);
}

// More than the glow of what shines beside it.
static bool differs(const SiltImage *a, const SiltImage *b, int pixel)
{
    int most = 0;
    for (int c = 4 * pixel; c < 4 * pixel + 3; c++)
        most = abs(a->rgba[c] - b->rgba[c]) > most ? abs(a->rgba[c] - b->rgba[c]) : most;
    return most > 30;
}

// Water is cut where the rock is: nothing of it stands before the cut, and what is left looks out of it as a
// plane.
static void water_is_cut_with_the_rock(void **state)
{
    (void)state;
    Heap *heap = new_heap();
    SiltMotif motif = {.volume = shape("box", 34), .particles = &heap->particles};
    SiltRenderOptions options = small_options();
    options.view = SILT_VIEW_TOP;
    options.particle_colour = SILT_COLOUR_SPEED; // nothing but its own colour
    options.legend = false;
    SiltImage whole = new_image(&options), cut = new_image(&options), bare = new_image(&options);
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    for (int k = 0; k < heap->particles.count; k++)
        heap->z[k] += 70.0f; // on top of it
    assert_ok(draw(&stage, &motif, &options, &whole));
    options.clip_east[0] = -1e3;
    options.clip_east[1] = 0.5 * width_of(motif.volume);
    assert_ok(draw(&stage, &motif, &options, &cut));
    motif.particles = NULL;
    assert_ok(draw(&stage, &motif, &options, &bare));
    int left[2] = {0, 0}, right[2] = {0, 0};
    for (int k = 0; k < 160 * 120; k++) {
        bool is_east = k % 160 >= 84, is_west = k % 160 < 76;
        bool has_water[2] = {differs(&whole, &bare, k), differs(&cut, &bare, k)};
        for (int n = 0; n < 2; n++) {
            left[n] += is_west && has_water[n];
            right[n] += is_east && has_water[n];
        }
    }
    assert_true(right[0] > 100 && left[1] > 100);
    assert_int_equal(right[1], 0);
    close_stage(&stage);
    free(whole.rgba);
    free(cut.rgba);
    free(bare.rgba);
    free(heap);
    silt_volume_destroy(motif.volume);
}

MAIN_THAT_DRAWS(cmocka_unit_test(what_is_cut_away_is_gone), cmocka_unit_test(slanting_cuts_take_their_side),
                cmocka_unit_test(water_is_cut_with_the_rock), cmocka_unit_test(the_sea_stands_around_rock),
                cmocka_unit_test(the_sea_goes_on_to_the_horizon),
                cmocka_unit_test(particles_in_a_sea_are_surf))

#else
MAIN_THAT_CANNOT_DRAW
#endif
