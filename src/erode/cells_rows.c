// The step of `cells`, row by row: each pass over memory does the four parts of the paper, one row behind the
// other, with the rows in flight in small rings.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "erode/cells.h"
#include "erode/wet.h"
#include "physics/cells_cell.h"

enum { RING = 5, PAD = 16 }; // a row is loaded while that of four before is still looked at

// The rows in flight; each has PAD cells before its first and after its last.
typedef struct Ring {
    int32_t *bare, *level;                                   // ground and surface before the step
    int32_t *ground, *water, *sediment, *deposit, *altitude; // after rain and dissolving
    float *share, *even;                                     // how each cell parts with its water
    float *load, *dither;                                    // of its sediment
    float *calm;                                             // share of its capacity that water holds here
} Ring;

struct CellsRows {
    Ring ring[RING];
    float *buffer, *heights, *loss, *erodibility;
    void *block;
};

static Ring *at(CellsRows *rows, int j)
{
    return &rows->ring[(j + 2 * RING) % RING];
}

static SiltStatus make_rows(CellsRows *rows, int width)
{
    size_t length = ((size_t)width + 2 * PAD + 15) / 16 * 16 + 16; // rows must not collide in the cache
    SiltStatus status = silt_alloc_for("erode cells", length * (RING * 12 + 4), sizeof(float), &rows->block);
    if (status != SILT_OK)
        return status;
    float *next = (float *)rows->block + PAD;
    for (int k = 0; k < RING; k++) {
        Ring *ring = &rows->ring[k];
        int32_t **whole[] = {&ring->bare,     &ring->level,   &ring->ground,  &ring->water,
                             &ring->sediment, &ring->deposit, &ring->altitude};
        float **real[] = {&ring->share, &ring->even, &ring->load, &ring->dither, &ring->calm};
        for (size_t n = 0; n < sizeof whole / sizeof whole[0]; n++, next += length)
            *whole[n] = (int32_t *)(void *)next;
        for (size_t n = 0; n < sizeof real / sizeof real[0]; n++, next += length)
            *real[n] = next;
    }
    float **single[] = {&rows->buffer, &rows->heights, &rows->loss, &rows->erodibility};
    for (size_t n = 0; n < sizeof single / sizeof single[0]; n++, next += length)
        *single[n] = next;
    return SILT_OK;
}

SiltStatus cells_rows_create(Cells *cells)
{
    cells->band_count = (cells->terrain->height - 1) / CELLS_BAND + 1;
    cells->worker_count = silt_threads() < cells->band_count ? silt_threads() : cells->band_count;
    SiltStatus status = silt_alloc_for("erode cells", (size_t)cells->band_count, sizeof(CellsTally),
                                       (void **)&cells->tallies);
    if (status == SILT_OK)
        status = silt_alloc_for("erode cells", (size_t)cells->worker_count, sizeof(CellsRows),
                                (void **)&cells->rows);
    for (int k = 0; k < cells->worker_count && status == SILT_OK; k++)
        status = make_rows(&cells->rows[k], cells->terrain->width);
    return status;
}

void cells_rows_destroy(Cells *cells)
{
    for (int k = 0; cells->rows && k < cells->worker_count; k++)
        silt_free(cells->rows[k].block);
    silt_free(cells->rows);
    silt_free(cells->tallies);
}

// ---- the rows as they were ----

static bool on_map(const Cells *cells, int j)
{
    return j >= 0 && j < cells->terrain->height;
}

static void load(const Cells *cells, CellsRows *rows, int j)
{
    Ring *ring = at(rows, j);
    int width = cells->terrain->width;
    if (on_map(cells, j))
        memcpy(ring->bare, silt_grains_row(&cells->ground, j), (size_t)width * sizeof(int32_t));
    else
        for (int i = 0; i < width; i++)
            ring->bare[i] = SILT_GRAINS_WALL;
    const int32_t *water = on_map(cells, j) ? silt_grains_row(&cells->water, j) : NULL;
    for (int i = 0; i < width; i++)
        ring->level[i] = ring->bare[i] + (water ? water[i] : 0);
    ring->bare[-1] = ring->bare[width] = ring->level[-1] = ring->level[width] = SILT_GRAINS_WALL;
}

// ---- step 1: rain, and step 2: water dissolves the ground ----

