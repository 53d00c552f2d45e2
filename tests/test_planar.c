// The map cut by lines: it is a planar graph on every draw.
#include "test.h"

#include "generate/planar.h"
#include "physics/random.h"

static void assert_planar(const SiltPlanar *p)
{
    // Euler, with the outside as a face
    assert_int_equal(p->vertex_count - p->edge_count + p->face_count + 1, 2);
    double sum = 0.0, whole = (double)p->lattice.width * (double)p->lattice.height;
    for (int face = 0; face < p->face_count; face++) {
        sum += p->area[face];
        int half = p->first[face], corners = 0;
        do {
            assert_int_equal(p->face[half], face);
            assert_int_equal(p->origin[p->next[half]], p->origin[half ^ 1]);
            half = p->next[half];
            corners++;
        } while (half != p->first[face] && corners <= 2 * p->edge_count);
        assert_true(corners >= 3);
    }
    assert_near(sum, whole, 1e-9 * whole);
}

static void assert_neighbours_are_mutual(const SiltPlanar *p)
{
    SiltNeighbours n;
    assert_ok(silt_planar_neighbours(p, &n));
    assert_int_equal(n.count, p->face_count);
    for (int a = 0; a < n.count; a++) {
        assert_true(p->face_count == 1 || n.start[a + 1] > n.start[a]);
        for (int k = n.start[a]; k < n.start[a + 1]; k++) {
            int b = n.neighbour[k], found = 0;
            assert_int_not_equal(a, b);
            for (int m = n.start[b]; m < n.start[b + 1]; m++)
                found += n.neighbour[m] == a;
            assert_int_equal(found, 1);
        }
    }
    silt_neighbours_destroy(&n);
}

static void euler_holds_on_every_draw(void **state)
{
    (void)state;
    const int sizes[][2] = {{64, 64}, {1, 1}, {2048, 3}, {30, 100}, {1, 500}};
    for (int n = 0; n < 200; n++) {
        SiltPlanar p;
        int lines = n < 190 ? n % 12 : 5 * (n - 180);
        const int *size = sizes[n % 5];
        assert_ok(silt_planar_draw(silt_lattice(size[0], size[1]), lines, (uint64_t)n, 1, 0, &p));
        assert_planar(&p);
        assert_neighbours_are_mutual(&p);
        assert_true(p.face_count <= (lines * lines + lines + 2) / 2);
        silt_planar_destroy(&p);
    }
}

// Fritz eq. 4.1: lines through the middle of the map cross there, so n of them make (n^2 + n + 2) / 2 faces.
static void lines_that_all_cross_make_the_caterers_number_of_faces(void **state)
{
    (void)state;
    SiltLattice lattice = silt_lattice(100, 100);
    int64_t unit = (int64_t)1 << lattice.shift;
    for (int n = 0; n <= 40; n++) {
        SiltLine lines[40];
        for (int l = 0; l < n; l++) { // tangents of a small circle, nearly: all meet within it or beside it
            double angle = 3.0 * (l + 0.5) / 40.0;
            int64_t dx = (int64_t)(1e6 * cos(angle)), dy = (int64_t)(1e6 * sin(angle));
            int64_t x = 50 * unit + dy / 2, y = 50 * unit - dx / 2;
            lines[l] = silt_line_through(x, y, x + dx, y + dy);
        }
        SiltPlanar p;
        assert_ok(silt_planar_create(lattice, lines, n, &p));
        assert_planar(&p);
        assert_int_equal(p.face_count, (n * n + n + 2) / 2);
        silt_planar_destroy(&p);
    }
}

