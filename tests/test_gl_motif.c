// Pictures of meshes, volumes and particles; and what all pictures share: pieces of large terrains, OpenGL
// ES.
#include "test.h"

#ifdef SILT_HAS_GL
#include "gl_help.h"

// ---- golden pictures ----

static void volumes_look_as_they_did(void **state)
{
    (void)state;
    SiltVolume *bridge = shape("bridge", 48), *torus = shape("torus", 40);
    SiltRenderOptions options = small_options();
    check_golden(&(SiltMotif){.volume = bridge}, &options, "bridge");
    options.volume = SILT_VOLUME_RAYS;
    options.clip_east[0] = -10.0;
    options.clip_east[1] = 50.0;
    check_golden(&(SiltMotif){.volume = bridge}, &options, "bridge-cut");
    SiltMesh mesh;
    assert_ok(silt_volume_mesh(torus, false, &mesh));
    options = small_options();
    options.look = SILT_LOOK_CONTOURS;
    check_golden(&(SiltMotif){.mesh = &mesh}, &options, "ring");
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(bridge);
    silt_volume_destroy(torus);
}

static void particles_look_as_they_did(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int look, colour;
        bool alone;
    } pictures[] = {{"fluid", SILT_PARTICLES_FLUID, SILT_COLOUR_WATER, false},
                    {"balls", SILT_PARTICLES_SPHERES, SILT_COLOUR_SPEED, false},
                    {"sprites", SILT_PARTICLES_SPRITES, SILT_COLOUR_SEDIMENT, true}};
    Heap *heap = new_heap();
    SiltTerrain *terrain = plate();
    for (size_t k = 0; k < sizeof pictures / sizeof pictures[0]; k++) {
        SiltRenderOptions options = small_options();
        options.particle_look = pictures[k].look;
        options.particle_colour = pictures[k].colour;
        SiltMotif motif = {.terrain = pictures[k].alone ? NULL : terrain, .particles = &heap->particles};
        check_golden(&motif, &options, pictures[k].name);
    }
    silt_terrain_destroy(terrain);
    free(heap);
}

// Triangles and rays show the same surface, whole and cut open.
static void rays_agree_with_triangles(void **state)
{
    (void)state;
    const char *const shapes[] = {"tunnel", "pillars"};
    SiltRenderOptions options = small_options();
    options.width = 240;
    options.height = 180;
    SiltImage images[2] = {new_image(&options), new_image(&options)};
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    for (int k = 0; k < 4; k++) {
        SiltMotif motif = {.volume = shape(shapes[k / 2], 48)};
        if (k & 1) {
            options.clip_east[0] = 20.0;
            options.clip_east[1] = 60.0;
            options.clip_height[0] = -1e3;
            options.clip_height[1] = 70.0;
        } else {
            options.clip_east[0] = options.clip_height[0] = NAN;
        }
        for (int way = 0; way < 2; way++) {
            options.volume = way;
            assert_ok(draw(&stage, &motif, &options, &images[way]));
        }
        assert_alike(&images[1], images[0].rgba, k & 1 ? "rays-cut" : "rays");
        silt_volume_destroy(motif.volume);
    }
    close_stage(&stage);
    free(images[0].rgba);
    free(images[1].rgba);
}

typedef struct Counts {
    int changed; // pixels that differ from the first picture
    int paler;   // of these
} Counts;

static Counts compare_images(const SiltImage *plain, const SiltImage *other)
{
    Counts counts = {0, 0};
    for (int k = 0; k < plain->width * plain->height; k++) {
        const uint8_t *a = plain->rgba + 4 * k, *b = other->rgba + 4 * k;
        int by = b[0] + b[1] + b[2] - a[0] - a[1] - a[2];
        counts.changed += abs(by) > 12;
        counts.paler += by > 12;
    }
    return counts;
}