SILT_CLONES static int64_t rain_row(const int32_t *restrict ground, const int32_t *restrict water,
                                    const float *restrict rain, int32_t *restrict out, int width,
                                    float per_grain, float dither, int64_t *full)
{
    int64_t rained = 0, refused = 0;
    for (int i = 0; i < width; i++) {
        int32_t room = SILT_GRAINS_WALL - 1 - ground[i] - water[i];
        int32_t wanted = silt_grains(rain[i] * per_grain, dither);
        int32_t taken = silt_maxi(silt_mini(wanted, room), 0); // a wall takes none
        out[i] = water[i] + taken;
        rained += taken;
        refused += taken < wanted && ground[i] != SILT_GRAINS_WALL;
    }
    *full += refused;
    return rained;
}

// The rise between the cells on both sides; a wall counts as high as the cell itself.
SILT_INLINE float rise(int32_t here, int32_t one, int32_t other, float half)
{
    one = one == SILT_GRAINS_WALL ? here : one;
    other = other == SILT_GRAINS_WALL ? here : other;
    return (float)(other - one) * half;
}

// How steeply the ground falls along one axis: from the cell on one side to that on the other, or from the
// cell itself to the lower of both, which is more on summits and crests.
SILT_INLINE float fall(int32_t here, int32_t one, int32_t other, float half)
{
    float through = rise(here, one, other, half),
          down = (float)(here - silt_mini(one, other)) * (2.0f * half);
    return silt_maxf(through < 0.0f ? -through : through, down);
}

typedef struct Dissolving {
    float half;           // grains to slope over two cells
    float rate, capacity; // of the water's depth
    float least, loose, dither;
    float still; // slope of the surface below which water holds less
} Dissolving;

// Water that stands lets go of what it carries: its capacity falls with the slope of its surface.
SILT_CLONES static void calm_row(const int32_t *restrict north, const int32_t *restrict here,
                                 const int32_t *restrict south, float *restrict calm, int width, Dissolving d)
{
    for (int i = 0; i < width; i++)
        calm[i] = cells_calm(fall(here[i], here[i - 1], here[i + 1], d.half),
                             fall(here[i], north[i], south[i], d.half), d.still);
}

SILT_CLONES static void dissolve_row(const int32_t *restrict north, const int32_t *restrict here,
                                     const int32_t *restrict south, const int32_t *restrict water,
                                     const int32_t *restrict old_sediment,
                                     const int32_t *restrict old_deposit, const float *restrict erodibility,
                                     int32_t *restrict ground, int32_t *restrict sediment,
                                     int32_t *restrict deposit, int32_t *restrict altitude,
                                     const float *restrict calm, int width, Dissolving d)
{
    for (int i = 0; i < width; i++) {
        float steepness = cells_steepness(fall(here[i], here[i - 1], here[i + 1], d.half),
                                          fall(here[i], north[i], south[i], d.half), d.least);
        float depth = (float)water[i],
              room = cells_holds(depth, d.capacity * calm[i]) - (float)old_sediment[i];
        float wanted = silt_clampf(d.rate * depth * steepness, 0.0f, silt_maxf(room, 0.0f));
        int32_t room_below =
            silt_mini(silt_grains_to_dig(here[i], here[i + 1], here[i - 1], south[i], north[i]),
                      SILT_GRAINS_LOAD - old_sediment[i]); // all neighbours' loads and its own can be counted
        SiltCellsDissolved dissolved =
            cells_dissolve(wanted, old_deposit[i], room_below, d.loose, erodibility[i], d.dither);
        int32_t gone = water[i] > 0 ? dissolved.deposit + dissolved.rock : 0;
        ground[i] = here[i] - gone;
        deposit[i] = old_deposit[i] - (water[i] > 0 ? dissolved.deposit : 0);
        sediment[i] = old_sediment[i] + gone;
        altitude[i] = ground[i] + water[i];
    }
}

// What was ever dissolved, up to as much as can be counted.
SILT_CLONES static void wear_row(const int32_t *restrict before, const int32_t *restrict after,
                                 int32_t *restrict wear, int width)
{
    for (int i = 0; i < width; i++)
        wear[i] += silt_mini(before[i] - after[i], INT32_MAX - wear[i]);
}

SILT_CLONES static int64_t sum_row(const int32_t *row, int width)
{
    int64_t sum = 0;
    for (int i = 0; i < width; i++)
        sum += row[i];
    return sum;
}

