// Lines are crossed pair by pair, the crossings on each line are sorted, and each piece between two crossings
// is an edge. A face is what one walks around when turning left at every vertex: there is no search for
// cycles, and l lines cost O(l^2 log l).
#include "generate/planar.h"

#include "core/memory.h"
#include "core/status.h"
#include "physics/random.h"

__extension__ typedef __int128 Wide;

enum { NUDGES = 1000 };

// The crossings on one line, in order along its direction (-b, a).
typedef struct Crossings {
    int count;
    int *other;  // the line met
    int *vertex; // where
} Crossings;

typedef struct Build {
    SiltPlanar *planar;
    int total;            // lines and sides
    Crossings *crossings; // by line
    int *store;           // behind them all
    int (*on)[2];         // the two lines of a vertex
    int (*place)[2];      // and the vertex's place on each
    int *first_edge;      // of each line
    int degenerate;       // a line that meets two others in one point, or -1
} Build;

SiltLine silt_line_through(int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    int64_t a = 2 * (y1 - y0), b = 2 * (x0 - x1);
    if (a == 0 && b == 0)
        a = 2; // the same point twice: the line through it along y
    return (SiltLine){a, b, 1 - a * x0 - b * y0};
}

static int sign(Wide x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

// Positive when line m runs to the left of line l's direction.
static int64_t cross(SiltLine l, SiltLine m)
{
    return l.a * m.b - l.b * m.a;
}

// The crossing of l and m as (x w, y w, w).
typedef struct Point {
    Wide x, y;
    int64_t w;
} Point;

static Point crossing_of(SiltLine l, SiltLine m)
{
    return (Point){(Wide)l.b * m.c - (Wide)l.c * m.b, (Wide)l.c * m.a - (Wide)l.a * m.c, cross(l, m)};
}

// Whether line l meets m before (-1) or after (1) it meets k; 0 when all three meet in a point. The value of
// k where l meets m has the sign it loses on the way to k.
static int order_along(SiltLine l, SiltLine m, SiltLine k)
{
    Point p = crossing_of(l, m);
    int value = sign(k.a * p.x + k.b * p.y + k.c * (Wide)p.w) * sign(p.w);
    return value * sign(cross(l, k));
}

static bool same_line(SiltLine l, SiltLine m)
{
    return cross(l, m) == 0 && (Wide)l.a * m.c == (Wide)m.a * l.c && (Wide)l.b * m.c == (Wide)m.b * l.c;
}

// 1 inside the map, 0 on its edge, -1 outside.
static int inside(const SiltLattice *lattice, Point p)
{
    int way = p.w > 0 ? 1 : -1;
    Wide x = p.x * way, y = p.y * way, w = (Wide)p.w * way;
    Wide right = w * silt_lattice_length(lattice, lattice->width);
    Wide bottom = w * silt_lattice_length(lattice, lattice->height);
    if (x < 0 || y < 0 || x > right || y > bottom)
        return -1;
    return x > 0 && y > 0 && x < right && y < bottom;
}

static void add_vertex(Build *build, int l, int m)
{
    SiltPlanar *planar = build->planar;
    int v = planar->vertex_count++;
    Point p = crossing_of(planar->lines[l], planar->lines[m]);
    planar->vertex_x[v] = silt_lattice_cells(&planar->lattice, (double)p.x / (double)p.w);
    planar->vertex_y[v] = silt_lattice_cells(&planar->lattice, (double)p.y / (double)p.w);
    int lines[2] = {l, m};
    for (int k = 0; k < 2; k++) {
        Crossings *c = &build->crossings[lines[k]];
        c->other[c->count] = lines[1 - k];
        c->vertex[c->count++] = v;
        build->on[v][k] = lines[k];
    }
}

static void cross_lines(Build *build)
{
    SiltPlanar *planar = build->planar;
    for (int m = 1; m < planar->line_count; m++)
        for (int l = 0; l < m; l++) {
            if (cross(planar->lines[l], planar->lines[m]) == 0) {
                if (same_line(planar->lines[l], planar->lines[m]))
                    build->degenerate = m;
                continue;
            }
            int where = inside(&planar->lattice, crossing_of(planar->lines[l], planar->lines[m]));
            if (where == 0)
                build->degenerate = m;
            if (where > 0)
                add_vertex(build, l, m);
        }
}

// The sides follow the cuts: top, bottom, left, right. A cut crosses a side when its ends lie on either side
// of the cut; no corner lies on a cut.
static void cross_sides(Build *build)
{
    SiltPlanar *planar = build->planar;
    int64_t right = silt_lattice_length(&planar->lattice, planar->lattice.width);
    int64_t bottom = silt_lattice_length(&planar->lattice, planar->lattice.height);
    int side = planar->line_count;
    planar->lines[side] = (SiltLine){0, 1, 0};
    planar->lines[side + 1] = (SiltLine){0, 1, -bottom};
    planar->lines[side + 2] = (SiltLine){1, 0, 0};
    planar->lines[side + 3] = (SiltLine){1, 0, -right};
    int64_t ends[4][4] = {
        {0, 0, right, 0}, {0, bottom, right, bottom}, {0, 0, 0, bottom}, {right, 0, right, bottom}};
    for (int l = 0; l < planar->line_count; l++)
        for (int k = 0; k < 4; k++) {
            SiltLine line = planar->lines[l];
            bool one = line.a * ends[k][0] + line.b * ends[k][1] + line.c > 0;
            bool two = line.a * ends[k][2] + line.b * ends[k][3] + line.c > 0;
            if (one != two)
                add_vertex(build, l, side + k);
        }
    for (int k = 0; k < 4; k++)
        add_vertex(build, side + (k & 1), side + 2 + (k >> 1));
}

// By insertion, looking for the place by halves.
static void sort_crossings(Build *build, int l)
{
    const SiltLine *lines = build->planar->lines;
    Crossings *c = &build->crossings[l];
    for (int k = 1; k < c->count; k++) {
        int other = c->other[k], vertex = c->vertex[k], low = 0, high = k;
        while (low < high) {
            int middle = (low + high) / 2;
            int way = order_along(lines[l], lines[other], lines[c->other[middle]]);
            if (way == 0)
                build->degenerate = other < build->planar->line_count ? other : l;
            if (way < 0)
                high = middle;
            else
                low = middle + 1;
        }
        for (int m = k; m > low; m--) {
            c->other[m] = c->other[m - 1];
            c->vertex[m] = c->vertex[m - 1];
        }
        c->other[low] = other;
        c->vertex[low] = vertex;
    }
}

static void make_edges(Build *build)
{
    SiltPlanar *planar = build->planar;
    for (int l = 0; l < build->total; l++) {
        const Crossings *c = &build->crossings[l];
        build->first_edge[l] = planar->edge_count;
        for (int k = 0; k < c->count; k++) {
            int v = c->vertex[k];
            build->place[v][build->on[v][0] == l ? 0 : 1] = k;
            if (k + 1 == c->count)
                continue;
            int edge = planar->edge_count++;
            planar->origin[2 * edge] = v;
            planar->origin[2 * edge + 1] = c->vertex[k + 1];
            planar->line[2 * edge] = planar->line[2 * edge + 1] = l;
        }
    }
}

// The half-edge that leaves line l's k-th crossing with the line's direction, or against it; -1 when none.
static int leaving(const Build *build, int l, int k, bool forward)
{
    if (forward)
        return k + 1 < build->crossings[l].count ? 2 * (build->first_edge[l] + k) : -1;
    return k > 0 ? 2 * (build->first_edge[l] + k - 1) + 1 : -1;
}

// Left if there is a way, else straight on, else right.
static int turn_left(const Build *build, int half)
{
    const SiltPlanar *planar = build->planar;
    bool forward = !(half & 1);
    int v = planar->origin[half ^ 1], l = planar->line[half], which = build->on[v][0] == l ? 0 : 1;
    int m = build->on[v][1 - which];
    bool left_is_forward = (cross(planar->lines[l], planar->lines[m]) > 0) == forward;
    int next = leaving(build, m, build->place[v][1 - which], left_is_forward);
    if (next < 0)
        next = leaving(build, l, build->place[v][which], forward);
    if (next < 0)
        next = leaving(build, m, build->place[v][1 - which], !left_is_forward);
    return next;
}

static void measure_face(SiltPlanar *planar, int face, int half)
{
    double area = 0.0, x = 0.0, y = 0.0;
    int corners = 0, at = half, x0 = planar->origin[half];
    do {
        int p = planar->origin[at], q = planar->origin[planar->next[at]];
        double px = planar->vertex_x[p] - planar->vertex_x[x0],
               py = planar->vertex_y[p] - planar->vertex_y[x0];
        double qx = planar->vertex_x[q] - planar->vertex_x[x0],
               qy = planar->vertex_y[q] - planar->vertex_y[x0];
        area += 0.5 * (px * qy - py * qx);
        x += planar->vertex_x[p];
        y += planar->vertex_y[p];
        corners++;
        planar->face[at] = face;
        at = planar->next[at];
    } while (at != half);
    planar->first[face] = half;
    planar->area[face] = area > 0.0 ? area : 0.0;
    planar->middle_x[face] = x / corners;
    planar->middle_y[face] = y / corners;
}

static void make_faces(Build *build)
{
    SiltPlanar *planar = build->planar;
    int halves = 2 * planar->edge_count;
    for (int h = 0; h < halves; h++) {
        planar->next[h] = turn_left(build, h);
        planar->face[h] = -1;
    }
    // the top side runs towards -x, with the outside on its left
    int top = 2 * build->first_edge[planar->line_count], outside = top;
    do {
        planar->face[outside] = halves; // not yet numbered
        outside = planar->next[outside];
    } while (outside != top);
    for (int h = 0; h < halves; h++)
        if (planar->face[h] < 0)
            measure_face(planar, planar->face_count++, h);
    do {
        planar->face[outside] = planar->face_count;
        outside = planar->next[outside];
    } while (outside != top);
    planar->first[planar->face_count] = top;
}

// ---- faces by the sides of the lines they lie on ----

static int find_slot(const SiltPlanar *planar, uint64_t key)
{
    uint64_t mask = (uint64_t)planar->slot_count - 1, slot = key & mask;
    while (planar->slots[slot] >= 0 && planar->key[planar->slots[slot]] != key)
        slot = (slot + 1) & mask;
    return (int)slot;
}

int silt_planar_find(const SiltPlanar *planar, uint64_t key)
{
    return planar->slots[find_slot(planar, key)];
}

// From the face at the corner (0, 0) on, each step over a line changes one side.
static void spread_keys(Build *build, int *stack)
{
    SiltPlanar *planar = build->planar;
    int top = planar->line_count;
    int corner = planar->face[2 * (build->first_edge[top] + build->crossings[top].count - 2) + 1], depth = 0;
    uint64_t key = 0;
    for (int l = 0; l < planar->line_count; l++)
        key ^= planar->lines[l].c > 0 ? silt_line_key(l) : 0;
    for (int k = 0; k < planar->slot_count; k++)
        planar->slots[k] = -1;
    planar->key[corner] = key;
    planar->slots[find_slot(planar, key)] = corner;
    stack[depth++] = corner;
    while (depth > 0) {
        int face = stack[--depth], half = planar->first[face];
        do {
            int beyond = planar->face[half ^ 1];
            uint64_t other = planar->key[face] ^ silt_line_key(planar->line[half]);
            int slot = beyond < planar->face_count ? find_slot(planar, other) : -1;
            if (slot >= 0 && planar->slots[slot] < 0) {
                planar->key[beyond] = other;
                planar->slots[slot] = beyond;
                stack[depth++] = beyond;
            }
            half = planar->next[half];
        } while (half != planar->first[face]);
    }
}

// ---- making it ----

void silt_planar_destroy(SiltPlanar *planar)
{
    void *blocks[] = {planar->lines,    planar->vertex_x, planar->vertex_y, planar->origin, planar->next,
                      planar->face,     planar->line,     planar->first,    planar->area,   planar->middle_x,
                      planar->middle_y, planar->key,      planar->slots};
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
        silt_free(blocks[k]);
    *planar = (SiltPlanar){0};
}

static void free_build(Build *build)
{
    silt_free(build->crossings);
    silt_free(build->store);
    silt_free(build->on);
    silt_free(build->place);
    silt_free(build->first_edge);
}

typedef struct Block {
    void **at;
    size_t count, size;
} Block;

static SiltStatus allocate_blocks(const Block *blocks, size_t count)
{
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < count && status == SILT_OK; k++)
        status = silt_alloc_for("a map cut by lines", blocks[k].count, blocks[k].size, blocks[k].at);
    return status;
}

