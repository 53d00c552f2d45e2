// Soil creeps down hillslopes: dh/dt = div(D grad h / (1 - (S / Sc)^2)) (Roering et al. 1999), the gain of D
// at the slopes before the step and, from half of the critical diffusivity on, in rivers_slide.c. Implicit
// along rows and along columns, each for twice the time, and the mean of both (additive splitting, Weickert
// et al. 1998): any step is stable, what leaves one cell arrives in the next, and no direction comes first,
// so that a turned map stays the same map. Outlets that keep their height swallow what comes to them; cells
// without data, the sides and ground that nothing wears pass nothing. What a stream gains in all goes with
// its water: it would dam streams the more, the narrower a cell is.
//
// Creep takes soil along, and rock becomes soil no faster than `weathering` (some 0.1 mm a year, Heimsath et
// al. 1997): what creeps off a cell in a step is no more than that and what lies loose there. So ground that
// comes down more slowly is rounded, and crests that come down faster are bare and stay sharp.
//
// Along a line (1 + west + east) h_i - west h_{i-1} - east h_{i+1} = the old h_i, where west and east are
// 2 D dt / d^2 times the mean gain of the two cells, or 0 at a wall. The elimination keeps its factors in
// `lowest`.
#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "erode/rivers.h"
#include "physics/rivers_cell.h"

// D dt / d^2 at the most: a thousand cells are level after one step of it, and rounding stays small.
static const double furthest = 1e5;

enum { LINES = 8 }; // side by side in one go

typedef struct Creep {
    const Rivers *rivers;
    const double *from;   // heights
    const float *gain;    // of D; 0: a wall; negative: the cell keeps its height
    const float *floor;   // m: how wide the floor is that a cell lies on
    double *h, *factor;   // what becomes of them, and scratch
    size_t along, across; // cells from one to the next of a line, and from line to line
    int length, count;
    int first;     // line of the loop
    double r;      // D dt / d^2
    double spread; // lateral dt / d^2
    bool soil;     // whether what leaves a cell is bounded by its soil
    double *left;
} Creep;

// D dt / d^2
static double diffused(const Rivers *rivers)
{
    double cell = rivers->drainage->cell, r = rivers->params->diffusion * rivers->dt / (cell * cell);
    return r < furthest ? r : furthest;
}

// ---- gains ----

static double height_or(const Rivers *rivers, size_t to, double own)
{
    return rivers->kind[to] == RIVERS_WALL ? own : rivers->height[to];
}

typedef struct Bend {
    double square; // mean square of the slopes to the four neighbours, m from cell to cell: not 0 on a ridge
    double above;  // how far the cell stands above them, in all, m
} Bend;

static Bend bend_at(const Rivers *rivers, int i, int j, size_t c)
{
    size_t width = (size_t)rivers->drainage->width;
    double own = rivers->height[c];
    double west = i > 0 ? own - height_or(rivers, c - 1, own) : 0.0;
    double east = i + 1 < rivers->drainage->width ? own - height_or(rivers, c + 1, own) : 0.0;
    double north = j > 0 ? own - height_or(rivers, c - width, own) : 0.0;
    double south = j + 1 < rivers->drainage->height ? own - height_or(rivers, c + width, own) : 0.0;
    return (Bend){0.5 * (west * west + east * east + north * north + south * south),
                  west + east + north + south};
}

// What share of what could creep off a cell in this step, r times its bend, is soil.
static double soil_share(const Rivers *rivers, int i, int j, double creeps)
{
    double soil = rivers->params->weathering * rivers->dt + (double)silt_field_at(&rivers->deposit, i, j);
    return creeps > soil ? soil / creeps : 1.0;
}

static void gain_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    double r = diffused(rivers);
    bool soil = rivers->params->weathering > 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < rivers->drainage->width; i++) {
            size_t c = (size_t)j * (size_t)rivers->drainage->width + (size_t)i;
            uint8_t kind = rivers->kind[c];
            Bend bend = bend_at(rivers, i, j, c);
            double rise = (double)rivers->rise[c], steep = bend.square / (rise * rise);
            double gain =
                kind == RIVERS_WALL || silt_rivers_protects(rivers, c) ? 0.0 : rivers_creep_gain(steep);
            if (soil)
                gain *= soil_share(rivers, i, j, r * gain * bend.above);
            rivers->gain[c] = (float)(silt_rivers_holds(kind) ? -gain : gain);
        }
}

// ---- along lines ----

// Twice r times the mean gain of two neighbours, unless one is a wall; where soil is what creeps, that of
// the higher one, whose soil it is.
static inline double between(float a, float b, double drop, double r, bool soil)
{
    double own = (double)(a < 0.0f ? -a : a), other = (double)(b < 0.0f ? -b : b);
    double sum = soil ? 2.0 * (drop > 0.0 ? own : other) : own + other;
    return a != 0.0f && b != 0.0f ? r * sum : 0.0;
}

// On the floor of a valley, where a river goes to and fro: lateral times the width in place of D. Steps of
// more than a metre or so are none of a floor.
static inline double over_floor(float a, float b, double drop, double spread)
{
    double width = (double)(a < b ? a : b);
    return spread * width / (1.0 + drop * drop);
}