// Outside a border that is open the land goes on as high as its edge, and dry; else there is a wall.
static void outside(const Cells *cells, CellsRows *rows, int j)
{
    Ring *ring = at(rows, j);
    int width = cells->terrain->width;
    bool open = (j < 0 ? cells->params->north : cells->params->south) == SILT_BORDER_OPEN;
    const int32_t *edge = silt_grains_row(&cells->ground, j < 0 ? 0 : cells->terrain->height - 1);
    for (int i = -1; i <= width; i++) {
        ring->altitude[i] = open && i >= 0 && i < width ? edge[i] : SILT_GRAINS_WALL;
        ring->share[i] = ring->even[i] = ring->load[i] = ring->dither[i] = 0.0f;
    }
}

static void find_erodibility(const Cells *cells, CellsRows *rows, int j)
{
    int width = cells->terrain->width;
    const int32_t *ground = at(rows, j)->bare, *deposit = silt_grains_row(&cells->deposit, j);
    const float *layer = cells->erodibility ? silt_field_row(cells->erodibility, j) : NULL;
    if (cells->strata.count) {
        float low = (float)cells->origin.low, grain = (float)cells->origin.grain;
        for (int i = 0; i < width; i++)
            rows->heights[i] = low + (float)(ground[i] - deposit[i]) * grain;
        silt_strata_row(&cells->strata, 0, j, width, rows->heights, rows->erodibility);
    } else {
        for (int i = 0; i < width; i++)
            rows->erodibility[i] = 1.0f;
    }
    for (int i = 0; layer && i < width; i++)
        rows->erodibility[i] *= silt_maxf(layer[i], 0.0f);
}

static void find_heights(const Cells *cells, const int32_t *ground, float *heights)
{
    float low = (float)cells->origin.low, grain = (float)cells->origin.grain;
    for (int i = 0; i < cells->terrain->width; i++)
        heights[i] = low + (float)ground[i] * grain;
}

// Rock that comes with the water of the sources.
static void add_sediment(const Cells *cells, CellsRows *rows, int j, CellsTally *tally)
{
    const float *brought = silt_supply_sediment_row(&cells->supply, j, rows->buffer);
    int32_t *sediment = at(rows, j)->sediment;
    for (int i = 0; brought && i < cells->terrain->width; i++) {
        if (at(rows, j)->bare[i] == SILT_GRAINS_WALL)
            continue;
        int32_t grains = silt_mini(silt_grains(brought[i] / (float)cells->origin.grain, cells->rock_dither),
                                   SILT_GRAINS_LOAD - sediment[i]);
        sediment[i] += grains;
        if (tally)
            tally->rock_added += grains;
    }
}

// `tally` is NULL for rows that belong to another band.
static void rain_and_dissolve(const Cells *cells, CellsRows *rows, int j, CellsTally *tally)
{
    Ring *ring = at(rows, j);
    int width = cells->terrain->width;
    const CellsParams *params = cells->params;
    if (!on_map(cells, j)) {
        outside(cells, rows, j);
        return;
    }
    if (silt_supply_needs_ground(&cells->supply))
        find_heights(cells, ring->bare, rows->heights);
    const float *rain = silt_supply_row(&cells->supply, j, rows->heights, rows->buffer);
    int64_t full = 0, rained = rain_row(ring->bare, silt_grains_row(&cells->water, j), rain, ring->water,
                                        width, (float)(1.0 / cells->origin.grain), cells->rain_dither, &full);
    find_erodibility(cells, rows, j);
    Dissolving d = {.half = (float)(0.5 * cells->origin.grain / cells->terrain->cell),
                    .rate = cells->dissolve,
                    .capacity = cells->capacity,
                    .least = (float)params->least_steepness,
                    .loose = (float)params->loose,
                    .dither = cells->rock_dither,
                    .still = (float)params->still};
    calm_row(at(rows, j - 1)->level, ring->level, at(rows, j + 1)->level, ring->calm, width, d);
    dissolve_row(at(rows, j - 1)->bare, ring->bare, at(rows, j + 1)->bare, ring->water,
                 silt_grains_row(&cells->sediment, j), silt_grains_row(&cells->deposit, j), rows->erodibility,
                 ring->ground, ring->sediment, ring->deposit, ring->altitude, ring->calm, width, d);
    add_sediment(cells, rows, j, tally);
    bool west = params->west == SILT_BORDER_OPEN, east = params->east == SILT_BORDER_OPEN;
    ring->altitude[-1] = west ? ring->bare[0] : SILT_GRAINS_WALL;
    ring->altitude[width] = east ? ring->bare[width - 1] : SILT_GRAINS_WALL;
    ring->share[-1] = ring->even[-1] = ring->load[-1] = ring->dither[-1] = 0.0f;
    ring->share[width] = ring->even[width] = ring->load[width] = ring->dither[width] = 0.0f;
    if (!tally)
        return;
    wear_row(ring->bare, ring->ground, silt_grains_row(&cells->wear, j), width);
    tally->rained += rained;
    tally->full += full;
    tally->water_before += sum_row(ring->water, width);
    tally->rock_before += sum_row(ring->sediment, width);
}