// n lines make at most n (n - 1) / 2 crossings inside, 2 n on the sides and 4 corners.
static SiltStatus allocate(SiltPlanar *planar, int n, Build *build)
{
    size_t lines = (size_t)n + 4, each = (size_t)n + 3;
    size_t vertices = (size_t)n * ((size_t)n + 3) / 2 + 4, edges = (size_t)n * ((size_t)n + 2) + 4;
    size_t faces = (size_t)n * ((size_t)n + 1) / 2 + 2, slots = 4;
    while (slots < 2 * faces)
        slots *= 2;
    planar->slot_count = (int)slots;
    const Block blocks[] = {
        {(void **)&planar->lines, lines, sizeof *planar->lines},
        {(void **)&planar->vertex_x, vertices, sizeof(double)},
        {(void **)&planar->vertex_y, vertices, sizeof(double)},
        {(void **)&planar->origin, 2 * edges, sizeof(int)},
        {(void **)&planar->next, 2 * edges, sizeof(int)},
        {(void **)&planar->face, 2 * edges, sizeof(int)},
        {(void **)&planar->line, 2 * edges, sizeof(int)},
        {(void **)&planar->first, faces, sizeof(int)},
        {(void **)&planar->area, faces, sizeof(double)},
        {(void **)&planar->middle_x, faces, sizeof(double)},
        {(void **)&planar->middle_y, faces, sizeof(double)},
        {(void **)&planar->key, faces, sizeof(uint64_t)},
        {(void **)&planar->slots, slots, sizeof(int)},
        {(void **)&build->crossings, lines, sizeof *build->crossings},
        {(void **)&build->store, 2 * lines * each, sizeof(int)},
        {(void **)&build->on, vertices, sizeof *build->on},
        {(void **)&build->place, vertices, sizeof *build->place},
        {(void **)&build->first_edge, lines, sizeof(int)},
    };
    build->total = n + 4;
    SiltStatus status = allocate_blocks(blocks, sizeof blocks / sizeof blocks[0]);
    for (size_t l = 0; l < lines && status == SILT_OK; l++) {
        build->crossings[l].other = build->store + 2 * l * each;
        build->crossings[l].vertex = build->store + (2 * l + 1) * each;
    }
    return status;
}

