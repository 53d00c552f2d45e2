// Meshes of many triangles in a window: what moves is drawn by fewer of them, and no call takes long.
#include "test.h"

#ifdef SILT_HAS_GL
#include <math.h>
#include <time.h>

#include "render/facets.h"
#include "viewer_help.h"

// Seconds of all threads: what others do on this machine does not count.
static double work(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void make_room(SiltMesh *mesh, size_t vertices, size_t triangles)
{
    *mesh = (SiltMesh){.vertex_count = vertices, .triangle_count = triangles};
    assert_ok(silt_alloc_for("a mesh", vertices, 3 * sizeof(float), (void **)&mesh->positions));
    assert_ok(silt_alloc_for("a mesh", triangles, 3 * sizeof(uint32_t), (void **)&mesh->indices));
}

// A wavy ring, closed: side x side vertices, twice as many triangles. The same shape whatever its side.
static SiltMesh ring(int side)
{
    SiltMesh mesh;
    size_t n = (size_t)side;
    make_room(&mesh, n * n, 2 * n * n);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double a = 6.283185307179586 * i / side, b = 6.283185307179586 * j / side;
            double thick = 120.0 + 12.0 * sin(9.0 * a) * sin(7.0 * b), out = 300.0 + thick * cos(b);
            float place[3] = {(float)(out * cos(a)), (float)(out * sin(a)), (float)(thick * sin(b))};
            size_t right = (size_t)((i + 1) % side), up = n * (size_t)((j + 1) % side), row = n * (size_t)j;
            uint32_t at[4] = {(uint32_t)(row + (size_t)i), (uint32_t)(row + right),
                              (uint32_t)(up + (size_t)i), (uint32_t)(up + right)};
            uint32_t two[6] = {at[0], at[1], at[3], at[0], at[3], at[2]};
            memcpy(mesh.positions + 3 * (row + (size_t)i), place, sizeof place);
            memcpy(mesh.indices + 6 * (row + (size_t)i), two, sizeof two);
        }
    return mesh;
}

static SiltFacets facets_of(const SiltMesh *mesh)
{
    return (SiltFacets){mesh->positions, 3, mesh->vertex_count, mesh->indices, mesh->triangle_count};
}

static void fewer_triangles_are_the_same_shape(void **state)
{
    (void)state;
    SiltMesh mesh = ring(700);
    SiltFacets facets = facets_of(&mesh);
    SiltSurvey survey, again;
    SiltCoarse coarse;
    assert_ok(silt_facets_survey(&facets, &survey));
    assert_true(survey.is_closed);
    assert_ok(silt_facets_coarsen(&facets, &survey, 30000, &coarse));
    assert_true(coarse.triangle_count > 10000 && coarse.triangle_count < 60000);
    float *places;
    assert_ok(silt_alloc_for("places", coarse.vertex_count, 3 * sizeof(float), (void **)&places));
    for (size_t v = 0; v < coarse.vertex_count; v++)
        memcpy(places + 3 * v, mesh.positions + 3 * (size_t)coarse.vertices[v], 3 * sizeof(float));
    SiltFacets few = {places, 3, coarse.vertex_count, coarse.indices, coarse.triangle_count};
    assert_ok(silt_facets_survey(&few, &again));
    assert_true(again.is_closed); // what is closed stays closed
    assert_near(again.area, survey.area, 0.05 * survey.area);
    for (int k = 0; k < 3; k++) { // and reaches as far
        assert_near((double)again.all.low[k], (double)survey.all.low[k], 1.8 * coarse.cell);
        assert_near((double)again.all.high[k], (double)survey.all.high[k], 1.8 * coarse.cell);
    }
    for (size_t t = 0; t < few.triangle_count; t++) { // corners of a triangle lie in neighbouring cells
        const uint32_t *at = few.indices + 3 * t;
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                assert_true(fabs((double)(places[3 * at[k] + (uint32_t)axis] -
                                          places[3 * at[(k + 1) % 3] + (uint32_t)axis])) <
                            2.01 * coarse.cell);
    }
    mesh.triangle_count--;
    facets = facets_of(&mesh);
    silt_survey_destroy(&survey);
    assert_ok(silt_facets_survey(&facets, &survey));
    assert_false(survey.is_closed);
    silt_survey_destroy(&survey);
    silt_survey_destroy(&again);
    silt_coarse_destroy(&coarse);
    silt_free(places);
    silt_mesh_destroy(&mesh);
}

