// A block of rock with caves. Water sinks in at a few places on top and comes out at one spring low in the
// southern wall; each way is the easiest there is on a coarse grid: short, through soft rock, and never up
// where it can be helped. Ways join, and what more water has passed is wider (radius ~ sqrt of the sinks
// above); where ways meet lie rooms, wider than high.
#include "volume/caves.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "volume/brick.h"

const SiltParam silt_caves_items[] = {
    SILT_REAL(SiltCavesParams, height, "", 0.85, 0.1, 1.0,
              "height of the block, as part of its shortest side"),
    SILT_INT(SiltCavesParams, sinks, "", 5, 1, 32, "places where water sinks in"),
    SILT_REAL(SiltCavesParams, radius, "", 0.028, 0.001, 0.3, "radius of a tunnel below one of them"),
    SILT_INT(SiltCavesParams, rooms, "", 4, 0, 32, "rooms where tunnels meet, or the rock is softest"),
    SILT_REAL(SiltCavesParams, room, "", 0.10, 0.0, 0.5, "radius of the largest room"),
    SILT_REAL(SiltCavesParams, grain, "", 0.22, 0.01, 2.0, "size of patches of hard and soft rock"),
    SILT_REAL(SiltCavesParams, rough, "", 0.012, 0.0, 0.2, "depth of the hollows in walls and roofs"),
};

enum { ACROSS = 24, UP = 16, NODES = ACROSS * ACROSS * UP, MOST_SINKS = 32, MOST_ROOMS = 32 };

typedef struct Pipe {
    double from[3], to[3], radius[2];
} Pipe;

typedef struct Room {
    double at[3], radius;
} Room;

typedef struct Caves {
    SiltCavesParams p;               // voxels
    double side[3], low[3], step[3]; // of the grid of ways
    uint32_t seed;
    double *cost; // of each node: the way from there to the spring
    int *next;    // the node after it; -1: none, it is the spring
    int *passed;  // sinks whose water comes through
    Pipe *pipes;
    int pipe_count;
    Room rooms[MOST_ROOMS];
    int room_count;
} Caves;