// What has gone is paler, by triangles and by rays, or veiled where it was; nothing else changes, and a
// volume that nothing wore looks as it did.
static void what_is_worn_is_shown(void **state)
{
    (void)state;
    SiltVolume *before = shape("box", 32), *now = shape("box", 32);
    for (int k = 0; k < 32; k++) // a notch along the southern edge of its top
        for (int j = 0; j < 16; j++)
            for (int i = 0; i < 32; i++)
                if (silt_volume_get(now, i, j, k) > 17.0f - (float)k)
                    assert_ok(silt_volume_set(now, i, j, k, 17.0f - (float)k));
    assert_ok(silt_volume_redistance(now, SILT_REDISTANCE_ALL));
    SiltRenderOptions options = small_options();
    SiltImage plain = new_image(&options), other = new_image(&options);
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    for (int way = 0; way < 2; way++) {
        options.volume = way;
        options.worn = SILT_WORN_PLAIN;
        assert_ok(silt_volume_remember(now, now));
        assert_ok(draw(&stage, &(SiltMotif){.volume = now}, &options, &plain));
        for (options.worn = SILT_WORN_TINT; options.worn <= SILT_WORN_SHAPE; options.worn++) {
            assert_ok(silt_volume_remember(now, now));
            assert_ok(draw(&stage, &(SiltMotif){.volume = now}, &options, &other));
            assert_true(compare_images(&plain, &other).changed < 20);
            assert_ok(silt_volume_remember(now, before));
            assert_ok(draw(&stage, &(SiltMotif){.volume = now}, &options, &other));
            Counts counts = compare_images(&plain, &other);
            assert_true(counts.paler > 300 && counts.paler > 9 * counts.changed / 10);
            assert_true(counts.changed < plain.width * plain.height / 3);
        }
    }
    close_stage(&stage);
    free(plain.rgba);
    free(other.rgba);
    silt_volume_destroy(before);
    silt_volume_destroy(now);
}

// A terrain that carries a volume is drawn as the volume, caves and all, and as heights below an overlay.
static void a_terrain_shows_its_volume(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_from_volume(shape("bridge", 32), &terrain));
    SiltRenderOptions options = small_options();
    SiltImage images[3] = {new_image(&options), new_image(&options), new_image(&options)};
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    assert_ok(draw(&stage, &(SiltMotif){.volume = silt_terrain_volume(terrain)}, &options, &images[0]));
    assert_ok(draw(&stage, &(SiltMotif){.terrain = terrain}, &options, &images[1]));
    strcpy(options.overlay, "height");
    assert_ok(draw(&stage, &(SiltMotif){.terrain = terrain}, &options, &images[2]));
    assert_memory_equal(images[0].rgba, images[1].rgba, 160 * 120 * 4);
    assert_memory_not_equal(images[0].rgba, images[2].rgba, 160 * 120 * 4);
    close_stage(&stage);
    for (int k = 0; k < 3; k++)
        free(images[k].rgba);
    silt_terrain_destroy(terrain);
}

// A terrain cut into pieces looks as one that is whole.
static void pieces_have_no_seams(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    SiltRenderOptions options = small_options();
    strcpy(options.overlay, "flow");
    SiltImage images[2] = {new_image(&options), new_image(&options)};
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    for (int k = 0; k < 2; k++) {
        if (k == 1)
            silt_scene_set_longest_side(stage.scene, 64); // pieces of 32 cells and a margin
        assert_ok(draw(&stage, &(SiltMotif){.terrain = terrain}, &options, &images[k]));
    }
    assert_alike(&images[1], images[0].rgba, "pieces");
    close_stage(&stage);
    free(images[0].rgba);
    free(images[1].rgba);
    silt_terrain_destroy(terrain);
}

// Neither smoothed edges nor smoothed water show where the tiles of a large picture meet.
static void tiles_of_water_have_no_seams(void **state)
{
    (void)state;
    Heap *heap = new_heap();
    SiltTerrain *terrain = plate();
    SiltRenderOptions options = small_options();
    options.width = 2304;
    options.height = 64;
    options.fov = 3.0;
    options.eye[0] = 32.0;
    options.eye[1] = -60.0;
    options.eye[2] = 40.0;
    options.target[0] = options.target[1] = 32.0;
    options.target[2] = 2.0;
    SiltImage image = new_image(&options);
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    assert_ok(
        draw(&stage, &(SiltMotif){.terrain = terrain, .particles = &heap->particles}, &options, &image));
    for (int cut = 1024; cut < image.width; cut += 1024) {
        double across = 0.0, around = 0.0;
        for (int i = cut - 12; i <= cut + 12; i++)
            for (int k = 0; k < image.height * 3; k++) {
                const uint8_t *at = image.rgba + 4 * (k / 3 * image.width + i) + k % 3;
                *(i == cut ? &across : &around) += abs(at[0] - at[-4]);
            }
        assert_true(across < 2.0 * around / 24.0);
    }
    close_stage(&stage);
    free(image.rgba);
    silt_terrain_destroy(terrain);
    free(heap);
}