typedef struct Costs {
    double frame;   // the cheapest that moves
    double slowest; // of the calls until a picture rests
    int calls;
} Costs;

static Costs costs_of(const SiltMesh *mesh, SiltImage *moving, SiltImage *resting)
{
    Window window;
    Costs costs = {.frame = INFINITY};
    open_window(&window, NULL);
    assert_ok(silt_viewer_show(window.viewer, &(SiltMotif){.mesh = mesh}));
    for (int k = 0; k < 12; k++) {
        silt_viewer_orbit(window.viewer, k % 2 ? 3.0 : -3.0, 0.0);
        silt_viewer_animate(window.viewer, 0.05);
        double begun = work();
        assert_ok(silt_viewer_draw(window.viewer, window.frame, WIDE, HIGH, false));
        costs.frame = k > 0 ? fmin(costs.frame, work() - begun) : costs.frame;
    }
    come_to_rest(window.viewer);
    *moving = look(&window, false);
    do {
        double begun = work();
        assert_ok(silt_viewer_draw(window.viewer, window.frame, WIDE, HIGH, true));
        costs.slowest = fmax(costs.slowest, work() - begun);
    } while (++costs.calls < 2000 && silt_viewer_is_unfinished(window.viewer));
    *resting = look(&window, true);
    close_window(&window);
    return costs;
}

static double difference(const SiltImage *a, const SiltImage *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)WIDE * HIGH * 4; k++)
        sum += fabs((double)a->rgba[k] - (double)b->rgba[k]);
    return sum / (WIDE * HIGH * 3);
}

// Two million triangles freeze no window: a frame that moves costs about what one of a small mesh costs, and
// a picture that rests comes in many calls, none of which is long.
static void many_triangles_leave_the_window_free(void **state)
{
    (void)state;
    SiltMesh small = ring(170), large = ring(1000);
    SiltImage moving[2], resting[2];
    Costs few = costs_of(&small, &moving[0], &resting[0]), many = costs_of(&large, &moving[1], &resting[1]);
    printf("a frame of %zu triangles %.4f s, of %zu %.4f s; at rest no call above %.3f s, of %d\n",
           small.triangle_count, few.frame, large.triangle_count, many.frame, many.slowest, many.calls);
    assert_true(many.frame < 4.0 * few.frame + 0.01);
    assert_true(many.slowest < 25.0 * few.frame + 0.1);
    assert_true(difference(&moving[0], &moving[1]) < 6.0); // and looks alike
    assert_true(difference(&resting[0], &resting[1]) < 6.0);
    for (int k = 0; k < 2; k++) {
        silt_image_destroy(&moving[k]);
        silt_image_destroy(&resting[k]);
    }
    silt_mesh_destroy(&small);
    silt_mesh_destroy(&large);
}

// A picture that is saved has all triangles, whatever frames before it had.
static void a_picture_has_all_triangles(void **state)
{
    (void)state;
    SiltMesh mesh = ring(420);
    Window window;
    SiltRenderOptions options;
    SiltImage wanted;
    open_window(&window, NULL);
    assert_ok(silt_viewer_show(window.viewer, &(SiltMotif){.mesh = &mesh}));
    for (int k = 0; k < 3; k++)
        glance(&window, false);
    SiltImage taken = picture_of(&window);
    silt_viewer_as_options(window.viewer, &options);
    options.width = WIDE;
    options.height = HIGH;
    assert_ok(silt_render_motif(&(SiltMotif){.mesh = &mesh}, &options, &wanted));
    assert_same(taken, wanted);
    close_window(&window);
    silt_mesh_destroy(&mesh);
}

MAIN_THAT_DRAWS(cmocka_unit_test(fewer_triangles_are_the_same_shape),
                cmocka_unit_test(many_triangles_leave_the_window_free),
                cmocka_unit_test(a_picture_has_all_triangles))

#else
MAIN_THAT_CANNOT_DRAW
#endif