static double lot(const Caves *c, int stream, int k)
{
    const double at[3] = {17.31 * stream + 0.37, 5.77 * k + 0.61, 3.19 * (stream + k) + 0.23};
    double value = silt_rock_noise(c->seed ^ 0x5bd1e995u, at);
    value = (value - 0.2) / 0.6; // the middle of the noise, stretched over 0 to 1
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

static void node_place(const Caves *c, int node, double out[3])
{
    const int at[3] = {node % ACROSS, node / ACROSS % ACROSS, node / (ACROSS * ACROSS)};
    for (int k = 0; k < 3; k++) { // off the grid by a little, so that no tunnel is straight
        double aside = k < 2 ? 0.5 * (lot(c, 7 + k, node) - 0.5) : 0.3 * (lot(c, 9, node) - 0.5);
        out[k] = c->low[k] + (at[k] + aside) * c->step[k];
    }
}

static double hardness(const Caves *c, const double place[3])
{
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = place[k] / c->p.grain * (k == 2 ? 2.0 : 1.0); // beds lie flat
    return silt_rock_noise(c->seed, at);
}

// ---- ways ----

// What it takes water to go from one node to a neighbour: hard rock is ten times as long, and a rise a wall.
static double effort(const Caves *c, int from, int to)
{
    double a[3], b[3], square = 0.0;
    node_place(c, from, a);
    node_place(c, to, b);
    for (int k = 0; k < 3; k++)
        square += (b[k] - a[k]) * (b[k] - a[k]);
    double hard = 0.5 * (hardness(c, a) + hardness(c, b));
    double rise = b[2] > a[2] ? 12.0 * (b[2] - a[2]) : 0.0;
    return sqrt(square) * (0.3 + 9.0 * hard * hard * hard) + rise;
}

// From node to node, again and again until no way gets shorter.
static void find_ways(Caves *c, int spring)
{
    for (int k = 0; k < NODES; k++) {
        c->cost[k] = k == spring ? 0.0 : 1e300;
        c->next[k] = -1;
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (int node = 0; node < NODES; node++) {
            int x = node % ACROSS, y = node / ACROSS % ACROSS, z = node / (ACROSS * ACROSS);
            for (int n = 0; n < 27; n++) {
                int i = x + n % 3 - 1, j = y + n / 3 % 3 - 1, k = z + n / 9 - 1;
                if (n == 13 || i < 0 || j < 0 || k < 0 || i >= ACROSS || j >= ACROSS || k >= UP)
                    continue;
                int to = (k * ACROSS + j) * ACROSS + i;
                if (c->cost[to] >= c->cost[node])
                    continue;
                double way = c->cost[to] + effort(c, node, to);
                if (way < c->cost[node]) {
                    c->cost[node] = way;
                    c->next[node] = to;
                    changed = true;
                }
            }
        }
    }
}

static void add_pipe(Caves *c, const double from[3], const double to[3], double r0, double r1)
{
    Pipe *pipe = &c->pipes[c->pipe_count++];
    memcpy(pipe->from, from, sizeof pipe->from);
    memcpy(pipe->to, to, sizeof pipe->to);
    pipe->radius[0] = r0;
    pipe->radius[1] = r1;
}

static double radius_of(const Caves *c, int node)
{
    return c->p.radius * sqrt((double)c->passed[node]);
}

// A tunnel along every way that water has taken, a shaft from the top to each sink, and the mouth of the
// spring.
static void lay_pipes(Caves *c, const int *sinks, int spring)
{
    double a[3], b[3];
    for (int s = 0; s < c->p.sinks; s++)
        for (int node = sinks[s]; node >= 0; node = c->next[node])
            c->passed[node]++;
    for (int node = 0; node < NODES; node++)
        if (c->passed[node] && c->next[node] >= 0) {
            node_place(c, node, a);
            node_place(c, c->next[node], b);
            add_pipe(c, a, b, radius_of(c, node), radius_of(c, c->next[node]));
        }
    for (int s = 0; s < c->p.sinks; s++) {
        node_place(c, sinks[s], b);
        memcpy(a, b, sizeof a);
        a[2] = c->p.height + 2.0 * c->p.radius;
        add_pipe(c, a, b, 1.6 * c->p.radius, c->p.radius);
    }
    node_place(c, spring, a);
    memcpy(b, a, sizeof b);
    b[1] = -4.0 * c->p.radius;
    add_pipe(c, a, b, radius_of(c, spring), 1.2 * radius_of(c, spring));
}

// Rooms lie where most water meets, apart from each other.
static void lay_rooms(Caves *c, int spring)
{
    for (int r = 0; r < c->p.rooms && r < MOST_ROOMS; r++) {
        double best = 0.0, place[3];
        Room room = {.radius = 0.0};
        for (int node = 0; node < NODES; node++) {
            if (!c->passed[node] || node == spring)
                continue;
            node_place(c, node, place);
            double worth = (double)c->passed[node] * (1.2 - hardness(c, place));
            for (int k = 0; k < c->room_count; k++) {
                double square = 0.0;
                for (int axis = 0; axis < 3; axis++)
                    square += (place[axis] - c->rooms[k].at[axis]) * (place[axis] - c->rooms[k].at[axis]);
                if (square < 4.0 * c->p.room * c->p.room)
                    worth = 0.0;
            }
            double left = c->p.height - place[2] - 0.6 * c->p.room; // roofs hold
            if (worth > best && left > 0.05 * c->p.height) {
                best = worth;
                memcpy(room.at, place, sizeof place);
                room.radius = c->p.room * (0.6 + 0.4 * lot(c, 11, r));
            }
        }
        if (room.radius > 0.0)
            c->rooms[c->room_count++] = room;
    }
}

// ---- the shape ----

static double pipe_distance(const Pipe *pipe, const double place[3])
{
    double along = 0.0, length = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
        double way = pipe->to[k] - pipe->from[k];
        along += way * (place[k] - pipe->from[k]);
        length += way * way;
    }
    double t = length > 0.0 ? along / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    for (int k = 0; k < 3; k++) {
        double away = place[k] - pipe->from[k] - t * (pipe->to[k] - pipe->from[k]);
        square += away * away;
    }
    return pipe->radius[0] + t * (pipe->radius[1] - pipe->radius[0]) - sqrt(square);
}