// One cell of each line; `west` is what joins it to the one before, and becomes what joins it to the next.
SILT_INLINE void eliminate(const Creep *creep, size_t c, int lines, bool first, bool last, double *west)
{
    size_t across = creep->across, along = creep->along;
    const double *from = creep->from + c;
    const float *gain = creep->gain + c, *floor = creep->floor + c;
    double *h = creep->h + c, *factor = creep->factor + c;
    SILT_INDEPENDENT
    for (int n = 0; n < lines; n++) {
        size_t at = (size_t)n * across;
        double east = 0.0;
        if (!last) {
            double drop = from[at] - (from + along)[at];
            east = between(gain[at], (gain + along)[at], drop, creep->r, creep->soil);
            east += over_floor(floor[at], (floor + along)[at], drop, creep->spread);
        }
        double free = gain[at] > 0.0f ? 1.0 : 0.0;
        double back = free * west[n], on = free * east;
        double before = first ? 0.0 : (h - along)[at], passed = first ? 0.0 : (factor - along)[at];
        double over = 1.0 / (1.0 + back + on - back * passed);
        factor[at] = on * over;
        h[at] = (from[at] + back * before) * over;
        west[n] = east;
    }
}

SILT_INLINE void solve(const Creep *creep, size_t line, int lines)
{
    size_t along = creep->along, across = creep->across;
    double west[LINES] = {0};
    int last = creep->length - 1;
    eliminate(creep, line, lines, true, last == 0, west);
    for (int k = 1; k < last; k++)
        eliminate(creep, line + (size_t)k * along, lines, false, false, west);
    if (last > 0)
        eliminate(creep, line + (size_t)last * along, lines, false, true, west);
    for (int k = last - 1; k >= 0; k--) {
        double *h = creep->h + line + (size_t)k * along, *next = h + along;
        const double *factor = creep->factor + line + (size_t)k * along;
        SILT_INDEPENDENT
        for (int n = 0; n < lines; n++)
            h[(size_t)n * across] += factor[(size_t)n * across] * next[(size_t)n * across];
    }
}

// Columns lie side by side, and all but the last of them come eight at a time.
SILT_CLONES static void solve_columns(const Creep *creep, size_t line)
{
    Creep own = *creep;
    own.across = 1;
    solve(&own, line, LINES);
}

static void solve_any(const Creep *creep, size_t line, int lines)
{
    solve(creep, line, lines);
}

static bool line_holds(const Creep *creep, size_t line, int lines)
{
    bool rows = creep->along == 1;
    int count = rows ? lines : creep->length, length = rows ? creep->length : lines;
    float least = 0.0f;
    for (int j = 0; j < count; j++) {
        const float *gain = creep->gain + line + (size_t)j * (rows ? creep->across : creep->along);
        for (int i = 0; i < length; i++)
            least = gain[i] < least ? gain[i] : least;
    }
    return least < 0.0f;
}

// What cells that keep their height swallowed: all that the others of their line have lost.
static double swallowed(const Creep *creep, size_t line, int lines)
{
    double sum = 0.0;
    if (!line_holds(creep, line, lines))
        return 0.0;
    for (int k = 0; k < creep->length; k++)
        for (int n = 0; n < lines; n++) {
            size_t c = line + (size_t)k * creep->along + (size_t)n * creep->across;
            sum += creep->gain[c] > 0.0f ? creep->from[c] - creep->h[c] : 0.0;
        }
    return sum;
}

static void creep_lines(void *context, int begin, int end)
{
    const Creep *creep = context;
    size_t line = (size_t)(creep->first + begin) * creep->across;
    if (creep->across == 1 && end - begin == LINES)
        solve_columns(creep, line);
    else
        solve_any(creep, line, end - begin);
    creep->left[(creep->first + begin) / LINES] = swallowed(creep, line, end - begin);
}

// In two loops, so that somebody can be asked between them. False: somebody wants the run to stop.
static bool creep_one_way(Creep *creep, double *left)
{
    int lines = (creep->count / 2 / LINES + 1) * LINES;
    for (; creep->first < creep->count; creep->first += lines) {
        int rest = creep->count - creep->first;
        silt_parallel(rest < lines ? rest : lines, LINES, creep_lines, creep);
        if (silt_is_stopped())
            return false;
    }
    *left = 0.0;
    for (int k = 0; k * LINES < creep->count; k++)
        *left += creep->left[k];
    return true;
}

static void mean_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->drainage->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        rivers->height[c] = 0.5 * (rivers->height[c] + rivers->crept[c]);
        double gain = rivers->height[c] - rivers->next[c];
        bool carried = rivers->kind[c] == RIVERS_VALLEY && gain > 0.0;
        rivers->height[c] = carried ? rivers->next[c] : rivers->height[c];
        rivers->crept[c] = carried ? gain : 0.0;
    }
}

bool silt_rivers_creep(Rivers *rivers, double *left)
{
    const SiltDrainage *d = rivers->drainage;
    double spread = rivers->params->lateral * rivers->dt / (d->cell * d->cell);
    double widest = furthest / (double)(d->width + d->height);
    silt_parallel(d->height, 16, gain_rows, rivers);
    if (silt_is_stopped())
        return false;
    Creep rows = {.rivers = rivers,
                  .from = rivers->next,
                  .gain = rivers->gain,
                  .h = rivers->height,
                  .factor = rivers->lowest,
                  .along = 1,
                  .across = (size_t)d->width,
                  .length = d->width,
                  .count = d->height,
                  .r = diffused(rivers),
                  .soil = rivers->params->weathering > 0.0,
                  .spread = spread < widest ? spread : widest,
                  .floor = rivers->floor,
                  .left = rivers->line_left};
    Creep columns = rows;
    columns.h = rivers->crept; // free until what streams gain is known
    columns.along = (size_t)d->width;
    columns.across = 1;
    columns.length = d->height;
    columns.count = d->width;
    double by_rows, by_columns;
    if (!creep_one_way(&rows, &by_rows) || !creep_one_way(&columns, &by_columns))
        return false;
    *left = 0.5 * by_rows + 0.5 * by_columns;
    silt_parallel(d->height, 16, mean_rows, rivers);
    return !silt_is_stopped();
}
