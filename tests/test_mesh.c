#include "files.h"

// ---- what a mesh is, measured without knowing how it was made ----

typedef struct Edge {
    uint32_t from, to;
} Edge;

static int compare_edges(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(Edge));
}

typedef struct Topology {
    size_t edges;   // undirected
    size_t border;  // directed edges without their opposite
    size_t doubled; // directed edges that occur twice
    size_t unused;  // vertices
    size_t parts;   // connected pieces
} Topology;

static uint32_t root_of(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

static Topology measure(const SiltMesh *mesh)
{
    size_t count = 3 * mesh->triangle_count;
    Topology topology = {0};
    Edge *edges = malloc(count * sizeof *edges);
    uint32_t *parent = malloc(mesh->vertex_count * sizeof *parent);
    bool *used = calloc(mesh->vertex_count, 1);
    for (size_t k = 0; k < mesh->vertex_count; k++)
        parent[k] = (uint32_t)k;
    for (size_t k = 0; k < count; k++) {
        uint32_t from = mesh->indices[k], to = mesh->indices[k % 3 == 2 ? k - 2 : k + 1];
        assert_true(from < mesh->vertex_count && from != to);
        edges[k] = (Edge){from, to};
        used[from] = true;
        parent[root_of(parent, from)] = root_of(parent, to);
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    size_t paired = 0;
    for (size_t k = 0; k < count; k++) {
        Edge opposite = {edges[k].to, edges[k].from};
        bool has_opposite = bsearch(&opposite, edges, count, sizeof *edges, compare_edges);
        topology.border += !has_opposite;
        paired += has_opposite;
        topology.doubled += k > 0 && compare_edges(&edges[k], &edges[k - 1]) == 0;
    }
    topology.edges = topology.border + paired / 2;
    for (size_t k = 0; k < mesh->vertex_count; k++) {
        topology.unused += !used[k];
        topology.parts += parent[k] == k;
    }
    free(edges);
    free(parent);
    free(used);
    return topology;
}

static long euler(const SiltMesh *mesh, const Topology *topology)
{
    return (long)mesh->vertex_count - (long)topology->edges + (long)mesh->triangle_count;
}

// Around every corner of a manifold the triangles form one chain or ring.
static void assert_manifold_corners(const SiltMesh *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        Edge chain[64];
        size_t count = 0;
        for (size_t k = 0; k < 3 * mesh->triangle_count; k++) {
            if (mesh->indices[k] != v)
                continue;
            size_t base = k / 3 * 3;
            chain[count++] =
                (Edge){mesh->indices[base + (k + 1 - base) % 3], mesh->indices[base + (k + 2 - base) % 3]};
            assert_true(count < 64);
        }
        size_t starts = 0; // outgoing edges no triangle arrives at
        for (size_t a = 0; a < count; a++) {
            bool is_start = true;
            for (size_t b = 0; b < count; b++)
                is_start = is_start && chain[b].to != chain[a].from;
            starts += is_start;
        }
        assert_true(starts <= 1);
    }
}

static double volume(const SiltMesh *mesh)
{
    double sum = 0.0;
    for (size_t k = 0; k < mesh->triangle_count; k++) {
        const uint32_t *t = mesh->indices + 3 * k;
        double p[3][3];
        for (size_t c = 0; c < 3; c++)
            for (size_t axis = 0; axis < 3; axis++)
                p[c][axis] = (double)mesh->positions[3 * t[c] + axis];
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
               p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return sum / 6.0;
}

// Area of triangle k seen from above, negative when it faces down.
static double plan_area(const SiltMesh *mesh, size_t k)
{
    const uint32_t *t = mesh->indices + 3 * k;
    const float *a = mesh->positions + 3 * t[0], *b = mesh->positions + 3 * t[1],
                *c = mesh->positions + 3 * t[2];
    return 0.5 * (((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
                  ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]));
}

// ---- the laws ----

static void an_open_surface_is_a_disc(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(17, 12, false);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 0.0, &mesh));
    assert_int_equal(mesh.vertex_count, 17 * 12);
    assert_int_equal(mesh.triangle_count, 2 * 16 * 11);
    Topology topology = measure(&mesh);
    assert_int_equal(euler(&mesh, &topology), 1);
    assert_int_equal(topology.border, 2 * (16 + 11));
    assert_int_equal(topology.doubled, 0);
    double area = 0.0;
    for (size_t k = 0; k < mesh.triangle_count; k++) {
        assert_true(plan_area(&mesh, k) > 0.0); // every triangle faces up
        area += plan_area(&mesh, k);
    }
    assert_near(area, 16.0 * 11.0 * 900.0, 1e-3);
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

static void vertices_stand_at_cell_centres_on_the_map(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, false);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 0.0, &mesh));
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 5; i++) {
            const float *position = mesh.positions + 3 * (j * 5 + i);
            assert_near(mesh.origin[0] + (double)position[0], 355000.0 + 30.0 * (i + 0.5), 1e-9);
            assert_near(mesh.origin[1] + (double)position[1], 3800000.25 - 30.0 * (j + 0.5), 1e-9);
            assert_near((double)position[2], (double)silt_field_at(&hills->layers[0]->field, i, j), 0.0);
        }
    silt_mesh_destroy(&mesh);
    hills->geo.step_x = 0.0003; // degrees: metres cannot be added to them
    assert_ok(silt_mesh_from_terrain(hills, 0.0, &mesh));
    assert_near(mesh.origin[0], 0.0, 0.0);
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