// ---- step 3: water moves to lower neighbours, and takes its sediment along ----

SILT_INLINE float drop(int32_t here, int32_t other)
{
    return other < here ? (float)(here - other) : 0.0f;
}

SILT_INLINE float lower(int32_t here, int32_t other)
{
    return other < here ? 1.0f : 0.0f;
}

// Sums in pairs of opposite neighbours: a turned map gives the same bits.
SILT_INLINE void find_flows(const int32_t *restrict n, const int32_t *restrict h, const int32_t *restrict s,
                            const int32_t *restrict water, const int32_t *restrict sediment,
                            float *restrict share, float *restrict even, float *restrict load_out,
                            float *restrict dither_out, int width, float weight, float dither, int evenly,
                            bool eight)
{
    float neighbours = eight ? 8.0f : 4.0f;
    for (int i = 0; i < width; i++) {
        int32_t a = h[i];
        float straight = (drop(a, n[i]) + drop(a, s[i])) + (drop(a, h[i - 1]) + drop(a, h[i + 1]));
        float count = lower(a, n[i]) + lower(a, s[i]) + lower(a, h[i - 1]) + lower(a, h[i + 1]),
              diagonal = 0.0f;
        if (eight) {
            diagonal = (drop(a, n[i - 1]) + drop(a, s[i + 1])) + (drop(a, n[i + 1]) + drop(a, s[i - 1]));
            count += lower(a, n[i - 1]) + lower(a, s[i + 1]) + lower(a, n[i + 1]) + lower(a, s[i - 1]);
        }
        float depth = (float)water[i], held = (float)sediment[i];
        SiltCellsFlow flow = cells_flow(depth, straight, diagonal, count, weight, evenly);
        float leaves = flow.share * (straight + weight * diagonal) + flow.even * count;
        float load = held / silt_maxf(depth, 1.0f) * SILT_CELLS_HAIR;
        share[i] = flow.share;
        even[i] = flow.even;
        load_out[i] = depth > 0.0f ? load : 0.0f;
        dither_out[i] = leaves * load + neighbours <= held ? dither : 0.0f;
    }
}

SILT_CLONES static void flow_row(const Ring *n, const Ring *r, const Ring *s, int width, float dither,
                                 bool evenly, bool eight)
{
    if (eight)
        find_flows(n->altitude, r->altitude, s->altitude, r->water, r->sediment, r->share, r->even, r->load,
                   r->dither, width, 0.70710678f, dither, evenly, true);
    else
        find_flows(n->altitude, r->altitude, s->altitude, r->water, r->sediment, r->share, r->even, r->load,
                   r->dither, width, 0.0f, dither, evenly, false);
}

// What one cell gains from one neighbour; `given` collects what it gives.
typedef struct Net {
    int32_t water, sediment, given;
} Net;

SILT_INLINE Net exchange(Net net, const Ring *own, int i, const Ring *other, int k, float weight, float most,
                         bool evenly)
{
    SiltCellsFlow mine = {own->share[i], evenly ? own->even[i] : 0.0f};
    SiltCellsFlow theirs = {other->share[k], evenly ? other->even[k] : 0.0f};
    int32_t gain = cells_gain(own->altitude[i], other->altitude[k], mine, theirs, weight, most);
    net.water += gain;
    net.sediment += cells_carry(gain, own->load[i], other->load[k], own->dither[i], other->dither[k]);
    net.given -= gain < 0 ? gain : 0;
    return net;
}

// ---- step 4: water evaporates and drops what it cannot hold ----