// Crosses everything; false (and the line to move in build->degenerate) when three lines meet in a point.
static bool arrange(Build *build)
{
    build->degenerate = -1;
    build->planar->vertex_count = 0;
    for (int l = 0; l < build->total; l++)
        build->crossings[l].count = 0;
    cross_lines(build);
    if (build->degenerate >= 0)
        return false;
    cross_sides(build);
    for (int l = 0; l < build->total; l++)
        sort_crossings(build, l);
    return build->degenerate < 0;
}

SiltStatus silt_planar_create(SiltLattice lattice, const SiltLine *lines, int count, SiltPlanar *out)
{
    *out = (SiltPlanar){.lattice = lattice, .line_count = count};
    if (count < 0 || count > SILT_MAX_CUTS)
        return silt_fail(SILT_BAD_ARGUMENT, "a map cut by %d lines: there may be 0 to %d", count,
                         SILT_MAX_CUTS);
    Build build = {.planar = out};
    SiltStatus status = allocate(out, count, &build);
    if (status == SILT_OK) {
        for (int l = 0; l < count; l++)
            out->lines[l] = lines[l];
        bool done = arrange(&build);
        for (int nudge = 0; nudge < NUDGES && !done; nudge++) {
            out->lines[build.degenerate].c += 2;
            done = arrange(&build);
        }
        if (!done)
            status = silt_fail(SILT_BAD_ARGUMENT, "a map cut by %d lines: too many of them meet in one point",
                               count);
    }
    if (status == SILT_OK) {
        make_edges(&build);
        make_faces(&build);
        spread_keys(&build, build.store);
    }
    free_build(&build);
    if (status != SILT_OK)
        silt_planar_destroy(out);
    return status;
}