static void a_plane_has_its_own_normal_and_volume(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(9, 6, 2.0, &terrain));
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 9; i++) // rises 1 in 4 eastwards and 1 in 2 northwards
            silt_field_row(&terrain->layers[0]->field, j)[i] = (float)(0.5 * i + 1.0 * (5 - j));
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(terrain, 3.0, &mesh));
    double length = sqrt(1.0 + 0.0625 + 0.25);
    for (size_t k = 0; k < 54; k++) {
        assert_near((double)mesh.normals[3 * k], -0.25 / length, 1e-6);
        assert_near((double)mesh.normals[3 * k + 1], -0.5 / length, 1e-6);
        assert_near((double)mesh.normals[3 * k + 2], 1.0 / length, 1e-6);
    }
    double mean = (0.5 * 8.0 + 5.0) / 2.0 + 3.0; // height above the floor in the middle
    assert_near(volume(&mesh), 16.0 * 10.0 * mean, 1e-6 * 16.0 * 10.0 * mean);
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(terrain);
}

static void check_solid(const SiltMesh *mesh, double floor_height)
{
    Topology topology = measure(mesh);
    assert_int_equal(topology.border, 0);  // every directed edge has its opposite ...
    assert_int_equal(topology.doubled, 0); // ... and occurs once
    assert_int_equal(topology.unused, 0);
    double above = 0.0;
    for (size_t k = 0; k < mesh->triangle_count; k++) { // integral of the upper side over the floor
        const uint32_t *t = mesh->indices + 3 * k;
        double height = 0.0;
        for (size_t c = 0; c < 3; c++)
            height += ((double)mesh->positions[3 * t[c] + 2] - floor_height) / 3.0;
        if (plan_area(mesh, k) > 0.0)
            above += plan_area(mesh, k) * height;
    }
    assert_true(above > 0.0);
    assert_near(volume(mesh), above, 1e-5 * above); // positive: facing outwards
}

static void a_skirted_mesh_is_a_closed_solid(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(17, 12, false);
    SiltFieldStatistics statistics;
    silt_field_statistics(&hills->layers[0]->field, NULL, &statistics);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 40.0, &mesh));
    check_solid(&mesh, statistics.minimum - 40.0);
    Topology topology = measure(&mesh);
    assert_int_equal(topology.parts, 1);
    assert_int_equal(euler(&mesh, &topology), 2); // a ball
    assert_manifold_corners(&mesh);
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