// Every shader compiles under both languages, and both draw the same pictures.
static void embedded_gl_draws_the_same(void **state)
{
    (void)state;
    Heap *heap = new_heap();
    SiltTerrain *terrain = plate();
    SiltVolume *bridge = shape("bridge", 32);
    SiltMotif motifs[] = {
        {.terrain = terrain, .particles = &heap->particles}, {.volume = bridge}, {.volume = bridge}};
    SiltRenderOptions options = small_options();
    SiltImage images[3][2];
    int kinds = 0;
    for (int k = 0; k < 2; k++) {
        Stage stage;
        if (!open_stage(&stage, k == 0 ? SILT_GL_DESKTOP : SILT_GL_EMBEDDED))
            continue; // a machine with one of them
        for (int m = 0; m < 3; m++) {
            options.volume = m == 2 ? SILT_VOLUME_RAYS : SILT_VOLUME_MESH;
            images[m][kinds] = new_image(&options);
            assert_ok(draw(&stage, &motifs[m], &options, &images[m][kinds]));
        }
        kinds++;
        close_stage(&stage);
    }
    assert_true(kinds > 0);
    for (int m = 0; m < 3; m++) {
        if (kinds == 2)
            assert_alike(&images[m][1], images[m][0].rgba, "embedded");
        for (int k = 0; k < kinds; k++)
            free(images[m][k].rgba);
    }
    silt_volume_destroy(bridge);
    silt_terrain_destroy(terrain);
    free(heap);
}

static void nothing_to_draw_is_refused(void **state)
{
    (void)state;
    SiltVolume *empty;
    SiltImage image;
    const int size[3] = {16, 16, 16};
    assert_ok(silt_volume_create(size, 8, 1.0, NULL, 0, &empty));
    assert_fails(silt_render_motif(&(SiltMotif){.volume = empty}, NULL, &image), SILT_BAD_ARGUMENT,
                 "no rock");
    assert_fails(silt_render_motif(&(SiltMotif){0}, NULL, &image), SILT_BAD_ARGUMENT, "nothing to draw");
    silt_volume_destroy(empty);
    SiltVolume *box = shape("box", 16);
    SiltRenderOptions options = small_options();
    options.view = SILT_VIEW_MAP;
    assert_fails(silt_render_motif(&(SiltMotif){.volume = box}, &options, &image), SILT_MISSING_FEATURE,
                 "flat map");
    strcpy(options.overlay, "flow");
    assert_fails(silt_render_motif(&(SiltMotif){.volume = box}, &options, &image), SILT_BAD_ARGUMENT, "flow");
    silt_volume_destroy(box);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    Heap *heap = new_heap();
    heap->particles.count = 200;
    SiltMotif motif = {.volume = shape("sphere", 16), .particles = &heap->particles};
    SiltRenderOptions options = small_options();
    options.volume = SILT_VOLUME_RAYS;
    options.particle_look = SILT_PARTICLES_SPRITES;
    options.particle_colour = SILT_COLOUR_SPEED;
    options.width = 32;
    options.height = 24;
    SiltImage image = new_image(&options);
    Stage stage;
    assert_true(open_stage(&stage, SILT_GL_ANY));
    SiltStatus status = SILT_NO_MEMORY;
    long n = 0;
    while (status != SILT_OK) {
        silt_fail_allocation(++n);
        status = draw(&stage, &motif, &options, &image);
        silt_fail_allocation(0);
        if (status != SILT_OK && status != SILT_NO_MEMORY)
            fail_msg("allocation %ld: %s", n, silt_message());
    }
    assert_true(n > 10);
    close_stage(&stage);
    free(image.rgba);
    silt_volume_destroy(motif.volume);
    free(heap);
}

MAIN_THAT_DRAWS(cmocka_unit_test(volumes_look_as_they_did), cmocka_unit_test(particles_look_as_they_did),
                cmocka_unit_test(rays_agree_with_triangles), cmocka_unit_test(what_is_worn_is_shown),
                cmocka_unit_test(a_terrain_shows_its_volume), cmocka_unit_test(pieces_have_no_seams),
                cmocka_unit_test(tiles_of_water_have_no_seams), cmocka_unit_test(embedded_gl_draws_the_same),
                cmocka_unit_test(nothing_to_draw_is_refused), cmocka_unit_test(every_allocation_may_fail))

#else
MAIN_THAT_CANNOT_DRAW
#endif