SiltStatus silt_planar_draw(SiltLattice lattice, int count, uint64_t seed, uint32_t stream, uint32_t draw,
                            SiltPlanar *out)
{
    *out = (SiltPlanar){0};
    SiltLine *lines;
    SiltStatus status =
        silt_alloc_for("cut lines", count > 0 ? (size_t)count : 0, sizeof *lines, (void **)&lines);
    if (status != SILT_OK)
        return status;
    for (int l = 0; l < count; l++) {
        SiltRandom random = silt_random(seed, stream, (uint64_t)l, draw);
        lines[l] = silt_line_through(silt_lattice_random(&lattice, lattice.width, random.word[0]),
                                     silt_lattice_random(&lattice, lattice.height, random.word[1]),
                                     silt_lattice_random(&lattice, lattice.width, random.word[2]),
                                     silt_lattice_random(&lattice, lattice.height, random.word[3]));
    }
    status = silt_planar_create(lattice, lines, count, out);
    silt_free(lines);
    return status;
}

// ---- asking it ----

SiltStatus silt_planar_neighbours(const SiltPlanar *planar, SiltNeighbours *out)
{
    *out = (SiltNeighbours){0};
    int32_t(*pairs)[2];
    SiltStatus status =
        silt_alloc_for("neighbours", (size_t)planar->edge_count, sizeof *pairs, (void **)&pairs);
    if (status != SILT_OK)
        return status;
    size_t count = 0;
    for (int edge = 0; edge < planar->edge_count; edge++) {
        int one = planar->face[2 * edge], two = planar->face[2 * edge + 1];
        if (one == planar->face_count || two == planar->face_count)
            continue;
        pairs[count][0] = one;
        pairs[count++][1] = two;
    }
    status = silt_neighbours_create(planar->face_count, (const int32_t(*)[2])pairs, count, out);
    silt_free(pairs);
    return status;
}