// The same number from the crossings counted one by one: faces = 1 + lines + crossings inside.
static void faces_follow_from_the_crossings(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 50; n++) {
        SiltPlanar p;
        assert_ok(silt_planar_draw(silt_lattice(80, 50), 9, n, 2, 0, &p));
        int crossings = 0;
        for (int a = 0; a < 9; a++)
            for (int b = 0; b < a; b++) {
                SiltLine l = p.lines[a], m = p.lines[b];
                double w = (double)l.a * (double)m.b - (double)l.b * (double)m.a;
                double x = ((double)l.b * (double)m.c - (double)l.c * (double)m.b) / w;
                double y = ((double)l.c * (double)m.a - (double)l.a * (double)m.c) / w;
                crossings += x > 0.0 && y > 0.0 && x < (double)silt_lattice_length(&p.lattice, 80) &&
                             y < (double)silt_lattice_length(&p.lattice, 50);
            }
        assert_int_equal(p.face_count, 1 + 9 + crossings);
        silt_planar_destroy(&p);
    }
}

static void degenerate_lines_are_moved_apart(void **state)
{
    (void)state;
    SiltLattice lattice = silt_lattice(10, 10);
    int64_t side = silt_lattice_length(&lattice, 10);
    SiltLine lines[8];
    lines[0] = lines[1] = lines[2] = silt_line_through(0, side / 2, side, side / 2); // the same thrice
    lines[3] = silt_line_through(side / 2, 0, side / 2, side);
    lines[4] = silt_line_through(0, 0, side, side); // diagonals: all meet in the middle
    lines[5] = silt_line_through(0, side, side, 0);
    lines[6] = silt_line_through(7, 7, 7, 7);    // no direction
    lines[7] = silt_line_through(0, 0, side, 0); // along a side
    SiltPlanar p;
    assert_ok(silt_planar_create(lattice, lines, 8, &p));
    assert_planar(&p);
    assert_neighbours_are_mutual(&p);
    silt_planar_destroy(&p);
}

// A cell's face is the one whose corners all lie on the cell's side of every line.
static void cells_lie_in_their_faces(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20; n++) {
        SiltPlanar p;
        SiltPlanarRow row;
        assert_ok(silt_planar_draw(silt_lattice(48, 31), (int)n, n, 3, 0, &p));
        assert_ok(silt_planar_row_create(&p, &row));
        double *cells = silt_alloc((size_t)p.face_count * sizeof *cells);
        for (int j = 0; j < 31; j++) {
            silt_planar_row_cut(&p, j, &row);
            assert_int_equal(row.start[0], 0);
            for (int run = 0; run < row.count; run++)
                for (int i = row.start[run]; i < row.start[run + 1]; i++) {
                    int face = silt_planar_locate(&p, i, j);
                    assert_int_equal(face, row.face[run]);
                    assert_in_range(face, 0, p.face_count - 1);
                    cells[face]++;
                    double x = i + 0.5, y = j + 0.5; // left of every edge of a convex face
                    int half = p.first[face];
                    do {
                        int a = p.origin[half], b = p.origin[half ^ 1];
                        double left = (p.vertex_x[b] - p.vertex_x[a]) * (y - p.vertex_y[a]) -
                                      (p.vertex_y[b] - p.vertex_y[a]) * (x - p.vertex_x[a]);
                        assert_true(left > -1e-6);
                        half = p.next[half];
                    } while (half != p.first[face]);
                }
        }
        for (int face = 0; face < p.face_count; face++) // a cell more or less along its outline
            assert_near(cells[face], p.area[face], 0.5 * (48 + 31) + 4.0);
        silt_free(cells);
        silt_planar_row_destroy(&row);
        silt_planar_destroy(&p);
    }
}

static void too_many_lines_are_refused(void **state)
{
    (void)state;
    SiltPlanar p;
    assert_fails(silt_planar_create(silt_lattice(4, 4), NULL, SILT_MAX_CUTS + 1, &p), SILT_BAD_ARGUMENT,
                 "2001 lines");
    assert_fails(silt_planar_create(silt_lattice(4, 4), NULL, -1, &p), SILT_BAD_ARGUMENT, "-1 lines");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_holds_on_every_draw),
        cmocka_unit_test(lines_that_all_cross_make_the_caterers_number_of_faces),
        cmocka_unit_test(faces_follow_from_the_crossings),
        cmocka_unit_test(degenerate_lines_are_moved_apart),
        cmocka_unit_test(cells_lie_in_their_faces),
        cmocka_unit_test(too_many_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