static void one_hole_makes_a_ring(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(8, 8, false);
    assert_ok(silt_terrain_require_nodata(hills));
    hills->nodata[3 * 8 + 4] = 1;
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 0.0, &mesh));
    Topology topology = measure(&mesh);
    assert_int_equal(mesh.vertex_count, 63);
    assert_int_equal(mesh.triangle_count, 2 * (49 - 4));
    assert_int_equal(euler(&mesh, &topology), 0);
    assert_int_equal(topology.border, 28 + 8);
    silt_mesh_destroy(&mesh);
    assert_ok(silt_mesh_from_terrain(hills, 5.0, &mesh));
    topology = measure(&mesh);
    assert_int_equal(euler(&mesh, &topology), 0); // a torus
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

static void scattered_holes_leave_manifold_solids(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(23, 19, true);
    hills->nodata[5] = 0;
    double lowest = INFINITY;
    SiltMesh open, closed;
    silt_field_row(&hills->layers[0]->field, 0)[9] = NAN;
    assert_fails(silt_mesh_from_terrain(hills, 0.0, &open), SILT_BAD_ARGUMENT,
                 "1 cell of 'height' is not a finite number");
    hills->nodata[9] = 1; // what stands there does not matter now
    assert_ok(silt_mesh_from_terrain(hills, 0.0, &open));
    Topology topology = measure(&open);
    assert_int_equal(topology.unused, 0);
    assert_int_equal(topology.doubled, 0);
    assert_manifold_corners(&open);
    for (size_t k = 0; k < open.vertex_count; k++)
        lowest = fmin(lowest, (double)open.positions[3 * k + 2]);
    assert_ok(silt_mesh_from_terrain(hills, 25.0, &closed));
    check_solid(&closed, lowest - 25.0);
    assert_manifold_corners(&closed);
    silt_mesh_destroy(&open);
    silt_mesh_destroy(&closed);
    silt_terrain_destroy(hills);
}

// Two quads that share one corner only: the corner has a vertex for each.
static void a_pinched_corner_is_split(void **state)
{
    (void)state;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        SiltTerrain *terrain = make_hills(3, 3, false);
        assert_ok(silt_terrain_require_nodata(terrain));
        terrain->nodata[mirrored ? 0 : 2] = terrain->nodata[mirrored ? 8 : 6] = 1;
        SiltMesh mesh;
        assert_ok(silt_mesh_from_terrain(terrain, 1.0, &mesh));
        Topology topology = measure(&mesh);
        assert_int_equal(topology.parts, 2);
        assert_int_equal(topology.border + topology.doubled, 0);
        assert_int_equal(mesh.vertex_count, 16);
        assert_int_equal(euler(&mesh, &topology), 4); // two balls
        silt_mesh_destroy(&mesh);
        silt_terrain_destroy(terrain);
    }
}

// A ridge along either diagonal stays a ridge.
static void the_diagonal_follows_the_ridge(void **state)
{
    (void)state;
    for (int rising = 0; rising < 2; rising++) {
        SiltTerrain *terrain;
        assert_ok(silt_terrain_create(2, 2, 1.0, &terrain));
        silt_field_row(&terrain->layers[0]->field, 0)[rising] = 10.0f;
        silt_field_row(&terrain->layers[0]->field, 1)[1 - rising] = 10.0f;
        silt_field_row(&terrain->layers[0]->field, 1)[rising] = 1.0f;
        SiltMesh mesh;
        assert_ok(silt_mesh_from_terrain(terrain, 0.0, &mesh));
        for (size_t k = 0; k < 2; k++) { // both triangles have both summits
            int summits = 0;
            for (size_t c = 0; c < 3; c++)
                summits += mesh.positions[3 * mesh.indices[3 * k + c] + 2] == 10.0f;
            assert_int_equal(summits, 2);
        }
        silt_mesh_destroy(&mesh);
        silt_terrain_destroy(terrain);
    }
}