static double caves_distance(const void *shape, const double place[3])
{
    const Caves *c = shape;
    double at[3], open = -1e30;
    for (int k = 0; k < 3; k++)
        at[k] = 3.0 * place[k] / c->p.grain;
    double hollow = c->p.rough * (2.0 * silt_rock_noise(c->seed + 1, at) - 1.0);
    for (int k = 0; k < c->pipe_count; k++) {
        double d = pipe_distance(&c->pipes[k], place);
        open = d > open ? d : open;
    }
    for (int k = 0; k < c->room_count; k++) {
        double x = place[0] - c->rooms[k].at[0], y = place[1] - c->rooms[k].at[1],
               z = 1.7 * (place[2] - c->rooms[k].at[2]);
        double d = (c->rooms[k].radius - sqrt(x * x + y * y + z * z)) / 1.7;
        open = d > open ? d : open;
    }
    double rock = c->p.height + hollow - place[2], wall = -(open + hollow);
    return 0.8 * (rock < wall ? rock : wall); // hollows make it steeper than a distance
}

static int node_at(int x, int y, int z)
{
    return (z * ACROSS + y) * ACROSS + x;
}

static void make_network(Caves *c)
{
    int sinks[MOST_SINKS];
    int spring = node_at(ACROSS / 4 + (int)(lot(c, 1, 0) * (ACROSS / 2)), 0, 1 + (int)(lot(c, 2, 0) * 2.0));
    for (int s = 0; s < c->p.sinks; s++)
        sinks[s] =
            node_at(2 + (int)(lot(c, 3, s) * (ACROSS - 5)), 5 + (int)(lot(c, 4, s) * (ACROSS - 8)), UP - 2);
    find_ways(c, spring);
    lay_pipes(c, sinks, spring);
    lay_rooms(c, spring);
}

SiltStatus silt_caves_run(SiltVolume *volume, const void *params)
{
    Caves c = {.p = *(const SiltCavesParams *)params, .seed = (uint32_t)volume->rock_seed};
    double unit = 1e30;
    for (int k = 0; k < 3; k++) {
        c.side[k] = volume->size[k] - 1;
        unit = c.side[k] < unit ? c.side[k] : unit;
    }
    double *lengths[] = {&c.p.height, &c.p.radius, &c.p.room, &c.p.rough, &c.p.grain};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        *lengths[k] *= unit;
    for (int k = 0; k < 3; k++) { // the grid keeps off the sides and the floor
        double high = k == 2 ? c.p.height : c.side[k];
        c.low[k] = 0.06 * high;
        c.step[k] = 0.88 * high / (k == 2 ? UP - 1 : ACROSS - 1);
    }
    SiltStatus status = silt_alloc_for("caves", NODES, sizeof *c.cost, (void **)&c.cost);
    if (status == SILT_OK)
        status = silt_alloc_for("caves", NODES, sizeof *c.next, (void **)&c.next);
    if (status == SILT_OK)
        status = silt_alloc_for("caves", NODES, sizeof *c.passed, (void **)&c.passed);
    if (status == SILT_OK)
        status = silt_alloc_for("caves", NODES + MOST_SINKS + 1, sizeof *c.pipes, (void **)&c.pipes);
    if (status == SILT_OK) {
        make_network(&c);
        status = silt_volume_combine_shape(volume, SILT_UNION, caves_distance, &c);
    }
    silt_free(c.cost);
    silt_free(c.next);
    silt_free(c.passed);
    silt_free(c.pipes);
    return status;
}
