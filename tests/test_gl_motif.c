// Pictures of meshes, volumes and particles; and what all pictures share: pieces of large terrains, OpenGL
// ES.
#include "golden.h"

#include "render/offscreen.h"
#include "render/scene.h"
#include "silt/erode.h"

static SiltVolume *shape(const char *name, int side)
{
    SiltVolume *volume;
    const int size[3] = {side, side, side};
    assert_ok(silt_volume_make(silt_volume_shape_find(name), size, 8, 2.0, NULL, NULL, 1, &volume));
    return volume;
}

// A heap of drops on a plate, and a few that fly.
typedef struct Heap {
    float x[4000], y[4000], z[4000], still[4000], speed[4000], dense[4000], mud[4000];
    int64_t id[4000];
    SiltParticles particles;
} Heap;

static void fill_heap(Heap *heap)
{
    int count = 0;
    for (int k = 0; k < 5; k++)
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                float x = (float)i - 11.5f, y = (float)j - 11.5f;
                if (x * x + y * y > 140.0f - 22.0f * (float)k)
                    continue;
                heap->x[count] = 32.0f + x;
                heap->y[count] = 32.0f + y;
                heap->z[count] = 0.5f + (float)k;
                heap->speed[count] = (float)k;
                heap->dense[count] = 1000.0f;
                heap->mud[count++] = 0.01f * (float)i;
            }
    for (int k = 0; k < 5; k++) {
        heap->x[count] = 24.0f + 3.0f * (float)k;
        heap->y[count] = 30.0f;
        heap->z[count++] = 12.0f + (float)k;
    }
    heap->particles = (SiltParticles){.count = count,
                                      .x = heap->x,
                                      .y = heap->y,
                                      .z = heap->z,
                                      .u = heap->speed,
                                      .v = heap->still,
                                      .w = heap->still,
                                      .density = heap->dense,
                                      .sediment = heap->mud,
                                      .id = heap->id,
                                      .load = 1.0,
                                      .west = 0.5,
                                      .south = 63.5,
                                      .spacing = 1.0};
}

static Heap *new_heap(void)
{
    Heap *heap = calloc(1, sizeof *heap);
    assert_non_null(heap);
    fill_heap(heap);
    return heap;
}

static SiltTerrain *plate(void)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(64, 64, 1.0, &terrain));
    fill_hills(&terrain->layers[0]->field, 3, 32, 3, 1.5f);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] -= 1.0f;
    return terrain;
}

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

// ---- one scene for many pictures: shaders are compiled once ----

typedef struct Stage {
    SiltOffscreen offscreen;
    SiltScene *scene;
} Stage;

static bool open_stage(Stage *stage, SiltGlKind kind)
{
    if (silt_offscreen_begin(kind, &stage->offscreen) != SILT_OK)
        return false;
    assert_ok(silt_scene_create(&stage->scene));
    return true;
}

static void close_stage(Stage *stage)
{
    silt_scene_destroy(stage->scene);
    silt_offscreen_end(&stage->offscreen);
}

static SiltStatus draw(const Stage *stage, const SiltMotif *motif, const SiltRenderOptions *options,
                       SiltImage *image)
{
    SiltPose pose;
    SiltRange range;
    SiltStatus status = silt_pose_begin(motif, options, NULL, &pose);
    if (status != SILT_OK)
        return status;
    status = silt_pose_range(&pose, options, &range);
    if (status == SILT_OK)
        status = silt_scene_set(stage->scene, &pose, options, &range);
    if (status == SILT_OK) {
        SiltCamera camera = silt_camera(pose.is_solid ? NULL : pose.terrain, options, &range, 0.0,
                                        image->width, image->height);
        status = silt_scene_picture(stage->scene, &camera, options, image);
    }
    silt_pose_end(&pose);
    return status;
}

static SiltImage new_image(const SiltRenderOptions *options)
{
    SiltImage image = {options->width, options->height,
                       calloc((size_t)options->width * (size_t)options->height, 4)};
    assert_non_null(image.rgba);
    return image;
}

// ---- laws ----

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

int main(void)
{
    if (!silt_render_has_gl()) {
        printf("%s\n", silt_message());
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_look_as_they_did),   cmocka_unit_test(particles_look_as_they_did),
        cmocka_unit_test(rays_agree_with_triangles),  cmocka_unit_test(slanting_cuts_take_their_side),
        cmocka_unit_test(what_is_cut_away_is_gone),   cmocka_unit_test(a_terrain_shows_its_volume),
        cmocka_unit_test(pieces_have_no_seams),       cmocka_unit_test(tiles_of_water_have_no_seams),
        cmocka_unit_test(embedded_gl_draws_the_same), cmocka_unit_test(nothing_to_draw_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