// How much may settle on a cell in one step: half of what it lies below the lowest of the neighbours that are
// higher. Rows are as they were before the step, and begin at the cell.
SILT_INLINE int32_t to_fill(int32_t ground, const int32_t *north, const int32_t *here, const int32_t *south)
{
    int32_t above = SILT_GRAINS_WALL;
    for (int k = -1; k <= 1; k++) {
        above = silt_grains_above(above, ground, north[k]);
        above = silt_grains_above(above, ground, south[k]);
    }
    above = silt_grains_above(silt_grains_above(above, ground, here[-1]), ground, here[1]);
    return above == SILT_GRAINS_WALL ? 0 : (above - ground) / 2;
}

typedef struct Outcome {
    int32_t *ground, *water, *sediment, *deposit;
    float *flow, *wetness, *speed;
    const float *loss;
    float capacity, dither, dt, volume, top_speed;
    int32_t wet, fan; // grains: a depth that counts, and what settles above the lowest neighbour at the most
} Outcome;

// Ground that stands as high as can be counted takes nothing more; what no load can hold either leaves the
// map.
static int64_t lose_surplus(int32_t *sediment, int width)
{
    int64_t lost = 0;
    for (int i = 0; i < width; i++) {
        lost += silt_maxi(sediment[i] - SILT_GRAINS_LOAD, 0);
        sediment[i] = silt_mini(sediment[i], SILT_GRAINS_LOAD);
    }
    return lost;
}

SILT_INLINE void finish_cells(Ring n, Ring r, Ring s, Outcome o, int width, int64_t sums[3], bool eight,
                              bool evenly)
{
    float most = eight ? 1.0f / 9.0f : 1.0f / 5.0f, across = 0.70710678f;
    int64_t moved = 0, carried = 0, gone = 0;
    int32_t heaviest = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        Net net = {0, 0, 0};
        net = exchange(net, &r, i, &n, i, 1.0f, most, evenly);
        net = exchange(net, &r, i, &s, i, 1.0f, most, evenly);
        net = exchange(net, &r, i, &r, i - 1, 1.0f, most, evenly);
        net = exchange(net, &r, i, &r, i + 1, 1.0f, most, evenly);
        if (eight) {
            net = exchange(net, &r, i, &n, i - 1, across, most, evenly);
            net = exchange(net, &r, i, &n, i + 1, across, most, evenly);
            net = exchange(net, &r, i, &s, i - 1, across, most, evenly);
            net = exchange(net, &r, i, &s, i + 1, across, most, evenly);
        }
        int32_t water = r.water[i] + net.water, sediment = r.sediment[i] + net.sediment;
        int32_t dried = silt_mini(silt_grains((float)water * o.loss[i], o.dither), water);
        int32_t left = water - dried;
        int32_t holds = silt_grains(cells_holds((float)left, o.capacity), 0.0f);
        int32_t room = SILT_GRAINS_WALL - 1 - r.ground[i] - left;
        // what settles makes no needles; more than can be counted falls all the same
        int32_t heap =
            silt_grains_to_heap(r.ground[i], r.bare[i + 1], r.bare[i - 1], s.bare[i], n.bare[i], o.fan);
        int32_t dries = silt_maxi(silt_mini(sediment - holds, heap), sediment - SILT_GRAINS_LOAD);
        dries = silt_maxi(silt_mini(dries, room), 0);
        // in still water it may lie steeper, but turns no slope round and stays well below the surface
        int32_t calm = silt_grains(cells_holds((float)left, o.capacity * r.calm[i]), 0.0f);
        int32_t fill = to_fill(r.ground[i], n.bare + i, r.bare + i, s.bare + i);
        int32_t dropped = silt_maxi(
            dries, silt_mini(silt_mini(sediment - calm, silt_mini(fill, silt_maxi(heap, left / 8))), room));
        moved += water;
        carried += sediment;
        gone += dried;
        o.water[i] = left;
        o.sediment[i] = sediment - dropped;
        heaviest = silt_maxi(heaviest, sediment - dropped);
        o.ground[i] = r.ground[i] + dropped;
        o.deposit[i] = r.deposit[i] + dropped;
        o.flow[i] += (float)net.given * o.volume;
        o.wetness[i] += left > o.wet ? o.dt : 0.0f;
        o.speed[i] = o.top_speed * (float)net.given / silt_maxf((float)r.water[i], 1.0f);
    }
    sums[0] += moved;
    sums[1] += carried;
    if (heaviest > SILT_GRAINS_LOAD)
        sums[1] -= lose_surplus(o.sediment, width);
    sums[2] += gone;
}