static void the_change_layer_counts(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltField *change;
    assert_ok(silt_terrain_create(2, 2, 1.0, &terrain));
    assert_ok(silt_terrain_require(terrain, "change", &change));
    silt_field_fill(change, 4.0f);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(terrain, 0.0, &mesh));
    assert_near((double)mesh.positions[2], 4.0, 0.0);
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(terrain);
}

static void same_on_any_number_of_threads(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(61, 47, true);
    SiltMesh one, many;
    silt_set_threads(1);
    assert_ok(silt_mesh_from_terrain(hills, 9.0, &one));
    silt_set_threads(5);
    assert_ok(silt_mesh_from_terrain(hills, 9.0, &many));
    silt_set_threads(0);
    assert_int_equal(one.vertex_count, many.vertex_count);
    assert_memory_equal(one.positions, many.positions, 12 * one.vertex_count);
    assert_memory_equal(one.normals, many.normals, 12 * one.vertex_count);
    assert_memory_equal(one.indices, many.indices, 12 * one.triangle_count);
    silt_mesh_destroy(&one);
    silt_mesh_destroy(&many);
    silt_terrain_destroy(hills);
}

static void what_has_no_surface_is_refused(void **state)
{
    (void)state;
    SiltTerrain *line = make_hills(7, 1, false), *gone = make_hills(3, 3, false);
    SiltMesh mesh;
    assert_fails(silt_mesh_from_terrain(line, 0.0, &mesh), SILT_BAD_ARGUMENT, "7 x 1");
    assert_fails(silt_mesh_from_terrain(gone, -1.0, &mesh), SILT_BAD_ARGUMENT, "skirt");
    assert_fails(silt_mesh_from_terrain(gone, NAN, &mesh), SILT_BAD_ARGUMENT, "skirt");
    assert_ok(silt_terrain_require_nodata(gone));
    gone->nodata[4] = 1;
    assert_fails(silt_mesh_from_terrain(gone, 0.0, &mesh), SILT_BAD_ARGUMENT, "four neighbouring");
    assert_null(mesh.positions);
    silt_terrain_destroy(line);
    silt_terrain_destroy(gone);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(6, 5, true);
    for (long n = 1;; n++) {
        SiltMesh mesh;
        silt_fail_allocation(n);
        SiltStatus status = silt_mesh_from_terrain(hills, 2.0, &mesh);
        bool is_over = silt_allocation_count() < n;
        silt_fail_allocation(0);
        silt_mesh_destroy(&mesh);
        assert_int_equal(status, is_over ? SILT_OK : SILT_NO_MEMORY);
        if (is_over)
            break;
    }
    silt_terrain_destroy(hills);
}

// Vertices that are no numbers cannot be brought closer; the work ends all the same.
static void decimation_of_infinite_vertices_ends(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltMesh mesh;
    assert_ok(silt_terrain_create(6, 6, 1.0, &terrain));
    assert_ok(silt_mesh_from_terrain(terrain, 2.0, &mesh));
    for (size_t k = 0; k < mesh.vertex_count; k++)
        mesh.positions[3 * k + 2] = INFINITY;
    assert_ok(silt_mesh_decimate(&mesh, 0.5));
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_surface_is_a_disc),
        cmocka_unit_test(vertices_stand_at_cell_centres_on_the_map),
        cmocka_unit_test(a_plane_has_its_own_normal_and_volume),
        cmocka_unit_test(a_skirted_mesh_is_a_closed_solid),
        cmocka_unit_test(one_hole_makes_a_ring),
        cmocka_unit_test(scattered_holes_leave_manifold_solids),
        cmocka_unit_test(a_pinched_corner_is_split),
        cmocka_unit_test(the_diagonal_follows_the_ridge),
        cmocka_unit_test(the_change_layer_counts),
        cmocka_unit_test(same_on_any_number_of_threads),
        cmocka_unit_test(what_has_no_surface_is_refused),
        cmocka_unit_test(decimation_of_infinite_vertices_ends),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