SILT_CLONES static void finish_row(const Ring *n, const Ring *r, const Ring *s, const Outcome *o, int width,
                                   int64_t sums[3], bool eight, bool evenly)
{
    if (eight && evenly)
        finish_cells(*n, *r, *s, *o, width, sums, true, true);
    else if (eight)
        finish_cells(*n, *r, *s, *o, width, sums, true, false);
    else if (evenly)
        finish_cells(*n, *r, *s, *o, width, sums, false, true);
    else
        finish_cells(*n, *r, *s, *o, width, sums, false, false);
}

static void move_and_evaporate(const Cells *cells, CellsRows *rows, int j, CellsTally *tally)
{
    Ring *ring = at(rows, j);
    const SiltTerrain *terrain = cells->terrain;
    double grain = cells->origin.grain, cell = terrain->cell;
    if (silt_supply_needs_ground(&cells->supply))
        find_heights(cells, ring->ground, rows->heights);
    silt_supply_loss_row(&cells->supply, rows->heights, terrain->width, rows->loss);
    Outcome outcome = {.ground = silt_grains_row(&cells->next_ground, j),
                       .water = silt_grains_row(&cells->next_water, j),
                       .sediment = silt_grains_row(&cells->next_sediment, j),
                       .deposit = silt_grains_row(&cells->next_deposit, j),
                       .flow = silt_field_row(&cells->flow, j),
                       .wetness = silt_field_row(&cells->wetness, j),
                       .speed = silt_field_row(&cells->speed, j),
                       .loss = rows->loss,
                       .capacity = cells->capacity,
                       .dither = cells->loss_dither,
                       .dt = cells->dt,
                       .volume = (float)(grain * cell * cell),
                       .top_speed = (float)(cell / (double)cells->dt),
                       .wet = (int32_t)(0.001 / grain),
                       .fan = (int32_t)fmin(SILT_STEEPEST_FAN * cell / grain, 1e8)};
    int64_t sums[3] = {0};
    finish_row(at(rows, j - 1), ring, at(rows, j + 1), &outcome, terrain->width, sums,
               cells->params->neighbours == CELLS_EIGHT, cells->params->spread == CELLS_EVENLY);
    tally->water_after += sums[0];
    tally->rock_after += sums[1];
    tally->evaporated += sums[2];
}

// ---- all of it ----

static void do_band(const Cells *cells, CellsRows *rows, int band)
{
    CellsTally *tally = &cells->tallies[band];
    *tally = (CellsTally){0};
    int height = cells->terrain->height, begin = band * CELLS_BAND;
    int end = height - begin < CELLS_BAND ? height : begin + CELLS_BAND;
    bool evenly = cells->params->spread == CELLS_EVENLY, eight = cells->params->neighbours == CELLS_EIGHT;
    for (int row = begin - 3; row < end + 3; row++) {
        load(cells, rows, row);
        int wet = row - 1, flowing = row - 2, done = row - 3;
        if (wet >= begin - 2)
            rain_and_dissolve(cells, rows, wet, wet >= begin && wet < end ? tally : NULL); // steps 1 and 2
        if (flowing >= begin - 1 && on_map(cells, flowing))
            flow_row(at(rows, flowing - 1), at(rows, flowing), at(rows, flowing + 1), cells->terrain->width,
                     cells->load_dither, evenly, eight);
        if (done >= begin)
            move_and_evaporate(cells, rows, done, tally); // steps 3 and 4
    }
}

typedef struct Work {
    const Cells *cells;
    atomic_int next;
} Work;

// Each worker has rows of its own and takes the next band that is left.
static void work(void *context, int begin, int end)
{
    Work *job = context;
    for (int k = begin; k < end; k++)
        for (int band; (band = atomic_fetch_add(&job->next, 1)) < job->cells->band_count;)
            do_band(job->cells, &job->cells->rows[k], band);
}

void cells_move(Cells *cells)
{
    Work job = {.cells = cells};
    atomic_init(&job.next, 0);
    silt_parallel(cells->worker_count, 1, work, &job);
}
